"""The fixture of a study kind: items, answers with their outcomes, and payloads with faults."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.kinds.base import AnyKind, InvalidPayload
from annotation.kinds.items import Item


def read_cases(kind: AnyKind) -> list[dict[str, Any]]:
    path = Path(inspect.getfile(type(kind))).with_name("fixture.json")
    cases: list[dict[str, Any]] = json.loads(path.read_bytes())
    return cases


def read_items(kind: AnyKind) -> list[Item]:
    return [kind.item_schema.model_validate(case["item"]) for case in read_cases(kind)]


def check_fixture(kind: AnyKind) -> None:
    outcomes: set[str] = set()
    for case in read_cases(kind):
        item = kind.item_schema.model_validate(case["item"])
        assert item.model_dump(mode="json") == case["item"]
        for one in case["answers"]:
            assert kind.outcome(kind.validate(item, one["payload"]), item) == one["outcome"]
            outcomes.add(one["outcome"])
        for one in case["invalid"]:
            with pytest.raises(InvalidPayload) as refused:
                kind.validate(item, one["payload"])
            assert one["place"] in [fault.place for fault in refused.value.faults]
    assert outcomes == {one.name for one in kind.outcomes}
