"""The page of the tools is what the tools themselves say."""

from backend.evaluation.tools.registry import load_tools
from tools.tool_reference import PAGE, render_page


def test_the_page_of_the_tools_is_that_of_the_registry() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == render_page(page, load_tools())
    assert all(f"## `{name}`" in page for name in load_tools())
