"""The steps of a synthesis: which requests are open, and what their answers change.

Each step has one endpoint. A row that was answered has moved on, so that a job that runs again
requests only what is open.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from backend.benchmarks.stark_queries.leaks import find_leaks
from backend.evaluation.models.syntheses import (
    CandidateVerdict,
    QuerySynthesis,
    SynthesisStep,
    SynthesizedQuery,
)
from backend.evaluation.runs.requests import make_request
from backend.evaluation.synthesis.documents import answer_names, document_sentences
from backend.evaluation.synthesis.filters import (
    NAMES_ANSWER,
    NO_PROPERTY,
    REPEATED,
    find_fault,
    remove_leaks,
)
from backend.graphs.snapshots.graph_view import GraphView
from backend.llm.calls import ModelAnswer, ModelRequest
from backend.llm.models import Endpoint
from backend.tracks.model_tasks import NO_CONTEXT, AnyModelTask
from backend.tracks.synthesis_tasks import (
    PROPERTIES_TASK,
    QUERY_TASK,
    REWRITING_TASK,
    VERIFICATION_TASK,
    CheckedCandidate,
    DocumentedAnswer,
    Property,
    QueryMaterial,
    QueryToRewrite,
    WrittenQuery,
)

Requests = Iterator[tuple[str, ModelRequest]]
ACCEPTED = "accepted"
LONGEST_REASON = 1_000
SAME_WORDS = "An earlier query has the same words."


@dataclass
class Synthesis:
    """What all steps need."""

    row: QuerySynthesis
    view: GraphView

    def open_queries(self, step: SynthesisStep) -> QuerySet[SynthesizedQuery]:
        return self.row.queries.filter(step=step, outcome="").order_by("number")

    def count_checks(self, number: int) -> int:
        rows = self.open_queries(SynthesisStep.VERIFICATION)
        return sum(len(list_unchecked(row, number)) for row in rows if hard_of(row))

    def list_requests(self, step: SynthesisStep, endpoint: Endpoint) -> Requests:
        for row in self.open_queries(step):
            task, item = self._task_of(step, row)
            yield str(row.number), request_of(task, item, f"query {row.number} {step}", endpoint)

    def take(self, step: SynthesisStep, key: str, answer: ModelAnswer) -> None:
        row = self.row.queries.get(number=int(key))
        if not answer.is_answered:
            change(row, step, outcome=answer.outcome, reason=answer.reason[:LONGEST_REASON])
        elif step == SynthesisStep.PROPERTIES:
            self._take_properties(row, answer.value)
        else:
            self._take_text(row, step, answer.value)

    def list_checks(self, number: int, endpoint: Endpoint) -> Requests:
        """Of the verifier of this number: candidates that no verifier has refused so far."""
        for row in self.open_queries(SynthesisStep.VERIFICATION):
            hard = hard_of(row)
            for candidate in list_unchecked(row, number) if hard else ():
                item = self._checked(candidate, hard)
                key = f"{row.number}:{candidate}"
                name = f"query {row.number} candidate {candidate}"
                yield key, request_of(VERIFICATION_TASK, item, name, endpoint)

    def take_check(self, number: int, key: str, answer: ModelAnswer) -> None:
        """What cannot be read, and what the endpoint rejects, meets nothing."""
        query, _, candidate = key.partition(":")
        CandidateVerdict.objects.get_or_create(
            query=self.row.queries.get(number=int(query)),
            candidate=int(candidate),
            verifier=number,
            defaults={"outcome": answer.outcome, "is_met": answer.is_answered and answer.value},
        )

    def _task_of(self, step: SynthesisStep, row: SynthesizedQuery) -> tuple[AnyModelTask, Any]:
        if step == SynthesisStep.PROPERTIES:
            return PROPERTIES_TASK, self._documented(row)
        if step == SynthesisStep.QUERY:
            return QUERY_TASK, self._material(row)
        return REWRITING_TASK, QueryToRewrite(self._material(row), row.first_text)

    def _documented(self, row: SynthesizedQuery) -> DocumentedAnswer:
        return DocumentedAnswer(
            type=self.view.entity(row.gold).type,
            names=answer_names(self.view, row.gold),
            sentences=document_sentences(self.view, row.gold),
            role=row.role,
            hard=self.row.hard,
            soft=self.row.soft,
        )

    def _material(self, row: SynthesizedQuery) -> QueryMaterial:
        return QueryMaterial(
            type=self.view.entity(row.gold).type,
            role=row.role,
            relation=row.relation,
            entities=row.entities,
            hard=hard_of(row),
            soft=requirements_of(row, is_hard=False),
        )

    def _checked(self, candidate: int, hard: Mapping[str, str]) -> CheckedCandidate:
        entity = self.view.entity(candidate)
        sentences = document_sentences(self.view, candidate)
        return CheckedCandidate(entity.name, entity.type, sentences, hard)

    def _take_properties(self, row: SynthesizedQuery, stated: Sequence[Property]) -> None:
        properties = remove_leaks(stated, answer_names(self.view, row.gold))
        step = SynthesisStep.PROPERTIES
        if not any(one.is_hard for one in properties):
            reason = "Every hard property names the answer."
            change(row, step, outcome=NO_PROPERTY, reason=reason)
            return
        sentences = document_sentences(self.view, row.gold)
        stored = [
            {"text": one.text, "is_hard": one.is_hard, "source": sentences[one.sentence]}
            for one in properties
        ]
        change(row, step, properties=stored, step=SynthesisStep.QUERY)

    def _take_text(self, row: SynthesizedQuery, step: SynthesisStep, written: WrittenQuery) -> None:
        is_first = step == SynthesisStep.QUERY
        field = "first_text" if is_first else "text"
        texts = {field: written.query, "words": written.words}
        code, reason = find_fault(
            written,
            names=answer_names(self.view, row.gold),
            entities=row.entities,
            hard=hard_of(row),
        )
        if code:
            change(row, step, **texts, outcome=code, reason=reason[:LONGEST_REASON])
        else:
            next_step = SynthesisStep.REWRITING if is_first else SynthesisStep.VERIFICATION
            change(row, step, **texts, step=next_step)


def request_of(task: AnyModelTask, item: Any, name: str, endpoint: Endpoint) -> ModelRequest:
    return make_request(task, item, name, NO_CONTEXT, endpoint=endpoint)


def change(row: SynthesizedQuery, at: SynthesisStep, /, **fields: Any) -> None:
    """Only one that waits for this step: a job that runs twice changes it once."""
    SynthesizedQuery.objects.filter(pk=row.pk, step=at, outcome="").update(**fields)


def requirements_of(row: SynthesizedQuery, *, is_hard: bool) -> dict[str, str]:
    """By id: its first character and its place among all properties, from 1."""
    prefix = "H" if is_hard else "S"
    return {
        f"{prefix}{place}": one["text"]
        for place, one in enumerate(row.properties, 1)
        if one["is_hard"] == is_hard
    }


def hard_of(row: SynthesizedQuery) -> dict[str, str]:
    return requirements_of(row, is_hard=True)


def list_unchecked(row: SynthesizedQuery, verifier: int) -> list[int]:
    """Candidates that each earlier verifier has passed and this one has not checked."""
    refused = row.verdicts.filter(is_met=False).values_list("candidate", flat=True)
    checked = row.verdicts.filter(verifier=verifier).values_list("candidate", flat=True)
    done = {*refused, *checked}
    return [one for one in row.candidates if one not in done]


# What the step pays for rests on these words.
PAID_TEXTS = {SynthesisStep.REWRITING: "first_text", SynthesisStep.VERIFICATION: "text"}


@transaction.atomic
def drop_repeated(synthesis: QuerySynthesis, step: SynthesisStep) -> None:
    """Those that wait for the step with the words of an earlier one: before it is paid for.

    Once all queries have reached the step, so that the order of answers decides nothing.
    """
    name = PAID_TEXTS[step]
    known: set[str] = set()
    for row in synthesis.queries.exclude(**{name: ""}).order_by("number"):
        text = getattr(row, name).casefold()
        if text in known:
            change(row, step, outcome=REPEATED, reason=SAME_WORDS)
        known.add(text)


@transaction.atomic
def accept_queries(synthesis: QuerySynthesis, view: GraphView) -> None:
    """Those that are verified, with their answers, and name none of them."""
    verifiers = synthesis.verifiers.count()
    rows = synthesis.queries.filter(step=SynthesisStep.VERIFICATION).order_by("number")
    for row in rows.prefetch_related("verdicts"):
        if row.outcome:
            continue
        answers = find_answers(row, verifiers)
        row.outcome, row.reason = ACCEPTED, ""
        if named := find_named(row.text, answers, view):
            row.outcome, row.reason = NAMES_ANSWER, f"The query names '{named}', another answer."
        row.answers = answers if row.outcome == ACCEPTED else []
        row.save(update_fields=["outcome", "reason", "answers"])


def find_answers(row: SynthesizedQuery, verifiers: int) -> list[int]:
    """The gold answer, and each candidate that all verifiers have passed."""
    if not hard_of(row):
        return sorted(row.candidates)
    passed = [one for one in row.candidates if passes(row, one, verifiers)]
    return sorted({row.gold, *passed})


def find_named(text: str, answers: Sequence[int], view: GraphView) -> str:
    """The name of the first answer that the text contains; empty if it contains none."""
    leaks = (find_leaks(text, answer_names(view, one)) for one in answers)
    return next((names[0] for names in leaks if names), "")


def passes(row: SynthesizedQuery, candidate: int, verifiers: int) -> bool:
    given = [one.is_met for one in row.verdicts.all() if one.candidate == candidate]
    return len(given) == verifiers and all(given)
