"""
What one open costs under the supervisor, beside what it costs whoever learns of it by ptrace: microseconds beyond the
open itself, all of one run. A "stop" is one of a stat, with its answer, program and tracer each on its own processor.
"""
from dataclasses import dataclass

COUNT = 100000  # of the workloads; with --quick a tenth


@dataclass
class OpenCosts:
    stop: float
    supervised: float  # beyond trace-run without a supervisor
    floor: float = None  # a supervisor that only lets the kernel go on
    opening: float = None  # one that opens each file itself
    decided: float = None  # a tracer that decides about opens: one stop, and the name
    decided_together: float = None  # on one processor
    traced: float = None  # trace-learn --no-log, apart: two stops, and what it asks
    traced_together: float = None  # as it runs

    def in_stops(self, cost):
        return None if cost is None else cost / self.stop

    def in_traced(self, cost):
        return None if cost is None or not self.traced else cost / self.traced


def of_results(results, count=COUNT):
    """The costs and a fault, one of which is None: no stop, or one that says nothing, and all that depends is nothing."""
    by_name = {workload.name: timings for workload, timings in results}
    opens, stats = by_name.get("opens", {}), by_name.get("stats", {})
    if not {"native", "run", "run-supervised"} <= opens.keys() or not {"native", "stops-looks-apart"} <= stats.keys():
        return None, None
    native, stop = opens["native"].median, stats["stops-looks-apart"].median - stats["native"].median
    if stop < stats["native"].median:
        return None, f"an open under the supervisor: {count} stops would cost {stop:.3f} s, which cannot be"

    def beyond(name, start=native):
        return (opens[name].median - start) / count * 1e6 if name in opens else None

    return OpenCosts(stop / count * 1e6, beyond("run-supervised", opens["run"].median), beyond("served"),
                     beyond("served-open"), beyond("stops-names-apart"), beyond("stops-names"), beyond("all-apart"),
                     beyond("all")), None


def notes(costs):
    told = (("trace-run with its supervisor", costs.supervised), ("a supervisor that only lets the kernel go on", costs.floor),
            ("a supervisor that opens each file", costs.opening), ("one stop with its answer", costs.stop),
            ("a tracer that decides: one stop, the name", costs.decided), ("... on one processor", costs.decided_together),
            ("trace-learn --colocate=never", costs.traced), ("trace-learn", costs.traced_together))
    lines = [f"  {'':<5}{what:<45}{value:>12.1f}  {costs.in_stops(value):>8.2f} stops"
             for what, value in told if value is not None]
    return ["", "an open, microseconds beyond its own:", *lines]
