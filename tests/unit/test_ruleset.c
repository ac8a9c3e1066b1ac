#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_file.h"
#include "runner/ruleset.h"

static const char head[] = "[profile]\nformat = 1\n";

static struct profile profile;
static struct ruleset ruleset;

static void compile(const char *text, int abi)
{
	char whole[2000];
	struct error err = {0};

	snprintf(whole, sizeof whole, "%s%s", head, text);
	cr_assert_eq(profile_read_text(whole, strlen(whole), "p.ini", NULL, &profile, &err), 0, "%s", err.message);
	ruleset_compile(&profile, abi, &ruleset);
}

static void finish(void)
{
	ruleset_finish(&ruleset);
	profile_finish(&profile);
}

static char *printed(void)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ruleset_print(&ruleset, out);
	fclose(out);
	return text;
}

/* Lines stand by their rights first: runs, of which there may be an odd number. */
Test(ruleset, paths_are_in_order_whatever_their_rights, .fini = finish)
{
	compile("[normal]\n"
		"allow = execute,read_file /c\nallow = execute,read_file /g\n"
		"allow = make_dir /b\nallow = make_dir /h\n"
		"allow = make_reg /a\n"
		"allow = read_dir /d\nallow = read_dir /e\n"
		"allow = read_file /0\nallow = read_file /f\n",
		7);
	cr_assert_eq(ruleset.path_count, 9);
	for (size_t i = 0; i < ruleset.path_count; i++)
		cr_expect_eq(ruleset.paths[i].path[1], "0abcdefgh"[i]);
	for (size_t i = 0; i < ruleset.path_count; i++)
		cr_expect_str_eq(ruleset.paths[i].path, ruleset.paths[i].grant->path);
}

#define BOTH_SCOPES (RIGHT_SIGNAL | RIGHT_ABSTRACT_UNIX_SOCKET)

/* Written down once more, by the documentation of the kernel: what is handled at each ABI. */
Test(ruleset, handles_all_that_the_abi_knows, .fini = finish)
{
	static const rights_t first = (1 << 13) - 1;
	static const rights_t added[] = {
		[1] = first,
		[2] = RIGHT_REFER,
		[3] = RIGHT_TRUNCATE,
		[4] = RIGHT_BIND_TCP | RIGHT_CONNECT_TCP,
		[5] = RIGHT_IOCTL_DEV,
		[6] = BOTH_SCOPES,
		[9] = RIGHT_RESOLVE_UNIX,
		[10] = RIGHT_BIND_UDP | RIGHT_CONNECT_SEND_UDP,
	};
	rights_t expected = 0;

	for (int abi = 1; abi <= 10; abi++) {
		expected |= added[abi];
		compile("[seccomp]\nallow = udp\nallow = unix_socket\n", abi);
		cr_expect_eq(ruleset.handled, expected, "ABI %d", abi);
		cr_expect_eq(ruleset.missing, rights_of_abi(10) & ~expected & ~RIGHT_REFER, "ABI %d", abi);
		finish();
	}
}

Test(ruleset, a_newer_abi_is_used_as_far_as_it_is_known, .fini = finish)
{
	compile("", 12);
	cr_assert_eq(ruleset.handled, rights_of_abi(10));
	cr_assert_eq(ruleset.missing, 0);
	cr_assert_eq(ruleset.abi, 12);
}

Test(ruleset, without_landlock_nothing_is_handled, .fini = finish)
{
	compile("[normal]\nallow = read_file /etc/passwd\n", 0);
	cr_assert_eq(ruleset.handled, 0);
	cr_assert_eq(ruleset.path_count, 0);
}

Test(ruleset, only_enforced_sections_become_rules, .fini = finish)
{
	compile("[normal]\nallow = read_file /n\n[guarded]\nallow = write_file /g\n[protected]\nallow = read_dir /p\n"
		"[held]\nallow = write_file /h\n[absent]\nallow = make_reg /a\n[moves]\nmove = /m /n\n",
		7);
	cr_assert_eq(ruleset.path_count, 3);
	cr_expect_str_eq(ruleset.paths[0].path, "/g");
	cr_expect_eq(ruleset.paths[0].rights, RIGHT_WRITE_FILE);
	cr_expect_str_eq(ruleset.paths[1].path, "/n");
	cr_expect_str_eq(ruleset.paths[2].path, "/p");
	cr_expect_eq(ruleset.paths[2].grant->origin.line, 8);
}

Test(ruleset, rights_are_cut_to_the_abi_and_empty_rules_dropped, .fini = finish)
{
	compile("[normal]\nallow = ioctl_dev,read_file,truncate /a\nallow = truncate /b\n", 2);
	cr_assert_eq(ruleset.path_count, 1);
	cr_assert_str_eq(ruleset.paths[0].path, "/a");
	cr_assert_eq(ruleset.paths[0].rights, RIGHT_READ_FILE);
}

Test(ruleset, a_skipped_line_is_no_rule, .fini = finish)
{
	compile("", 7);
	profile_add_skipped(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "${TTY}");
	ruleset_finish(&ruleset);
	ruleset_compile(&profile, 7, &ruleset);
	cr_assert_eq(ruleset.path_count, 0);
}

Test(ruleset, without_the_sections_no_port_and_no_scope_is_open, .fini = finish)
{
	compile("", 10);
	cr_assert_eq(ruleset.port_count, 0);
	cr_assert_eq(ruleset.handled & (RIGHTS_NETWORK | RIGHTS_SCOPE), RIGHTS_NETWORK | RIGHTS_SCOPE);
}

Test(ruleset, ports_become_rules_by_number, .fini = finish)
{
	compile("[network]\nallow = connect_tcp 443\nallow = bind_tcp 0\nallow = connect_send_udp 53\n", 7);
	cr_assert_eq(ruleset.port_count, 2);
	cr_expect_eq(ruleset.ports[0].port, 0);
	cr_expect_eq(ruleset.ports[0].rights, RIGHT_BIND_TCP);
	cr_expect_eq(ruleset.ports[1].port, 443);
	finish();
	compile("[network]\nallow = connect_send_udp 53\n", 10);
	cr_assert_eq(ruleset.port_count, 1);
	cr_assert_eq(ruleset.ports[0].rights, RIGHT_CONNECT_SEND_UDP);
}

/* No rule can say "every port": the right is then not handled at all, and nothing of it is missing. */
Test(ruleset, any_port_takes_the_right_out_of_what_is_handled, .fini = finish)
{
	compile("[network]\nallow = connect_tcp any\nallow = bind_udp any\nallow = connect_tcp 443\n"
		"[seccomp]\nallow = udp\n",
		7);
	cr_assert_eq(ruleset.handled & RIGHTS_NETWORK, RIGHT_BIND_TCP);
	cr_assert_eq(ruleset.missing & RIGHTS_NETWORK, RIGHT_CONNECT_SEND_UDP);
	cr_assert_eq(ruleset.port_count, 0);
}

Test(ruleset, an_open_scope_is_not_handled_and_not_missing, .fini = finish)
{
	compile("[scope]\nallow = signal\n", 7);
	cr_assert_eq(ruleset.handled & RIGHTS_SCOPE, RIGHT_ABSTRACT_UNIX_SOCKET);
	finish();
	compile("[scope]\nallow = signal\n[seccomp]\nallow = unix_socket\n", 5);
	cr_assert_eq(ruleset.missing & RIGHTS_SCOPE, RIGHT_ABSTRACT_UNIX_SOCKET);
}

#define GROUP(name) SECCOMP_SET(SECCOMP_##name)

Test(ruleset, every_group_is_refused_that_no_word_opens, .fini = finish)
{
	compile("", 7);
	cr_expect_eq(ruleset.refused, SECCOMP_EVERY_GROUP);
	cr_expect_eq(ruleset.loose, 0);
	finish();
	compile("[seccomp]\nallow = metadata\nallow = bpf\n", 7);
	cr_expect_eq(ruleset.refused, SECCOMP_EVERY_GROUP & ~(GROUP(METADATA) | GROUP(BPF)));
}

/* Sockets that Landlock cannot limit yet are not made at all, and then nothing of them is missing. */
Test(ruleset, sockets_are_the_filters_until_landlock_limits_them, .fini = finish)
{
	for (int abi = 1; abi <= 10; abi++) {
		compile("", abi);
		cr_expect_eq(!(ruleset.refused & GROUP(UNIX_SOCKET)), abi >= 9, "ABI %d", abi);
		cr_expect_eq(!(ruleset.refused & GROUP(UDP)), abi >= 10, "ABI %d", abi);
		cr_expect(ruleset.refused & GROUP(OTHER_SOCKET));
		cr_expect_eq(ruleset.missing & (RIGHT_RESOLVE_UNIX | RIGHT_BIND_UDP | RIGHT_CONNECT_SEND_UDP), 0);
		finish();
		compile("[seccomp]\nallow = udp\nallow = unix_socket\n", abi);
		cr_expect_eq(ruleset.refused & (GROUP(UNIX_SOCKET) | GROUP(UDP)), 0);
		cr_expect_eq(!!(ruleset.loose & GROUP(UNIX_SOCKET)), abi < 9, "ABI %d", abi);
		cr_expect_eq(!!(ruleset.loose & GROUP(UDP)), abi < 10, "ABI %d", abi);
		cr_expect_eq(!!(ruleset.missing & RIGHT_RESOLVE_UNIX), abi < 9, "ABI %d", abi);
		finish();
	}
}

Test(ruleset, needed_is_what_the_profile_counts_on, .fini = finish)
{
	compile("landlock = 4\n", 2);
	cr_assert_eq(ruleset.needed, RIGHT_TRUNCATE | RIGHT_BIND_TCP | RIGHT_CONNECT_TCP);
	finish();
	compile("landlock = 4\n", 4);
	cr_assert_eq(ruleset.needed, 0);
}

Test(ruleset, prints_one_operation_a_line, .fini = finish)
{
	char *text;

	compile("landlock = 5\n[normal]\nallow = read_file /b\\n\\x1b[31m\nallow = execute,read_file /a\n[network]\n"
		"allow = connect_tcp 443\nallow = bind_tcp any\n[scope]\nallow = "
		"abstract_unix_socket\n[seccomp]\nallow = udp\nallow = other_socket\n",
		6);
	text = printed();
	cr_assert_str_eq(text, "landlock 6\n"
			       "set no_new_privs\n"
			       "handle execute,ioctl_dev,make_block,make_char,make_dir,make_fifo,make_reg,make_sock,"
			       "make_sym,read_dir,read_file,refer,remove_dir,remove_file,truncate,write_file\n"
			       "handle connect_tcp\n"
			       "scope signal\n"
			       "refuse always,bpf,chroot,io_uring,keyring,metadata,namespaces,perf,unix_socket,"
			       "userfaultfd\n"
			       "allow execute,read_file /a\n"
			       "allow read_file /b\\n\\x1b[31m\n"
			       "allow connect_tcp 443\n"
			       "not enforced by this kernel: bind_udp,connect_send_udp\n");
	free(text);
}
