"""Hypothesis pairs: experts choose the better of two hypotheses with rationales (TruthHypo §5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.kinds.base import InvalidPayload, Json, Outcome, Payload, SimulatedAnswer, StudyKind
from annotation.kinds.figures import Section
from annotation.kinds.hypothesis_pairs.foreign import FOREIGN
from annotation.kinds.hypothesis_pairs.information import model_information
from annotation.kinds.hypothesis_pairs.measures import (
    FIRST_SHARE,
    GRADES,
    list_pair_measures,
    measure_pairs,
    verdict_of,
)
from annotation.kinds.hypothesis_pairs.schema import (
    AS_LISTED,
    CHOICES,
    SIDE,
    SIDES,
    SWAPPED,
    PairAnswer,
    PairEntry,
    PairItem,
    ShownHypothesis,
)
from annotation.kinds.hypothesis_pairs.simulate import simulate_choice
from annotation.kinds.hypothesis_pairs.statistics import pair_sections
from annotation.kinds.items import (
    EVIDENCE_ARM,
    Arm,
    Presentation,
    base_fields,
    hides_evidence,
    without_resources,
)
from annotation.kinds.measures import Measure, share_of
from annotation.kinds.study_table import StudyTable
from backend.benchmarks.models import Question
from backend.runtime.sentences import split_sentences
from backend.science.judgements.majority import most_frequent
from backend.validation.faults import Fault

OTHER = {"a": "b", "b": "a", "a_much": "b_much", "b_much": "a_much"}
VERDICTS = {"a": "first", "b": "second", "tie": "tie", "both_bad": "both_bad"}
VERDICT_LABELS = {"a": "A", "b": "B", "tie": "a tie", "both_bad": "both bad"}
COORDINATOR_FIELDS = ("model", "arm", "score")


class HypothesisPairsKind(StudyKind[PairItem, PairAnswer]):
    name = "hypothesis_pairs"
    foreign = FOREIGN
    title = "Hypothesis pairs"
    question_schema = PairEntry
    item_schema = PairItem
    answer_schema = PairAnswer
    outcomes = (
        Outcome("a", "A is better"),
        Outcome("tie", "Tie"),
        Outcome("b", "B is better"),
        Outcome("both_bad", "Both bad"),
        Outcome("not_sure", "Not sure", is_measured=False),
    )
    arms = (Arm(SIDE, (AS_LISTED, SWAPPED), is_balanced=True), EVIDENCE_ARM)
    choices = tuple(VERDICTS)
    result_measures = (FIRST_SHARE, "left_share", "tie_share", "both_bad_share")
    can_adapt = True
    grades = tuple(sorted(GRADES.values()))
    undecided = "tie"
    activity_kinds = ("chose", "because", "comment", "background")
    csv_item_columns = ("background", "first", "first_rationale", "second", "second_rationale")
    csv_coordinator_columns = tuple(
        f"{place}_{name}" for place in ("first", "second") for name in COORDINATOR_FIELDS
    )
    csv_answer_columns = ("verdict", "much", "because", "because_sentence", "comment")
    column_types = {"first_score": float, "second_score": float, "much": bool}

    def build_item(self, question: Question, shown: Presentation) -> PairItem:
        listed = question.payload["hypotheses"]
        placed = listed[::-1] if shown.arms.get(SIDE) == SWAPPED else listed
        fields, background = base_fields(question), question.payload["background"]
        if hides_evidence(shown.arms):
            fields, background = without_resources(fields), ""
        return PairItem(
            **fields,
            background=background,
            background_sentences=split_sentences(background),
            hypotheses=[
                ShownHypothesis(
                    id=side,
                    hypothesis=one["hypothesis"],
                    sentences=split_sentences(one["rationale"]),
                )
                for side, one in zip(SIDES, placed, strict=True)
            ],
        )

    def statistics(self, table: StudyTable) -> list[Section]:
        return pair_sections(table)

    def can_use(self, question: Question) -> bool:
        return "hypotheses" in question.payload

    def coordinator_cells(self, question: Question) -> dict[str, Json]:
        return {
            f"{place}_{name}": one[name]
            for place, one in zip(("first", "second"), question.payload["hypotheses"], strict=True)
            for name in COORDINATOR_FIELDS
        }

    def initial_answer(self, item: PairItem) -> PairAnswer:
        return PairAnswer(choice=None, because=None, comment="")

    def outcome(self, answer: PairAnswer, item: PairItem) -> str:
        if answer.choice is None:
            fault = Fault("payload.choice", "Nothing is chosen.", "no_choice", ", ".join(CHOICES))
            raise InvalidPayload("This answer has no choice yet. Choose one.", faults=[fault])
        return verdict_of(answer.choice)

    def convert(
        self, payload: Payload, source: Mapping[str, str], target: Mapping[str, str]
    ) -> Payload:
        """Swaps a and b where the two have different sides."""
        if (source.get(SIDE) == SWAPPED) == (target.get(SIDE) == SWAPPED):
            return payload
        choice, because = payload["choice"], payload["because"]
        return {
            **payload,
            "choice": OTHER.get(choice, choice),
            "because": because and {**because, "id": OTHER.get(because["id"], because["id"])},
        }

    def convert_outcome(self, outcome: str, source: Mapping[str, str]) -> str:
        return OTHER.get(outcome, outcome) if source.get(SIDE) == SWAPPED else outcome

    def agreement(self, answers: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
        return measure_pairs(answers, seed=seed)

    def item_agreement(self, answers: Sequence[Payload]) -> list[Measure]:
        return list_pair_measures(answers)

    def consensus(self, answers: Sequence[Payload]) -> Json:
        """The verdict that more experts gave than any other, of the pair as listed."""
        verdict = most_frequent(verdict_of(one["choice"]) for one in answers)
        return None if verdict is None else VERDICTS[verdict]

    def compare(self, item: PairItem, own: Payload | None, others: Sequence[Payload]) -> str:
        counts = Counter(verdict_of(one["choice"]) for one in others)
        [(most, count), *_] = counts.most_common()
        common = f"{count} of {len(others)} others chose"
        if own is None:
            return f"{common} {VERDICT_LABELS[most]}."
        mine = verdict_of(own["choice"])
        if counts[mine] == count:
            return f"{common} {VERDICT_LABELS[mine]}, as you did."
        return f"{common} {VERDICT_LABELS[most]}; you chose {VERDICT_LABELS[mine]}."

    def choice_of(self, payload: Payload) -> str:
        return verdict_of(payload["choice"])

    def information(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Payload]]
    ) -> list[float]:
        """About the models where pairs compare several, else about each pair's verdicts."""
        of_models = model_information(questions, answers)
        return super().information(questions, answers) if of_models is None else of_models

    def grade_of(self, payload: Payload) -> float | None:
        return GRADES.get(payload["choice"])

    def prefers_first(self, payload: Payload) -> bool | None:
        return {"a": True, "b": False}.get(verdict_of(payload["choice"]))

    def shares(self, counts: Mapping[str, int]) -> list[Measure]:
        """left_share: of the answers that prefer one; without position bias it is near a half."""
        preferred = counts["a"] + counts["b"]
        answered = sum(counts[one.name] for one in self.outcomes)
        return [
            share_of("left_share", "Left is better", counts["a"], preferred),
            share_of("not_sure_share", "Not sure", counts["not_sure"], answered),
            share_of("tie_share", "Tie", counts["tie"], answered),
            share_of("both_bad_share", "Both bad", counts["both_bad"], answered),
        ]

    def is_right(self, answer: Payload, known: Payload) -> bool:
        """The same side, however much better; a tie only where the known answer is one."""
        return verdict_of(answer["choice"]) == verdict_of(known["choice"])

    def comment(self, payload: Payload) -> str:
        return str(payload["comment"])

    def csv_rows(
        self, item: PairItem, payload: Payload | None, outcome: str
    ) -> list[dict[str, Any]]:
        """One row, about the pair as listed. much: whether the better one is much better."""
        first, second = item.hypotheses
        choice = (payload and payload["choice"]) or ""
        return [
            {
                "background": item.background,
                "first": first.hypothesis,
                "first_rationale": "".join(first.sentences),
                "second": second.hypothesis,
                "second_rationale": "".join(second.sentences),
                "verdict": VERDICTS.get(verdict_of(choice), ""),
                "much": choice.endswith("_much") if choice in OTHER else None,
                **_because_cells(item, payload),
                "comment": payload["comment"] if payload else "",
            }
        ]

    def simulate(self, item: PairItem, expert: int) -> SimulatedAnswer:
        return simulate_choice(expert, item)


def _because_cells(item: PairItem, payload: Payload | None) -> dict[str, Any]:
    """Which rationale, or the background, and the text of its sentence that decided."""
    because = payload and payload["because"]
    if not because:
        return {"because": "", "because_sentence": ""}
    sentence = item.sentences_of(because["id"])[because["sentence"]]
    part = VERDICTS.get(because["id"], because["id"])
    return {"because": part, "because_sentence": sentence.strip()}


KIND = HypothesisPairsKind()
