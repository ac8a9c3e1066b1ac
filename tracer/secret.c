#include "tracer/secret.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* What stands before the sign, at the end of the name. */
static const char *const names[] = {
	"password",   "passwd",	    "passphrase", "secret",	"token",       "apikey",      "api_key",     "api-key",
	"access_key", "access-key", "secret_key", "secret-key", "private_key", "private-key", "credentials", "pwd",
};

/* How keys of widespread services begin, and how many letters and digits (or - and _) follow at least. */
static const struct form {
	const char *begin;
	size_t length;
} forms[] = {
	{"AKIA", 16},  {"ASIA", 16},  {"ghp_", 30}, {"gho_", 30},     {"ghs_", 30}, {"github_pat_", 30}, {"glpat-", 20},
	{"xoxb-", 10}, {"xoxp-", 10}, {"sk-", 20},  {"sk_live_", 16}, {"AIza", 30}, {"eyJ", 40},
};

static bool ends_with_name(const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t name = strlen(names[i]);

		if (length >= name && strncasecmp(text + length - name, names[i], name) == 0)
			return true;
	}
	return false;
}

/* `name=value`, `name: value` (a header), and `name=value` among others in an address or a script. */
static bool has_named_value(const char *argument)
{
	for (const char *sign = argument; (sign = strpbrk(sign, "=:")); sign++)
		if (sign[1] && ends_with_name(argument, (size_t)(sign - argument)))
			return true;
	return false;
}

static bool has_form(const char *at, const struct form *form)
{
	size_t length = 0;

	if (strncmp(at, form->begin, strlen(form->begin)) != 0)
		return false;
	at += strlen(form->begin);
	while (isalnum((unsigned char)at[length]) || at[length] == '-' || at[length] == '_')
		length++;
	return length >= form->length;
}

static bool has_key(const char *argument)
{
	for (const char *at = argument; *at; at++) {
		if (at != argument && (isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '-'))
			continue; /* within a word */
		for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
			if (has_form(at, &forms[i]))
				return true;
	}
	return false;
}

/* scheme://user:password@host */
static bool has_login(const char *argument)
{
	const char *host = strstr(argument, "://");
	size_t length = host ? strcspn(host + 3, "/?# ") : 0;
	const char *at = host ? memchr(host + 3, '@', length) : NULL;

	return at && memchr(host + 3, ':', (size_t)(at - host - 3));
}

bool secret_is_in(const char *argument)
{
	return has_named_value(argument) || has_key(argument) || has_login(argument) ||
	       strcasestr(argument, "authorization: ") || strstr(argument, "PRIVATE KEY-----");
}

static bool is_option_for_secret(const char *argument)
{
	return argument[0] == '-' && ends_with_name(argument, strlen(argument));
}

int secret_find(int count, char *const arguments[])
{
	for (int i = 1; i < count; i++)
		if (secret_is_in(arguments[i]) || (i + 1 < count && is_option_for_secret(arguments[i])))
			return i;
	return 0;
}
