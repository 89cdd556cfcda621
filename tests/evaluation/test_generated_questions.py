"""Questions that are drawn from any graph end as scored predictions of SerenQA's three tracks."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Item, Release
from backend.benchmarks.registered_models import register_model
from backend.graphs.models import Version
from tests.benchmarks.rns.factories import make_version

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


def predict(item: Mapping[str, Any], questions: Records, partitions: Records) -> dict[str, Any]:
    """The drawn query of a question; of a root every hidden answer, and a text that names all."""
    if "root" not in item:
        query = questions[str(item["question_id"])]["cypher"]
        return {"question_id": item["question_id"], "cypher": query}
    hidden = partitions[str(item["qid"])]["sscore"]["serendipity_set"]["list"]
    own = {name: item[name] for name in ("qid", "partition", "root")}
    return own | {
        "leaves": [
            {
                "id": one,
                "type": "Gene" if ":G" in one else "Drug",
                "path": [item["root"], "to", one],
            }
            for one in hidden
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
        if track != "serenqa-retrieval":
            assert run("release_graph", track)["graphs"][0]["included"]
        items = Item.objects.filter(release=release).values_list("content", flat=True)
        rows = [predict(item, questions, partitions) for item in items]
        path = tmp_path / f"{track}.jsonl"
        path.write_text(
            "".join(f"{json.dumps({name: row[name] for name in fields})}\n" for row in rows)
        )
        result = run("submit", path, "--release", track, "--model", "Oracle")
        assert result["state"] == "scored"
        best = 100 if track == "serenqa-retrieval" else 1
        scores = [one["value"] for one in result["scores"] if one["slice"] == "all"]
        assert rows and scores[0] == pytest.approx(best), track
