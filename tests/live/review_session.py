#!/usr/bin/env python3
"""A command on a terminal of its own, driven by the steps before "--":

    wait TEXT    until the terminal showed TEXT       press KEYS     types these bytes (escapes as in Python)
    size ROWSxCOLUMNS (as the first one: from the start)    run CMD    runs it outside of the terminal
    hang         hangs the terminal up                signal NAME    sends it to the command
    lines        prints how the terminal's settings differ from those at the beginning

Prints what the terminal showed, and last "status N" of the command, or "signal NAME"; ends with 1 when a wait took too
long.
"""
import os
import signal
import sys
import termios
import time

from driven_terminal import PATIENCE, Terminal


class Session(Terminal):
    def hang(self):
        os.close(self.other_end)
        os.close(self.fd)
        self.fd = self.other_end = -1

    def end(self):
        deadline = time.monotonic() + PATIENCE
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                self.fail("the command does not end")
            if not self.read(0.05):
                time.sleep(0.01)
        self.drain()
        return status

    def compare(self):
        same = termios.tcgetattr(self.other_end) == self.settings
        self.shown += "settings as before\n" if same else "settings changed\n"


def main():
    split = sys.argv.index("--")
    steps = sys.argv[1:split]
    # The first size is there before the command is, which may look at it at once.
    first = steps.pop(0).removeprefix("size ") if steps and steps[0].startswith("size ") else "24x80"
    terminal = Session(sys.argv[split + 1 :], first)
    for step in steps:
        verb, _, rest = step.partition(" ")
        if terminal.step(verb, rest):
            continue
        if verb == "press":
            os.write(terminal.fd, rest.encode().decode("unicode_escape").encode("latin-1"))
        elif verb == "size":
            terminal.resize(rest)
        elif verb == "signal":
            os.kill(terminal.pid, getattr(signal, "SIG" + rest))
        elif verb == "hang":
            terminal.hang()
        elif verb == "lines":
            terminal.compare()
        else:
            sys.exit(f"unknown step: {step}")
    status = terminal.end()
    if terminal.other_end >= 0:
        terminal.compare()
    print(terminal.shown)
    if os.WIFSIGNALED(status):
        print("signal", signal.Signals(os.WTERMSIG(status)).name[3:])
    else:
        print("status", os.WEXITSTATUS(status))


main()
