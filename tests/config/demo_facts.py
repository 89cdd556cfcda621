"""What the background demo made, as JSON. Runs in a process of the product, on its database."""

import json
import sys
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from backend.benchmarks.models import Release
from backend.evaluation.demo import (
    DEMO_RELEASES,
    has_background_demo,
    load_demo_releases,
    request_background_demo,
)
from backend.evaluation.demo_sources import BACKGROUND_DEMO
from backend.evaluation.models import Submission
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Version
from backend.jobs.models import Job
from backend.leaderboard.models import Standing
from backend.leaderboard.overview import TrackOverview, list_overview


def print_facts() -> None:
    version, _ = load_demo_graph()
    job = Job.objects.get(kind=DEMO_RELEASES)
    releases = Release.objects.filter(is_demo=True, test_share__gt=0)
    facts = {
        "job": {"state": job.state, "error": job.error},
        "has_background_demo": has_background_demo(version.pk),
        "releases": {one.track: describe(one) for one in releases},
        "best": {one.track: list_best(one) for one in list_overview()},
        "again": load_again(version, job),
        "without_graph": load_without_graph(version),
    }
    sys.stdout.write(json.dumps(facts, cls=DjangoJSONEncoder))


def describe(release: Release) -> dict[str, Any]:
    boards = Standing.objects.filter(release=release, split="test")
    rows = boards.latest("pk").rows.all()
    return {
        "state": release.state,
        "board": [row.content for row in rows],
        "graphs": list(release.graphs.values("method", "removed_edges")),
    }


def load_again(version: Version, job: Job) -> dict[str, Any]:
    before = count()
    is_same = request_background_demo(version) == job
    load_demo_releases(version, BACKGROUND_DEMO)
    return {"is_same_job": is_same, "before": before, "after": count()}


def load_without_graph(version: Version) -> dict[str, bool]:
    """Whether the demo counts as complete, before it is loaded again and after."""
    walks = Release.objects.get(is_demo=True, track="serenqa-exploration")
    walks.graphs.all().delete()
    before = has_background_demo(version.pk)
    load_demo_releases(version, BACKGROUND_DEMO)
    return {"before": before, "after": has_background_demo(version.pk)}


def list_best(track: TrackOverview) -> list[str | None]:
    return [one.submission for one in track.evaluated.best] if track.evaluated else []


def count() -> dict[str, Any]:
    return {"releases": list(Release.objects.values()), "submissions": Submission.objects.count()}
