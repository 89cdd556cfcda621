"""Claims: experts verify a claim against the documents and edges found for it (KnowHD)."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from annotation.kinds.arm_sections import choice_arm_sections
from annotation.kinds.base import InvalidPayload, Json, Outcome, Payload, SimulatedAnswer, StudyKind
from annotation.kinds.claims.measures import MEASURED, list_claim_measures, measure_claims
from annotation.kinds.claims.schema import (
    VERDICTS,
    ClaimAnswer,
    ClaimEntry,
    ClaimItem,
    Mark,
)
from annotation.kinds.claims.simulate import simulate_verdict
from annotation.kinds.claims.statistics import claim_retest_section, claim_sections
from annotation.kinds.figures import Section
from annotation.kinds.items import ORDER_ARM, Presentation, base_fields
from annotation.kinds.measures import Measure, share_of
from annotation.kinds.passages import show_documents, show_edges
from annotation.kinds.rater_sections import choice_rater_sections
from annotation.kinds.study_table import StudyTable
from backend.benchmarks.models import Question
from backend.science.judgements.majority import most_frequent
from backend.validation.faults import Fault

DECIDED = ("supported", "contradicted")
LABELS = {
    "supported": "supported",
    "contradicted": "contradicted",
    "not_enough": "not enough evidence",
}


class ClaimsKind(StudyKind[ClaimItem, ClaimAnswer]):
    name = "claims"
    title = "Claims"
    question_schema = ClaimEntry
    item_schema = ClaimItem
    answer_schema = ClaimAnswer
    outcomes = (
        Outcome("supported", "Supported"),
        Outcome("contradicted", "Contradicted"),
        Outcome("not_enough", "Not enough evidence"),
        Outcome("not_sure", "Not sure", is_measured=False),
    )
    arms = (ORDER_ARM,)
    choices = MEASURED
    result_measures = tuple(f"{one}_share" for one in MEASURED)
    can_adapt = True
    activity_kinds = ("chose", "because", "comment")
    csv_item_columns = ("documents", "edges")
    csv_coordinator_columns = ("model", "arm", "model_verdict")
    csv_answer_columns = ("because", "because_text", "comment")
    column_types = {"documents": int, "edges": int}

    def build_item(self, question: Question, shown: Presentation) -> ClaimItem:
        payload = question.payload
        # Marks name documents by their ids, and edges by their places.
        documents, edges = shown.in_order(payload["documents"]), payload["edges"]
        return ClaimItem(
            **base_fields(question),
            documents=show_documents(documents),
            edges=show_edges(edges),
            # Where nothing was found, nothing can be marked.
            is_because_required=payload["because"] == "required" and bool(documents or edges),
        )

    def can_use(self, question: Question) -> bool:
        return all(name in question.payload for name in ("documents", "edges", "because"))

    def coordinator_cells(self, question: Question) -> dict[str, Json]:
        names = zip(self.csv_coordinator_columns, ("model", "arm", "verdict"), strict=True)
        return {column: question.payload[name] for column, name in names}

    def initial_answer(self, item: ClaimItem) -> ClaimAnswer:
        return ClaimAnswer.model_construct(verdict=None, because=[], comment="")

    def outcome(self, answer: ClaimAnswer, item: ClaimItem) -> str:
        if answer.verdict is None:
            expected = ", ".join(VERDICTS)
            fault = Fault("payload.verdict", "Nothing is chosen.", "no_verdict", expected)
            raise InvalidPayload("This answer has no verdict yet. Choose one.", faults=[fault])
        if item.is_because_required and answer.verdict in DECIDED and not answer.because:
            fault = Fault("payload.because", "Nothing is marked.", "no_mark", "1 or more marks")
            raise InvalidPayload(
                f"Mark the sentence or edge by which the claim is {answer.verdict}.",
                faults=[fault],
            )
        return answer.verdict

    def agreement(self, answers: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
        """As if the answers at the same place were of the same expert."""
        by_place = [{UUID(int=at): one for at, one in enumerate(several)} for several in answers]
        return self.agreement_of_raters(by_place, seed=seed)

    def agreement_of_raters(
        self, answers: Sequence[Mapping[UUID, Payload]], *, seed: int
    ) -> list[Measure]:
        return measure_claims(answers, seed=seed)

    def item_agreement(self, answers: Sequence[Payload]) -> list[Measure]:
        return list_claim_measures(answers)

    def consensus(self, answers: Sequence[Payload]) -> Json:
        """The verdict that more experts gave than any other; None where two are level."""
        return most_frequent(str(one["verdict"]) for one in answers)

    def compare(self, item: ClaimItem, own: Payload | None, others: Sequence[Payload]) -> str:
        counts = Counter(one["verdict"] for one in others)
        [(most, count), *_] = counts.most_common()
        common = f"{count} of {len(others)} others chose"
        if own is None:
            return f"{common} {LABELS[most]}."
        mine = own["verdict"]
        if counts[mine] == count:
            return f"{common} {LABELS[mine]}, as you did."
        return f"{common} {LABELS[most]}; you chose {LABELS[mine]}."

    def choice_of(self, payload: Payload) -> str:
        return str(payload["verdict"])

    def statistics(self, table: StudyTable) -> list[Section]:
        sure = [one for one in table.answers if self.is_measured(one.outcome)]
        checked = [one for one in table.with_mixed_in().answers if self.is_measured(one.outcome)]
        return [
            *claim_sections(table),
            *choice_arm_sections(table, self, sure),
            *choice_rater_sections(checked, lambda one: one.outcome, seed=table.seed),
            claim_retest_section(table),
        ]

    def shares(self, counts: Mapping[str, int]) -> list[Measure]:
        answered = sum(counts[one.name] for one in self.outcomes)
        return [
            share_of(f"{one.name}_share", one.label, counts[one.name], answered)
            for one in self.outcomes
        ]

    def read_content(self, item: ClaimItem, content: Mapping[str, Any]) -> tuple[ClaimAnswer, str]:
        """Without marks, which experts may set elsewhere and be right."""
        return super().read_content(item.model_copy(update={"is_because_required": False}), content)

    def is_right(self, answer: Payload, known: Payload) -> bool:
        return bool(answer["verdict"] == known["verdict"])

    def comment(self, payload: Payload) -> str:
        return str(payload["comment"])

    def is_same(self, one: Payload, other: Payload) -> bool:
        """Marks have no order."""
        return _without_order(one) == _without_order(other)

    def csv_rows(
        self, item: ClaimItem, payload: Payload | None, outcome: str
    ) -> list[dict[str, Any]]:
        """One row. documents, edges: how many there are. because: the marks as JSON."""
        because = payload["because"] if payload else []
        return [
            {
                "documents": len(item.documents),
                "edges": len(item.edges),
                "because": json.dumps(because, ensure_ascii=False) if because else "",
                "because_text": "\n".join(item.text_of(Mark(**one)) for one in because),
                "comment": payload["comment"] if payload else "",
            }
        ]

    def simulate(self, item: ClaimItem, expert: int) -> SimulatedAnswer:
        return simulate_verdict(expert, item)


def _without_order(payload: Payload) -> Payload:
    marks = [
        (one["document"] or "", one["document"] is None, one["number"])
        for one in payload["because"]
    ]
    return {**payload, "because": sorted(marks)}


KIND = ClaimsKind()
