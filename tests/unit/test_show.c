/* What a reviewer sees of a profile. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "profile/fact.h"
#include "profile/look.h"
#include "profile/profile_file.h"
#include "profile/show.h"

#define HEAD "[profile]\nformat = 1\nlandlock = 7\ncomplete = yes\n"
#define HEAD_SHOWN                                                                                                     \
	"profile      p.ini\n"                                                                                         \
	"sessions     0\n"                                                                                             \
	"landlock     ABI 7 or newer\n"                                                                                \
	"complete     yes\n"
#define TAIL_SHOWN                                                                                                     \
	"network      no TCP or UDP port\n"                                                                            \
	"scope        signals and abstract sockets stay inside\n"                                                      \
	"environment  passes unchanged\n"                                                                              \
	"seccomp      no group of calls is opened\n"

typedef void show_fn(const struct profile *profile, const struct tiers *tiers, FILE *out);

static char *show(const char *profile_text, show_fn *fn)
{
	const struct variables variables = {.home = (char *)"/home/me", .tty = (char *)TERMINAL_PLACEHOLDER};
	scoped_profile profile = {0};
	struct tiers *tiers = NULL;
	scoped_error err = {0};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	cr_assert_eq(tiers_load(NULL, &variables, &tiers, &err), 0, "%s", err.message);
	cr_assert_eq(profile_read_text(profile_text, strlen(profile_text), "p.ini", &variables, &profile, &err), 0,
		     "%s", err.message);
	fn(&profile, tiers, out);
	fclose(out);
	tiers_destroy(tiers);
	return text;
}

static void plain(const struct profile *profile, const struct tiers *tiers, FILE *out)
{
	show_text(profile, tiers, "p.ini", out, false);
}

static void coloured(const struct profile *profile, const struct tiers *tiers, FILE *out)
{
	show_text(profile, tiers, "p.ini", out, true);
}

static void json(const struct profile *profile, const struct tiers *tiers, FILE *out)
{
	show_json(profile, tiers, "p\xff.ini", out);
}

static void expect_show(const char *profile_text, const char *want)
{
	scoped_free char *text = show(profile_text, plain);

	cr_expect_str_eq(text, want, "got:\n%swant:\n%s", text, want);
}

Test(show, an_empty_profile)
{
	expect_show(HEAD, HEAD_SHOWN "files        none: the program cannot even be executed\n\n" TAIL_SHOWN);
}

Test(show, a_tree)
{
	expect_show(HEAD "[normal]\nallow = read_file /none/a/b\nallow = read_file /none/a/b-c\n"
			 "allow = write_file /none/a/b/c/d\nallow = read_dir /none/a/e\nallow = execute /other\n",
		    HEAD_SHOWN "files        5 normal\n"
			       "\n"
			       "             /\n"
			       "               none/a/\n"
			       "                 b      read_file\n"
			       "                   c/d  write_file\n"
			       "                 b-c    read_file\n"
			       "                 e/**   read_dir\n"
			       "               other    execute\n"
			       "\n" TAIL_SHOWN);
}

Test(show, the_root_and_one_line)
{
	/* what it reaches is another thing on each machine */
	scoped_free char *text = show(HEAD "[protected]\nallow = read_dir,read_file /\n", plain);
	static const char beginning[] =
		HEAD_SHOWN "files        1 protected\n"
			   "\n"
			   "protected    /**  read_dir,read_file\n"
			   "\n"
			   "reach        read_dir,read_file / also reaches, and no line names:\n";

	cr_expect_eq(strncmp(text, beginning, strlen(beginning)), 0, "%s", text);
	cr_expect_not_null(strstr(text, "\nprotected      /etc\n"));
	expect_show(HEAD "[normal]\nallow = read_file /none/a\n", HEAD_SHOWN "files        1 normal\n"
									     "\n"
									     "             /\n"
									     "               none/a  read_file\n"
									     "\n" TAIL_SHOWN);
}

Test(show, tiers_are_computed)
{
	expect_show(HEAD "[normal]\nallow = write_file /etc/none\nallow = read_file /home/me/.ssh/none\n"
			 "allow = read_file /srv/none\n",
		    HEAD_SHOWN "files        1 protected, 1 guarded, 1 normal\n"
			       "\n"
			       "             /\n"
			       "guarded        etc/none           write_file  (stands under [normal])\n"
			       "protected      home/me/.ssh/none  read_file  (stands under [normal])\n"
			       "               srv/none           read_file\n"
			       "\n" TAIL_SHOWN);
}

Test(show, a_long_name_does_not_push_the_others)
{
	expect_show(HEAD "[normal]\nallow = read_file /none/a\nallow = read_file "
			 "/none/"
			 "a-name-that-is-so-long-that-the-column-of-rights-would-stand-far-away\n",
		    HEAD_SHOWN
		    "files        2 normal\n"
		    "\n"
		    "             /\n"
		    "               none/\n"
		    "                 a  read_file\n"
		    "                 a-name-that-is-so-long-that-the-column-of-rights-would-stand-far-away  "
		    "read_file\n"
		    "\n" TAIL_SHOWN);
}

Test(show, everything_else)
{
	expect_show("[profile]\nformat = 1\nsessions = 2\nprogram = /bin/x\nargv0 = x\nargument = a b\nargument "
		    "=\nargument = x\\x3b\n"
		    "directory = /srv\ncomplete = no\nincomplete = one\nincomplete = two\n"
		    "[held]\nallow = make_reg,write_file /\n[absent]\nallow = make_reg /srv/none\n"
		    "[moves]\nmove = /a\\x20b /c\n"
		    "[network]\nallow = bind_tcp 0\nallow = connect_tcp any\n[scope]\nallow = signal\n"
		    "[environment]\nkeep = PATH\nset = A=b c\n[seccomp]\nallow = udp\n",
		    "profile      p.ini\n"
		    "program      /bin/x (as x)\n"
		    "arguments    'a b' '' 'x;'\n"
		    "directory    /srv\n"
		    "sessions     2\n"
		    "landlock     any ABI, also one that can enforce little of it\n"
		    "complete     no: a confined run may differ from the session\n"
		    "               one\n"
		    "               two\n"
		    "files        none: the program cannot even be executed\n"
		    "\n"
		    "network      bind_tcp 0\n"
		    "             connect_tcp any\n"
		    "scope        open to processes outside: signal\n"
		    "environment  keep = PATH\n"
		    "             set = A=b c\n"
		    "seccomp      udp\n"
		    "held         1, not enforced\n"
		    "protected      make_reg,write_file /\n"
		    "absent       1, not enforced\n"
		    "               make_reg /srv/none\n"
		    "moves        1, not enforced\n"
		    "               /a\\x20b /c\n");
}

Test(show, hostile_names)
{
	expect_show(HEAD "[normal]\nallow = read_file /none/\\x1b[31m\\n[held]\\xe2\\x80\\xae\n",
		    HEAD_SHOWN "files        1 normal\n"
			       "\n"
			       "             /\n"
			       "               none/\\x1b[31m\\n[held]\\xe2\\x80\\xae  read_file\n"
			       "\n" TAIL_SHOWN);
}

Test(show, colour)
{
	scoped_free char *text = show(HEAD "[protected]\nallow = read_file /home/me/.ssh/none\n", coloured);

	cr_expect_not_null(strstr(text, "\n\033[1;31mprotected\033[0m      \033[1;31mhome/me/.ssh/none\033[0m  "
					"read_file\n"),
			   "%s", text);
	cr_expect_not_null(strstr(text, "\033[1mfiles\033[0m        \033[1;31m1 protected\033[0m\n"), "%s", text);
}

Test(show, json)
{
	scoped_free char *text = show("[profile]\nformat = 1\ncomplete = yes\n[normal]\nallow = read_file /srv/\\xfe\n"
				      "[network]\nallow = connect_tcp any\n",
				      json);

	cr_expect_str_eq(text,
			 "{\n  \"format\": 1,\n  \"profile\": \"p\\\\xff.ini\",\n  \"program\": null,\n"
			 "  \"argv0\": null,\n  \"arguments\": [],\n  \"directory\": null,\n  \"landlock\": 0,\n"
			 "  \"sessions\": 0,\n  \"complete\": true,\n  \"incomplete\": [],\n"
			 "  \"grants\": [\n    {\n      \"tier\": \"normal\",\n"
			 "      \"path\": \"/srv/\\\\xfe\",\n      \"rights\": [\n        \"read_file\"\n      ],\n"
			 "      \"wide\": false,\n      \"reaches\": [],\n      \"reached\": 0\n    }\n  ],\n"
			 "  \"held\": [],\n  \"absent\": [],\n  \"moves\": [],\n"
			 "  \"network\": [\n    {\n      \"port\": \"any\",\n      \"rights\": [\n"
			 "        \"connect_tcp\"\n      ]\n    }\n  ],\n"
			 "  \"scope\": [],\n  \"environment\": null,\n  \"seccomp\": []\n}\n");
}
