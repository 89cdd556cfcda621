"""Models ranked by votes, where the two hypotheses of pairs come from two models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.kinds.figures import (
    Figure,
    Section,
    figure_of,
    missing_figure,
    study_share,
)
from annotation.kinds.hypothesis_pairs.schema import SIDE, SWAPPED
from annotation.kinds.study_table import StudyAnswer, StudyTable, number_values
from backend.science.judgements.bradley_terry import LEFT, RIGHT, TIE, Comparisons
from backend.science.judgements.bradley_terry_intervals import ModelBoard, board_of_arms

OUTCOMES: Mapping[str, int] = {"a": LEFT, "tie": TIE, "b": RIGHT}
STRENGTH = "Bradley-Terry strength with ties and an effect of the side (Davidson, 1970)"
ERRORS = "errors by rater and pair (Cameron, Gelbach and Miller, 2011)"
RANKS = "ranks not excluded, over raters and pairs (Mogstad et al., 2024)"
NOT_LINKED = "No votes link all of the models, so their strengths cannot be compared."
NO_VOTE = "No vote prefers one of two models."
NOTE = (
    "Votes on pairs of two models; 'both bad' and 'not sure' are left out. "
    "Strengths are log odds with mean 0."
)
OPEN_NOTE = f"{NOTE} Ranks are shown once the study is closed."


@dataclass(frozen=True)
class Vote:
    answer: StudyAnswer
    left: str
    right: str

    @property
    def preferred(self) -> str:
        return {"a": self.left, "b": self.right}.get(self.answer.outcome, "")


def model_sections(table: StudyTable) -> list[Section]:
    """None where fewer than two models are compared."""
    votes = list_votes(table)
    models = sorted({name for vote in votes for name in (vote.left, vote.right)})
    if len(models) < 2:
        return []
    if not any(vote.preferred for vote in votes):
        figure = missing_figure("model_1", models[0], "votes", STRENGTH, NO_VOTE)
        return [Section("models", "Models", (figure,), NOTE)]
    board = board_of_arms(_comparisons(votes, models), seed=table.seed)
    order = np.argsort(-board.fit.strengths, kind="stable").tolist()
    figures = [
        figure
        for place, model in enumerate(order, 1)
        for figure in (
            _strength(board, model, models[model], place, is_open=table.is_open),
            _share(votes, models[model], place, table),
        )
    ]
    figures.append(_side(board))
    return [Section("models", "Models", tuple(figures), OPEN_NOTE if table.is_open else NOTE)]


def list_votes(table: StudyTable) -> list[Vote]:
    """Of the pairs that name two models, the answers that prefer one or neither."""
    votes = []
    for answer in table.answers:
        question = table.questions[answer.question].question
        pair = [one["model"] for one in question.payload["hypotheses"]]
        if answer.outcome in OUTCOMES and all(pair) and pair[0] != pair[1]:
            left, right = pair[::-1] if answer.arms.get(SIDE) == SWAPPED else pair
            votes.append(Vote(answer, left, right))
    return votes


def _comparisons(votes: Sequence[Vote], models: Sequence[str]) -> Comparisons:
    return Comparisons(
        left=np.array([models.index(vote.left) for vote in votes]),
        right=np.array([models.index(vote.right) for vote in votes]),
        outcome=np.array([OUTCOMES[vote.answer.outcome] for vote in votes]),
        rater=number_values(vote.answer.rater for vote in votes),
        arms=len(models),
        item=number_values(vote.answer.question for vote in votes),
    )


def _strength(board: ModelBoard, model: int, name: str, place: int, *, is_open: bool) -> Figure:
    method = f"{STRENGTH}; {ERRORS}; {RANKS}"
    if board.fit.components > 1:
        return missing_figure(f"model_{place}", name, "votes", method, NOT_LINKED)
    notes = [] if is_open else [_rank_note(board, model)]
    if board.fit.separated:
        notes.append("Some models never lost, so distances are rough.")
    return figure_of(
        f"model_{place}", name, "votes", method, board.strengths[model], note=" ".join(notes)
    )


def _rank_note(board: ModelBoard, model: int) -> str:
    if board.rank_sets is None:
        return "Ranks cannot be computed from these votes."
    best, worst = int(board.rank_sets.best[model]), int(board.rank_sets.worst[model])
    return f"Rank {best}." if best == worst else f"Rank {best} to {worst}."


def _share(votes: Sequence[Vote], model: str, place: int, table: StudyTable) -> Figure:
    """The share of decided votes, whose interval holds at every look while the study is open."""
    rows = [
        (vote.answer.question, vote.answer.rater, vote.preferred == model)
        for vote in votes
        if vote.preferred and model in (vote.left, vote.right)
    ]
    label = f"{model}: preferred, of its decided votes"
    return study_share(table, f"model_{place}_share", label, rows, "votes")


def _side(board: ModelBoard) -> Figure:
    """From the model, so that it holds for two equal models."""
    return figure_of(
        "model_left_share",
        "Left is better, of two equal models",
        "votes",
        f"{STRENGTH}; {ERRORS}",
        board.left_share,
        note="Without an effect of the side it is a half.",
    )
