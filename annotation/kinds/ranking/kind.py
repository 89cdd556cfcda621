"""Ranking: experts order a question's candidates, starting from the order of a prior."""

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from annotation.kinds.base import (
    Json,
    Outcome,
    Payload,
    PracticeExample,
    SimulatedAnswer,
    StudyKind,
)
from annotation.kinds.figures import Section
from annotation.kinds.items import EVIDENCE_ARM, ORDER_ARM, Arm, Presentation, base_fields
from annotation.kinds.marks import mark_key, mark_text, stored_marks
from annotation.kinds.measures import Measure, measure_of, share_of
from annotation.kinds.ranking.comparison import compare_first_choices
from annotation.kinds.ranking.consensus_statistics import membership_section, stability_section
from annotation.kinds.ranking.information import first_choice_information
from annotation.kinds.ranking.practice import practice_examples
from annotation.kinds.ranking.rater_statistics import rater_sections, retest_section
from annotation.kinds.ranking.schema import (
    FOREIGN,
    RankingAnswer,
    RankingCandidate,
    RankingItem,
    has_prior,
    study_prior,
)
from annotation.kinds.ranking.simulate import simulate_ranking
from annotation.kinds.ranking.statistics import (
    agreement_section,
    arm_sections,
    share_section,
)
from annotation.kinds.study_table import StudyTable
from backend.benchmarks.models import Candidate, Question
from backend.benchmarks.questionnaire import MIN_CANDIDATES, QuestionnaireQuestion
from backend.science.agreement import (
    Agreement,
    QuestionRankings,
    batch_agreement,
    question_agreement,
)
from backend.science.rank_models.consensus import borda_consensus
from backend.science.rankings import competition_ranks, ranked_ids, same_order

PRIOR = "prior"
RANKED = ("confirmed", "changed", "ranked")


class RankingKind(StudyKind[RankingItem, RankingAnswer]):
    name = "ranking"
    foreign = FOREIGN
    title = "Ranking"
    question_schema = QuestionnaireQuestion
    item_schema = RankingItem
    answer_schema = RankingAnswer
    outcomes = (
        Outcome("confirmed", "Agreed"),
        Outcome("changed", "Changed"),
        Outcome("ranked", "Ranked"),
        Outcome("not_sure", "Not sure", is_measured=False),
    )
    arms: ClassVar[Sequence[Arm]] = (Arm(PRIOR, ("shown", "hidden")), ORDER_ARM, EVIDENCE_ARM)
    result_measures = ("changed_share",)
    can_adapt = True
    activity_kinds = (
        *("moved", "tied", "untied", "undone", "redone", "agreed", "not_sure"),
        *("confidence", "reasons", "comment", "because"),
    )
    csv_item_columns = ("candidate_position", "candidate", "candidate_link", "prior_rank")
    csv_answer_columns = (
        *("rank", "confidence", "reasons", "comment", "unsure_reason"),
        *("because", "because_text"),
    )
    csv_id_columns = ("candidate_id",)
    column_types = dict.fromkeys(("candidate_position", "prior_rank", "rank", "confidence"), int)

    def arms_of(self, fields: Mapping[str, Any]) -> Sequence[Arm]:
        """Without an order there is none to hide."""
        return [one for one in self.arms if one.name != PRIOR or has_prior(fields)]

    def build_item(self, question: Question, shown: Presentation) -> RankingItem:
        candidates = list(question.candidates.all())
        prior = study_prior(shown.fields, candidates)
        if prior is None or shown.arms.get(PRIOR) == "hidden":
            return _without_prior(question, candidates, shown)
        of_study = competition_ranks(prior) if PRIOR in shown.fields else {}
        # Candidates that tie have no order of the prior.
        candidates, prior = shown.in_order(candidates), [shown.in_order(it) for it in prior]
        return RankingItem(
            **base_fields(question, shown.fields),
            candidates=[
                RankingCandidate(
                    id=str(one.id),
                    name=one.name,
                    link=_link(one, shown),
                    prior_rank=of_study.get(str(one.id), one.prior_rank),
                )
                for one in candidates
            ],
            prior=prior,
        )

    def statistics(self, table: StudyTable) -> list[Section]:
        return [
            agreement_section(table),
            *arm_sections(table, self.arms),
            share_section(table),
            stability_section(table),
            membership_section(table),
            *rater_sections(table),
            retest_section(table),
        ]

    def can_use(self, question: Question) -> bool:
        return len(question.candidates.all()) >= MIN_CANDIDATES

    def fields_of(self, question: Question, prior: Sequence[Sequence[int]] | None) -> Payload:
        """An order of some of the candidates is none that can be shown first."""
        places = sorted(one.position for one in question.candidates.all())
        is_complete = prior is not None and sorted(chain.from_iterable(prior)) == places
        return {PRIOR: prior if is_complete else None}

    def initial_answer(self, item: RankingItem) -> RankingAnswer:
        return RankingAnswer.model_construct(
            ranking=item.start, confidence=None, reasons=[], comment="", unsure_reason=""
        )

    def outcome(self, answer: RankingAnswer, item: RankingItem) -> str:
        if answer.unsure_reason:
            return "not_sure"
        if item.prior is None:
            return "ranked"
        return "confirmed" if same_order(answer.ranking, item.prior) else "changed"

    def is_same(self, one: Payload, other: Payload) -> bool:
        if not same_order(one["ranking"], other["ranking"]):
            return False
        return _remarks(one) == _remarks(other)

    def agreement(self, answers: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
        """Kendall's W, tau-b and top-1: per item with two or more orders, then averaged."""
        rankings = [[one["ranking"] for one in item] for item in answers]
        questions = [QuestionRankings(ids=ranked_ids(one[0]), rankings=one) for one in rankings]
        return _measures(batch_agreement(questions, seed=seed).average)

    def item_agreement(self, answers: Sequence[Payload]) -> list[Measure]:
        rankings = [one["ranking"] for one in answers]
        ids = ranked_ids(rankings[0]) if rankings else []
        return _measures(question_agreement(QuestionRankings(ids, rankings)))

    def consensus(self, answers: Sequence[Payload]) -> Json:
        """The weak order by the mean of the experts' mid-ranks; ids tie at equal means."""
        if not answers:
            return None
        rankings = [one["ranking"] for one in answers]
        order = borda_consensus(rankings, sorted(ranked_ids(rankings[0])))
        return [[*group] for group in order]

    def compare(self, item: RankingItem, own: Payload | None, others: Sequence[Payload]) -> str:
        return compare_first_choices(item, own, others)

    def choice_of(self, payload: Payload) -> str:
        """The candidates in the first place."""
        return " ".join(sorted(payload["ranking"][0]))

    def information(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Payload]]
    ) -> list[float]:
        return first_choice_information(questions, answers)

    def shares(self, counts: Mapping[str, int]) -> list[Measure]:
        """changed_share: of orders that started from a prior. not_sure_share: of all answers."""
        answered = sum(counts[name] for name in RANKED) + counts["not_sure"]
        with_prior = counts["confirmed"] + counts["changed"]
        return [
            share_of("changed_share", "Changed", counts["changed"], with_prior),
            share_of("not_sure_share", "Not sure", counts["not_sure"], answered),
        ]

    def practice_examples(self) -> list[PracticeExample]:
        return practice_examples()

    def move_places(self, content: Payload, positions: Sequence[int]) -> Payload:
        if not isinstance(groups := content.get("ranking"), list):
            return content
        return {**content, "ranking": [_names_at(group, positions) for group in groups]}

    def read_known_answer(self, item: RankingItem, content: Mapping[str, Any]) -> RankingAnswer:
        """Its ranking has places in `llm_ranking`, from 0, which have no ids in a file."""
        names = [one.id for one in item.candidates]
        ranking = content.get("ranking")
        if isinstance(ranking, list):
            content = {**content, "ranking": [_names_at(group, names) for group in ranking]}
        return super().read_known_answer(item, content)

    def is_right(self, answer: Payload, known: Payload) -> bool:
        """The same candidates come first."""
        return set(answer["ranking"][0]) == set(known["ranking"][0])

    def comment(self, payload: Payload) -> str:
        return str(payload["comment"])

    def csv_rows(
        self, item: RankingItem, payload: Payload | None, outcome: str
    ) -> list[dict[str, Any]]:
        """One row per candidate. Tied candidates have the same rank, and the next is left out."""
        ranks = competition_ranks(payload["ranking"]) if payload and outcome in RANKED else {}
        remarks = _remark_cells(item, payload) if payload else {}
        return [
            {
                **remarks,
                "candidate_position": place,
                "candidate": one.name,
                "candidate_link": one.link,
                "prior_rank": one.prior_rank,
                "rank": ranks.get(one.id),
                "candidate_id": one.id,
            }
            for place, one in enumerate(item.candidates, start=1)
        ]

    def simulate(self, item: RankingItem, expert: int) -> SimulatedAnswer:
        return simulate_ranking(expert, item)


def _without_prior(
    question: Question, candidates: Sequence[Candidate], shown: Presentation
) -> RankingItem:
    """The candidates in an order that the seed shuffles."""
    places = np.random.default_rng(shown.seed).permutation(len(candidates))
    shuffled = [candidates[place] for place in places]
    return RankingItem(
        **base_fields(question, shown.fields),
        candidates=[
            RankingCandidate(id=str(one.id), name=one.name, link=_link(one, shown))
            for one in shuffled
        ],
    )


def _link(candidate: Candidate, shown: Presentation) -> str:
    """That of the set, or of the questionnaire that joined it."""
    known: Mapping[str, str] = shown.fields.get("links", {})
    return candidate.link or known.get(str(candidate.position), "")


def _measures(agreement: Agreement) -> list[Measure]:
    return [
        measure_of("kendall_w", "Kendall's W", agreement.kendall_w),
        measure_of("tau_b", "Kendall's tau-b", agreement.tau_b),
        measure_of("top1", "Same first choice", agreement.top1),
    ]


def _remarks(payload: Payload) -> Payload:
    """Everything but the order; reasons and marks as sets, which have no order."""
    because = sorted(mark_key(one) for one in stored_marks(payload))
    return {**payload, "ranking": None, "reasons": sorted(payload["reasons"]), "because": because}


def _remark_cells(item: RankingItem, payload: Payload) -> dict[str, Any]:
    """because: the marks as JSON; because_text: in words, one a line."""
    because = stored_marks(payload)
    return {
        **payload,
        "reasons": ";".join(payload["reasons"]),
        "because": json.dumps(because, ensure_ascii=False) if because else "",
        "because_text": "\n".join(mark_text(item, one) for one in because),
    }


def _names_at(group: object, names: Sequence[str] | Sequence[int]) -> object:
    """What is no list of places is left to be refused as an answer."""
    if not isinstance(group, list):
        return group
    return [names[one] if type(one) is int and 0 <= one < len(names) else str(one) for one in group]


KIND = RankingKind()
