"""From the demo's questions to masks by the experts' partitions, every step by a command."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from annotation.models import Assignment
from backend.benchmarks.demo import DEMO_QUESTIONS_FILE
from backend.benchmarks.models import Partition
from backend.graphs.demo import load_demo_graph
from backend.studies.models import Study
from tests.annotation.personas import make_user

pytestmark = pytest.mark.django_db
SET = "Loop questions"
RATERS, OVERLAP = 6, 3


def run(*words: str | Path) -> dict[str, Any]:
    out = io.StringIO()
    call_command(*map(str, words), "--json", stdout=out)
    return dict(json.loads(out.getvalue().splitlines()[-1]))


def write_questions(target: Path) -> None:
    """A third of the demo's, of every type: their experts' answers take most of the time."""
    questions = json.loads(DEMO_QUESTIONS_FILE.read_bytes())
    assert len({one["pattern_type"] for one in questions[::3]}) == 9
    target.write_text(json.dumps(questions[::3]))


def write_priors(questions: Path, target: Path) -> None:
    """Partitions as a language model's file has them, drawn by chance."""
    drawn = np.random.default_rng(7)
    records = []
    for one in json.loads(questions.read_bytes()):
        ids = [answer["answer_argument"] for answer in one["answer"]]
        top = drawn.choice(ids, max(1, len(ids) // 5), replace=False).tolist()
        split = {
            "serendipity_set": {"list": top},
            "exact_matches": {"list": [name for name in ids if name not in top]},
        }
        records.append({"qid": one["qid"], "llm": split})
    target.write_text(json.dumps(records))


def test_the_experts_of_a_study_of_the_demo_questions_decide_its_masks(tmp_path: Path) -> None:
    version, _ = load_demo_graph()
    owner = make_user("Ada")
    sources = (tmp_path / "questions.json", tmp_path / "priors.json")
    write_questions(sources[0])
    write_priors(*sources)
    named = ("--name", SET, "--graph", version.graph.slug, "--owner", owner.email)
    imported = run("import_questions", "serenqa", *sources, *named)
    count = imported["questions"]
    source = ("--name", "Loop", "--coordinator", owner.email, "--question-set", SET)
    design = ("--overlap", str(OVERLAP), "--hidden-share", "0.5", "--seed", "7")
    created = run("create_study", "ranking", *source, *design)
    assert created["questions"] == created["with_prior"] == count
    run("simulate_study", "Loop", "--raters", str(RATERS), "--seed", "7")
    answered = Assignment.objects.counted().exclude(response__answer_ms=None)
    shares = [sum(one.arms["prior"] == arm for one in answered) for arm in ("shown", "hidden")]
    assert sum(shares) == answered.count() == OVERLAP * count and min(shares) > 0.3 * sum(shares)
    partitioned = run("partition_study", "Loop")
    assert partitioned["expert"]["partitions"] > 0.9 * count
    assert partitioned["without_membership"] == 0
    experts = Partition.objects.filter(method="expert")
    for one in experts:
        size = len(one.serendipity)
        total = sum(one.parameters["membership"].values())
        assert total == pytest.approx(size, abs=0.01)
    masked = run("mask_questions", SET, "--method", "expert")
    assert len(masked["included"]) > 0.5 * count and masked["removed"] > 0
    Study.objects.update(status=Study.Status.CLOSED)  # open ones show no such figures
    (arm,) = [
        one for one in run("study_statistics", "Loop")["sections"] if one["name"] == "arm_prior"
    ]
    effects = [one for one in arm["figures"] if one["low"] is not None]
    assert effects and all(one["low"] <= one["value"] <= one["high"] for one in effects)
