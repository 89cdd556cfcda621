"""The words of the project: plain, standard, one meaning each (CONTRIBUTING.md, 'Language').

`vocabulary_allowance.json` counts what each package still breaks; its numbers may only fall.
`python -m tests.architecture.test_vocabulary` lowers them to what the code has now.
"""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from tests.architecture.test_budgets import ROOT, read_text, tracked_files
from tests.architecture.vocabulary import (
    Violation,
    check_file,
    package_of,
    shared_class_names,
)

ALLOWANCE = Path(__file__).with_name("vocabulary_allowance.json")
SUFFIXES = {".py", ".ts", ".tsx", ".md"}
LEFT_OUT = {"migrations", "generated", "fixtures"}
OWN_FILES = {"tests/architecture/vocabulary.py", "tests/architecture/test_vocabulary.py"}
"""These two have the banned words as data."""


def checked_files() -> Iterator[PurePosixPath]:
    for file in tracked_files():
        path = PurePosixPath(file.relative_to(ROOT).as_posix())
        if path.suffix not in SUFFIXES or str(path) in OWN_FILES:
            continue
        if not LEFT_OUT & {*path.parts} or path.parts[:2] == ("tests", "fixtures"):
            yield path


@cache
def violations() -> dict[str, list[tuple[str, Violation]]]:
    """The file and the violation, by package."""
    listed: dict[str, list[tuple[str, Violation]]] = {}
    for path in checked_files():
        source = read_text(ROOT / path)
        for violation in check_file(path, source):
            listed.setdefault(package_of(path), []).append((str(path), violation))
    for package, sources in product_modules().items():
        for name in sorted(shared_class_names(sources)):
            listed.setdefault(package, []).append((package, Violation("shared class", name, 1)))
    return listed


def product_modules() -> dict[str, list[str]]:
    """The source of each Python module, by package."""
    modules: dict[str, list[str]] = {}
    for path in checked_files():
        if path.suffix == ".py" and path.parts[0] in {"backend", "annotation", "tools"}:
            modules.setdefault(package_of(path), []).append(read_text(ROOT / path))
    return modules


def count_violations() -> dict[str, Counter[str]]:
    return {
        package: Counter(violation.rule for _, violation in listed)
        for package, listed in sorted(violations().items())
    }


def read_allowance() -> dict[str, dict[str, int]]:
    allowance: dict[str, dict[str, int]] = json.loads(ALLOWANCE.read_text())
    return allowance


def write_allowance() -> None:
    """Lower every number to today's count, and never raise one."""
    before, counts = read_allowance(), count_violations()
    lowered = {
        package: {rule: min(count, counts[package][rule]) for rule, count in rules.items()}
        for package, rules in before.items()
        if package in counts
    }
    left = {
        package: {rule: count for rule, count in rules.items() if count}
        for package, rules in lowered.items()
    }
    ALLOWANCE.write_text(json.dumps({key: left[key] for key in left if left[key]}, indent=1) + "\n")


def test_no_package_breaks_a_rule_more_often_than_its_allowance() -> None:
    allowance = read_allowance()
    excess = [
        describe(package, rule, count)
        for package, counts in count_violations().items()
        for rule, count in counts.items()
        if count > allowance.get(package, {}).get(rule, 0)
    ]
    assert not excess, "\n".join(excess)


def describe(package: str, rule: str, count: int) -> str:
    found_here = [
        f"  {path}:{violation.line}: {violation.text}"
        for path, violation in violations()[package]
        if violation.rule == rule
    ]
    return "\n".join([f"{package}: {count} times {rule}", *found_here[:30]])


PLANTED = {
    "kept = 1": ("a.py", "participle"),
    "found = 1": ("a.py", "vague participle"),
    "def told() -> None: ...": ("a.py", "participle"),
    "class Asked: ...": ("a.py", "participle"),
    "self.held = 2": ("a.py", "participle"),
    "def f(wanted: int) -> None: ...": ("a.py", "participle"),
    "import x as heard": ("a.py", "participle"),
    "def say_of_import() -> None: ...": ("a.py", "speech"),
    "async def _tell() -> None: ...": ("a.py", "speech"),
    "def ask_server() -> None: ...": ("a.py", "speech"),
    "open_doors = 1": ("a.py", "metaphor"),
    "HER_OWN = 1": ("a.py", "metaphor"),
    "def expert_desk() -> None: ...": ("a.py", "metaphor"),
    "def f() -> None:\n    'What she answered.'": ("a.py", "pronoun in prose"),
    "x = 1  # so that it stays hers": ("a.py", "pronoun in prose"),
    "raise ValueError(f'{x} stays with her')": ("a.py", "pronoun in prose"),
    "'''A room below.'''": ("a.py", "metaphor in prose"),
    "x = 'Whoever asked is told so.'": ("a.py", "speech in prose"),
    "# The server says who is signed in.": ("backend/a.py", "speech in prose"),
    "'''Asks the graph for paths.'''": ("annotation/a.py", "speech in prose"),
    "x = 1": ("kept.py", "module name"),
    "export const kept = 1;": ("a.ts", "participle"),
    "function tellServer(): void {}": ("a.ts", "speech"),
    "const askServer = async (one: string) => one;": ("a.ts", "speech"),
    "interface A {\n  held: number;\n}": ("a.ts", "participle"),
    "function f(wanted: number) {}": ("a.ts", "participle"),
    "all.map((told) => told.id);": ("a.ts", "participle"),
    "const isHers = true;": ("a.ts", "metaphor"),
    "type Doors = string;": ("a.ts", "metaphor"),
    "return <p>Her own order stays.</p>;": ("a.tsx", "pronoun in prose"),
    "// she is signed in": ("a.ts", "pronoun in prose"),
    "// as the address asks": ("frontend/src/a.ts", "speech in prose"),
    "const [said, say] = useState();": ("frontend/src/a.tsx", "speech in prose"),
    "return <p>The server said no.</p>;": ("frontend/src/lib/a.tsx", "speech in prose"),
    "export const x = 1;": ("doors.ts", "module name"),
    "The board shows what she answered.": ("a.md", "pronoun in prose"),
}


@pytest.mark.parametrize("source", PLANTED)
def test_a_planted_violation_is_found(source: str) -> None:
    name, rule = PLANTED[source]
    assert rule in {violation.rule for violation in check_file(PurePosixPath(name), source)}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", "def count_kept_rows(sent_at: int) -> int:\n    'Rows with a time, in order.'"),
        ("a.py", "gene = 'HER2'  # and HER-2\ntherapy = other"),
        ("a.py", "def askable() -> None: ..."),
        ("a.ts", "const returnsHere = (theirs: string) => whether(theirs);"),
        ("a.tsx", "return <p>No matching entity was found.</p>;"),
        ("paths.py", "turn = 1"),
        ("backend/a.py", "raise E('Ask another administrator.')\nsize = file.tell()"),
        ("frontend/src/a.tsx", "return <p>Two that you cannot tell apart.</p>;"),
        ("frontend/src/a.test.tsx", "it('says why', () => {});"),
        ("backend/a.md", "An essay about a task."),
        ("a.md", "The member `hers` is called\n`is_owner`."),
    ],
)
def test_standard_words_are_not_taken_for_banned_ones(name: str, source: str) -> None:
    assert list(check_file(PurePosixPath(name), source)) == []


def test_an_exemption_is_for_its_folder_alone() -> None:
    source = "MIN_LETTERS = 4"
    assert not list(check_file(PurePosixPath("backend/graphs/search/a.py"), source))
    assert list(check_file(PurePosixPath("backend/graphs/a.py"), source))


def test_two_public_classes_of_one_name_are_found() -> None:
    sources = ["class Row: ...\nclass _Private: ...", "class Row: ...\nclass _Private: ..."]
    assert shared_class_names(sources) == {"Row"}
    assert shared_class_names(["class Command: ...", "class Command: ..."]) == set()


if __name__ == "__main__":
    write_allowance()
