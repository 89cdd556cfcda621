"""The order of public items follows their keys: it reveals nothing of the file's order."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.benchmarks.item_order import in_key_order
from backend.benchmarks.models import Item, Release, ReleaseSplit
from backend.benchmarks.releases import FrozenItem, ReleaseRequest, make_release
from backend.client.file_validation import validate_file
from tests.evaluation.submission_forms import VALIDATIONS, form, send
from tests.evaluation.truthhypo_files import HEADER, key_of, label_of, prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
ITEMS = 30
Rows = Sequence[Mapping[str, Any]]


def pair_file(folder: Path, numbers: Sequence[int]) -> Path:
    path = folder / "edges_test.tsv"
    rows = ["\t".join([*key_of(one), "A", "B", "A & B", label_of(one), "How?"]) for one in numbers]
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows))
    return path


def query_file(folder: Path, numbers: Sequence[int]) -> Path:
    """Queries with an odd number have one answer, others three."""
    answers = [[7] if one % 2 else [7, 8, 9] for one in numbers]
    rows = [
        {"query_id": one, "query": f"Query {one}?", "answer_ids": ids}
        for one, ids in zip(numbers, answers, strict=True)
    ]
    return write_lines(folder, rows)


def hop_file(folder: Path, numbers: Sequence[int]) -> Path:
    rows = [
        {
            "question_id": f"1m-{one}",
            "question": "Which diseases?",
            "form": "multiple",
            "hops": 1,
            "relation_type": "Drug:Disease",
            "metapath": "Drug/>treats/Disease",
            "query_id": f"D{one}",
            "query_name": f"Drug {one}",
            "partner": "",
            "answers": [{"id": f"E{one % 2}", "name": f"Disease {one % 2}", "synonyms": []}],
        }
        for one in numbers
    ]
    return write_lines(folder, rows)


def link_file(folder: Path, numbers: Sequence[int]) -> Path:
    """Odd numbers are the negatives of the link before."""
    rows = [
        {
            "id": f"L{one}",
            "subject": f"S{one // 2}",
            "object": f"O{one}",
            "subject_type": "Drug",
            "object_type": "Disease",
            "year": 2016,
            **({"negative_of": f"L{one - 1}"} if one % 2 else {}),
        }
        for one in numbers
    ]
    return write_lines(folder, rows)


def write_lines(folder: Path, rows: Rows) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def open_release(path: Path, track: str) -> Release:
    release = make_release(
        actor=None, request=ReleaseRequest(track=track, name=path.parent.name), files=[path]
    )
    Release.objects.filter(pk=release.pk).update(state=Release.State.OPEN)
    release.refresh_from_db()
    return release


def listed_items(reader: APIClient, release: Release) -> list[Any]:
    """As the download has them, which the pages of the table agree with."""
    path = f"/api/v1/releases/{release.slug}"
    file = reader.get(f"{path}/items?split=test")
    lines = [json.loads(line) for line in b"".join(file).splitlines()]
    pages = [
        one
        for offset in (0, 25)
        for one in reader.get(f"{path}/item-page?split=test&offset={offset}").json()["results"]
    ]
    assert pages == lines
    return lines


GROUPED = [*range(0, ITEMS, 2), *range(1, ITEMS, 2)]  # by label
MIXED = [(7 * one) % ITEMS for one in range(ITEMS)]


@pytest.mark.parametrize(
    ("track", "write"),
    [
        ("truthhypo", pair_file),
        ("stark-prime", query_file),
        ("biohopr", hop_file),
        ("dyport", link_file),
    ],
)
def test_items_of_a_file_grouped_by_label_are_listed_as_those_of_a_mixed_one(
    tmp_path: Path, visitor: APIClient, track: str, write: Callable[[Path, Sequence[int]], Path]
) -> None:
    releases = []
    for name, numbers in (("grouped", GROUPED), ("mixed", MIXED)):
        (tmp_path / name).mkdir()
        releases.append(open_release(write(tmp_path / name, numbers), track))
    grouped, mixed = (listed_items(visitor, one) for one in releases)
    assert len(grouped) == ITEMS
    assert grouped == mixed
    assert releases[0].digest == releases[1].digest


def test_keys_are_ordered_by_their_numbers() -> None:
    keys = ["[10]", "[9]", '["C10", "B"]', '["C9", "B"]', '["C009", "B"]', f"[1{'0' * 5_000}]"]
    items = [FrozenItem(key, ReleaseSplit.TEST, {}, None) for key in keys]
    ordered = [one.key for one in in_key_order(items)]
    assert ordered == [keys[at] for at in (1, 0, 5, 4, 3, 2)]


@pytest.fixture
def old_release(tmp_path: Path) -> Release:
    """Stored in the order of its file, which is grouped by label, as releases once were."""
    release = open_release(pair_file(tmp_path, GROUPED), "truthhypo")
    rows = {tuple(json.loads(one.key)): one for one in release.items.all()}
    for offset in (1_000, 0):  # positions are unique at each moment
        for place, number in enumerate(GROUPED):
            one = rows[key_of(number)]
            one.position = one.number = place + offset
            one.save()
    release.is_in_key_order, release.slug = False, "pairs"
    release.save()
    return release


def test_items_of_an_older_release_are_listed_by_their_keys(
    old_release: Release, visitor: APIClient
) -> None:
    stored = [one.content for one in Item.objects.filter(release=old_release)]
    listed = listed_items(visitor, old_release)
    assert listed != stored
    assert [one["x_id"] for one in listed] == sorted(one["x_id"] for one in stored)


def test_the_items_that_a_file_leaves_out_are_named_by_their_keys(
    old_release: Release, researcher: Person
) -> None:
    checked = send(researcher.browser, VALIDATIONS, form(prediction_lines(range(2)))).json()
    given = [", ".join(key_of(number)) for number in range(2, 7)]
    assert checked["notices"][0]["given"] == f"none for {'; '.join(given)}, …"


def test_a_file_has_the_same_digest_here_and_offline(
    tmp_path: Path, researcher: Person, visitor: APIClient
) -> None:
    release = open_release(pair_file(tmp_path, GROUPED), "truthhypo")
    text = prediction_lines(MIXED)
    checked = send(researcher.browser, VALIDATIONS, form(text, release=release.slug)).json()
    items, predictions = tmp_path / "items.jsonl", tmp_path / "predictions.jsonl"
    items.write_text("".join(f"{json.dumps(one)}\n" for one in listed_items(visitor, release)))
    predictions.write_text(text)
    offline = validate_file(predictions, track="truthhypo", items=items)
    assert (checked["is_valid"], checked["digest"]) == (True, offline.digest)
