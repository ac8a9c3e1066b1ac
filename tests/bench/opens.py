"""What one open costs under the supervisor and while it is learned, where a stop is 1: from opens and stats alone."""
from dataclasses import dataclass


@dataclass
class OpenCosts:
    supervised: float  # beyond trace-run without a supervisor
    floor: float = None  # a supervisor that only lets the kernel go on
    opening: float = None  # one that opens each file itself
    learned: float = None  # trace-learn --no-log, apart: two stops, and what it asks


def of_results(results):
    """The costs and a fault, one of which is None: no stop, or one that says nothing, and all that depends is nothing."""
    by_name = {workload.name: timings for workload, timings in results}
    opens, stats = by_name.get("opens", {}), by_name.get("stats", {})
    if not {"native", "run", "run-supervised"} <= opens.keys() or not {"native", "stops-looks-apart"} <= stats.keys():
        return None, None
    native, stop = opens["native"].median, stats["stops-looks-apart"].median - stats["native"].median
    if stop < stats["native"].median:
        return None, f"an open under the supervisor: 100,000 stops would cost {stop:.3f} s, which cannot be"

    def beyond(name, start):
        return (opens[name].median - start) / stop if name in opens else None

    return OpenCosts(beyond("run-supervised", opens["run"].median), beyond("served", native),
                     beyond("served-open", native), beyond("all-apart", native)), None


def notes(costs):
    told = (("an open under the supervisor, all of it", costs.supervised),
            ("a supervisor alone that opens each file", costs.opening), ("an open while it is learned", costs.learned))
    return [f"  {'':<5}{what + ', in stops':<45}{value:>12.3f}" for what, value in told if value is not None]
