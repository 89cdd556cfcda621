"""Files become a version of a graph, or a report of why they do not."""

import errno
import gzip
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from pytest_django import Settings

from backend.common.errors import Conflict
from backend.graphs import import_job
from backend.graphs.graph_access import open_graph, open_version_snapshot
from backend.graphs.importers.common.input_files import ReadLimits
from backend.graphs.models import Graph, Version
from backend.graphs.policies import visible_graphs
from backend.graphs.versions import import_jobs
from backend.jobs.models import JobState
from tests.graphs.app.factories import (
    ASPIRIN,
    COX1,
    COX2,
    EDGES,
    ENTITIES,
    HEADACHE,
    fail_at_phase,
    run_small_import,
    small_files,
    small_files_with_edges,
    version_of,
)
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


def latest_version(slug: str = "small") -> str:
    return open_graph(None, slug).version.snapshot


@contextmanager
def graph_committed_after(pattern: str, **fields: Any) -> Iterator[None]:
    """Another connection commits a graph right after the first statement of this pattern."""
    done: list[str] = []

    def create() -> None:
        try:
            Graph.objects.create(**fields)
        finally:
            connection.close()

    def execute(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        result = run(sql, *arguments)
        if not done and re.search(pattern, sql):
            done.append(sql)
            with ThreadPoolExecutor(1) as other:
                other.submit(create).result()
        return result

    with connection.execute_wrapper(execute):
        yield
    assert done


def test_an_imported_graph_can_be_read_and_searched(tmp_path: Path) -> None:
    row = run_small_import(tmp_path, metadata={"visibility": "public", "licence": "CC0"})
    assert (row.state, row.percent, row.lease) == (JobState.SUCCEEDED, 100, None)
    opened = open_graph(None, "small")
    assert opened.graph.licence == "CC0"
    assert (opened.version.number, opened.version.entities, opened.version.edges) == (1, 4, 3)
    degrees = {it.id: opened.snapshot.degree(it.number) for it in opened.snapshot.entities()}
    assert degrees == {ASPIRIN: 3, COX1: 1, COX2: 1, HEADACHE: 1}


def test_the_report_counts_what_was_read(tmp_path: Path) -> None:
    report = run_small_import(tmp_path).result
    assert report["types"] == {"Drug": 1, "Gene": 2, "Phenotype": 1}
    assert report["relations"] == {"inhibits": 2, "treats": 1}
    assert (report["entities"], report["edges"], report["dropped"]) == (4, 3, {})


def test_the_same_content_in_another_order_creates_no_second_version(tmp_path: Path) -> None:
    run_small_import(tmp_path / "first")
    header, *rows = EDGES.splitlines()
    again = run_small_import(
        tmp_path / "second", small_files(edges="\n".join([header, *rows[::-1]]) + "\n")
    )
    assert again.state == JobState.SUCCEEDED and again.result["unchanged"]
    assert Version.objects.count() == 1
    assert version_of(again) == Version.objects.get()


def test_different_content_creates_the_next_version_and_keeps_the_first(tmp_path: Path) -> None:
    first = run_small_import(tmp_path / "first", metadata={"visibility": "public"})
    run_small_import(tmp_path / "second", small_files_with_edges(f"{COX1},inhibits,{ASPIRIN},,,"))
    assert open_graph(None, "small").version.number == 2
    assert open_graph(None, "small", first.result["snapshot"]).snapshot.edge_count == 3


def test_a_dry_run_reports_the_first_rows_and_imports_nothing(tmp_path: Path) -> None:
    bad = small_files(edges=EDGES + "nothing,treats,nobody,,,\n", entities=ENTITIES * 1)
    row = run_small_import(tmp_path, bad, dry_run=True, name="Tried")
    first = row.result["first"]
    assert first["entities"][0]["name"] == "Aspirin"
    assert first["edges"][0]["phrase"] == "inhibits"
    assert row.result["dropped"] == {"unknown-source-and-target": 1}
    assert not Graph.objects.exists() and not Version.objects.exists()


def refused_files() -> dict[str, tuple[dict[str, str | bytes], str]]:
    """Files as somebody might send them, and the code of the refusal."""
    whole = gzip.compress(EDGES.encode() * 500)
    return {
        "a truncated gzip": (
            {"entities.csv": ENTITIES, "edges.csv": whole[: len(whole) // 2]},
            "truncated",
        ),
        "wrong columns": (small_files(edges="from,kind,to\na,b,c\n"), "not_recognised"),
        "an encoding that is not UTF-8": (
            small_files(entities=ENTITIES.encode("utf-16")),
            "encoding",
        ),
        "a pickle": ({"node_info.pkl": b"\x80\x04N."}, "pickle"),
        "many edges that lead nowhere": (
            small_files(edges=EDGES + "a,treats,b,,,\n" * 20),
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
def test_unreadable_files_are_refused_and_the_old_version_stays(
    tmp_path: Path, what: str, settings: Settings
) -> None:
    good = run_small_import(tmp_path / "good", metadata={"visibility": "public"})
    before = good.result["snapshot"]
    files, code = refused_files()[what]
    row = run_small_import(tmp_path / "bad", files)
    assert row.state == JobState.FAILED
    assert (row.error or {})["code"] == f"USER_{code.upper()}"
    assert (row.error or {})["detail"].endswith((".", "jsonl"))
    assert str(tmp_path) not in str(row.result)
    assert latest_version() == before
    assert Version.objects.count() == 1
    assert [path.name for path in Path(settings.SNAPSHOTS).glob(".unfinished*")] == []


def test_a_decompression_bomb_is_refused_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A bomb beyond the real floor has 256 MiB.
    small = partial(ReadLimits, expanded_floor=2**20, expanded_ratio=10)
    monkeypatch.setattr(import_job, "ReadLimits", small)
    row = run_small_import(tmp_path, refused_files()["a bomb"][0])
    assert (row.state, (row.error or {})["code"]) == (JobState.FAILED, "USER_TOO_LARGE")
    assert not Graph.objects.exists()


def test_a_name_of_a_million_characters_is_one_dropped_row(tmp_path: Path) -> None:
    many = "".join(f"LOCAL:{number},Thing {number},Thing,,,\n" for number in range(50))
    row = run_small_import(
        tmp_path, small_files(entities=f"{ENTITIES}{many}LOCAL:x,{'x' * 10**6},Thing,,,\n")
    )
    assert row.state == JobState.SUCCEEDED
    assert row.result["dropped"] == {"too_long": 1}
    assert len(row.result["faults"][0]["detail"]) <= 200
    assert row.result["faults"][0]["line"] == 56


def test_the_first_hundred_malformed_rows_are_reported(tmp_path: Path) -> None:
    row = run_small_import(tmp_path, small_files(edges=EDGES + "too,few\n" * 300))
    assert row.state == JobState.FAILED
    assert row.result["dropped"] == {"columns": 300}
    assert len(row.result["faults"]) == 100
    assert row.result["faults"][0] == {
        "file": "edges.csv",
        "line": 5,
        "reason": "columns",
        "message": "The row has more or fewer cells than the header.",
        "detail": row.result["faults"][0]["detail"],
    }


def test_an_edge_to_an_unknown_entity_is_reported_with_its_line(tmp_path: Path) -> None:
    good = EDGES.splitlines(keepends=True)[1:] * 20
    row = run_small_import(
        tmp_path,
        small_files(edges=EDGES + "too,few\n" + "".join(good) + f"{ASPIRIN},treats,NO:1,,,\n"),
    )
    assert row.state == JobState.SUCCEEDED, row.result
    assert row.result["dropped"] == {"columns": 1, "unknown-target": 1}
    assert [fault["line"] for fault in row.result["faults"]] == [5, 66]


def test_columns_of_other_names_can_be_mapped(tmp_path: Path) -> None:
    edges = EDGES.replace("source,relation,target", "from,kind,to")
    columns = {"source": "from", "relation": "kind", "target": "to"}
    assert (
        run_small_import(tmp_path, small_files(edges=edges), column_mapping=columns).state
        == JobState.SUCCEEDED
    )


def test_a_full_disk_is_reported_and_the_old_version_stays(
    tmp_path: Path,
) -> None:
    good = run_small_import(tmp_path / "good", metadata={"visibility": "public"})
    before = good.result["snapshot"]
    row = run_small_import(
        tmp_path / "more",
        small_files_with_edges(f"{COX1},treats,{ASPIRIN},,,"),
        on_progress=fail_at_phase(
            "writing entities", OSError(errno.ENOSPC, "No space left on device")
        ),
    )
    assert (row.state, (row.error or {})["code"]) == (JobState.FAILED, "PLATFORM_DISK_FULL")
    assert latest_version() == before


@pytest.mark.parametrize("fault", [DatabaseError("gone"), OSError(errno.EIO, "broken")])
def test_an_error_while_indexing_fails_the_import_and_leaves_nothing(
    tmp_path: Path, fault: Exception
) -> None:
    row = run_small_import(tmp_path, on_progress=fail_at_phase("indexing", fault))
    assert (row.state, (row.error or {})["code"]) == (JobState.FAILED, "PLATFORM_UNAVAILABLE")
    assert not Version.objects.exists() and not Graph.objects.exists()


def test_a_bug_is_reported_as_a_server_failure_and_logged(
    tmp_path: Path,
) -> None:
    with pytest.raises(TypeError):
        run_small_import(tmp_path, on_progress=fail_at_phase("indexing", TypeError("a bug")))
    row = import_jobs().get()
    assert (row.state, (row.error or {})["code"]) == (JobState.FAILED, "PLATFORM_INTERNAL")
    assert not Version.objects.exists()


def test_an_import_is_invisible_until_it_is_complete(tmp_path: Path, administrator: Person) -> None:
    visible: list[tuple[str, int]] = []

    def observe(phase: str, _share: float) -> None:
        visible.append((phase, visible_graphs(administrator.user).count()))

    run_small_import(tmp_path, metadata={"visibility": "public"}, on_progress=observe)
    assert visible[-1][0] == "storing the result"
    assert {count for _, count in visible} == {0}
    assert visible_graphs(None).count() == 1


def test_an_import_cannot_add_to_another_users_graph(tmp_path: Path) -> None:
    owner, other = make_person("ada").user, make_person("otto").user
    run_small_import(tmp_path / "first", actor=owner)
    with pytest.raises(Conflict):
        run_small_import(tmp_path / "second", actor=other)


def test_two_graphs_with_one_content_share_the_files(tmp_path: Path) -> None:
    first = run_small_import(tmp_path / "first", name="One")
    second = run_small_import(tmp_path / "second", name="Two")
    versions = [version_of(first), version_of(second)]
    assert open_version_snapshot(versions[0]) is open_version_snapshot(versions[1])


def test_names_with_the_same_slug_get_distinct_slugs(tmp_path: Path) -> None:
    run_small_import(tmp_path / "first", name="Small!")
    run_small_import(tmp_path / "second", name="small?")
    run_small_import(tmp_path / "third", name="图")
    assert set(Graph.objects.values_list("slug", flat=True)) == {"small", "small-2", "graph"}


@pytest.mark.django_db(transaction=True)
def test_a_slug_taken_by_a_concurrent_import_is_replaced(tmp_path: Path) -> None:
    with graph_committed_after(r'"slug"::text LIKE', name="Small!", slug="small"):
        run_small_import(tmp_path, name="small?")
    names = Graph.objects.values_list("name", "slug")
    assert set(names) == {("Small!", "small"), ("small?", "small-2")}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_owner", [True, False])
def test_a_name_taken_by_a_concurrent_import_belongs_to_its_owner(
    tmp_path: Path, is_owner: bool
) -> None:
    actor, other = make_person("ada").user, make_person("otto").user
    owner = actor if is_owner else other
    # The look-up of the job; the one of its request does not lock.
    with graph_committed_after(r'"name" = .*FOR UPDATE', name="Small", slug="taken", owner=owner):
        job = run_small_import(tmp_path, actor=actor)
    if is_owner:
        assert version_of(job).graph.slug == "taken"
    else:
        assert job.error is not None and job.error["code"] == "USER_CONFLICT"
        assert not Version.objects.exists()
    assert Graph.objects.count() == 1


def test_another_server_fetches_the_snapshot_from_the_store(
    tmp_path: Path, settings: Settings
) -> None:
    settings.SNAPSHOT_STORE = f"file://{tmp_path}/store"
    settings.SNAPSHOTS = tmp_path / "here"
    row = run_small_import(tmp_path / "files", metadata={"visibility": "public"})
    assert row.state == JobState.SUCCEEDED
    settings.SNAPSHOTS = tmp_path / "there"
    opened = open_graph(None, "small")
    assert opened.snapshot.path.is_relative_to(tmp_path / "there")
    assert opened.snapshot.edge_count == 3


def test_text_is_stored_byte_for_byte(tmp_path: Path) -> None:
    names = ["\\N", "\\.", "a\tb", "a\\tb", " β  ", "🧬\u200b", "'; DROP TABLE x; --", "line\nend"]
    rows = "".join(f'LOCAL:{place},"{name}",Thing,,,\n' for place, name in enumerate(names))
    run_small_import(tmp_path, small_files(entities=ENTITIES + rows))
    snapshot = open_version_snapshot(Version.objects.get())
    assert [it.name for it in snapshot.entities() if it.type == "Thing"] == names
