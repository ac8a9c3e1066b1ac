"""The real work that is measured, and the ways in which it is run."""
import os
import random
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Callable

PYTHON = "/usr/bin/python3"
TREE_FILES = 5000
SOURCES = 20
FLOOR_ROUNDS = 3  # of what no budget is for

SOURCE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int work_%(n)d(const char *name) { struct stat s; return stat(name, &s) == 0 ? (int)strlen(name) + %(n)d : -1; }
"""


@dataclass
class Workload:
    name: str
    title: str
    command: list
    parallel: bool = False
    needs: tuple = ()
    setup: Callable = None  # once, in the current directory
    fresh: tuple = ()  # what is removed before each run
    make: tuple = ()  # directories that are made afterwards
    quick: list = field(default=None)  # the command of --quick, where it is another one
    fine: tuple = (0,)  # statuses: 1 where a directory is closed to the user
    without: tuple = ()  # variants that would tell nothing new, for the time that they take


@dataclass
class Variant:
    name: str
    title: str
    words: list  # what stands before the command; PROFILE, LOG and OUT are replaced by names of files
    option: str = None  # that the command must know
    command: list = None  # instead of the workload's; then any status will do
    rounds: int = None  # at most: what takes long, and no budget asks for
    only: tuple = ()  # names of the workloads that it is for; none: all

    def fits(self, workload):
        return self.name not in workload.without and (not self.only or workload.name in self.only)


def run(*words):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def make_sources():
    os.mkdir("sources")
    for n in range(SOURCES):
        with open(f"sources/w{n}.c", "w") as out:
            out.write(SOURCE % {"n": n})
    with open("sources/Makefile", "w") as out:
        objects = " ".join(f"w{n}.o" for n in range(SOURCES))
        out.write(f"all: {objects}\n%.o: %.c\n\t@gcc -c -o $@ $<\n")


def make_tree():
    """5,000 small files in 100 directories, the same every time."""
    chance = random.Random(7)
    for n in range(TREE_FILES):
        directory = f"tree/{n % 10}/{n // 10 % 10}"
        os.makedirs(directory, exist_ok=True)
        with open(f"{directory}/file{n}.txt", "w") as out:
            out.write("".join(f"{chance.random()}\n" for _ in range(chance.randrange(4, 40))))


def make_repository():
    make_tree()
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "-C", "tree"]
    run(*git, "init", "-q")
    run(*git, "add", ".")
    run(*git, "commit", "-q", "-m", "all of it")
    run(*git, "gc", "-q")  # one pack, as a repository of some age has it


def all_workloads(work, files):
    """work: the program made of work.c; files: how many of them it uses."""

    def make_files():
        run(work, "make", str(files))

    make_o = tuple(f"sources/w{n}.o" for n in range(SOURCES))
    return [
        Workload("find", "find /usr/share", ["find", "/usr/share", "-name", "zzz"], fine=(0, 1)),
        Workload("gcc-j1", f"{SOURCES} x gcc -c, make -j1", ["make", "-s", "-C", "sources", "-j1"],
                 needs=("gcc",), setup=make_sources, fresh=make_o),
        Workload("gcc-j2", f"{SOURCES} x gcc -c, make -j2", ["make", "-s", "-C", "sources", "-j2"], parallel=True,
                 needs=("gcc",), setup=make_sources, fresh=make_o),
        Workload("python", "python3, many imports",
                 [PYTHON, "-B", "-c", "import json, asyncio, email, http.client, unittest"], needs=(PYTHON,)),
        Workload("git-status", f"git status, {TREE_FILES} files", ["git", "-C", "tree", "status", "-s"], needs=("git",),
                 setup=make_repository),
        Workload("git-clone", f"git clone, {TREE_FILES} files", ["git", "clone", "-q", "tree", "copy"], needs=("git",),
                 setup=make_repository, fresh=("copy",), without=("all-stacks",)),
        Workload("grep", f"grep -r, {TREE_FILES} files", ["grep", "-rc", "0.1", "tree"], setup=make_tree,
                 without=("all-stacks",)),
        Workload("tar", f"tar c | tar x, {TREE_FILES} files",
                 ["sh", "-c", "tar -cf - -C tree . | tar -xf - -C copy"], parallel=True, setup=make_tree,
                 fresh=("copy",), make=("copy",), without=("all-stacks",)),
        Workload("node", "node, start", ["node", "-e", "0"], needs=("node",), parallel=True),
        Workload("spawn", "2,000 x /bin/true", [work, "spawn", "2000", "/bin/true"],
                 quick=[work, "spawn", "200", "/bin/true"], without=("all-stacks", "stops-looks", "stops-looks-apart")),
        Workload("opens", "100,000 opens", [work, "open", "100000", str(files)], setup=make_files,
                 quick=[work, "open", "10000", str(files)],
                 without=("all-stacks", "enforced", "enforced-apart")),
        Workload("stats", "100,000 stats", [work, "stat", "100000", str(files)], setup=make_files,
                 quick=[work, "stat", "10000", str(files)], without=("all-log", "all-stacks", "enforced-apart")),
    ]


def all_variants(build):
    learn = [f"{build}/trace-learn", "-q", "-f", "-o", "OUT"]
    stops = f"{build}/tests/bench/stops"
    confine = [f"{build}/trace-run", "--allow-writable-profile"]
    confined = f"{build}/tests/bench/confined"
    return [
        Variant("native", "native", []),
        Variant("strace", "strace -f --seccomp-bpf -e trace=%file",
                ["strace", "-f", "--seccomp-bpf", "-e", "trace=%file", "-o", "LOG"]),
        Variant("stops", "the stops alone, on one processor", [stops], rounds=FLOOR_ROUNDS),
        Variant("stops-looks", "... with what only looks, as a log has it", [stops, "-l"], rounds=FLOOR_ROUNDS),
        Variant("stops-looks-apart", "... each on its own processor", [stops, "-la"], rounds=FLOOR_ROUNDS),
        Variant("stops-apart", "the stops alone", [stops, "-a"], rounds=FLOOR_ROUNDS),
        Variant("all", "trace-learn --no-log", learn + ["--no-log", "--"]),
        Variant("all-apart", "... --colocate=never", learn + ["--no-log", "--colocate=never", "--"], "--colocate"),
        Variant("all-log", "trace-learn", learn + ["-l", "LOG", "--"]),
        Variant("all-stacks", "trace-learn -k", learn + ["-l", "LOG", "-k", "--"], " -k", rounds=1),
        Variant("stops-enforced", "... of --calls=enforced, on one processor", [stops, "-e"], rounds=FLOOR_ROUNDS),
        Variant("stops-enforced-apart", "... of --calls=enforced", [stops, "-ea"], rounds=FLOOR_ROUNDS),
        Variant("enforced", "trace-learn --calls=enforced --no-log", learn + ["--calls=enforced", "--no-log", "--"]),
        Variant("enforced-apart", "... --colocate=never",
                learn + ["--calls=enforced", "--no-log", "--colocate=never", "--"], "--colocate"),
        Variant("run", "trace-run", confine + ["-p", "PROFILE", "--"]),
        Variant("run-start", "... until it executes", confine + ["-p", "PROFILE", "--"], command=["/bin/true"]),
        Variant("run-controls", "the controls alone: rules and filter", [confined, "-df", "PROFILE"]),
        Variant("run-controls-start", "... until it executes", [confined, "-df", "PROFILE"], command=["/bin/true"]),
        Variant("run-domain", "... the rules alone", [confined, "-d", "PROFILE"], rounds=FLOOR_ROUNDS),
        Variant("stops-names", "a tracer that decides about opens: one stop, and the name", [stops, "-n"], only=("opens",)),
        Variant("stops-names-apart", "... each on its own processor", [stops, "-na"], only=("opens",)),
        Variant("served", "a supervisor that lets all go on", [f"{build}/tests/bench/served"], only=("opens",)),
        Variant("served-open", "... that opens each file", [f"{build}/tests/bench/served", "-o"], only=("opens",)),
        Variant("run-supervised", "trace-run with its supervisor", confine + ["-p", "SUPERVISED", "--"],
                rounds=FLOOR_ROUNDS),
    ]


def knows(command, option):
    """Whether --help of the command names the option."""
    told = subprocess.run([command, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return option in told.stdout


def lacking(workload):
    """Names of programs that it needs and that are not there."""
    return [name for name in workload.needs if shutil.which(name) is None]
