"""Open releases for tests."""

from pathlib import Path

from backend.benchmarks.models import Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from tests.evaluation.truthhypo_files import write_source


def open_pairs(folder: Path, pairs: int = 60) -> Release:
    """Made-up pairs of the track truthhypo."""
    request = ReleaseRequest(track="truthhypo", name="Pairs", slug="pairs")
    frozen = make_release(actor=None, request=request, files=[write_source(folder, pairs)])
    Release.objects.filter(pk=frozen.pk).update(state=Release.State.OPEN)
    frozen.refresh_from_db()
    return frozen
