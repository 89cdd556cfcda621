"""The command that makes BioHopR's questions: the same bytes, and a release with hidden answers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from backend.benchmarks.models import HiddenAnswer, Item, Release
from backend.graphs.models import Graph, Version

pytestmark = pytest.mark.django_db
PATH = "Drug/treats/Disease/has_phenotype/Phenotype"


@pytest.fixture
def version(demo_graph: Version) -> Version:
    return demo_graph


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command("make_biohopr", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def refuse(*arguments: object) -> Any:
    out = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("make_biohopr", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())["error"]


def test_the_same_seed_gives_the_same_bytes(version: Version, tmp_path: Path) -> None:
    slug, files = version.graph.slug, [tmp_path / f"{name}.jsonl" for name in "abc"]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        report = run(slug, "--into", file, "--seed", seed, "--count", 3)
    first, again, other = (file.read_bytes() for file in files)
    assert first == again != other
    lines = [json.loads(line) for line in other.splitlines()]
    assert len(lines) == sum(sum(by.values()) for by in report["questions"].values())
    assert not [*tmp_path.glob(".*")]


def test_a_release_has_public_questions_and_hidden_answers(version: Version) -> None:
    report = run(version.graph.slug, "--name", "hops", "--metapath", PATH, "--count", 10)
    release = Release.objects.get(slug="hops")
    assert (release.state, release.track, release.graph_version) == ("draft", "biohopr", version)
    assert report["digest"] == release.digest
    assert report["questions"]["2"] == {"Drug:Disease:Phenotype": 20}
    contents = Item.objects.filter(release=release).values_list("content", flat=True)
    assert all("answers" not in content for content in contents)
    hidden = HiddenAnswer.objects.filter(item__release=release)
    assert hidden.count() == len(contents) > 40
    keys = {content["question_id"] for content in contents}
    assert {content["partner"] for content in contents if content["hops"] == 2} <= keys


@pytest.mark.parametrize(("visibility", "split"), [("public", "dev"), ("private", "test")])
def test_questions_of_a_public_graph_are_of_the_split_whose_results_have_cases(
    version: Version, visibility: str, split: str
) -> None:
    Graph.objects.filter(pk=version.graph_id).update(visibility=visibility)
    options = ("--metapath", PATH, "--count", 2)
    run(version.graph.slug, "--name", "hops", *options)
    run(version.graph.slug, "--name", "chosen", "--test-share", 1, *options)
    assert {*Item.objects.filter(release__slug="hops").values_list("split", flat=True)} == {split}
    assert not Item.objects.filter(release__slug="chosen", split="dev").exists()


def test_what_cannot_be_made_is_stated(version: Version, tmp_path: Path) -> None:
    slug, file = version.graph.slug, tmp_path / "hops.jsonl"
    lonely = "Drug/>relieves/Phenotype/<has_phenotype/Disease"
    assert refuse(slug, "--into", tmp_path / "hops.csv")["code"] == "invalid_name"
    assert refuse(slug, "--into", file, "--metapath", "a/b")["code"] == "no_metapath"
    with pytest.raises(CommandError, match="--seed: a whole number from 0"):
        refuse(slug, "--into", file, "--seed", "-1")
    assert refuse("nothing", "--into", file)["code"] == "unknown_graph"
    few = refuse(slug, "--into", file, "--metapath", lonely, "--most", 1)
    assert few["code"] == "no_questions"
    assert not file.exists()
