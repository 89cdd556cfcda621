"""Graph formats are found in their folders, in the API, in the documentation and in plugins."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.graphs.importers.registry import graph_formats
from backend.graphs.versions import import_jobs
from tests.graphs.app.factories import version_of
from tests.personas import Person

EDGE_LIST = "#edge list\nA:1 likes A:2\nA:2 likes A:3\n"


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SERENDIB_PLUGINS", "tests.plugins")
    graph_formats.cache_clear()
    yield
    monkeypatch.undo()
    graph_formats.cache_clear()


def documented_formats() -> list[tuple[str, ...]]:
    [page] = (settings.ROOT / "docs").rglob("formats.md")
    _, _, table = page.read_text().partition("| format | title | files | notes |\n| --- |")
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \| (.*) \| (.*) \|$", table.split("\n\n")[0], re.M)
    return sorted(rows)


def test_the_documentation_lists_the_formats_of_the_registry() -> None:
    assert documented_formats() == sorted(
        (it.name, it.title, it.file_hint, it.description)
        for it in graph_formats().values()
        if it.role_of.__module__.startswith("backend.")
    )


def test_general_formats_are_recognised_last() -> None:
    assert list(graph_formats())[-3:] == ["kgx", "json", "csv"]


def test_the_api_lists_the_formats_without_an_account(plugin: None) -> None:
    listed = APIClient().get("/api/v1/graph-formats").json()["results"]
    assert {it["name"] for it in listed} == {*graph_formats()} >= {"edge-list", "csv"}
    [csv] = (it for it in listed if it["name"] == "csv")
    assert csv["has_column_mapping"] and csv["title"] == "Tables (CSV or TSV)"


@pytest.mark.django_db
def test_a_graph_in_a_plugins_format_is_imported_by_command(
    plugin: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "graph.txt"
    file.write_text(EDGE_LIST)
    call_command("import_graph", "auto", str(file), name="Listed")
    assert "3 entities, 2 edges" in capsys.readouterr().out


@pytest.mark.django_db
def test_a_graph_in_a_plugins_format_is_imported_through_the_api(
    plugin: None,
    administrator: Person,
    run_queued_tasks: Callable[[], Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    file = SimpleUploadedFile("graph.txt", EDGE_LIST.encode())
    fields = {"name": "Listed", "format": "edge-list", "files": [file]}
    with django_capture_on_commit_callbacks(execute=True):
        response = administrator.browser.post("/api/v1/graph-imports", fields, format="multipart")
    assert response.status_code == 202, response.content
    run_queued_tasks()
    version = version_of(import_jobs().get())
    assert version is not None and (version.entities, version.edges) == (3, 2)
