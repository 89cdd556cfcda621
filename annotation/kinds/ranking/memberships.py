"""P(in A_s) of a study's candidates, with raters weighted by their consistency over questions."""

import hashlib
import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from annotation.kinds.ranking.consensus_statistics import (
    choose_for_consistency,
    count_fits,
    estimate_membership,
    estimate_rater_consistencies,
)
from annotation.kinds.submissions import LatestSubmissions
from backend.benchmarks.models import Question
from backend.common.cached_results import get_or_compute
from backend.science.rank_models.choices import RatedQuestion

CACHED_S = 86_400.0
ROUNDS = 6  # of an estimate of consistencies, usually

Membership = Mapping[str, float]


class RankedQuestions:
    """The questions of a study that experts ranked, whose raters' consistencies are of them all."""

    def __init__(self, rated: Mapping[uuid.UUID, RatedQuestion]) -> None:
        self.rated = rated
        self._consistencies: Mapping[str, float] | None = None

    @classmethod
    def of(cls, questions: Sequence[Question], submitted: LatestSubmissions) -> "RankedQuestions":
        return cls({one.id: _rated_question(one, submitted) for one in questions})

    def count_fits(self) -> int:
        """Of single questions: a joint fit of many counts as many."""
        draws = sum(count_fits(len(one.raters)) for one in self.rated.values())
        chosen = choose_for_consistency(self.by_name())
        return draws + ROUNDS * sum(len(one.raters) for one in chosen)

    def by_name(self) -> dict[str, RatedQuestion]:
        return {str(name): one for name, one in self.rated.items()}

    def memberships(
        self, questions: Sequence[Question], size: int | None
    ) -> dict[uuid.UUID, Membership]:
        """P(in A_s) by candidates' positions, of the questions that have a model."""
        estimated = {one.id: self.membership(one, size) for one in questions}
        return {name: one for name, one in estimated.items() if one is not None}

    def membership(self, question: Question, size: int | None) -> Membership | None:
        rated = self.rated[question.id]
        consistencies = {one: self.consistencies()[one] for one in rated.raters}
        places = [consistencies[one] for one in rated.raters]
        estimated = get_or_compute(
            _key("membership", str(question.id), rated.ids, rated.rankings, places, size),
            partial(
                estimate_membership,
                rated,
                seed_of=str(question.id),
                size=size,
                consistencies=consistencies,
            ),
            form=dict,
            timeout_s=CACHED_S,
        )
        if estimated is None:
            return None
        positions = [str(one.position) for one in question.candidates.all()]
        return {place: estimated[name] for place, name in zip(positions, rated.ids, strict=True)}

    def consistencies(self) -> Mapping[str, float]:
        if self._consistencies is None:
            rows = [
                (name, one.ids, one.raters, one.rankings)
                for name, one in sorted(self.by_name().items())
            ]
            self._consistencies = get_or_compute(
                _key("consistencies", rows),
                partial(estimate_rater_consistencies, self.by_name()),
                form=dict,
                timeout_s=CACHED_S,
            )
        return self._consistencies


def prefers_other_top(membership: Membership, top: Collection[int]) -> bool:
    """Whether a candidate outside is more probably in A_s than one in the top."""
    inside = {str(place) for place in top}
    others = [value for place, value in membership.items() if place not in inside]
    return max(others, default=0.0) > min(membership[place] for place in inside)


def candidate_ids(question: Question) -> list[str]:
    """In the order of the file, which decides ties."""
    return [str(one.id) for one in question.candidates.all()]


def _rated_question(question: Question, submitted: LatestSubmissions) -> RatedQuestion:
    return RatedQuestion(
        candidate_ids(question),
        [str(one) for one in submitted.raters[question.id]],
        [one["ranking"] for one in submitted.answers[question.id]],
    )


def _key(name: str, *content: object) -> str:
    return f"{name}-{hashlib.sha256(json.dumps(content).encode()).hexdigest()}"
