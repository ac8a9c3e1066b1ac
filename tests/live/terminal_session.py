#!/usr/bin/env python3
"""An interactive shell with job control on a terminal of its own, driven by the arguments, one step each:

    type TEXT    types the text and a newline          key X     presses control and X
    wait TEXT    until the terminal showed TEXT        run CMD   runs it outside of the terminal

Prints what the terminal showed; ends with 1 when a wait took too long.
"""
import os
import sys

from driven_terminal import Terminal


def step(terminal, text):
    verb, _, rest = text.partition(" ")
    if terminal.step(verb, rest):
        return
    if verb == "type":
        os.write(terminal.fd, rest.encode() + b"\n")
    elif verb == "key":
        os.write(terminal.fd, bytes([ord(rest.upper()) & 0x1F]))
    else:
        sys.exit(f"unknown step: {text}")


def main():
    terminal = Terminal(["sh", "-i"])
    os.close(terminal.other_end)  # a terminal that only the shell and its programs have
    # The echo of what is typed must not be taken for what a program says.
    step(terminal, "type stty -echo; PS1='$ '; echo be''gin")
    terminal.wait("begin\n")
    for text in sys.argv[1:]:
        step(terminal, text)
    print(terminal.shown)


main()
