"""What the items of a release tell apart, in a sentence of its data card."""

from backend.benchmarks.models import Item, Release, ReleaseSplit
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.pluralize import pluralize
from backend.evaluation.release_contents import count_items
from backend.leaderboard.models import Standing


def describe_resolution(release: Release) -> str:
    """Of the test items, or of the dev items where there are no others; empty below two clusters.

    From the entries of the latest standing; before there are two, of the worst case.
    """
    splits = {*Item.objects.filter(release=release).order_by().values_list("split", flat=True)}
    if not splits:
        return ""
    split = ReleaseSplit.TEST if ReleaseSplit.TEST in splits else ReleaseSplit.DEV
    counted, track = count_items(release, split), get_track_or_raise(release.track)
    standing = Standing.objects.filter(release=release, split=split).first()
    audit = {} if standing is None else standing.audit
    measured = audit.get("resolution_floor") if audit.get("neighbours") else None
    floor = counted.resolution_floor if measured is None else measured
    if floor is None:
        return ""
    metric = track.get_metric(track.main_metric)
    source = "in the worst case" if measured is None else _count_entries(audit)
    least = f"{floor:.1f} points" if metric.unit.id == "percent" else f"{floor:.3f}"
    return (
        f"The {counted.items:,} {split} items tell apart differences of {least} or more in "
        f"{metric.label}, with power 0.8 at 5 %, {source}."
    )


def _count_entries(audit: dict[str, float]) -> str:
    neighbours, share = int(audit["neighbours"]), audit.get("separated_share")
    measured = f"measured on {pluralize(neighbours + 1, 'entry', 'entries')}"
    if share is None:
        return measured
    separated = round(share * neighbours)
    return f"{measured}; {separated} of {pluralize(neighbours, 'pair')} of neighbours are separated"
