"""The page of the tools is what the tools themselves say."""

from backend.evaluation.tools.registry import load_tools
from tools.tool_reference import PAGE, render_page


def test_the_page_of_the_tools_is_that_of_the_registry() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(load_tools())
