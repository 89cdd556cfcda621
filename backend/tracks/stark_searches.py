"""All baselines of STaRK: searches by words and vectors, and those that are trained."""

from collections.abc import Mapping
from functools import partial

from backend.tracks import stark_baselines
from backend.tracks.baseline_tasks import Baseline, Training
from backend.tracks.stark_baselines import Ranker, predict_by
from backend.tracks.stark_reasoner import rank_by_reasoner, train_reasoner
from backend.tracks.stark_retriever import rank_by_retriever, train_retriever
from backend.tracks.stark_rows import QueryAnswer, QueryItem, RankedPrediction

TRAINED: Mapping[str, Ranker] = {"retriever": rank_by_retriever, "reasoner": rank_by_reasoner}
BASELINES: Mapping[str, Baseline[QueryItem, QueryAnswer, RankedPrediction]] = {
    **stark_baselines.BASELINES,
    **{name: partial(predict_by, ranker) for name, ranker in TRAINED.items()},
}
TRAININGS: Mapping[str, Training[QueryItem, QueryAnswer]] = {
    "retriever": train_retriever,
    "reasoner": train_reasoner,
}
