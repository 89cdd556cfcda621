"""The data card of a release is valid Croissant, reads back its items, and holds no answers."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.leaderboard.models import Standing
from backend.science.evaluation.metrics import Ratio
from backend.science.evaluation.resolution import resolution_floor
from tests.evaluation.truthhypo_files import write_source

pytestmark = pytest.mark.django_db
RELEASE = "/api/v1/releases/split-pairs"


@pytest.fixture
def split_release(tmp_path: Path) -> Release:
    request = ReleaseRequest(track="truthhypo", name="Pairs", slug="split-pairs", test_share=0.5)
    release = make_release(actor=None, request=request, files=[write_source(tmp_path)])
    Release.objects.update(
        state=Release.State.OPEN,
        licence="CC-BY-4.0",
        citation="@article{pairs2026,\n  title = {Pairs}\n}",
    )
    return release


def test_mlcroissant_reads_the_card_and_its_items_back(
    visitor: APIClient, split_release: Release, tmp_path: Path
) -> None:
    import mlcroissant  # here, because loading it takes seconds

    card = visitor.get(f"{RELEASE}/croissant.json").json()
    lines: dict[str, list[str]] = {}
    for file in card["distribution"]:
        split = file["@id"].removesuffix("-items")
        content = b"".join(visitor.get(f"{RELEASE}/items?split={split}"))
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        lines[split] = content.decode().splitlines()
        (tmp_path / file["name"]).write_bytes(content)
        file["contentUrl"] = file["name"]
    path = tmp_path / "croissant.json"
    path.write_text(json.dumps(card))
    dataset: Any = mlcroissant.Dataset(str(path))
    assert dataset.metadata.ctx.issues.errors == set()
    for split in ("dev", "test"):
        records = list(dataset.records(split))
        assert len(records) == len(lines[split]) == 30
        first = {name.partition("/")[2]: value for name, value in records[0].items()}
        assert first["x_id"] == json.loads(lines[split][0])["x_id"].encode()


def test_a_card_states_what_the_items_tell_apart(
    visitor: APIClient, split_release: Release
) -> None:
    path = f"{RELEASE}/croissant.json"
    worst = resolution_floor(np.zeros((0, 30, 1)), Ratio((1,), ()), np.ones(30))
    assert worst is not None
    before = visitor.get(path).json()["description"]
    assert f"The 30 test items tell apart differences of {100 * worst:.1f} points or more" in before
    assert "with power 0.8 at 5 %, in the worst case." in before
    audit = {"resolution_floor": 12.34, "separated_share": 0.5, "neighbours": 4}
    Standing.objects.create(release=split_release, split="test", digest="1", audit=audit, entries=5)
    measured = visitor.get(path).json()["description"]
    assert "differences of 12.3 points or more" in measured
    assert "measured on 5 entries; 2 of 4 pairs of neighbours are separated." in measured


def test_a_card_names_no_answer(visitor: APIClient, split_release: Release) -> None:
    HiddenAnswer.objects.update(content={"label": "canary_label"})
    assert "canary" not in visitor.get(f"{RELEASE}/croissant.json").content.decode()


def test_a_release_is_cited_with_its_data(visitor: APIClient, split_release: Release) -> None:
    text = visitor.get(f"{RELEASE}/citation.bib").content.decode()
    assert text.startswith("@misc{serendib-split-pairs,")
    assert "@article{pairs2026," in text
