"""Every fault of a file states what is there and what to give instead, in the code that makes it.

The calls are found in the source, for many faults need a file that is hard to make.
"""

import re

from backend.validation.row_files.faults import CODES, EXPECTED
from tests.tracks.fault_calls import ROOT, FaultCall, find_calls, find_makers, read_modules

FILES = ("backend/validation", "backend/tracks")
JOBS = ("backend/jobs", "backend/evaluation", "backend/graphs", "backend/leaderboard")
SENTENCE = re.compile(r"[A-Z0-9'…].*[^.\s]\.")
TWO_PARTS = re.compile(r".+[.;] .+\.")  # what happened, and what to do
# Of files that releases are made of; `docs/reference/predictions.md` has those of predictions.
OF_SOURCES = frozenset(
    {
        *("is_positive", "no_answer", "no_leaf", "no_negatives", "no_node", "no_partitions"),
        *("no_paths", "no_pattern", "no_question", "not_a_web_address", "not_connected"),
        *("other_group", "repeated", "same_entity"),
    }
)


def fault_calls() -> list[FaultCall]:
    """What has a parameter `expected` makes a fault; `add` does so of a list of faults."""
    modules = read_modules(*FILES)
    makers = dict(find_makers(modules, "expected"))
    makers["faults.add"] = makers.pop("add")
    calls = find_calls(modules, makers)
    return [one for one in calls if "expected" in one.texts or set(one.texts) != {"place"}]


def test_every_fault_states_what_is_there_and_what_to_give_instead() -> None:
    calls = fault_calls()
    assert len(calls) > 80
    for call in calls:
        messages = call.texts.get("message", [])
        assert all(one and SENTENCE.fullmatch(one) for one in messages), call
        assert "expected" in call.texts and "" not in call.texts["expected"], call


def test_every_error_of_a_schema_has_a_sentence_and_what_to_give_instead() -> None:
    for kind, (_, message) in CODES.items():
        assert SENTENCE.fullmatch(message), kind
        assert EXPECTED[kind], kind


def test_the_reference_has_the_code_of_every_fault_of_predictions() -> None:
    codes = {code for code, _ in CODES.values()}
    for call in fault_calls():
        codes |= {one for one in call.texts.get("code", []) if one is not None}
    assert len(codes) > 40 and codes >= OF_SOURCES
    page = (ROOT / "docs/reference/predictions.md").read_text(encoding="utf-8")
    assert {one for one in codes - OF_SOURCES if f"`{one}`" not in page} == set()


def test_a_job_that_fails_states_what_happened_and_what_to_do() -> None:
    calls = find_calls(read_modules(*JOBS), {"PlatformFault": ["code", "detail"]})
    details = [one for call in calls for one in call.texts["detail"]]
    assert len(details) > 20
    assert [one for one in details if one is None or not TWO_PARTS.fullmatch(one)] == []
