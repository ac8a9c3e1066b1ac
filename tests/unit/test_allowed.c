/* What an access takes, and whether a profile allows it: the engine of "why", of -e and of review. */
#include "session.h"

#include "profile/allowed.h"
#include "profile/fact.h"

static void describe_lines(struct buffer *out, const char *what, const struct allowed_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		buffer_format(out, "  %s [%s] %s\n", what, lines->items[i].section, lines->items[i].text);
}

static void describe(struct buffer *out, const struct need *need, const struct answer *answer)
{
	scoped_free char *needed = fact_rights(answer->needed);

	if (need->kind == NEED_GRANT || need->kind == NEED_MOVE)
		buffer_format(out, "%s %s %s (%s)", need_rule_name(need->rule), needed, need->path, need->name);
	else if (need->kind == NEED_PORT)
		buffer_format(out, "port %s %d", needed, need->port);
	else
		buffer_format(out, "%s", need->kind == NEED_SCOPE ? needed : need->path);
	buffer_format(out, ": %s\n", answer->allowed ? "yes" : "no");
	describe_lines(out, "by", &answer->by);
	describe_lines(out, "held", &answer->held);
	describe_lines(out, "absent", &answer->absent);
	describe_lines(out, "opens", &answer->moves);
	if (answer->add)
		buffer_format(out, "  add [%s] %s\n", answer->section, answer->add);
	if (answer->reason)
		buffer_format(out, "  %s\n", answer->reason);
}

/* Asks a profile of these lines for what the last access of the session takes. */
static void expect_answer(const char *profile_lines, const char *session_lines, const char *want)
{
	scoped_free char *text = format_text(HEAD "%s", profile_lines);
	scoped_profile profile = {0};
	scoped_session session;
	scoped_buffer got = {0};
	scoped_needs needs = {0};
	scoped_free char *storage = NULL;
	scoped_error err = {0};
	struct tiers *tiers = builtin_tiers();
	struct learner *learner;
	struct allowed *allowed;
	struct access access;

	read_text(text, &test_variables, &profile);
	session_init(&session, session_lines);
	learner = session_learn(&session);
	allowed = allowed_create(&profile, tiers, NULL);
	cr_assert_eq(access_read(session.lines[session.count - 1], &access, &storage, &err), 0);
	needs_of_access(learner, &access, &needs);
	for (size_t i = 0; i < needs.count; i++) {
		scoped_answer answer;

		allowed_ask(allowed, &needs.items[i], &needs, &answer);
		describe(&got, &needs.items[i], &answer);
	}
	cr_expect_str_eq(buffer_text(&got), want, "%s--- asked for\n%s--- says\n%s", profile_lines, session_lines,
			 buffer_text(&got));
	allowed_destroy(allowed);
	learner_destroy(learner);
	tiers_destroy(tiers);
}

Test(allowed, what_was_never_asked_takes_nothing)
{
	expect_answer("", "use type=file path=/x rights=read_file\n", "");
	expect_answer("", "use type=file path=/x rights=read_file asked=yes inherited=yes\n", "");
	expect_answer("", "missing path=/x rights=read_file error=ENOENT\n", "");
	expect_answer("", "create type=directory path=/x error=EEXIST\n", "");
	expect_answer("", "call path=udp error=EPERM\n", "");
}

Test(allowed, says_by_which_lines)
{
	expect_answer("[normal]\nallow = read_file /srv\nallow = write_file /srv/a\nallow = execute /srv/a/x\n",
		      "use type=file path=/srv/a/x rights=read_file,write_file asked=yes\n",
		      "exact read_file,write_file /srv/a/x (/srv/a/x): yes\n"
		      "  by [normal] write_file /srv/a\n"
		      "  by [normal] read_file /srv\n");
	expect_answer("[normal]\nallow = read_file /srv\n",
		      "use type=file path=/srv/a rights=read_file,write_file asked=yes\n",
		      "exact read_file,write_file /srv/a (/srv/a): no\n"
		      "  by [normal] read_file /srv\n"
		      "  add [normal] write_file /srv/a\n");
}

Test(allowed, the_line_to_add_has_its_tier)
{
	expect_answer("", "use type=file path=/home/me/.ssh/id rights=read_file asked=yes error=EACCES\n",
		      "exact read_file /home/me/.ssh/id (/home/me/.ssh/id): no\n"
		      "  add [protected] read_file /home/me/.ssh/id\n");
	expect_answer("", "create type=file path=/etc/x rights=write_file asked=yes error=EACCES\n",
		      "directory make_reg,write_file /etc (/etc/x): no\n"
		      "  add [protected] make_reg,write_file /etc\n");
	expect_answer("", "port port=443 rights=connect_tcp asked=yes\n",
		      "port connect_tcp 443: no\n  add [network] connect_tcp 443\n");
	expect_answer("", "scope rights=signal asked=yes\n", "signal: no\n  add [scope] signal\n");
	expect_answer("", "call path=udp\n", "udp: no\n  add [seccomp] udp\n");
}

Test(allowed, what_is_no_path)
{
	expect_answer("[network]\nallow = connect_tcp 443\n", "port port=443 rights=connect_tcp asked=yes\n",
		      "port connect_tcp 443: yes\n  by [network] connect_tcp 443\n");
	expect_answer("[network]\nallow = connect_tcp any\n", "port port=80 rights=connect_tcp asked=yes\n",
		      "port connect_tcp 80: yes\n  by [network] connect_tcp any\n");
	expect_answer("[network]\nallow = bind_tcp any\nallow = connect_tcp 443\n",
		      "port port=80 rights=connect_tcp asked=yes\n",
		      "port connect_tcp 80: no\n  add [network] connect_tcp 80\n");
	expect_answer("[scope]\nallow = signal\n", "scope rights=signal asked=yes\n",
		      "signal: yes\n  by [scope] signal\n");
	expect_answer("[scope]\nallow = signal\n", "scope rights=abstract_unix_socket asked=yes\n",
		      "abstract_unix_socket: no\n  add [scope] abstract_unix_socket\n");
	expect_answer("[seccomp]\nallow = udp\n", "call path=udp\n", "udp: yes\n  by [seccomp] udp\n");
}

Test(allowed, born_names_go_to_their_directory)
{
	const char *const session = "create type=directory path=/srv/d asked=yes\n"
				    "create type=file path=/srv/d/f rights=write_file asked=yes\n"
				    "use type=file path=/srv/d/f rights=read_file asked=yes\n";

	expect_answer("[normal]\nallow = make_dir /srv\n", session,
		      "born read_file /srv (/srv/d/f): no\n  add [normal] read_file /srv\n");
	expect_answer("[normal]\nallow = read_file /srv\n", session,
		      "born read_file /srv (/srv/d/f): yes\n  by [normal] read_file /srv\n");
}

Test(allowed, the_session_knows_what_was_a_directory)
{
	expect_answer("",
		      "use type=file path=/srv/x rights=read_file asked=yes\n"
		      "use path=/srv/x rights=read_dir,read_file asked=yes error=EACCES\n",
		      "exact read_file /srv/x (/srv/x): no\n  add [normal] read_file /srv/x\n");
}

Test(allowed, execution_terminals_and_proc)
{
	expect_answer("", "use type=file path=/usr/lib/ld.so rights=execute,read_file asked=yes call=exec\n",
		      "exec execute,read_file /usr/lib/ld.so (/usr/lib/ld.so): no\n"
		      "  add [normal] execute,read_file /usr/lib/ld.so\n");
	expect_answer("[normal]\nallow = ioctl_dev,read_file ${TTY}\n",
		      "#: tty /dev/pts/3\nuse type=character path=/dev/pts/3 rights=read_file asked=yes\n",
		      "terminal ioctl_dev,read_file /dev/pts/3 (/dev/pts/3): yes\n"
		      "  by [normal] ioctl_dev,read_file /dev/pts/3\n");
	expect_answer("", "#: tty /dev/pts/3\nuse type=character path=/dev/pts/3 rights=read_file asked=yes\n",
		      "terminal ioctl_dev,read_file /dev/pts/3 (/dev/pts/3): no\n"
		      "  add [guarded] ioctl_dev,read_file ${TTY}\n");
	expect_answer("", "use type=character path=/dev/pts/9 rights=read_file asked=yes\n",
		      "pty ioctl_dev,read_file /dev/pts (/dev/pts/9): no\n"
		      "  add [guarded] ioctl_dev,read_file /dev/pts\n");
	expect_answer("", "use type=file path=/proc/self/maps rights=read_file asked=yes\n",
		      "proc read_file /proc/self/maps (/proc/self/maps): no\n"
		      "  add [normal] read_file /proc/self/maps\n");
	expect_answer("", "use type=file path=/proc/77/maps rights=read_file asked=yes\n",
		      "/proc/77/maps: no\n"
		      "  an entry of another process in /proc: its number is another one next time (read_dir,read_file "
		      "on /proc, which is protected, would reach all of them)\n");
	expect_answer("", "#: with-absent\nmissing path=/srv/x rights=read_file error=ENOENT\n",
		      "absent read_file /srv/x (/srv/x): no\n  add [normal] read_file /srv/x\n");
}

Test(allowed, what_is_held_is_for_a_person_to_move)
{
	expect_answer("[held]\nallow = read_file,write_file /srv/x\n",
		      "use type=file path=/srv/x rights=read_file asked=yes\n",
		      "exact read_file /srv/x (/srv/x): no\n"
		      "  held [held] read_file,write_file /srv/x\n"
		      "  the path is held: a person has to move its line from [held]\n");
	/* Beneath a held directory a line may stand. */
	expect_answer("[held]\nallow = read_file,write_file /srv\n",
		      "use type=file path=/srv/x rights=read_file asked=yes\n",
		      "exact read_file /srv/x (/srv/x): no\n"
		      "  held [held] read_file,write_file /srv\n"
		      "  add [normal] read_file /srv/x\n");
	expect_answer("[normal]\nallow = read_dir /\n",
		      "create type=file path=/x rights=write_file asked=yes error=EACCES\n",
		      "directory make_reg,write_file / (/x): no\n"
		      "  / never gets more than read_dir: it would reach everything\n");
	expect_answer("[absent]\nallow = make_reg,write_file /srv\n",
		      "create type=file path=/srv/x rights=write_file asked=yes error=EACCES\n",
		      "directory make_reg,write_file /srv (/srv/x): no\n"
		      "  absent [absent] make_reg,write_file /srv\n"
		      "  add [normal] make_reg,write_file /srv\n");
}

Test(allowed, a_move_takes_what_it_would_gain)
{
	const char *const session = "rename type=file path=/srv/a/f path2=/srv/b/f asked=yes error=EXDEV\n";
	const char *const refer = "[normal]\nallow = refer,remove_file /srv/a\nallow = make_reg,refer /srv/b\n";
	scoped_free char *gains = format_text("%sallow = read_file /srv/b\n", refer);

	expect_answer(refer, session,
		      "directory refer,remove_file /srv/a (/srv/a/f): yes\n"
		      "  by [normal] refer,remove_file /srv/a\n"
		      "directory make_reg,refer /srv/b (/srv/b/f): yes\n"
		      "  by [normal] make_reg,refer /srv/b\n"
		      "exact  /srv/a/f (/srv/a/f): yes\n");
	expect_answer(gains, session,
		      "directory refer,remove_file /srv/a (/srv/a/f): yes\n"
		      "  by [normal] refer,remove_file /srv/a\n"
		      "directory make_reg,refer /srv/b (/srv/b/f): yes\n"
		      "  by [normal] make_reg,read_file,refer /srv/b\n"
		      "exact read_file /srv/a/f (/srv/a/f): no\n"
		      "  add [normal] read_file /srv/a/f\n");
}

/* A directory gains what its new place gets for this very move. */
Test(allowed, a_move_is_asked_as_if_the_rest_was_granted)
{
	expect_answer("", "rename type=directory path=/srv/a/d path2=/srv/b/d asked=yes error=EACCES\n",
		      "directory refer,remove_dir /srv/a (/srv/a/d): no\n"
		      "  add [normal] refer,remove_dir /srv/a\n"
		      "directory make_dir,refer /srv/b (/srv/b/d): no\n"
		      "  add [normal] make_dir,refer /srv/b\n"
		      "exact make_dir,refer /srv/a/d (/srv/a/d): no\n"
		      "  add [normal] make_dir,refer /srv/a/d\n");
}

Test(allowed, what_is_added_can_open_a_move)
{
	expect_answer("[normal]\nallow = refer,remove_file /srv/a\nallow = make_reg,refer /srv/b\n"
		      "[moves]\nmove = /srv/a/f /srv/b\n",
		      "use type=file path=/srv/b/g rights=read_file asked=yes\n",
		      "exact read_file /srv/b/g (/srv/b/g): no\n  add [normal] read_file /srv/b/g\n");
	expect_answer("[normal]\nallow = refer,remove_file /srv/a\nallow = make_reg,refer /srv/b\n"
		      "[moves]\nmove = /srv/a/f /srv/b\n",
		      "create type=file path=/srv/b/g rights=write_file asked=yes\n",
		      "directory make_reg,write_file /srv/b (/srv/b/g): no\n"
		      "  by [normal] make_reg,refer /srv/b\n"
		      "  opens [moves] /srv/a/f /srv/b\n"
		      "  add [normal] write_file /srv/b\n");
}

/* What is granted on all of a directory is granted on what is moved within it, before and after. */
Test(allowed, what_is_added_above_a_move_opens_it_not)
{
	expect_answer("[normal]\nallow = refer,remove_file /srv/a\nallow = make_reg,refer /srv/b\n"
		      "[moves]\nmove = /srv/a/f /srv/b\n",
		      "create type=file path=/srv/g rights=write_file asked=yes\n",
		      "directory make_reg,write_file /srv (/srv/g): no\n"
		      "  add [normal] make_reg,write_file /srv\n");
}

/* As a profile has it that is only looked at. */
Test(allowed, the_terminal_is_known_by_its_variable)
{
	scoped_profile profile = {0};
	scoped_answer answer = {0}, other = {0};
	struct need need = {.kind = NEED_GRANT,
			    .rule = NEED_RULE_TERMINAL,
			    .rights = RIGHT_READ_FILE,
			    .path = (char *)"/dev/pts/3"};
	struct allowed *allowed;

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, TERMINAL_PLACEHOLDER);
	allowed = allowed_create(&profile, NULL, NULL);
	allowed_ask(allowed, &need, NULL, &answer);
	cr_expect(answer.allowed);
	cr_assert_eq(answer.by.count, 1u);
	cr_expect_str_eq(answer.by.items[0].text, "read_file ${TTY}");
	need.rule = NEED_RULE_EXACT;
	allowed_ask(allowed, &need, NULL, &other);
	cr_expect_not(other.allowed);
	allowed_destroy(allowed);
}

/* /lib is a link to /usr/lib, and /mnt another place of /srv. */
static void other_name(const char *path, void (*name)(void *data, const char *name), void *data)
{
	if (!strcmp(path, "/srv/x"))
		name(data, "/mnt/x");
}

Test(allowed, every_name_of_the_object_counts)
{
	scoped_profile profile = {0}, others = {0};
	scoped_answer by_link = {0}, by_mount = {0};
	struct allowed_names names = {.others = &others, .each = other_name};
	struct need need = {.kind = NEED_GRANT, .rights = RIGHT_READ_FILE, .path = (char *)"/usr/lib/x"};
	struct allowed *allowed;

	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/lib");
	profile_add_grant(&profile, SECTION_NORMAL, RIGHT_READ_FILE, "/mnt");
	profile_add_grant(&others, SECTION_NORMAL, RIGHT_READ_FILE, "/usr/lib")->origin.line = 9;
	allowed = allowed_create(&profile, NULL, &names);
	allowed_ask(allowed, &need, NULL, &by_link);
	cr_expect(by_link.allowed);
	cr_expect_eq(by_link.by.count, 1u);
	cr_expect_eq(by_link.by.items[0].line, 9u);
	need.path = (char *)"/srv/x";
	allowed_ask(allowed, &need, NULL, &by_mount);
	cr_expect(by_mount.allowed);
	cr_expect_str_eq(by_mount.by.items[0].text, "read_file /mnt");
	allowed_destroy(allowed);
}
