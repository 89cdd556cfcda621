"""An item is not public in one release of a track and hidden in another."""

from pathlib import Path

import pytest

from backend.benchmarks.models import Item, Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.errors import Conflict
from tests.evaluation.truthhypo_files import write_source

pytestmark = pytest.mark.django_db
OPEN = Release.State.OPEN


def make(folder: Path, slug: str, *, test_share: float, seed: int = 0, items: int = 60) -> Release:
    request = ReleaseRequest(
        track="truthhypo", name=slug.title(), slug=slug, test_share=test_share, seed=seed
    )
    return make_release(actor=None, request=request, files=[write_source(folder, items)])


def open_(release: Release) -> Release:
    return change_release_state(actor=None, release=release, to=OPEN)


def splits_of(release: Release) -> dict[str, str]:
    return dict(Item.objects.filter(release=release).values_list("key", "split"))


@pytest.mark.parametrize("is_public_first", [False, True])
def test_no_answer_is_published_by_the_split_of_another_release(
    tmp_path: Path, is_public_first: bool
) -> None:
    hidden = make(tmp_path, "hidden", test_share=1)
    twin = make(tmp_path, "twin", test_share=0.5, seed=1)
    first, second = (twin, hidden) if is_public_first else (hidden, twin)
    open_(first)  # a draft hides and publishes nothing
    others = splits_of(first)
    clash = sum(split != others[key] for key, split in splits_of(second).items())
    assert 0 < clash < 60
    with pytest.raises(Conflict, match=f"^{clash} items of this release") as refused:
        open_(second)
    assert refused.value.code == "public_elsewhere"
    assert f"hidden in '{first.name}'" in refused.value.detail
    second.refresh_from_db()
    assert second.state == Release.State.DRAFT


def test_releases_with_the_same_split_are_both_open(tmp_path: Path) -> None:
    first = make(tmp_path, "first", test_share=0.5, seed=1)
    again = make(tmp_path, "again", test_share=0.5, seed=1)
    assert splits_of(first) == splits_of(again)
    assert open_(first).state == open_(again).state == OPEN


def test_other_items_with_the_same_keys_are_no_matter(tmp_path: Path) -> None:
    """Every data set numbers its queries from one."""
    open_(make(tmp_path, "hidden", test_share=1))
    twin = make(tmp_path, "twin", test_share=0)
    for item in Item.objects.filter(release=twin):
        item.content["question"] = f"Another question {item.position}?"
        item.save()
    assert open_(twin).state == OPEN


def test_the_same_item_on_a_masked_graph_is_the_same_item(tmp_path: Path) -> None:
    open_(make(tmp_path, "hidden", test_share=1))
    twin = make(tmp_path, "twin", test_share=0)
    for item in Item.objects.filter(release=twin):
        item.content["graph"] = "expert"
        item.save()
    with pytest.raises(Conflict, match="would be public here"):
        open_(twin)


def test_answers_of_the_demo_are_public_files(tmp_path: Path) -> None:
    demo = open_(make(tmp_path, "hidden", test_share=1))
    Release.objects.filter(pk=demo.pk).update(is_demo=True)
    assert open_(make(tmp_path, "twin", test_share=0)).state == OPEN


def test_a_closed_release_still_hides_its_items(tmp_path: Path) -> None:
    hidden = open_(make(tmp_path, "hidden", test_share=1))
    change_release_state(actor=None, release=hidden, to=Release.State.CLOSED)
    with pytest.raises(Conflict, match="would be public here"):
        open_(make(tmp_path, "twin", test_share=0))
