"""What keeps the code readable and fit to publish, held by numbers instead of by memory."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median, quantiles

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES_OF_A_FILE = 300
MOST_LINES_OF_A_FUNCTION = 30
MEDIAN_LINES_OF_A_FUNCTION = 12

ANY_IN_TYPESCRIPT = re.compile(r":\s*any\b|\bas\s+any\b|<any\b|\bany\[\]|@ts-(?:ignore|nocheck)")
IGNORED_TYPE = re.compile(r"#\s*type:\s*ignore(?P<rest>.*)")
IGNORE_WITH_REASON = re.compile(r"\[[\w, -]+\]\s+# \S+ \S+.*")
RULE_WITHOUT_REASON = re.compile(r"#\s*noqa\b(?!: [A-Z]+\d+(?:, [A-Z]+\d+)*[ #-]+\w{2,}).*")
UNPUBLISHABLE = {
    "an absolute path": re.compile(r"(?<![\w.}~/-])/(?:work|tmp|home|root|Users|mnt)/\w"),
    "a package registry": re.compile(r"https?://[^\s\"']*(?:registry|pythonhosted|/simple\b)"),
    "a password in an address": re.compile(r"://[^\s/:@\"'{}]+:[^\s/:@\"'{}]+@"),
    "a key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE|\b(?:AKIA|gh[pousr]_|sk-|xox[bp]-)\w{16,}"),
}


@cache
def tracked_files() -> tuple[Path, ...]:
    """The files of the project, also those not committed yet; read only, so cached."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is not a checkout: git lists no files, so none can be looked at")
    files = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(file for file in files if file.is_file())


def source_files(*suffixes: str) -> list[Path]:
    """Files that people write: migrations and generated code are left out."""
    left_out = {"migrations", "generated"}
    return [
        file for file in tracked_files() if file.suffix in suffixes and not left_out & {*file.parts}
    ]


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def ninetieth_percentile(numbers: list[int]) -> float:
    return quantiles(numbers, n=10)[-1]


def function_lengths(source: str) -> list[int]:
    return [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def unexplained_ignores(source: str) -> list[str]:
    result = (IGNORED_TYPE.search(line) for line in source.splitlines())
    return [
        match[0] for match in result if match and not IGNORE_WITH_REASON.fullmatch(match["rest"])
    ]


def unpublishable_lines(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), start=1):
        for what, pattern in UNPUBLISHABLE.items():
            if pattern.search(line):
                yield number, what


@pytest.mark.parametrize("suffixes", [(".py",), (".ts", ".tsx")], ids=["Python", "TypeScript"])
def test_nine_of_ten_files_can_be_read_in_one_sitting(suffixes: tuple[str, ...]) -> None:
    lengths = [len(read_text(file).splitlines()) for file in source_files(*suffixes)]
    assert ninetieth_percentile(lengths) <= MOST_LINES_OF_A_FILE


def test_functions_are_short() -> None:
    lengths = [
        length for file in source_files(".py") for length in function_lengths(read_text(file))
    ]
    assert ninetieth_percentile(lengths) <= MOST_LINES_OF_A_FUNCTION
    assert median(lengths) < MEDIAN_LINES_OF_A_FUNCTION


def test_typescript_knows_its_types() -> None:
    result = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in source_files(".ts", ".tsx")
        for number, line in enumerate(read_text(file).splitlines(), start=1)
        if ANY_IN_TYPESCRIPT.search(line)
    ]
    assert result == []


def test_a_type_is_ignored_only_for_a_named_reason() -> None:
    result = {
        str(file.relative_to(ROOT)): ignores
        for file in source_files(".py")
        if file != Path(__file__).resolve() and (ignores := unexplained_ignores(read_text(file)))
    }
    assert result == {}


def test_a_rule_is_ignored_only_for_a_named_reason() -> None:
    result = {
        str(file.relative_to(ROOT)): ignores
        for file in source_files(".py")
        if file != Path(__file__).resolve()
        and (ignores := RULE_WITHOUT_REASON.findall(read_text(file)))
    }
    assert result == {}


@pytest.mark.parametrize(
    ("comment", "is_found"),
    [
        ("# noqa", True),
        ("# noqa: S104", True),
        ("# noqa: S104, S108", True),
        ("# noqa: S104  compared with, not bound", False),
        ("# noqa: SIM115 - closed when it is sent", False),
        ("# noqa: E402, F403  # after the environment is made", False),
    ],
)
def test_the_search_for_ignored_rules_finds_those_without_a_reason(
    comment: str, is_found: bool
) -> None:
    assert bool(RULE_WITHOUT_REASON.search(f"open()  {comment}\n")) == is_found


def test_nothing_of_one_machine_and_nothing_secret_is_in_the_project() -> None:
    result = [
        f"{file.relative_to(ROOT)}:{number}: {what}"
        for file in tracked_files()
        if file != Path(__file__).resolve()
        for number, what in unpublishable_lines(read_text(file))
    ]
    assert result == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('open("/home/ada/file")', "an absolute path"),
        ("see /tmp/x1/y", "an absolute path"),
        ('"resolved": "https://registry.example.org/a.tgz"', "a package registry"),
        ("--index-url https://example.org/pypi/simple", "a package registry"),
        ("postgresql://ada:secret@host/name", "a password in an address"),
        ("-----BEGIN RSA PRIVATE KEY-----", "a key"),
        (f"token = ghp_{'a' * 36}", "a key"),
    ],
)
def test_the_search_for_unfit_lines_finds_them(line: str, what: str) -> None:
    assert list(unpublishable_lines(f"fine\n{line}")) == [(2, what)]


@pytest.mark.parametrize(
    "line",
    [
        "https://example.org/home/page",
        "var/tmp/cache",
        "./work/items",
        "postgresql://postgres@/postgres?host=/run",
    ],
)
def test_the_search_for_unfit_lines_lets_others_pass(line: str) -> None:
    assert list(unpublishable_lines(line)) == []


@pytest.mark.parametrize(
    "line", ["let a: any;", "b as any", "Array<any>", "any[]", "// @ts-ignore"]
)
def test_the_search_for_untyped_code_finds_it(line: str) -> None:
    assert ANY_IN_TYPESCRIPT.search(line)


def test_the_search_for_ignored_types_wants_a_code_and_a_reason() -> None:
    bare, coded = "x = 1  # type: ignore", "x = 1  # type: ignore[misc]"
    explained = f"{coded}  # the base has no types"
    assert len(unexplained_ignores("\n".join([bare, coded, explained]))) == 2


def test_the_count_of_lines_sees_every_function() -> None:
    source = "def a():\n    def b():\n        pass\n\nasync def c(): pass\n"
    assert sorted(function_lengths(source)) == [1, 2, 3]
