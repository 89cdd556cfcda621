"""The demo's releases, with simulated entries: boards that have rows at the first start."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import transaction

from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.releases import (
    ReleaseRequest,
    change_release_state,
    compute_release_digest,
    freeze_items,
    make_release,
)
from backend.common.slugs import unused_slug
from backend.evaluation.baselines import has_entry, request_baselines
from backend.evaluation.models import Provenance, Submission, SubmissionState
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.release_items import load_answers, load_items
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.evaluation.simulated_entries import (
    SIMULATED_MODELS,
    SimulatedModel,
    simulate_labels,
    simulate_rankings,
)
from backend.graphs.models import Version

DEMO_RELEASES = settings.FIXTURES / "demo" / "releases"
TEST_SHARE = 0.7
SEED = 12
TERMS = (
    "For trying out Serendib. The answers are in the public source code, so a rank shows nothing "
    "about a model."
)


@dataclass(frozen=True)
class DemoRelease:
    """file: below `fixtures/demo/releases`. simulated: the name of a simulated entry."""

    track: str
    name: str
    slug: str
    file: str
    simulated: str
    data_card: str

    def request(self, version: Version) -> ReleaseRequest:
        metadata = {
            "licence": "CC0-1.0",
            "citation": "Serendib demo releases",
            "data_card": self.data_card,
            "terms": TERMS,
        }
        return ReleaseRequest(
            track=self.track,
            name=self.name,
            slug=self.slug,
            graph_version=version,
            test_share=TEST_SHARE,
            seed=SEED,
            metadata=metadata,
            is_demo=True,
        )


DEMO = (
    DemoRelease(
        track="truthhypo",
        name="Withheld edges of the demo graph",
        slug="demo-hypotheses",
        file="truthhypo/pairs.tsv",
        simulated="Simulated hypothesizer",
        data_card=(
            "Pairs of entities of the demo graph: some have an edge that baselines do not see, "
            "the others have none. 'no_relation' states what the demo graph lacks, not what "
            "medicine knows. Drawn by chance, not published hypotheses; nothing here is medical "
            "advice."
        ),
    ),
    DemoRelease(
        track="stark-prime",
        name="Questions about the demo graph",
        slug="demo-questions",
        file="stark-prime/questions.csv",
        simulated="Simulated retriever",
        data_card=(
            "Questions that need the relations of the demo graph, its documents, or both. Written "
            "by hand for the demo; answers are what the demo graph holds, no more. Predictions "
            "name its identifiers. Nothing here is medical advice."
        ),
    ),
)


@dataclass(frozen=True)
class LoadedRelease:
    release: Release
    entries: int
    is_new: bool


def load_demo_releases(version: Version) -> list[LoadedRelease]:
    """Make and open the releases and submit their entries. Loading again changes nothing.

    Their items never change: if the files of a later version differ, they become new releases.
    """
    return [_load(demo, version) for demo in DEMO]


def _load(demo: DemoRelease, version: Version) -> LoadedRelease:
    release, is_new = _get_or_make(demo, version)
    for simulated in SIMULATED_MODELS:
        name = f"{demo.simulated} {simulated.suffix}"
        if (model := _free_model(name, release, simulated)) is not None:
            rows = _simulate(simulated, release)
            submit_rows(release, model, ReleaseSplit.TEST, rows, declared=simulated.declared())
    request_baselines(release)
    entries = Submission.objects.filter(release=release).exclude(state=SubmissionState.FAILED)
    return LoadedRelease(release, entries.count(), is_new)


@transaction.atomic
def _get_or_make(demo: DemoRelease, version: Version) -> tuple[Release, bool]:
    request, files = demo.request(version), [DEMO_RELEASES / demo.file]
    digest = compute_release_digest(demo.track, freeze_items(request, files))
    release = Release.objects.filter(is_demo=True, digest=digest).first()
    is_new = release is None
    if release is None:
        slug = unused_slug(Release.objects.all(), demo.slug, demo.slug)
        release = make_release(actor=None, request=replace(request, slug=slug), files=files)
    if release.state == Release.State.DRAFT:
        release = change_release_state(actor=None, release=release, to=Release.State.OPEN)
    return release, is_new


def _free_model(name: str, release: Release, simulated: SimulatedModel) -> Model | None:
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
    return None if not model.is_simulated or has_entry(release, name, ReleaseSplit.TEST) else model


def _simulate(model: SimulatedModel, release: Release) -> Iterable[Mapping[str, Any]]:
    loaded = load_items(release, ReleaseSplit.TEST)
    items, answers = loaded.table.items, load_answers(release, ReleaseSplit.TEST)
    if release.graph_version is None or not loaded.track.predicts_entities:
        return simulate_labels(model, items, answers, release.seed)
    candidates = [key for key in get_entity_keys(release.graph_version).keys if key is not None]
    return simulate_rankings(model, items, answers, candidates, release.seed)


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
