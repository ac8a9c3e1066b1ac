"""Results as a table for people and as JSON, with what was asked of them."""
import os
import platform
import statistics
from dataclasses import dataclass

# Added time over native, relative to strace's: with one running task, and in parallel work.
BUDGETS = {
    "all": (0.25, 0.5), "all-log": (0.25, 0.5), "all-apart": (0.6, 0.6),
    "enforced": (0.10, 0.20), "enforced-apart": (0.25, 0.25),
    "run": (0.01, 0.01),
}
# What the stops alone cost is the floor of what can be reached: for one running task, and for parallel work.
FLOORS = {
    "all": ("stops", "stops-apart"), "all-log": ("stops-looks", "stops-looks-apart"), "all-apart": ("stops-apart", "stops-apart"),
    "enforced": ("stops-enforced", "stops-enforced-apart"),
    "enforced-apart": ("stops-enforced-apart", "stops-enforced-apart"),
}
MEMORY_BUDGET = 64 * 1024  # KiB
START_BUDGETS = {"lines-200": 2, "lines-20000": 500}  # ms beyond setpriv
SUPERVISED_BUDGET = 1 / 3  # of an open that is traced; and of one stop, beyond a supervisor that does nothing


@dataclass
class Judgement:
    what: str
    value: float
    budget: float
    spread: float = 0.0  # how far single runs lie from the median, of both that are compared
    floor: float = None  # what nobody can save: the stops alone, or floor_name
    floor_name: str = "the stops alone"

    @property
    def mark(self):
        if self.value <= self.budget:
            return "ok"
        return "near" if self.value - self.spread <= self.budget else "OVER"

    def line(self):
        floor = "" if self.floor is None else f", {self.floor_name} {self.floor:.3f}"
        spread = f" ±{self.spread:.3f}" if self.spread else " " * 7
        return f"  {self.mark:<5}{self.what:<45}{self.value:>12.3f}{spread}  at most {self.budget:g}{floor}"

    def document(self):
        return {"what": self.what, "value": self.value, "budget": self.budget, "spread": self.spread,
                "floor": self.floor, "met": self.value <= self.budget}


def machine():
    model = platform.processor()
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    with open("/proc/meminfo") as info:
        memory = int(info.readline().split()[1])
    return {
        "processor": model, "processors": len(os.sched_getaffinity(0)), "memory_kilobytes": memory,
        "kernel": platform.release(), "architecture": platform.machine(), "user": os.geteuid(),
        "load": os.getloadavg()[0],
    }


def relative(timings, name, start=0.0):
    """Added time in units of strace's; None when that says nothing."""
    if name not in timings or "native" not in timings or "strace" not in timings:
        return None
    native = timings["native"].median
    added = timings["strace"].median - native
    return (timings[name].median - native - start) / added if added > 0.2 * native else None


def spread(timings, name):
    """The median distance of single runs from the median, in units of strace's added time."""
    added = timings["strace"].median - timings["native"].median
    far = [statistics.median(abs(second - timing.median) for second in timing.seconds)
           for timing in (timings[name], timings["native"])]
    return sum(far) / added


def judge_run(workload, timings):
    """trace-run: what comes after its start, and beyond what the kernel's checks cost whoever asks for them."""
    start, controls_start = (timings[name].median if name in timings else 0.0
                             for name in ("run-start", "run-controls-start"))
    value, floor = relative(timings, "run", start), relative(timings, "run-controls", controls_start)
    if value is None:
        return []
    return [Judgement(f"{workload.name}: run", value - (floor or 0.0), BUDGETS["run"][workload.parallel],
                      spread(timings, "run"), floor, "beside the controls alone")]


def judge(results):
    """Judgements of all that has a budget."""
    rows = []
    for workload, timings in results:
        rows += judge_run(workload, timings)
        for name, budgets in BUDGETS.items():
            value = relative(timings, name)
            if value is None or name == "run":
                continue
            floor = relative(timings, FLOORS[name][workload.parallel]) if name in FLOORS else None
            rows.append(Judgement(f"{workload.name}: {name}", value, budgets[workload.parallel], spread(timings, name), floor))
    return rows


def judge_extras(start, points, opens):
    rows = []
    for name, budget in START_BUDGETS.items():
        if name in start:
            rows.append(Judgement(f"start, {name}: ms", start[name]["median"], budget, start[name]["spread"],
                                  start[name]["processor"], "of processors"))
    for point in points:
        rows.append(Judgement(f"{point['events']} events: memory, KiB", point["kilobytes"], MEMORY_BUDGET))
    if points:
        flat = points[-1]["microseconds_per_event"] / points[0]["microseconds_per_event"]
        rows.append(Judgement("time per event, last to first point", flat, 1.25))
    if opens is not None and opens.traced:
        rows.append(Judgement("a supervised open, in traced ones", opens.in_traced(opens.supervised), SUPERVISED_BUDGET,
                              0.0, opens.in_traced(opens.floor), "a supervisor that does nothing"))
    if opens is not None and opens.floor is not None:
        rows.append(Judgement("a supervised open, in stops", opens.in_stops(opens.supervised - opens.floor),
                              SUPERVISED_BUDGET, 0.0, opens.in_stops(opens.floor), "beyond one that does nothing:"))
    return rows


def cell(variant):
    """Width of a column."""
    return max(len(variant.name) + 1, 11)


def table(results, variants):
    """Seconds, and below them added time relative to strace's."""
    lines = []
    width = max(len(workload.title) for workload, _ in results)
    lines.append(" " * width + "".join(f"{variant.name:>{cell(variant)}}" for variant in variants))
    for workload, timings in results:
        cells = [f"{timings[variant.name].median:{cell(variant)}.3f}" if variant.name in timings
                 else f"{'-':>{cell(variant)}}"
                 for variant in variants]
        lines.append(f"{workload.title:<{width}}" + "".join(cells))
        values = [relative(timings, variant.name) for variant in variants]
        lines.append(" " * width + "".join(f"{'' if value is None else f'({value:.2f})':>{cell(variant)}}"
                                        for value, variant in zip(values, variants)))
    return lines


def text(results, variants, faults, judged, notes, points, counts, about, rounds):
    lines = [
        f"{about['processor']}, {about['processors']} processors, Linux {about['kernel']} ({about['architecture']}), "
        f"uid {about['user']}, load {about['load']:.1f}",
        f"seconds, medians of {rounds}; (added time, where strace's is 1)",
        "",
    ]
    if results:
        lines += table(results, variants)
    if points:
        lines += ["", f"{'events':>10}{'paths':>10}{'seconds':>10}{'us/event':>10}{'KiB':>10}{'log bytes':>12}"]
        lines += [f"{p['events']:>10}{p['paths']:>10}{p['seconds']:>10.2f}{p['microseconds_per_event']:>10.1f}"
                  f"{p['kilobytes']:>10}{p['log_bytes']:>12}" for p in points]
    if counts:
        lines += ["", "instructions for an access in learner and log:"]
        lines += [f"  {name:<20}{count:>10}" for name, count in counts.items()]
    lines += ["", "budgets:"]
    lines += [row.line() for row in judged] + notes
    lines += [f"not measured: {fault}" for fault in faults]
    return "\n".join(lines) + "\n"


def document(results, faults, judged, points, counts, start, about, runs):
    return {
        "machine": about, "runs": runs,
        "workloads": {
            workload.name: {
                name: {"median": timing.median, "seconds": timing.seconds, "kilobytes": timing.kilobytes,
                       "log_bytes": timing.log_bytes, "relative": relative(timings, name)}
                for name, timing in timings.items()
            } for workload, timings in results
        },
        "start_milliseconds": start, "events": points, "instructions": counts,
        "budgets": [row.document() for row in judged],
        "not_measured": faults,
    }
