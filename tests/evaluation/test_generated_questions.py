"""Questions that are drawn from any graph end as scored predictions of SerenQA's three tracks."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Item, Release, ReleaseGraph
from backend.benchmarks.registered_models import register_model
from backend.graphs.models import Version
from tests.benchmarks.rns.factories import make_version
from tests.evaluation.masked_release import triples

pytestmark = pytest.mark.django_db
QUESTIONS = 12
Records = Mapping[str, Mapping[str, Any]]  # of a file, by the question's number


@pytest.fixture
def version() -> Version:
    return make_version()


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue().splitlines()[-1])


def draw_questions(version: Version, folder: Path) -> tuple[Path, Path]:
    """As files of SerenQA, with their partitions by RNS."""
    graph, drawn = version.graph.slug, folder / "drawn.json"
    assert run("make_questions", graph, "--count", QUESTIONS, "--into", drawn)["questions"] > 5
    run("import_questions", "serenqa", drawn, "--name", "Drawn", "--graph", graph)
    assert run("partition", "Drawn", "--graph", graph)["left_out"] == {}
    run("export_questions", "Drawn", "--into", folder / "out")
    return folder / "out" / "questions.json", folder / "out" / "partitions.json"


def read(path: Path) -> Records:
    return {str(one["qid"]): one for one in json.loads(path.read_text())}


LONGEST = 7  # of a path: four entities and three relations


def shortest_paths(version: Version, root: str) -> dict[str, list[str]]:
    """Of every entity that is linked with the root: entity, relation, entity …"""
    steps: dict[str, list[tuple[str, str]]] = {}
    for source, relation, target in triples(version):
        steps.setdefault(source, []).append((relation, target))
        steps.setdefault(target, []).append((relation, source))
    paths = {root: [root]}
    reached = [root]
    for entity in reached:
        for relation, other in steps.get(entity, ()):
            if other not in paths:
                paths[other] = [*paths[entity], relation, other]
                reached.append(other)
    return paths


def predict(
    item: Mapping[str, Any], questions: Records, partitions: Records, walked: Version
) -> dict[str, Any]:
    """The drawn query of a question; of a root every hidden answer, and a text that names all."""
    if "root" not in item:
        query = questions[str(item["question_id"])]["cypher"]
        return {"question_id": item["question_id"], "cypher": query}
    hidden = partitions[str(item["qid"])]["sscore"]["serendipity_set"]["list"]
    own = {name: item[name] for name in ("qid", "partition", "root")}
    paths = shortest_paths(walked, item["root"])
    return own | {
        "leaves": [
            {
                "id": one,
                "type": "Gene" if ":G" in one else "Drug",
                "path": paths[one],
            }
            for one in hidden
            if len(paths.get(one, ())) in range(2, LONGEST + 1)
        ],
        "summaries": [" ".join([item["root"], *hidden]), "", ""],
    }


FIELDS = {
    "serenqa-retrieval": ("question_id", "cypher"),
    "serenqa-exploration": ("qid", "partition", "root", "leaves"),
    "serenqa-reasoning": ("qid", "partition", "root", "summaries"),
}


def test_questions_of_any_graph_become_releases_on_which_the_true_answers_score_best(
    version: Version, tmp_path: Path
) -> None:
    files = draw_questions(version, tmp_path)
    questions, partitions = map(read, files)
    register_model(actor=None, name="Oracle")
    for track, fields in FIELDS.items():
        words = ("make_release", track, *files, "--name", track, "--graph", version.graph.slug)
        run(*words, "--test-share", 1)
        release = Release.objects.get(slug=track)
        walked = version
        if track != "serenqa-retrieval":
            assert run("release_graph", track)["graphs"][0]["included"]
            walked = ReleaseGraph.objects.get(release=release).version
        items = Item.objects.filter(release=release).values_list("content", flat=True)
        rows = [predict(item, questions, partitions, walked) for item in items]
        path = tmp_path / f"{track}.jsonl"
        path.write_text(
            "".join(f"{json.dumps({name: row[name] for name in fields})}\n" for row in rows)
        )
        result = run("submit", path, "--release", track, "--model", "Oracle")
        assert result["state"] == "scored"
        best = 100 if track == "serenqa-retrieval" else 1
        whole = {one["metric"]: one["value"] for one in result["scores"] if one["slice"] == "all"}
        # Three relations of the masked graph do not lead from every root to a hidden answer.
        value = whole.get("seren_hit_valid", next(iter(whole.values())))
        assert rows and value == pytest.approx(best), track
