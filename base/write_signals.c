#include "base/write_signals.h"

#include <signal.h>
#include <stddef.h>

#define NUMBERS 2

static const int numbers[NUMBERS] = {SIGXFSZ, SIGPIPE};
static struct sigaction before[NUMBERS];
static size_t count; /* of those that are ignored */

void write_signals_ignore_again(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};

	for (size_t i = 0; i < NUMBERS && i < count; i++)
		sigaction(numbers[i], &ignore, NULL);
}

void write_signals_ignore(enum write_signals which)
{
	count = which == WRITE_SIGNALS_ALL ? NUMBERS : 1;
	for (size_t i = 0; i < NUMBERS && i < count; i++)
		sigaction(numbers[i], NULL, &before[i]);
	write_signals_ignore_again();
}

void write_signals_restore(void)
{
	for (size_t i = 0; i < NUMBERS && i < count; i++)
		sigaction(numbers[i], &before[i], NULL);
}
