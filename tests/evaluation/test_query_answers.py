"""Which identifiers a result names, in the forms that queries are written in."""

from typing import Any

import pytest

from backend.evaluation.query_answers import answers_of_result
from backend.graphs.cypher.query_runner import QueryResult

ENTITY = {"label": "Drug", "id": "D:1", "name": "One", "type": "Drug", "synonyms": ""}
PATH = {"entities": [ENTITY, {**ENTITY, "id": "D:2"}], "edges": [{"relation": "r", "edge": 7}]}


@pytest.mark.parametrize(
    ("columns", "rows", "expected"),
    [
        (["n0_targets"], [[[{"id": "D:1", "name": "One"}, {"id": "D:2", "name": "x"}]]], "D:1 D:2"),
        (["n0_targets", "n1_targets"], [[[{"id": "D:1"}], [{"id": "D:2"}]]], "D:1 D:2"),
        (["n"], [[ENTITY]], "D:1"),
        (["p"], [[PATH]], "D:1 D:2"),
        (["n.id", "n.name"], [["D:1", "One"], ["D:2", "Two"]], "D:1 D:2"),
        (["(n.id)", "n.name"], [["D:1", "One"], ["D:2", "Two"]], "D:1 D:2"),
        (["`n`.`id`", "n.name"], [["D:1", "One"], ["D:2", "Two"]], "D:1 D:2"),
        (["n0_id", "other"], [["D:1", "x"]], "D:1"),
        (["drug"], [["D:1"], ["D:1"], ["D:2"]], "D:1 D:2"),
        (["drugs"], [[["D:1", "D:2"]]], "D:1 D:2"),
        (["count"], [[7]], ""),
        (["flag", "nothing"], [[True, None]], ""),
        (["n0_targets"], [[[]]], ""),
        (["targets"], [[[{"id": 5716}, {"id": True}, {"name": "no id"}]]], "5716"),
        (["drug"], [[" "]], ""),
        ([], [], ""),
    ],
)
def test_identifiers_are_read_from_results(
    columns: list[str], rows: list[list[Any]], expected: str
) -> None:
    result = QueryResult(tuple(columns), tuple(map(tuple, rows)), capped=False)
    names = tuple(expected.split())
    assert answers_of_result(result, len(names)) == names
    if names:
        assert answers_of_result(result, len(names) - 1) is None
