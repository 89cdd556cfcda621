"""Files become a version of a graph, or a report of why they do not."""

import errno
import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError
from pytest_django import Settings

from backend.common.errors import Conflict
from backend.graphs import pipeline, versions
from backend.graphs.importers.files import Limits
from backend.graphs.models import Entity, Graph, GraphImport, State, Version
from backend.graphs.policies import visible_graphs
from backend.graphs.reading import open_graph, snapshot_of
from backend.graphs.search.indexing import index_version
from backend.graphs.snapshots import building
from tests.graphs.app.making import ASPIRIN, COX1, EDGES, ENTITIES, files_with, imported, longer
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


def newest(slug: str = "small") -> str:
    return open_graph(None, slug).version.snapshot


def looking_late(named: Callable[[str], Graph | None]) -> Callable[[str], Graph | None]:
    """The first look comes before another import ends, and finds nothing."""
    looks = iter([True])
    return lambda name: None if next(looks, False) else named(name)


def test_files_become_a_graph_that_is_read_and_found(tmp_path: Path) -> None:
    row = imported(tmp_path, about={"visibility": "public", "licence": "CC0"})
    assert (row.state, row.percent, row.lease) == (State.DONE, 100, None)
    opened = open_graph(None, "small")
    assert opened.graph.licence == "CC0"
    assert (opened.version.number, opened.version.entities, opened.version.edges) == (1, 4, 3)
    stored = Entity.objects.filter(version=opened.version).order_by("number")
    assert [(it.identifier, it.degree) for it in stored] == [
        (it.id, opened.snapshot.degree(it.number)) for it in opened.snapshot.entities()
    ]


def test_the_report_says_what_was_found(tmp_path: Path) -> None:
    report = imported(tmp_path).report
    assert report["types"] == {"Drug": 1, "Gene": 2, "Phenotype": 1}
    assert report["relations"] == {"inhibits": 2, "treats": 1}
    assert (report["entities"], report["edges"], report["dropped"]) == (4, 3, {})


def test_the_same_content_in_another_order_is_no_second_version(tmp_path: Path) -> None:
    imported(tmp_path / "first")
    header, *rows = EDGES.splitlines()
    again = imported(tmp_path / "second", files_with(edges="\n".join([header, *rows[::-1]]) + "\n"))
    assert again.state == State.DONE and again.report["unchanged"]
    assert Version.objects.count() == 1
    assert again.version == Version.objects.get()


def test_other_content_is_the_next_version_and_the_first_stays(tmp_path: Path) -> None:
    first = imported(tmp_path / "first", about={"visibility": "public"})
    imported(tmp_path / "second", longer(f"{COX1},inhibits,{ASPIRIN},,,"))
    assert open_graph(None, "small").version.number == 2
    assert open_graph(None, "small", first.report["snapshot"]).snapshot.edge_count == 3


def test_a_dry_run_tells_the_first_rows_and_leaves_nothing(tmp_path: Path) -> None:
    bad = files_with(edges=EDGES + "nothing,treats,nobody,,,\n", entities=ENTITIES * 1)
    row = imported(tmp_path, bad, dry_run=True, name="Tried")
    first = row.report["first"]
    assert first["entities"][0]["name"] == "Aspirin"
    assert first["edges"][0]["phrase"] == "inhibits"
    assert row.report["dropped"] == {"unknown-source-and-target": 1}
    assert not Graph.objects.exists() and not Version.objects.exists()


def refused_files() -> dict[str, tuple[dict[str, str | bytes], str]]:
    """Files as somebody might send them, and the code of the refusal."""
    whole = gzip.compress(EDGES.encode() * 500)
    return {
        "a truncated gzip": (
            {"entities.csv": ENTITIES, "edges.csv": whole[: len(whole) // 2]},
            "truncated",
        ),
        "wrong columns": (files_with(edges="from,kind,to\na,b,c\n"), "not_recognised"),
        "an encoding that is not UTF-8": (
            files_with(entities=ENTITIES.encode("utf-16")),
            "encoding",
        ),
        "a pickle": ({"node_info.pkl": b"\x80\x04N."}, "pickle"),
        "many edges that lead nowhere": (
            files_with(edges=EDGES + "a,treats,b,,,\n" * 20),
            "too_many_dropped",
        ),
        "a bomb": (
            {"entities.csv": ENTITIES, "edges.csv": bomb()},
            "too_large",
        ),
    }


def bomb() -> bytes:
    """A small file of 300 million bytes."""
    row = f"{ASPIRIN},treats,{ASPIRIN},,,\n".encode()
    piece = gzip.compress(row * (3_000_000 // len(row)), 9)
    return gzip.compress(EDGES.encode()) + piece * 100


@pytest.mark.parametrize("what", [name for name in refused_files() if name != "a bomb"])
def test_what_cannot_be_read_is_refused_and_the_old_version_serves(
    tmp_path: Path, what: str, settings: Settings
) -> None:
    before = imported(tmp_path / "good", about={"visibility": "public"}).report["snapshot"]
    files, code = refused_files()[what]
    row = imported(tmp_path / "bad", files)
    assert row.state == State.REFUSED
    assert row.report["error"]["code"] == code
    assert row.report["error"]["detail"].endswith((".", "jsonl"))
    assert str(tmp_path) not in str(row.report)
    assert newest() == before
    assert Version.objects.count() == 1
    assert [path.name for path in Path(settings.SNAPSHOTS).glob(".unfinished*")] == []


def test_a_file_that_swells_without_end_is_refused_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = partial(Limits, expanded_floor=2**20, expanded_ratio=10)
    monkeypatch.setattr(pipeline, "Limits", small)
    row = imported(tmp_path, refused_files()["a bomb"][0])
    assert (row.state, row.report["error"]["code"]) == (State.REFUSED, "too_large")
    assert not Graph.objects.exists()


def test_a_name_of_a_million_characters_is_one_dropped_row(tmp_path: Path) -> None:
    many = "".join(f"LOCAL:{number},Thing {number},Thing,,,\n" for number in range(50))
    row = imported(
        tmp_path, files_with(entities=f"{ENTITIES}{many}LOCAL:x,{'x' * 10**6},Thing,,,\n")
    )
    assert row.state == State.DONE
    assert row.report["dropped"] == {"too_long": 1}
    assert len(row.report["faults"][0]["detail"]) <= 200
    assert row.report["faults"][0]["line"] == 56


def test_the_first_hundred_malformed_rows_are_told(tmp_path: Path) -> None:
    row = imported(tmp_path, files_with(edges=EDGES + "too,few\n" * 300))
    assert row.state == State.REFUSED
    assert row.report["dropped"] == {"columns": 300}
    assert len(row.report["faults"]) == 100
    assert row.report["faults"][0] == {
        "file": "edges.csv",
        "line": 5,
        "reason": "columns",
        "message": "The row has more or fewer cells than the header.",
        "detail": row.report["faults"][0]["detail"],
    }


def test_an_edge_to_nobody_is_told_by_its_line_whatever_was_dropped_before(tmp_path: Path) -> None:
    good = EDGES.splitlines(keepends=True)[1:] * 20
    row = imported(
        tmp_path,
        files_with(edges=EDGES + "too,few\n" + "".join(good) + f"{ASPIRIN},treats,NO:1,,,\n"),
    )
    assert row.state == State.DONE, row.report
    assert row.report["dropped"] == {"columns": 1, "unknown-target": 1}
    assert [fault["line"] for fault in row.report["faults"]] == [5, 66]


def test_columns_of_other_names_can_be_mapped(tmp_path: Path) -> None:
    edges = EDGES.replace("source,relation,target", "from,kind,to")
    columns = {"source": "from", "relation": "kind", "target": "to"}
    assert imported(tmp_path, files_with(edges=edges), columns=columns).state == State.DONE


def test_a_full_disk_is_told_and_the_old_version_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = imported(tmp_path / "good", about={"visibility": "public"}).report["snapshot"]

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(building, "write_nodes", full)
    row = imported(tmp_path / "more", longer(f"{COX1},treats,{ASPIRIN},,,"))
    assert (row.state, row.report["error"]["code"]) == (State.FAILED, "no_space")
    assert newest() == before


@pytest.mark.parametrize("fault", [DatabaseError("gone"), OSError(errno.EIO, "broken")])
def test_what_breaks_while_indexing_is_our_fault_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(pipeline, "index_version", broken)
    row = imported(tmp_path)
    assert (row.state, row.report["error"]["code"]) == (State.FAILED, "failed")
    assert not Version.objects.exists() and not Graph.objects.exists()
    assert not Entity.objects.exists()


def test_a_fault_of_ours_is_told_as_ours_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "index_version", None)
    with pytest.raises(TypeError):
        imported(tmp_path)
    row = GraphImport.objects.get()
    assert (row.state, row.report["error"]["code"]) == (State.FAILED, "failed")
    assert not Version.objects.exists()


def test_an_import_is_seen_by_nobody_before_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, administrator: Person
) -> None:
    seen: list[int] = []

    def watched(version: Version, *args: Any, **more: Any) -> None:
        index_version(version, *args, **more)
        seen.append(visible_graphs(administrator.user).count())

    monkeypatch.setattr(pipeline, "index_version", watched)
    imported(tmp_path, about={"visibility": "public"})
    assert seen == [0]
    assert visible_graphs(None).count() == 1


def test_a_name_that_is_somebody_elses_is_not_hers_to_add_to(tmp_path: Path) -> None:
    owner, other = make_person("ada").user, make_person("otto").user
    imported(tmp_path / "first", actor=owner)
    with pytest.raises(Conflict):
        imported(tmp_path / "second", actor=other)


def test_two_graphs_with_one_content_share_the_files(tmp_path: Path) -> None:
    first = imported(tmp_path / "first", name="One")
    second = imported(tmp_path / "second", name="Two")
    assert first.version and second.version
    assert snapshot_of(first.version) is snapshot_of(second.version)


def test_names_that_make_the_same_address_get_their_own(tmp_path: Path) -> None:
    imported(tmp_path / "first", name="Small!")
    imported(tmp_path / "second", name="small?")
    imported(tmp_path / "third", name="图")
    assert set(Graph.objects.values_list("slug", flat=True)) == {"small", "small-2", "graph"}


def test_an_address_that_another_import_takes_meanwhile_is_not_tried_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(tmp_path / "first", name="Small!")
    free, looked = versions._free_slug, iter(["small"])
    monkeypatch.setattr(versions, "_free_slug", lambda name: next(looked, "") or free(name))
    imported(tmp_path / "second", name="small?")
    assert set(Graph.objects.values_list("slug", flat=True)) == {"small", "small-2"}


def test_a_name_that_another_import_takes_meanwhile_is_its_owners_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, other = make_person("ada").user, make_person("otto").user
    first = imported(tmp_path / "first", actor=owner)
    named = versions._named
    for actor in (owner, other):
        monkeypatch.setattr(versions, "_named", looking_late(named))
        if actor is owner:
            assert imported(tmp_path / "second", actor=owner).version == first.version
        else:
            with pytest.raises(Conflict):
                imported(tmp_path / "third", actor=other)


def test_another_machine_takes_the_snapshot_from_the_store(
    tmp_path: Path, settings: Settings
) -> None:
    settings.SNAPSHOT_STORE = f"file://{tmp_path}/store"
    settings.SNAPSHOTS = tmp_path / "here"
    row = imported(tmp_path / "files", about={"visibility": "public"})
    assert row.state == State.DONE
    settings.SNAPSHOTS = tmp_path / "there"
    opened = open_graph(None, "small")
    assert opened.snapshot.path.is_relative_to(tmp_path / "there")
    assert opened.snapshot.edge_count == 3


def test_text_is_kept_byte_for_byte_in_tables_too(tmp_path: Path) -> None:
    """Among them what COPY has a meaning for: tabs, backslashes, line ends, \\N and \\."""
    names = ["\\N", "\\.", "a\tb", "a\\tb", " β  ", "🧬\u200b", "'; DROP TABLE x; --", "line\nend"]
    rows = "".join(f'LOCAL:{place},"{name}",Thing,,,\n' for place, name in enumerate(names))
    imported(tmp_path, files_with(entities=ENTITIES + rows))
    stored = Entity.objects.filter(type="Thing").order_by("identifier")
    assert [it.name for it in stored] == names
    snapshot = snapshot_of(Version.objects.get())
    assert [snapshot.entity(it.number).name for it in stored] == names
