"""The demo's releases, with simulated entries: boards that have rows at the first start."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import transaction

from backend.benchmarks.demo import DEMO_QUESTIONS_FILE
from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.item_order import in_key_order
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_graph_lookup import missing_methods
from backend.benchmarks.release_graphs import build_release_graph, store_release_graph
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import compute_release_digest, freeze_items, make_release
from backend.benchmarks.split_rows import load_answers
from backend.common.slugs import unused_slug
from backend.evaluation.baselines import (
    has_entry,
    list_missing_baselines,
    request_baselines,
)
from backend.evaluation.demo_sources import BACKGROUND_DEMO, CLAIMS_FILE, DEMO, DemoRelease
from backend.evaluation.models import Provenance, Submission, SubmissionState
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.release_items import load_items
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.evaluation.simulated_entries import (
    SIMULATED_MODELS,
    SimulatedModel,
    simulate_labels,
    simulate_rankings,
    simulate_scores,
)
from backend.evaluation.simulated_graph_entries import (
    simulate_leaves,
    simulate_names,
    simulate_queries,
)
from backend.graphs.models import Version
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job

DEMO_RELEASES = "demo-releases"  # the kind of jobs
Simulation = Callable[[SimulatedModel, Release, ReleaseSplit], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class LoadedRelease:
    release: Release
    entries: int
    is_new: bool


def load_demo_releases(
    version: Version,
    demos: Sequence[DemoRelease] = DEMO,
    progress: Callable[[str, float], None] = lambda phase, share: None,
) -> list[LoadedRelease]:
    """Make and open the releases and submit their entries. Loading again changes nothing.

    Their items never change: if the files of a later version differ, they become new releases.
    """
    loaded = []
    for number, demo in enumerate(demos):
        progress(f"making '{demo.name}'", number / len(demos))
        loaded.append(_load(demo, version))
    return loaded


def request_background_demo(version: Version) -> Job:
    """Let a worker make the releases that take longer, unless they are there."""
    files = (DEMO_QUESTIONS_FILE, CLAIMS_FILE)
    about = [version.snapshot, *(hashlib.sha256(one.read_bytes()).hexdigest() for one in files)]
    digest = hashlib.sha256(json.dumps(about).encode()).hexdigest()[:40]
    parameters = {"version": version.pk}
    request = JobRequest(DEMO_RELEASES, parameters, f"{DEMO_RELEASES}-{digest}")
    return request_job(owner=None, request=request).job


def has_background_demo(version_id: int) -> bool:
    """Whether the releases of this version are open and have their graphs and baselines."""
    rows = Release.objects.filter(is_demo=True, graph_version=version_id)
    opened = rows.exclude(state=Release.State.DRAFT)
    by_share = {(one.track, one.test_share): one for one in opened}
    releases = [by_share.get((demo.track, demo.test_share)) for demo in BACKGROUND_DEMO]
    return all(
        one is not None and not missing_methods(one) and not list_missing_baselines(one)
        for one in releases
    )


def _load(demo: DemoRelease, version: Version) -> LoadedRelease:
    release, is_new = _get_or_make(demo, version)
    release = _open(release)
    test = [ReleaseSplit.TEST] if demo.test_share else []
    splits = [*test, *([ReleaseSplit.DEV] if demo.simulates_dev else [])]
    for simulated in SIMULATED_MODELS:
        name = f"{demo.simulated} {simulated.suffix}"
        if simulated.suffix not in demo.suffixes:
            continue
        for split in splits:
            if (model := _free_model(name, release, simulated, split)) is not None:
                rows = SIMULATIONS[release.track](simulated, release, split)
                declared = simulated.declared(has_years=release.cutoff is not None)
                submit_rows(release, model, split, rows, declared=declared)
    request_baselines(release)
    entries = Submission.objects.filter(release=release).exclude(state=SubmissionState.FAILED)
    return LoadedRelease(release, entries.count(), is_new)


def _get_or_make(demo: DemoRelease, version: Version) -> tuple[Release, bool]:
    request = demo.request(version)
    with tempfile.TemporaryDirectory() as folder:
        files = demo.write_sources(version, Path(folder))
        with transaction.atomic():
            items = freeze_items(request, files)
            orders = (in_key_order(items), items)  # the second is that of an older release
            digests = [compute_release_digest(demo.track, one, is_demo=True) for one in orders]
            if release := Release.objects.filter(is_demo=True, digest__in=digests).first():
                return release, False
            slug = unused_slug(Release.objects.all(), demo.slug, demo.slug)
            request = replace(request, slug=slug)
            return make_release(actor=None, request=request, files=files), True


def _open(release: Release) -> Release:
    for method in missing_methods(release):
        store_release_graph(release, method, build_release_graph(release, method))
    if release.state != Release.State.DRAFT:
        return release
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


def _free_model(
    name: str, release: Release, simulated: SimulatedModel, split: ReleaseSplit
) -> Model | None:
    """The simulated model of this name; None if it has an entry, or the name is someone else's."""
    model = Model.objects.filter(name__iexact=name).first()
    if model is None:
        return register_model(
            actor=None,
            name=name,
            organisation="Serendib demo",
            family="Simulated",
            parameters=simulated.parameters,
            is_simulated=True,
        )
    return None if not model.is_simulated or has_entry(release, name, split) else model


def _simulate_labels(
    model: SimulatedModel, release: Release, split: ReleaseSplit
) -> Iterable[Mapping[str, Any]]:
    items = load_items(release, split).table.items
    return simulate_labels(model, items, load_answers(release, split), release.seed)


def _simulate_rankings(
    model: SimulatedModel, release: Release, split: ReleaseSplit
) -> Iterable[Mapping[str, Any]]:
    items = load_items(release, split).table.items
    answers = load_answers(release, split)
    if release.graph_version is None:
        raise TypeError("the demo's release has a graph")
    candidates = [key for key in get_entity_keys(release.graph_version).keys if key is not None]
    return simulate_rankings(model, items, answers, candidates, release.seed)


def _simulate_scores(
    model: SimulatedModel, release: Release, split: ReleaseSplit
) -> Iterable[Mapping[str, Any]]:
    items = load_items(release, split).table.items
    return simulate_scores(model, items, load_answers(release, split), release.seed)


SIMULATIONS: Mapping[str, Simulation] = {
    "truthhypo": _simulate_labels,
    "stark-prime": _simulate_rankings,
    "serenqa-retrieval": simulate_queries,
    "serenqa-exploration": simulate_leaves,
    "biohopr": simulate_names,
    "dyport": _simulate_scores,
}


def submit_rows(
    release: Release,
    model: Model,
    split: ReleaseSplit,
    rows: Iterable[Mapping[str, Any]],
    *,
    declared: Mapping[str, Any],
) -> Submission:
    """Submit predictions as a file of JSON lines."""
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    file = store_predictions(text.encode(), f"{model.slug}-{split}.jsonl")
    new = NewSubmission(
        release=release,
        model=model,
        split=split,
        declared=declared,
        provenance=Provenance.EVALUATED,
    )
    submission, _ = submit_predictions(actor=None, new=new, file=file)
    return submission
