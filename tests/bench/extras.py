"""What is not one command in many variants: starting under large profiles, and many events in one session."""
import os
import re
import shutil
import statistics
import subprocess

from measure import alternated, Place
from workloads import run, Variant, Workload

PROFILE_HEAD = """[profile]
format = 1
landlock = 1
sessions = 1
program = /bin/true
argv0 = true
directory = {directory}
complete = yes

[normal]
"""
# As trace-learn would write them: with what the loader reads, and in the order of their bytes.
PROFILE_LINES = [
    "execute,read_file /bin/true", "execute,read_file /lib", "execute,read_file /usr/lib", "read_file /etc/ld.so.cache"]
LINES = (200, 20000)
STARTS = 15  # of few lines, for each run: a start is short, and what else the machine does is as long
EVENTS = (10000, 100000, 1000000)
REPEATS = 10  # how often each path comes: the same in each point, or the points could not be compared


def starts(directory, build, work, runs, say):
    """Starting /bin/true: with setpriv alone, and under profiles of some and of many lines."""
    place = Place(os.path.join(directory, "start"), Workload("start", "start", []))
    run(work, "make", str(max(LINES)))
    setpriv = shutil.which("setpriv")  # not looked for in the PATH at each start: trace-run is not either
    if setpriv is None:
        leave(place)
        return {}, {"setpriv": "not installed"}
    variants = [Variant("setpriv", "", [setpriv, "--no-new-privs", "--"])]
    for lines in LINES:
        name = f"{place.files['PROFILE']}-{lines}"
        with open(name, "w") as out:
            out.write(PROFILE_HEAD.format(directory=place.work))
            granted = PROFILE_LINES + [f"read_file {place.work}/{n}" for n in range(lines)]
            out.writelines(f"allow = {line}\n" for line in sorted(granted))
        rounds = None if lines == min(LINES) else max(runs * 3, 7)
        variants.append(Variant(f"lines-{lines}", "", [f"{build}/trace-run", "-p", name, "--"], rounds=rounds))
    timings, faults = alternated(place, variants, ["/bin/true"], runs * STARTS, say)
    leave(place)
    return timings, faults


def curve(directory, build, work, quick, say):
    """Sessions of more and more opens of more and more files: time for each, and memory. One run of each is enough."""
    place = Place(os.path.join(directory, "curve"), Workload("curve", "curve", []))
    run(work, "make", str(max(EVENTS) // REPEATS))
    points = []
    learn = Variant("log", "", [f"{build}/trace-learn", "-q", "-f", "-o", "OUT", "-l", "LOG", "--"])
    for events in EVENTS[:2] if quick else EVENTS:
        command = [work, "open", str(events), str(events // REPEATS)]
        timings, faults = alternated(place, [Variant("native", "", []), learn], command, 1, say)
        if "log" not in timings or "native" not in timings:
            raise SystemExit(f"bench: {faults}")
        log = timings["log"]
        points.append({
            "events": events,
            "paths": events // REPEATS,
            "seconds": log.median,
            "microseconds_per_event": (log.median - timings["native"].median) / events * 1e6,
            "kilobytes": log.kilobytes,
            "log_bytes": log.log_bytes,
        })
    leave(place)
    return points


def instructions(directory, build):
    """Instructions for one access in learner and log, by callgrind: of one that is new, and of one that came before."""
    if shutil.which("valgrind") is None:
        return {}
    counts = {}
    for name, fresh, log in (("new", True, False), ("new, logged", True, True), ("again", False, False),
                             ("again, logged", False, True)):
        totals = []
        for events in (2000, 6000):
            words = [f"{build}/tests/bench/pure", str(events), str(events if fresh else 1000)]
            words += [os.path.join(directory, f"log-{name}-{events}")] if log else []
            told = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *words],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
            totals.append(int(re.search(r"refs:\s+([\d,]+)", told.stderr).group(1).replace(",", "")))
        counts[name] = (totals[1] - totals[0]) // 4000
    return counts


def leave(place):
    os.chdir("/")
    shutil.rmtree(os.path.dirname(place.work))


def start_costs(timings):
    """
    By variant, milliseconds beyond setpriv: the median of what one round's start took longer than setpriv's in the same
    round, and how far single ones lie from that; the same of processor time, which others on the machine move less.
    """
    def beyond(name, what):
        return [(one - other) * 1000 for one, other in zip(getattr(timings[name], what), getattr(timings["setpriv"], what))]

    costs = {}
    for name in timings.keys() - {"setpriv"} if "setpriv" in timings else ():
        wall = beyond(name, "seconds")
        median = statistics.median(wall)
        costs[name] = {"median": median, "spread": statistics.median(abs(value - median) for value in wall),
                       "processor": statistics.median(beyond(name, "processor")), "starts": len(wall)}
    return costs
