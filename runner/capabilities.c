#include "runner/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS _LINUX_CAPABILITY_U32S_3

/* Whoever may not shrink the bounding set (EPERM) gains nothing by it: no_new_privs. */
static int drop_bounding(struct error *err)
{
	for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EPERM)
			return error_set_errno(err, errno, "capability %lu cannot be taken out of the bounding set",
					       capability);
	return 0;
}

static bool is_any_left(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct sets[WORDS];
	uint32_t left = 0;

	if (syscall(SYS_capget, &header, sets) < 0)
		return true;
	for (int i = 0; i < WORDS; i++)
		left |= sets[i].effective | sets[i].permitted | sets[i].inheritable;
	for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
		left |= (uint32_t)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0);
	return left || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

int capabilities_drop(struct error *err)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[WORDS] = {{0}};

	if (drop_bounding(err) < 0)
		return -err->number;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 || syscall(SYS_capset, &header, none) < 0)
		return error_set_errno(err, errno, "capabilities cannot be dropped");
	if (is_any_left())
		return error_set(err, EPERM, "capabilities are left that cannot be dropped");
	return 0;
}
