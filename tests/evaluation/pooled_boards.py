"""A release of STaRK's track with one label for each query, and entries whose order it has wrong.

Of query q the true answers are 100 q to 100 q + 3, of which the release has the first. The entry
'labelled' ranks that first and then false answers; 'unlabelled' ranks the three others before it.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.utils import timezone

from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Action, Assignment
from annotation.pool import lease_questions
from annotation.presentations import build_item_of
from annotation.responses import ResponseWrite, write_response
from annotation.simulation import ensure_simulated_expert
from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import PoolStudyAnswer, Submission
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.jobs.runner import run_job
from backend.leaderboard.standings import update_standing
from backend.studies.models import Member, Study
from backend.studies.policies import CONSENT_VERSION

SLUG = "sparse"
QUERIES, TRUE = 12, 4
Judge = Callable[[Any], str]  # of a pooled answer: a verdict, or a level from 1 to 5


def is_true(query: int, answer: int) -> bool:
    return answer // 100 == query and answer % 100 < TRUE


def true_answers(query: int) -> list[int]:
    return [100 * query + number for number in range(TRUE)]


def rankings(name: str) -> dict[int, list[int]]:
    """By query; the last entry is right in half of the queries."""
    lists = {}
    for query in range(QUERIES):
        gold, *others = true_answers(query)
        false = [100 * query + 50 + number for number in range(5)]
        lists[query] = {
            "labelled": [gold, *false],
            "unlabelled": [*others, gold],
            "mixed": [others[0], *false[:2], gold] if query % 2 else [*false, gold],
        }[name]
    return lists


def prediction_text(lists: dict[int, list[int]]) -> str:
    rows = ({"query_id": query, "pred_rank": ranked} for query, ranked in lists.items())
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def open_sparse_release(folder: Path, actor: User | None = None, **fields: Any) -> Release:
    path = folder / "queries.csv"
    lines = [f'{query},What is number {query}?,"[{100 * query}]"' for query in range(QUERIES)]
    path.write_text("\n".join(["id,query,answer_ids", *lines]) + "\n")
    request = ReleaseRequest(track="stark-prime", name="Sparse labels", slug=SLUG, **fields)
    release = make_release(actor=actor, request=request, files=[path])
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


def submit(release: Release, model: str, lists: dict[int, list[int]]) -> Submission:
    file = store_predictions(prediction_text(lists).encode(), f"{model}.jsonl")
    new = NewSubmission(release=release, model=get_or_create_model(model))
    submission, job = submit_predictions(actor=None, new=new, file=file)
    run_job(job.pk)
    submission.refresh_from_db()
    return submission


def submit_all(release: Release) -> dict[str, Submission]:
    names = ("labelled", "unlabelled", "mixed")
    entries = {name: submit(release, name, rankings(name)) for name in names}
    update_standing(release, ReleaseSplit.TEST)
    return entries


def verdict_of_truth(pooled: Any) -> str:
    (query,) = json.loads(pooled.item_key)
    return "supported" if is_true(query, pooled.answer) else "contradicted"


def join(study: Study, name: str) -> User:
    return enrol(study, ensure_simulated_expert(f"{name}@experts.example", name))


def enrol(study: Study, expert: User) -> User:
    Member.objects.create(
        study=study,
        user=expert,
        role=Member.Role.EXPERT,
        consent_version=CONSENT_VERSION,
        consented_at=timezone.now(),
    )
    return expert


def judge_all(
    study: Study, experts: list[User], verdict: Judge = verdict_of_truth, most: int = 10_000
) -> int:
    """Let each expert answer all that the study has for them, `most` answers altogether."""
    by_question = {one.question_id: one for one in PoolStudyAnswer.objects.all()}
    kind, count = get_kind_or_raise(study.kind), 0
    for expert in experts:
        while leased := lease_questions(actor=expert, study_id=study.id, count=10):
            rows = Assignment.objects.filter(pk__in=[one.pk for one in leased]).with_item()
            open_rows = list(rows.exclude(response__submitted_number__gt=0))
            if not open_rows:
                break
            for one in open_rows:
                if count == most:
                    return count
                answer = verdict(by_question[one.question_id])
                item = build_item_of(one)
                payload = kind.initial_answer(item).model_dump()
                if study.kind == "claims":
                    payload["verdict"], outcome = answer, answer
                else:
                    payload["levels"], outcome = {"correctness": int(answer)}, "rated"
                write = ResponseWrite(
                    version=0, action=Action.SUBMIT, outcome=outcome, payload=payload
                )
                write_response(actor=expert, assignment_id=one.pk, write=write)
                count += 1
    return count
