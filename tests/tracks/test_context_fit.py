"""A context is shortened from its end until the messages fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.tracks.context_fit import count_characters, fit_context
from backend.tracks.model_tasks import Passage, TaskContext
from tests.tracks.model_task_examples import CONTEXT, context_of, covered_items, every_task

TASK = every_task()["truthhypo-graph-literature"]
ITEM = covered_items(TASK)[0]
EMPTY = count_characters(TASK, ITEM, TaskContext())
PASSAGES = st.lists(st.text(max_size=300).map(lambda text: Passage("SYN:1", "", text)), max_size=40)
CHAINS = st.lists(st.text(max_size=100), max_size=12)


@given(PASSAGES, CHAINS, st.integers(EMPTY, EMPTY + 8_000))
def test_the_most_papers_fit_and_then_the_most_chains(
    papers: list[Passage], chains: list[str], most: int
) -> None:
    context = TaskContext(link_chains=chains, papers=papers)
    fitted = fit_context(TASK, ITEM, context, most)
    assert fitted.fits
    assert count_characters(TASK, ITEM, fitted.context) <= most
    shown, chained = len(papers) - fitted.papers, len(chains) - fitted.link_chains
    assert list(fitted.context.papers) == papers[:shown]
    assert list(fitted.context.link_chains) == chains[:chained]
    if fitted.papers:
        more = replace(context, papers=papers[: shown + 1])
        assert count_characters(TASK, ITEM, more) > most
    if fitted.link_chains:
        assert shown == 0
        more = replace(fitted.context, link_chains=chains[: chained + 1])
        assert count_characters(TASK, ITEM, more) > most


@pytest.mark.parametrize("name", [*every_task()])
def test_what_fits_stays_whole_and_candidates_stay_in_any_case(name: str) -> None:
    task = every_task()[name]
    item, context = covered_items(task)[0], context_of(task)
    whole = fit_context(task, item, context, 1_000_000)
    assert (whole.context, whole.fits) == (context, True)
    cut = fit_context(task, item, context, 10)
    assert not cut.fits
    assert cut.context.candidates == context.candidates
    assert cut.context.graph_schema == context.graph_schema
    assert (cut.papers, cut.link_chains) == (len(context.papers), len(context.link_chains))


def test_papers_go_before_chains() -> None:
    full = replace(context_of(TASK), papers=[*CONTEXT.papers] * 3)
    most = count_characters(TASK, ITEM, full) - 1
    fitted = fit_context(TASK, ITEM, full, most)
    assert (fitted.papers, fitted.link_chains) == (1, 0)
    assert fitted.is_cut and not fit_context(TASK, ITEM, full, most + 1).is_cut
