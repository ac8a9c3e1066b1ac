#!/usr/bin/env python3
"""A command on a terminal of its own, driven by the steps before "--":

    wait TEXT    until the terminal showed TEXT       press KEYS     types these bytes (escapes as in Python)
    size ROWSxCOLUMNS                                 run CMD        runs it outside of the terminal
    hang         hangs the terminal up                signal NAME    sends it to the command
    lines        prints how the terminal's settings differ from those at the beginning

Prints what the terminal showed, and last "status N" of the command, or "signal NAME"; ends with 1 when a wait took more
than ten seconds.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time


class Terminal:
    def __init__(self, command):
        self.shown = ""
        self.read_up_to = 0
        self.fd, terminal = pty.openpty()
        self.resize("24x80")
        self.settings = termios.tcgetattr(terminal)
        self.other_end = terminal  # so that the settings can be read after the command has ended
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(terminal, fd)
            os.close(terminal)
            os.close(self.fd)
            os.execvp(command[0], command)

    def resize(self, size):
        rows, columns = map(int, size.split("x"))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        if self.fd < 0 or not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.shown += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def fail(self, why):
        print(self.shown)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(why)

    def wait(self, text):
        """What was shown before an earlier wait ended does not count again."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            found = self.shown.find(text, self.read_up_to)
            if found >= 0:
                self.read_up_to = found + len(text)
                return
            self.read(0.1)
        self.fail(f"waited in vain for: {text}")

    def hang(self):
        os.close(self.other_end)
        os.close(self.fd)
        self.fd = self.other_end = -1

    def end(self):
        deadline = time.monotonic() + 10
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                self.fail("the command does not end")
            if not self.read(0.05):
                time.sleep(0.01)
        while self.read(0):
            pass
        return status

    def compare(self):
        same = termios.tcgetattr(self.other_end) == self.settings
        self.shown += "settings as before\n" if same else "settings changed\n"


def main():
    split = sys.argv.index("--")
    terminal = Terminal(sys.argv[split + 1 :])
    for step in sys.argv[1:split]:
        verb, _, rest = step.partition(" ")
        if verb == "wait":
            terminal.wait(rest)
        elif verb == "press":
            os.write(terminal.fd, rest.encode().decode("unicode_escape").encode("latin-1"))
        elif verb == "size":
            terminal.resize(rest)
        elif verb == "run":
            subprocess.run(["sh", "-c", rest], check=True)
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
