"""The page of the tools has their tables, and a package adds a tool with a folder of its own."""

import pytest

from backend.evaluation.tools.registry import load_tools
from backend.runtime.discovery import PLUGINS_VARIABLE
from tools.tool_reference import PAGE, render_page


def test_the_page_has_the_tables_of_the_built_in_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLUGINS_VARIABLE, "")
    tools = load_tools.__wrapped__()
    page = PAGE.read_text(encoding="utf-8")
    assert page == render_page(page, tools)
    assert all(f"## `{name}`" in page for name in tools)


def test_a_package_adds_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLUGINS_VARIABLE, "tests.plugins")
    assert "count_types" in load_tools.__wrapped__()
