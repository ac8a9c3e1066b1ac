/* What trace-diff says: what is allowed counts, not how it is written. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "profile/diff.h"
#include "profile/fact.h"
#include "profile/look.h"
#include "profile/profile_file.h"

#define HEAD "[profile]\nformat = 1\nlandlock = 7\n"

static struct variables test_variables(void)
{
	return (struct variables){.home = (char *)"/home/me", .tty = (char *)TERMINAL_PLACEHOLDER};
}

static void read_profile(const char *text, struct profile *profile)
{
	struct variables variables = test_variables();
	scoped_error err = {0};

	cr_assert_eq(profile_read_text(text, strlen(text), "test.ini", &variables, profile, &err), 0, "%s\n%s",
		     err.message, text);
}

static void make_diff(const char *old_text, const char *new_text, struct diff *diff)
{
	struct variables variables = test_variables();
	scoped_profile old = {0};
	scoped_profile new = {0};
	struct tiers *tiers = NULL;
	scoped_error err = {0};

	cr_assert_eq(tiers_load(NULL, &variables, &tiers, &err), 0, "%s", err.message);
	read_profile(old_text, &old);
	read_profile(new_text, &new);
	diff_profiles(&old, &new, tiers, diff);
	tiers_destroy(tiers);
}

static char *print_text(const struct diff *diff, bool colour)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	diff_print_text(diff, NULL, out, colour);
	fclose(out);
	return text;
}

static void expect_diff(const char *old_text, const char *new_text, const char *want)
{
	struct diff diff = {0};
	scoped_free char *text = NULL;

	make_diff(old_text, new_text, &diff);
	text = print_text(&diff, false);
	cr_expect_str_eq(text, want, "got:\n%swant:\n%s", text, want);
	cr_expect_eq(diff.count == 0, *want == '\0');
	diff_finish(&diff);
}

/* The highest tier of what was gained, or -1 for nothing. */
static int gained_tier(const char *old_text, const char *new_text)
{
	struct diff diff = {0};
	int tier = TIER_PROTECTED;

	make_diff(old_text, new_text, &diff);
	while (tier >= TIER_NORMAL && !diff_gains(&diff, tier))
		tier--;
	diff_finish(&diff);
	return tier;
}

Test(diff, the_same_facts_are_no_difference)
{
	expect_diff(HEAD "sessions = 1\n"
			 "[normal]\nallow = read_file /srv/a\nallow = read_file,write_file /srv/b\n"
			 "[guarded]\nallow = write_file /etc/x\n"
			 "[network]\nallow = connect_tcp 443\nallow = bind_tcp 80\n",
		    "; another comment\n" HEAD "sessions = 3\n"
		    "[network]\n; web\nallow = bind_tcp 80\nallow = connect_tcp 443\n"
		    "[protected]\nallow = write_file,read_file /srv/b/\n; mine\nallow = write_file //etc///x\n"
		    "allow = read_file /srv/\\x61\n",
		    "");
}

Test(diff, needless_lines_are_no_difference)
{
	expect_diff(HEAD "[normal]\nallow = read_dir,read_file /srv/a\n",
		    HEAD "[normal]\nallow = read_dir,read_file /srv/a\nallow = read_file /srv/a/b/c\n", "");
	expect_diff(HEAD "[normal]\nallow = read_dir,read_file /srv/a\nallow = read_file /srv/a/b/c\n",
		    HEAD "[normal]\nallow = read_dir,read_file /srv/a\n", "");
}

Test(diff, gained_and_lost_by_computed_tier)
{
	expect_diff(HEAD "[normal]\nallow = read_file /srv/old\nallow = read_file,write_file /srv/less\n",
		    HEAD "[normal]\nallow = read_file /srv/new\nallow = read_file /home/me/.ssh/id\n"
			 "allow = write_file /etc/x\nallow = read_file /srv/less\n",
		    "[protected]\n+ read_file /home/me/.ssh/id\n"
		    "[guarded]\n+ write_file /etc/x\n"
		    "[normal]\n- write_file /srv/less  (keeps read_file)\n+ read_file /srv/new\n- read_file /srv/old\n"
		    "gained: 1 protected, 1 guarded, 1 normal; lost: 2\n");
}

Test(diff, a_wider_line_in_place_of_narrow_ones)
{
	expect_diff(HEAD "[normal]\nallow = read_file /srv/a/b\nallow = read_file,write_file /srv/a/c\n"
			 "allow = read_file /srv/a-b\n",
		    HEAD "[normal]\nallow = read_file /srv/a\nallow = read_file /srv/a-b\n",
		    "[normal]\n~ read_file /srv/a  (had read_file on /srv/a/b and 1 more beneath)\n"
		    "- write_file /srv/a/c\n"
		    "gained: 1 normal; lost: 1\n");
}

Test(diff, a_wider_line_beside_the_narrow_one)
{
	expect_diff(HEAD "[normal]\nallow = read_file /srv/a/b\n",
		    HEAD "[normal]\nallow = read_file /srv/a\nallow = read_file /srv/a/b\n",
		    "[normal]\n~ read_file /srv/a  (had read_file on /srv/a/b)\ngained: 1 normal\n");
}

Test(diff, more_rights_on_the_same_path)
{
	expect_diff(HEAD "[normal]\nallow = read_file /srv/a\n", HEAD "[normal]\nallow = read_file,write_file /srv/a\n",
		    "[normal]\n~ write_file /srv/a  (had read_file)\ngained: 1 normal\n");
}

Test(diff, a_narrower_line_says_what_is_kept)
{
	expect_diff(HEAD "[normal]\nallow = read_file /srv/a\n", HEAD "[normal]\nallow = read_file /srv/a/b\n",
		    "[normal]\n- read_file /srv/a  (keeps read_file on /srv/a/b)\nlost: 1\n");
}

/* What a directory above gives already is not gained, and not lost. */
Test(diff, cover_from_above)
{
	expect_diff(HEAD "[normal]\nallow = read_file /srv\n",
		    HEAD "[normal]\nallow = read_file /srv\nallow = read_file,write_file /srv/a\n",
		    "[normal]\n+ write_file /srv/a\ngained: 1 normal\n");
	expect_diff(HEAD "[normal]\nallow = read_file /srv\nallow = read_file,write_file /srv/a\n",
		    HEAD "[normal]\nallow = read_file /srv\n", "[normal]\n- write_file /srv/a\nlost: 1\n");
}

/* What a directory gains or loses is told there, and not again for each line beneath. */
Test(diff, told_once)
{
	const char *both = HEAD "[normal]\nallow = read_file /srv/a\nallow = read_file /srv/a/b\n"
				"[network]\nallow = connect_tcp any\nallow = connect_tcp 443\n";

	expect_diff(HEAD, both,
		    "[guarded]\n+ network: connect_tcp any\n[normal]\n+ read_file /srv/a\n"
		    "gained: 1 guarded, 1 normal\n");
	expect_diff(both, HEAD, "[guarded]\n- network: connect_tcp any\n[normal]\n- read_file /srv/a\nlost: 2\n");
}

Test(diff, other_rights_beneath_are_not_narrower_lines)
{
	expect_diff(HEAD "[normal]\nallow = write_file /srv/a/b\n",
		    HEAD "[normal]\nallow = write_file /srv/a/b\nallow = read_file /srv/a\n",
		    "[normal]\n+ read_file /srv/a\ngained: 1 normal\n");
}

Test(diff, files_come_first_in_a_tier)
{
	expect_diff(HEAD, HEAD "[guarded]\nallow = write_file /etc/x\n[network]\nallow = bind_tcp 1\n",
		    "[guarded]\n+ write_file /etc/x\n+ network: bind_tcp 1\ngained: 2 guarded\n");
	expect_diff(HEAD "[guarded]\nallow = write_file /etc/x\n", HEAD "[network]\nallow = bind_tcp 1\n",
		    "[guarded]\n- write_file /etc/x\n+ network: bind_tcp 1\ngained: 1 guarded; lost: 1\n");
}

/* The tier is that of what was gained, with all that it reaches. */
Test(diff, tier_of_what_is_reached)
{
	cr_expect_eq(gained_tier(HEAD "[protected]\nallow = read_dir /home/me\n",
				 HEAD "[protected]\nallow = read_dir,read_file /home/me\n"),
		     TIER_PROTECTED);
	cr_expect_eq(gained_tier(HEAD "[guarded]\nallow = write_file /etc/x\n",
				 HEAD "[guarded]\nallow = read_file,write_file /etc/x\n"),
		     TIER_NORMAL);
	cr_expect_eq(gained_tier(HEAD "[normal]\nallow = read_file /etc/x\n",
				 HEAD "[normal]\nallow = execute,read_file /etc/x\n"),
		     TIER_NORMAL);
	cr_expect_eq(gained_tier(HEAD "[normal]\nallow = read_file /etc/x\n",
				 HEAD "[normal]\nallow = read_file,write_file /etc/x\n"),
		     TIER_GUARDED);
}

Test(diff, a_line_that_left_held_is_protected)
{
	expect_diff(HEAD "[held]\nallow = write_file /srv/a\n", HEAD "[normal]\nallow = write_file /srv/a\n",
		    "[protected]\n+ write_file /srv/a  (was held)\n"
		    "[held] not enforced\n- write_file /srv/a\n"
		    "gained: 1 protected; other: 1\n");
	expect_diff(HEAD "[held]\nallow = write_file /srv/a/b\n", HEAD "[normal]\nallow = write_file /srv/a\n",
		    "[protected]\n+ write_file /srv/a  (reaches /srv/a/b, which was held)\n"
		    "[held] not enforced\n- write_file /srv/a/b\n"
		    "gained: 1 protected; other: 1\n");
	cr_expect_eq(gained_tier(HEAD "[held]\nallow = write_file /srv/a\n", HEAD), -1);
}

Test(diff, a_line_that_is_held_now)
{
	expect_diff(HEAD "[normal]\nallow = write_file /srv/a\n", HEAD "[held]\nallow = write_file /srv/a\n",
		    "[normal]\n- write_file /srv/a  (now held)\n"
		    "[held] not enforced\n+ write_file /srv/a\n"
		    "lost: 1; other: 1\n");
}

Test(diff, what_is_not_enforced_gains_nothing)
{
	const char *old = HEAD "[held]\nallow = make_reg /\n[absent]\nallow = make_reg /srv\n[moves]\nmove = /a /b\n";
	const char *new = HEAD "[held]\nallow = make_dir,make_reg /\n[absent]\nallow = make_reg /srv/x\n"
			       "[moves]\nmove = /a /b\nmove = /a\\x20b /c\n";

	expect_diff(old, new,
		    "[held] not enforced\n+ make_dir /\n"
		    "[absent] not enforced\n- make_reg /srv\n+ make_reg /srv/x\n"
		    "[moves] not enforced\n+ /a\\x20b /c\n"
		    "other: 4\n");
	cr_expect_eq(gained_tier(old, new), -1);
}

Test(diff, ports)
{
	expect_diff(HEAD "[network]\nallow = connect_tcp 80\nallow = connect_tcp 443\nallow = bind_tcp 0\n",
		    HEAD "[network]\nallow = connect_tcp any\nallow = bind_tcp 8080\n",
		    "[guarded]\n+ network: bind_tcp 8080\n- network: bind_tcp 0\n"
		    "~ network: connect_tcp any  (had connect_tcp 80 and 1 more)\n"
		    "gained: 2 guarded; lost: 1\n");
	expect_diff(HEAD "[network]\nallow = connect_tcp any\n", HEAD "[network]\nallow = connect_tcp 65535\n",
		    "[guarded]\n- network: connect_tcp any  (keeps connect_tcp 65535)\nlost: 1\n");
	expect_diff(HEAD "[network]\nallow = connect_tcp any\n",
		    HEAD "[network]\nallow = connect_tcp any\nallow = connect_tcp 443\n", "");
	expect_diff(HEAD, HEAD "[network]\n", "");
}

Test(diff, scopes_and_seccomp_words_are_protected)
{
	expect_diff(HEAD "[scope]\nallow = abstract_unix_socket\n[seccomp]\nallow = udp\n",
		    HEAD "[scope]\nallow = signal\n[seccomp]\nallow = io_uring\n",
		    "[protected]\n+ scope: signal\n- scope: abstract_unix_socket\n"
		    "+ seccomp: io_uring\n- seccomp: udp\n"
		    "gained: 2 protected; lost: 2\n");
}

Test(diff, environment)
{
	const char *none = HEAD;
	const char *some = HEAD "[environment]\nkeep = PATH\nset = LANG=C\nunset = TOKEN\n";
	const char *other = HEAD "[environment]\nkeep = HOME\nkeep = PATH\nset = LANG=de\n";

	expect_diff(some, none,
		    "[protected]\n~ environment: no [environment]  (was there: every variable passes now)\n"
		    "gained: 1 protected\n");
	expect_diff(none, some,
		    "[guarded]\n+ environment: set = LANG=C\n"
		    "[normal]\n+ environment: keep = PATH\n"
		    "~ environment: [environment]  (is new: every variable passed before)\n"
		    "~ environment: unset = TOKEN  (new: it no longer passes)\n"
		    "gained: 1 guarded; other: 3\n");
	expect_diff(some, other,
		    "[guarded]\n+ environment: keep = HOME\n"
		    "~ environment: set = LANG=de  (was C)\n~ environment: unset = TOKEN  (gone: it may pass again)\n"
		    "gained: 3 guarded\n");
	cr_expect_eq(gained_tier(other, some), TIER_GUARDED);
	cr_expect_eq(gained_tier(some, HEAD "[environment]\nset = LANG=C\nunset = TOKEN\n"), TIER_PROTECTED);
	cr_expect_eq(gained_tier(some, HEAD "[environment]\nkeep = PATH\nset = LANG=C\nunset = A\nunset = TOKEN\n"),
		     -1);
}

Test(diff, a_value_of_the_environment_that_goes)
{
	const char *value = HEAD "[environment]\nkeep = B\nset = A=1\n";

	expect_diff(value, HEAD "[environment]\nkeep = B\n",
		    "[guarded]\n- environment: set = A=1  (the caller's own value may pass)\ngained: 1 guarded\n");
	expect_diff(value, HEAD "[environment]\nkeep = B\nunset = A\n",
		    "[normal]\n~ environment: unset = A  (new: it no longer passes)\nother: 1\n");
	expect_diff(HEAD "[environment]\nkeep = B\nunset = A\n", value,
		    "[guarded]\n+ environment: set = A=1\n"
		    "[normal]\n~ environment: unset = A  (gone: it may pass again)\n"
		    "gained: 1 guarded; other: 1\n");
}

Test(diff, a_lowered_landlock_is_protected)
{
	const char *seven = "[profile]\nformat = 1\nlandlock = 7\n";
	const char *five = "[profile]\nformat = 1\nlandlock = 5\n";

	expect_diff(seven, five,
		    "[protected]\n~ profile: landlock = 5  (was 7: may now run where less can be enforced)\n"
		    "gained: 1 protected\n");
	expect_diff(five, seven, "[profile]\n~ landlock = 7  (was 5)\nother: 1\n");
}

Test(diff, what_is_known_of_the_session)
{
	const char *old = HEAD "program = /bin/a\nargument = x\ncomplete = yes\n";
	const char *new = HEAD "program = /bin/b\nargument = x\nargument = y z\ncomplete = no\n"
			       "incomplete = a file was gone\n";

	expect_diff(old, new,
		    "[profile]\n+ incomplete = a file was gone\n"
		    "~ arguments = x 'y z'  (were x)\n~ complete = no  (was yes)\n~ program = /bin/b  (was /bin/a)\n"
		    "other: 4\n");
	cr_expect_eq(gained_tier(old, new), -1);
	expect_diff(old, HEAD "program = /bin/a\nargument = y\ncomplete = yes\n",
		    "[profile]\n~ arguments = y  (were x)\nother: 1\n");
	expect_diff(old, HEAD "program = /bin/a\ncomplete = yes\n", "[profile]\n~ no arguments  (were x)\nother: 1\n");
}

Test(diff, the_terminal_is_the_same_on_every_terminal)
{
	expect_diff(HEAD, HEAD "[normal]\nallow = ioctl_dev ${TTY}\n",
		    "[guarded]\n+ ioctl_dev ${TTY}\ngained: 1 guarded\n");
}

Test(diff, hostile_names)
{
	expect_diff(HEAD, HEAD "[normal]\nallow = read_file /srv/a\\x1b[31m\\xff\\n\n",
		    "[normal]\n+ read_file /srv/a\\x1b[31m\\xff\\n\ngained: 1 normal\n");
}

Test(diff, colour_is_by_tier_of_gains)
{
	struct diff diff = {0};
	scoped_free char *text = NULL;

	make_diff(HEAD "[normal]\nallow = read_file /home/me/.ssh/a\n",
		  HEAD "[normal]\nallow = read_file /home/me/.ssh/b\n", &diff);
	text = print_text(&diff, true);
	cr_expect_str_eq(text, "\033[1m[protected]\033[0m\n- read_file /home/me/.ssh/a\n"
			       "\033[1;31m+ read_file /home/me/.ssh/b\033[0m\n"
			       "gained: 1 protected; lost: 1\n");
	diff_finish(&diff);
}

Test(diff, json)
{
	struct diff diff = {0};
	scoped_free char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	make_diff(HEAD "complete = yes\n",
		  HEAD "complete = no\nincomplete = x\n[normal]\nallow = read_file /srv/a\\xff\n", &diff);
	diff_print_json(&diff, NULL, "old\xff.ini", "new.ini", out);
	fclose(out);
	cr_expect_str_eq(text, "{\n  \"format\": 1,\n  \"old\": \"old\\\\xff.ini\",\n  \"new\": \"new.ini\",\n"
			       "  \"different\": true,\n"
			       "  \"gained\": {\n    \"protected\": 0,\n    \"guarded\": 0,\n    \"normal\": 1\n  },\n"
			       "  \"changes\": [\n"
			       "    {\n      \"change\": \"gained\",\n      \"section\": \"normal\",\n"
			       "      \"tier\": \"normal\",\n      \"gains\": true,\n"
			       "      \"fact\": \"read_file /srv/a\\\\xff\",\n      \"note\": null,\n"
			       "      \"path\": \"/srv/a\\\\xff\",\n"
			       "      \"rights\": [\n        \"read_file\"\n      ]\n    },\n"
			       "    {\n      \"change\": \"gained\",\n      \"section\": \"profile\",\n"
			       "      \"tier\": null,\n      \"gains\": false,\n      \"fact\": \"incomplete = x\",\n"
			       "      \"note\": null,\n      \"path\": null,\n      \"rights\": []\n    },\n"
			       "    {\n      \"change\": \"changed\",\n      \"section\": \"profile\",\n"
			       "      \"tier\": null,\n      \"gains\": false,\n      \"fact\": \"complete = no\",\n"
			       "      \"note\": \"was yes\",\n      \"path\": null,\n      \"rights\": []\n    }\n"
			       "  ]\n}\n");
	diff_finish(&diff);
}
