"""A command on a terminal of its own, for those who drive it step by step: terminal_session.py, review_session.py."""
import codecs
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

PATIENCE = 25  # seconds; only what has failed takes them, and `run` of lib.sh gives 30
MARK = "\N{SYMBOL FOR END OF TRANSMISSION}\n"  # no program writes this


class Terminal:
    def __init__(self, command, size="24x80"):
        self.shown = ""
        self.read_up_to = 0
        self.fd, terminal = pty.openpty()
        self.resize(size)
        self.other_end = terminal  # so that the settings can be read after the command has ended
        self.settings = termios.tcgetattr(terminal)  # before there is a command that changes them
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")  # a read may end within a character
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
        self.shown += self.decoder.decode(data).replace("\r", "")
        return bool(data)

    def drain(self):
        """Reads all that was written before: what comes out of a terminal is late, never out of order."""
        if self.other_end < 0:
            return
        os.write(self.other_end, MARK.encode())
        self.wait(MARK)
        self.shown = self.shown.replace(MARK, "")

    def fail(self, why):
        print(self.shown)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(why)

    def wait(self, text):
        """What was shown before an earlier wait ended does not count again."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.shown.find(text, self.read_up_to)
            if found >= 0:
                self.read_up_to = found + len(text)
                return
            self.read(0.1)
        self.fail(f"waited in vain for: {text}")

    def step(self, verb, rest):
        """The steps that all know; whether this was one."""
        if verb == "wait":
            self.wait(rest)
        elif verb == "run":
            subprocess.run(["sh", "-c", rest], check=True)
        else:
            return False
        return True
