"""Seeds and shares have one range, whichever way they come in."""

from argparse import ArgumentTypeError, _StoreAction
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.bounds import MAX_SEED
from backend.common.command_utils import parse_seed, parse_share
from backend.common.errors import DomainError

BAD_SEEDS = ["-1", "-5", "1.5", "nan", "", "٣", "99999999999999999999999999", "9" * 5_000]
BAD_SHARES = ["-1", "7", "1.5", "nan", "inf", "-inf", "1e400", "", "half"]
OWN_PACKAGES = ("backend.", "annotation")
COMMANDS_WITH_SEED = {
    "check_judge_drift",
    "create_study",
    "draw_entities",
    "draw_texts",
    "make_biohopr",
    "make_claim_study",
    "make_dyport",
    "make_questions",
    "make_release",
    "make_stark_queries",
    "make_truthhypo",
    "measure_links",
    "mix_queries",
    "propose_hypotheses",
    "read_dyport_pairs",
    "run_baseline",
    "run_model",
    "simulate_study",
    "study_statistics",
    "synthesize_queries",
    "test_metapaths",
    "train_retriever",
}


def numeric_options(word: str) -> Iterator[tuple[str, _StoreAction]]:
    for name, app in get_commands().items():
        if not str(app).startswith(OWN_PACKAGES):
            continue
        parser = load_command_class(str(app), name).create_parser("manage.py", name)
        for action in parser._actions:  # argparse has no public list of them
            if isinstance(action, _StoreAction) and word in action.dest.split("_"):
                yield name, action


def test_every_seed_of_a_command_has_the_same_range() -> None:
    options = list(numeric_options("seed"))
    assert {name for name, _ in options} == COMMANDS_WITH_SEED
    assert {action.type for _, action in options} == {parse_seed}


def test_every_share_of_a_command_has_the_same_range() -> None:
    options = list(numeric_options("share"))
    assert len(options) >= 7
    assert {action.type for _, action in options} == {parse_share}


@pytest.mark.parametrize("text", BAD_SEEDS)
def test_a_seed_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="a whole number from 0 to"):
        parse_seed(text)


@pytest.mark.parametrize("text", BAD_SHARES)
def test_a_share_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="a number from 0 to 1"):
        parse_share(text)


def test_the_ends_of_both_ranges_are_taken() -> None:
    assert [parse_seed("0"), parse_seed(str(MAX_SEED))] == [0, MAX_SEED]
    assert [parse_share("0"), parse_share("1"), parse_share("0.25")] == [0, 1, 0.25]


@pytest.mark.parametrize(
    ("share", "seed", "place"),
    [
        (7.0, 0, "test_share"),
        (float("nan"), 0, "test_share"),
        (0.5, -5, "seed"),
        (0.5, 2**80, "seed"),
    ],
)
def test_the_service_refuses_them_before_it_reads_a_file(
    share: float, seed: int, place: str
) -> None:
    request = ReleaseRequest(track="truthhypo", name="Pairs", test_share=share, seed=seed)
    with pytest.raises(DomainError) as refusal:
        make_release(actor=None, request=request, files=[Path("no-such-file.csv")])
    assert [fault.place for fault in refusal.value.faults] == [place]
