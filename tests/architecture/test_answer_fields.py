"""The fields of an answer are named in few places, so that one more field is a small change."""

import re
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from annotation.kinds.marks import MarkedAnswer
from annotation.kinds.ranking.schema import RankingAnswer
from tests.architecture.test_budgets import ROOT, read_text, tracked_files
from tests.architecture.vocabulary import TYPESCRIPT_COMMENT

# Marks are shared by the kinds that have evidence.
FIELDS = frozenset(RankingAnswer.model_fields) - frozenset(MarkedAnswer.model_fields)
TESTS = re.compile(
    r"^(tests|frontend/src/test)/|\.test\.tsx?$|/(fixtures|testing)\.tsx?$|/generated/"
)
IMPORT = re.compile(r"^(?:from|import) .*", re.MULTILINE)

FIELD_USE = r"(?<!styles)\.{0}\b|[\"']{0}[\"']|\b{0}\??\s*[:=](?![=>])"
"""An attribute, a key, a keyword argument; no class of a style sheet."""


def named_fields(source: str, fields: Collection[str] = FIELDS) -> set[str]:
    code = IMPORT.sub("", TYPESCRIPT_COMMENT.sub("", source))
    return {field for field in fields if re.search(FIELD_USE.format(field), code)}


def product_files() -> Iterator[PurePosixPath]:
    for file in tracked_files():
        path = PurePosixPath(file.relative_to(ROOT).as_posix())
        is_code = path.suffix in {".py", ".ts", ".tsx"} and "migrations" not in path.parts
        if is_code and not TESTS.search(str(path)):
            yield path


def test_fields_of_a_ranking_answer_are_named_in_four_files() -> None:
    """One of the names alone is a common word elsewhere; two together are the answer."""
    sources = {str(path): read_text(ROOT / path) for path in product_files()}
    naming = {path for path, source in sources.items() if len(named_fields(source)) > 1}
    assert naming == {
        "annotation/kinds/ranking/kind.py",
        "annotation/kinds/ranking/schema.py",
        "annotation/kinds/ranking/simulate.py",
        "frontend/src/study-kinds/ranking/answer.ts",
    }


def test_uses_of_a_field_are_found() -> None:
    assert named_fields("<Field value={answer.confidence} tags={answer.reasons} />") == {
        "confidence",
        "reasons",
    }
    assert named_fields('set("comment", text); const a = { unsure_reason: "" };') == {
        "comment",
        "unsure_reason",
    }
    assert named_fields("RankingAnswer(ranking=order)") == {"ranking"}
    assert not named_fields("/* answer.comment */ styles.comment; reasons.length; useRanking(x)")
