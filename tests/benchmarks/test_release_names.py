"""Names and addresses of releases and models."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import DataError, IntegrityError, connection, transaction

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.releases import ReleaseRequest, freeze_items, make_release, store_release
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import Conflict, DomainError
from tests.evaluation.truthhypo_files import write_source
from tests.personas import Person

pytestmark = pytest.mark.django_db


def make(folder: Path, name: str, slug: str = "") -> Release:
    request = ReleaseRequest(track="truthhypo", name=name, slug=slug)
    return make_release(actor=None, request=request, files=[write_source(folder)])


@pytest.mark.parametrize("name", ["x" * 150, "肿瘤", "..", "new"])
def test_every_name_has_an_address_of_its_own(tmp_path: Path, name: str) -> None:
    first, second = make(tmp_path, name), make(tmp_path, name)
    slugs = {first.slug, second.slug}
    assert len(slugs) == 2
    assert all(slug and len(slug) <= 100 and slug != "new" for slug in slugs)


@pytest.mark.parametrize("slug", ["a/b", "..", "x" * 101, "a b", "é"])
def test_what_is_no_address_is_refused(tmp_path: Path, slug: str) -> None:
    with pytest.raises(DomainError, match="is no address"):
        make(tmp_path, "Pairs", slug)


@pytest.mark.parametrize("slug", ["pairs", "new"])
def test_an_address_in_use_is_refused(tmp_path: Path, slug: str) -> None:
    make(tmp_path, "Pairs", "pairs")
    with pytest.raises(Conflict, match="exists"):
        make(tmp_path, "Other pairs", slug)


@pytest.mark.parametrize("name", ["Baseline: BM25", "simulated retriever Z"])
def test_names_of_this_project_are_reserved(researcher: Person, name: str) -> None:
    with pytest.raises(Conflict, match="reserved"):
        register_model(actor=researcher.user, name=name)
    assert register_model(actor=None, name=name).name == name


def test_names_that_differ_in_case_alone_are_one_name(researcher: Person) -> None:
    register_model(actor=researcher.user, name="Same")
    with pytest.raises(Conflict, match="exists"):
        register_model(actor=researcher.user, name="sAME")
    with pytest.raises(IntegrityError), transaction.atomic():
        Model.objects.create(name="same", slug="another")


def test_a_release_that_cannot_be_stored_whole_is_not_stored_at_all(tmp_path: Path) -> None:
    request = ReleaseRequest(track="truthhypo", name="Half", slug="half")
    track = get_track_or_raise("truthhypo")
    first, second = freeze_items(request, [write_source(tmp_path)])[:2]
    unstorable = replace(second, content={**second.content, "question": "\x00"})
    items = [first, unstorable]  # PostgreSQL refuses the second
    with pytest.raises(DataError):
        store_release(None, request, track, items)
    assert not Release.objects.filter(slug="half").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_releases_with_one_address_at_once_the_second_is_refused(tmp_path: Path) -> None:
    def attempt(number: int) -> str:
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            return make(folder, "Pairs", "pairs").slug
        except Conflict as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        outcomes = [*pool.map(attempt, range(4))]
    assert sorted(outcomes) == ["name_taken"] * 3 + ["pairs"]
