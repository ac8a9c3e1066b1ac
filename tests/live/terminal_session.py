#!/usr/bin/env python3
"""An interactive shell with job control on a terminal of its own, driven by the arguments, one step each:

    type TEXT    types the text and a newline          key X     presses control and X
    wait TEXT    until the terminal showed TEXT        run CMD   runs it outside of the terminal

Prints what the terminal showed; ends with 1 when a wait took more than ten seconds.
"""
import os
import pty
import select
import subprocess
import sys
import time


class Terminal:
    def __init__(self):
        self.shown = ""
        self.read_up_to = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execlp("sh", "sh", "-i")

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return
        try:
            self.shown += os.read(self.fd, 4096).decode(errors="replace").replace("\r", "")
        except OSError:
            pass

    def wait(self, text):
        """What was shown before an earlier wait ended does not count again."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            found = self.shown.find(text, self.read_up_to)
            if found >= 0:
                self.read_up_to = found + len(text)
                return
            self.read(0.1)
        print(self.shown)
        sys.exit(f"waited in vain for: {text}")

    def step(self, step):
        verb, _, rest = step.partition(" ")
        if verb == "type":
            os.write(self.fd, rest.encode() + b"\n")
        elif verb == "key":
            os.write(self.fd, bytes([ord(rest.upper()) & 0x1F]))
        elif verb == "wait":
            self.wait(rest)
        elif verb == "run":
            subprocess.run(["sh", "-c", rest], check=True)
        else:
            sys.exit(f"unknown step: {step}")


def main():
    terminal = Terminal()
    # The echo of what is typed must not be taken for what a program says.
    terminal.step("type stty -echo; PS1='$ '; echo be''gin")
    terminal.wait("begin\n")
    for step in sys.argv[1:]:
        terminal.step(step)
    print(terminal.shown)


main()
