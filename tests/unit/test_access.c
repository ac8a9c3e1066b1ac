/* Accesses and their text form, which recorded sessions are kept in. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/access.h"

static void expect_text(const struct access *access, const char *text)
{
	scoped_buffer out = {0};

	access_write(&out, access);
	cr_expect_str_eq(buffer_text(&out), text);
}

/* The text is read, and written again. */
static void expect_same(const char *text)
{
	scoped_free char *storage = NULL;
	scoped_error err = {0};
	struct access access;

	cr_assert_eq(access_read(text, &access, &storage, &err), 0, "%s: %s", text, err.message);
	expect_text(&access, text);
}

static void expect_error(const char *text, const char *message)
{
	scoped_free char *storage = NULL;
	scoped_error err = {0};
	struct access access;

	cr_assert_eq(access_read(text, &access, &storage, &err), -EINVAL, "%s", text);
	cr_expect_str_eq(err.message, message);
	cr_expect_null(storage);
}

Test(access, says_all_that_it_holds)
{
	const struct access access = {
		.kind = ACCESS_RENAME,
		.type = OBJECT_FILE,
		.replaced = OBJECT_SYMLINK,
		.path = "/a b",
		.path2 = "/c=d",
		.rights = RIGHT_READ_FILE | RIGHT_EXECUTE,
		.absent = RIGHT_MAKE_REG,
		.error = EXDEV,
		.asked = true,
		.inherited = true,
		.call = "renameat2",
		.image = "/usr/bin/mv",
	};

	expect_text(&access, "rename type=file path=/a\\x20b path2=/c=d replaced=symlink rights=execute,read_file "
			     "absent=make_reg asked=yes inherited=yes error=EXDEV call=renameat2 image=/usr/bin/mv");
}

Test(access, comes_back_as_it_was_written)
{
	expect_same("use type=directory path=/ rights=read_dir asked=yes call=openat image=/usr/bin/ls");
	expect_same("use type=character path=/dev/null rights=write_file absent=make_reg,write_file asked=yes");
	expect_same("create type=block path=/dev/x asked=yes error=ENOSPC");
	expect_same("remove type=fifo path=/f asked=yes");
	expect_same("exchange type=file path=/a path2=/b replaced=directory asked=yes");
	expect_same("link type=socket path=/a path2=/b asked=yes");
	expect_same("tmpfile path=/tmp/\\x2312 rights=write_file asked=yes");
	expect_same("missing path=/\\xff\\\\\\n\\x20\\x3b rights=read_file error=ENOENT");
	expect_same("port port=443 rights=connect_tcp asked=yes");
	expect_same("port port=-1 rights=bind_tcp asked=yes");
	expect_same("scope rights=signal asked=yes");
	expect_same("call path=unix_socket");
	expect_same("use path=/x error=4000");
}

Test(access, every_error_number_has_one_name)
{
	for (int number = 1; number < 140; number++) {
		struct access access = {.kind = ACCESS_SCOPE, .error = number}, read;
		scoped_free char *storage = NULL;
		scoped_buffer out = {0};
		scoped_error err = {0};

		access_write(&out, &access);
		cr_assert_eq(access_read(out.data, &read, &storage, &err), 0, "%s: %s", out.data, err.message);
		cr_expect_eq(read.error, number, "%s", out.data);
	}
}

Test(access, refuses_what_is_no_access)
{
	expect_error("", "unknown kind of access: (nothing)");
	expect_error("used path=/x", "unknown kind of access: used");
	expect_error("use path", "not KEY=VALUE: path");
	expect_error("use path=/x colour=red", "unknown key colour");
	expect_error("use path=/x type=door", "unknown type door");
	expect_error("use path=/x asked=no", "not yes: no");
	expect_error("use path=/x rights=connect_tcp", "connect_tcp is of the network: it belongs in [network]");
	expect_error("port port=65536 rights=connect_tcp", "not a number up to 65535: 65536");
	expect_error("port port=x", "not a number up to 65535: x");
	expect_error("use path=/x error=EWHAT", "not a number up to 4095: EWHAT");
	expect_error("use path=/x\\x2", "\\x needs two hexadecimal digits");
	expect_error("use path=${HOME}", "no variable can stand here: ${HOME}");
}

Test(access, has_the_paths_that_its_kind_has)
{
	expect_error("use", "use has a path and no path2");
	expect_error("use path=/x path2=/y", "use has a path and no path2");
	expect_error("rename path=/x", "rename has a path and a path2");
	expect_error("exchange path=/x", "exchange has a path and a path2");
	expect_error("link path2=/x", "link has a path and a path2");
	expect_error("port path=/x", "port has no path and no path2");
	expect_error("scope path=/x", "scope has no path and no path2");
	expect_error("call", "call has a path and no path2");
}

Test(access, types_have_their_rights)
{
	const struct {
		mode_t mode;
		enum object_type type;
		rights_t make;
		rights_t remove;
	} rows[] = {
		{S_IFREG, OBJECT_FILE, RIGHT_MAKE_REG, RIGHT_REMOVE_FILE},
		{S_IFDIR, OBJECT_DIRECTORY, RIGHT_MAKE_DIR, RIGHT_REMOVE_DIR},
		{S_IFLNK, OBJECT_SYMLINK, RIGHT_MAKE_SYM, RIGHT_REMOVE_FILE},
		{S_IFIFO, OBJECT_FIFO, RIGHT_MAKE_FIFO, RIGHT_REMOVE_FILE},
		{S_IFSOCK, OBJECT_SOCKET, RIGHT_MAKE_SOCK, RIGHT_REMOVE_FILE},
		{S_IFCHR, OBJECT_CHARACTER, RIGHT_MAKE_CHAR, RIGHT_REMOVE_FILE},
		{S_IFBLK, OBJECT_BLOCK, RIGHT_MAKE_BLOCK, RIGHT_REMOVE_FILE},
		{0, OBJECT_NONE, 0, RIGHT_REMOVE_FILE},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		cr_expect_eq(object_type_of_mode(rows[i].mode | 0644), rows[i].type, "row %zu", i);
		cr_expect_eq(access_make_right(rows[i].type), rows[i].make, "row %zu", i);
		cr_expect_eq(access_remove_right(rows[i].type), rows[i].remove, "row %zu", i);
	}
}
