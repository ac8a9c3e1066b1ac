"""Running and timing. Each run is a child of ours: its time is the wall's, its memory its largest resident set."""
import os
import shutil
import statistics
import sys
import time
from dataclasses import dataclass, field

SHORT_ROUND = 5  # seconds
SUPERVISED_LINE = "allow = read_file /proc/self/limits\n"


class Failed(Exception):
    pass


@dataclass
class Timing:
    seconds: list = field(default_factory=list)
    processor: list = field(default_factory=list)  # seconds too, of all that the command was
    kilobytes: int = 0
    log_bytes: int = 0

    @property
    def median(self):
        return statistics.median(self.seconds)


def timed(words, errors, fine):
    """Runs one command; (seconds, of processors, kilobytes). Failed with what it said when its status is none that is `fine`."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    began = time.monotonic()
    child = os.posix_spawnp(words[0], words, os.environ, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - began
    if fine and os.waitstatus_to_exitcode(status) not in fine:
        with open(errors, errors="replace") as said:
            raise Failed(f"{' '.join(words[:8])} ...: status {os.waitstatus_to_exitcode(status)}: {said.read(500)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


class Place:
    """A directory of its own for one workload, with the files that the variants write."""

    def __init__(self, directory, workload):
        self.workload = workload
        self.files = {name: os.path.join(directory, name) for name in ("OUT", "LOG", "PROFILE", "SUPERVISED", "ERRORS")}
        self.work = os.path.join(directory, "work")
        os.makedirs(self.work)
        os.chdir(self.work)
        if workload.setup:
            workload.setup()

    def refresh(self):
        os.chdir(self.work)
        for name in self.workload.fresh:
            if os.path.isdir(name):
                shutil.rmtree(name)
            elif os.path.exists(name):
                os.unlink(name)
        for name in self.workload.make:
            os.mkdir(name)
        if os.path.exists(self.files["LOG"]):
            os.unlink(self.files["LOG"])

    def once(self, variant, command):
        self.refresh()
        words = [self.files.get(word, word) for word in variant.words] + (variant.command or command)
        return timed(words, self.files["ERRORS"], () if variant.command else self.workload.fine)

    def log_bytes(self):
        return os.path.getsize(self.files["LOG"]) if os.path.exists(self.files["LOG"]) else 0

    def make_profiles(self, learn, command):
        """Profiles to run under, without and with a line that needs the supervisor."""
        self.refresh()
        words = [*learn, "-q", "-f", "-o", self.files["OUT"], "--no-log", "--", *command]
        timed(words, self.files["ERRORS"], self.workload.fine)
        with open(self.files["OUT"]) as source:
            lines = source.readlines()
        kept = [line for line in lines if not (line.startswith("allow = ") and " /proc" in line)]
        if "[normal]\n" not in kept:
            raise Failed("the learned profile has no normal line")
        at = kept.index("[normal]\n") + 1
        for name, added in (("PROFILE", []), ("SUPERVISED", [SUPERVISED_LINE])):
            with open(self.files[name], "w") as out:
                out.writelines(kept[:at] + added + kept[at:])


def is_short(timings, variants):
    """Whether a round takes little: the start of programs, which scatters, is much of such work."""
    return sum(timings[variant.name].seconds[0] for variant in variants
               if variant.name in timings and not variant.rounds) < SHORT_ROUND


def alternated(place, variants, command, runs, say=lambda text: None, times=1):
    """
    Timings by name of variant: one round of all, then the next, so what else the machine does hits all alike. So many
    times the rounds where one is short.
    """
    timings, faults = {}, {}
    number, factor = 0, 1
    while number < runs * factor:
        for variant in variants:
            if variant.name in faults or (variant.rounds and number >= variant.rounds * factor):
                continue
            say(f"{place.workload.name} {number + 1}/{runs * factor} {variant.name}")
            try:
                seconds, processor, kilobytes = place.once(variant, command)
            except Failed as failed:
                faults[variant.name] = str(failed)
                continue
            timing = timings.setdefault(variant.name, Timing())
            timing.seconds.append(seconds)
            timing.processor.append(processor)
            timing.kilobytes = max(timing.kilobytes, kilobytes)
            timing.log_bytes = place.log_bytes()
        if number == 0 and is_short(timings, variants):
            factor = times
        number += 1
    return {name: timing for name, timing in timings.items() if name not in faults}, faults


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
