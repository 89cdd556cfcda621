"""A context is shortened from its end until the messages fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.tracks.context_fit import count_characters, fit_context
from backend.tracks.model_tasks import CandidateText, Passage, TaskContext
from backend.tracks.prompt_text import cut_text
from tests.tracks.model_task_examples import CONTEXT, context_of, covered_items, every_task

TASK = every_task()["truthhypo-graph-literature"]
ITEM = covered_items(TASK)[0]
EMPTY = count_characters(TASK, ITEM, TaskContext())
PASSAGES = st.lists(st.text(max_size=300).map(lambda text: Passage("SYN:1", "", text)), max_size=40)
RERANK = every_task()["stark-prime-rerank"]
TEXTS = st.text("ab \n<", max_size=2_000)
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
    assert [one.id for one in cut.context.candidates] == [one.id for one in context.candidates]
    assert not any(one.text for one in cut.context.candidates)
    assert cut.context.graph_schema == context.graph_schema
    assert (cut.papers, cut.link_chains) == (len(context.papers), len(context.link_chains))


@given(st.lists(TEXTS, min_size=1, max_size=20), st.integers(0, 30_000))
def test_the_texts_of_all_candidates_end_at_the_longest_length_that_fits(
    texts: list[str], more: int
) -> None:
    item, candidates = covered_items(RERANK)[0], named(texts)
    most = count_characters(RERANK, item, TaskContext(candidates=named([""] * len(texts)))) + more
    context = TaskContext(candidates=candidates)
    fitted = fit_context(RERANK, item, context, most)
    assert fitted.fits
    assert count_characters(RERANK, item, fitted.context) <= most
    assert [one.id for one in fitted.context.candidates] == [one.id for one in candidates]
    length = fitted.text_characters
    if length is None:
        assert fitted.context == context and not fitted.is_cut
        return
    assert fitted.is_cut
    for one, text in zip(fitted.context.candidates, texts, strict=True):
        assert one.text == (cut_text(text, length) if length else "")
    longer = replace(context, candidates=named([cut_text(one, length + 1) for one in texts]))
    assert count_characters(RERANK, item, longer) > most


def named(texts: list[str]) -> list[CandidateText]:
    return [CandidateText(str(n), f"Drug {n}", "Drug", text) for n, text in enumerate(texts)]


def test_only_a_text_that_is_longer_than_the_task_takes_is_said_to_be_cut() -> None:
    for task, most in ((RERANK, 1_200), (every_task()["serenqa-ensemble"], 400)):
        for length, is_longer in ((most, False), (most + 1, True)):
            context = TaskContext(candidates=named(["x" * length]))
            assert task.has_longer_texts(context) is is_longer
    behind = named([""] * 20 + ["x" * 5_000])  # which the model does not see
    assert not RERANK.has_longer_texts(TaskContext(candidates=behind))
    for length, is_longer in ((1_500, False), (1_501, True)):
        papers = [Passage("SYN:1", "", "x" * length)]
        assert TASK.has_longer_texts(TaskContext(papers=papers)) is is_longer


def test_papers_go_before_chains() -> None:
    full = replace(context_of(TASK), papers=[*CONTEXT.papers] * 3)
    most = count_characters(TASK, ITEM, full) - 1
    fitted = fit_context(TASK, ITEM, full, most)
    assert (fitted.papers, fitted.link_chains) == (1, 0)
    assert fitted.is_cut and not fit_context(TASK, ITEM, full, most + 1).is_cut
