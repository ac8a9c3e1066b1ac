#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define ESCAPE		 27
#define SEQUENCE_MS	 50    /* within which the rest of a key's bytes comes */
#define OUTPUT_BYTES	 65536 /* kept back until there is a question */
#define LINE_BYTES_LIMIT 4096

/* Those that end the program, the one that stops it, and the one that says that it was stopped (by SIGSTOP too). */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT};

static struct {
	volatile sig_atomic_t signal; /* that came last; 0 for none */
	struct sigaction found[ARRAY_LENGTH(signals)];
	bool caught;
} own;

int terminal_open(struct terminal *terminal, struct error *err)
{
	*terminal = TERMINAL_NONE;
	terminal->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->fd < 0)
		return error_set(err, ENXIO, "there is no terminal to ask on (/dev/tty: %s)", strerror(errno));
	if (tcgetattr(terminal->fd, &terminal->found) == 0)
		terminal->out = fdopen(fcntl(terminal->fd, F_DUPFD_CLOEXEC, 3), "w");
	if (!terminal->out) {
		error_set_errno(err, errno, "/dev/tty");
		terminal_finish(terminal);
		return -err->number;
	}
	setvbuf(terminal->out, NULL, _IOFBF, OUTPUT_BYTES);
	return 0;
}

static void remember(int signal)
{
	own.signal = signal;
}

static sigset_t set_of_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++)
		sigaddset(&set, signals[i]);
	return set;
}

/* What was ignored when we started (nohup) stays so. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = remember};

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++) {
		sigaction(signals[i], NULL, &own.found[i]);
		if (own.found[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	own.signal = 0;
	own.caught = true;
}

static void set_attributes(const struct terminal *terminal, const struct termios *attributes)
{
	while (tcsetattr(terminal->fd, TCSADRAIN, attributes) < 0 && errno == EINTR)
		;
}

static void set_keys(const struct terminal *terminal)
{
	struct termios keys = terminal->found;

	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
	keys.c_lflag |= ISIG;
	keys.c_iflag |= ICRNL;
	keys.c_iflag &= ~(tcflag_t)(INLCR | IGNCR | ISTRIP);
	keys.c_oflag |= OPOST | ONLCR;
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	set_attributes(terminal, &keys);
}

/* The program before us may have left any settings behind: these are sane, whatever was found. */
static void set_line(const struct terminal *terminal)
{
	struct termios line = terminal->found;

	line.c_lflag |= ICANON | ECHO | ECHOE | ECHOK | ISIG;
	line.c_iflag |= ICRNL;
	line.c_oflag |= OPOST | ONLCR;
	line.c_cc[VEOF] = TERMINAL_END_OF_INPUT;
	set_attributes(terminal, &line);
}

void terminal_begin(struct terminal *terminal)
{
	sigset_t set = set_of_signals();

	sigprocmask(SIG_BLOCK, &set, &terminal->mask);
	catch_signals();
	set_keys(terminal);
}

/* In the background setting would stop us; and whoever is in the foreground has set the terminal for himself. */
static bool is_in_foreground(const struct terminal *terminal)
{
	return tcgetpgrp(terminal->fd) == getpgrp();
}

static void stop(const struct terminal *terminal)
{
	struct sigaction standard = {.sa_handler = SIG_DFL}, ignore = {.sa_handler = SIG_IGN}, on_stop, on_continue;
	sigset_t set;

	if (is_in_foreground(terminal))
		set_attributes(terminal, &terminal->found);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaction(SIGTSTP, &standard, &on_stop);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* it stops here */
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGTSTP, &on_stop, NULL);
	sigaction(SIGCONT, &ignore, &on_continue); /* takes the pending one back */
	sigaction(SIGCONT, &on_continue, NULL);
}

/* Waits until there is something to read, or a signal. TERMINAL_CLOSED after a hang-up, else 0. */
static int wait_for_input(const struct terminal *terminal)
{
	struct pollfd input = {.fd = terminal->fd, .events = POLLIN};
	sigset_t open = terminal->mask;

	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++)
		sigdelset(&open, signals[i]);
	while (ppoll(&input, 1, NULL, &open) < 0)
		if (errno != EINTR)
			return TERMINAL_CLOSED;
		else if (own.signal)
			break;
	return input.revents & POLLIN || own.signal ? 0 : TERMINAL_CLOSED;
}

/* The same, and does what a signal asks for: 0 when there is something to read. */
static int wait_for_key(struct terminal *terminal, void (*set)(const struct terminal *terminal))
{
	int result;

	own.signal = 0;
	result = wait_for_input(terminal);
	if (result < 0 || !own.signal)
		return result;
	if (own.signal == SIGTSTP)
		stop(terminal);
	else if (own.signal != SIGCONT)
		terminal->signal = own.signal;
	if (terminal->signal)
		return TERMINAL_SIGNAL;
	set(terminal);
	return TERMINAL_RESUMED;
}

/* Throws the rest of an escape sequence away: its letters are not answers. */
static int end_sequence(const struct terminal *terminal)
{
	struct pollfd input = {.fd = terminal->fd, .events = POLLIN};
	int result = ESCAPE;
	char byte;

	while (poll(&input, 1, SEQUENCE_MS) > 0 && input.revents & POLLIN && read(terminal->fd, &byte, 1) == 1)
		result = TERMINAL_SEQUENCE;
	return result;
}

/* In this order: what is typed once the question stands there counts. */
static void ask(const struct terminal *terminal)
{
	tcflush(terminal->fd, TCIFLUSH);
	fflush(terminal->out);
}

int terminal_key(struct terminal *terminal)
{
	unsigned char byte;
	int result;

	ask(terminal);
	result = wait_for_key(terminal, set_keys);
	if (result < 0)
		return result;
	if (read(terminal->fd, &byte, 1) != 1)
		return TERMINAL_CLOSED;
	return byte == ESCAPE ? end_sequence(terminal) : byte;
}

static int read_line(struct terminal *terminal, char **line)
{
	char text[LINE_BYTES_LIMIT];
	ssize_t length;
	int result = wait_for_key(terminal, set_line);

	if (result < 0)
		return result;
	length = read(terminal->fd, text, sizeof text);
	if (length <= 0)
		return TERMINAL_CLOSED;
	*line = duplicate_bytes(text, (size_t)length - (text[length - 1] == '\n'));
	return 0;
}

int terminal_line(struct terminal *terminal, char **line)
{
	int result;

	*line = NULL;
	set_line(terminal);
	ask(terminal);
	do
		result = read_line(terminal, line);
	while (result == TERMINAL_RESUMED);
	set_keys(terminal);
	return result;
}

void terminal_size(const struct terminal *terminal, unsigned *columns, unsigned *rows)
{
	struct winsize size = {0};

	ioctl(terminal->fd, TIOCGWINSZ, &size);
	*columns = size.ws_col ? size.ws_col : 80;
	*rows = size.ws_row ? size.ws_row : 24;
}

static void restore_signals(struct terminal *terminal)
{
	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++)
		sigaction(signals[i], &own.found[i], NULL);
	sigprocmask(SIG_SETMASK, &terminal->mask, NULL);
	own.caught = false;
}

void terminal_finish(struct terminal *terminal)
{
	if (own.caught) {
		fflush(terminal->out);
		if (is_in_foreground(terminal))
			set_attributes(terminal, &terminal->found);
		restore_signals(terminal);
	}
	if (terminal->out)
		fclose(terminal->out);
	if (terminal->fd >= 0)
		close(terminal->fd);
	*terminal = TERMINAL_NONE;
}

void terminal_die(int signal)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t set;

	fflush(NULL);
	sigaction(signal, &standard, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal);
	_exit(128 + signal);
}
