"""Finds words that this project does not use, in Python, TypeScript and Markdown.

Each rule yields violations with a rule name, so that a test can count them per package.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

PARTICIPLES = {"asked", "heard", "held", "kept", "said", "told", "wanted"}
"""As a whole identifier these hide what the value is. `sent_at` or `kept_rows` are fine."""

VAGUE_PARTICIPLES = {"found", "made", "seen"}
"""The same, counted apart: these three are the most frequent."""

SPEECH = {"ask", "asks", "hear", "hears", "say", "says", "tell", "tells"}
"""Verbs of speech at the start of a function name, for what is a query, a read or a write."""

METAPHORS = {
    "desk",
    "desks",
    "door",
    "doors",
    "her",
    "hers",
    "herself",
    "letter",
    "letters",
    "room",
    "rooms",
    "she",
    "turns",
}
"""Parts of identifiers: house metaphors and pronouns."""

VAGUE_MODULES = {
    "asking",
    "building",
    "checking",
    "commanding",
    "copying",
    "dealing",
    "drawing",
    "exporting",
    "hearing",
    "importing",
    "living",
    "loading",
    "looks",
    "making",
    "measuring",
    "moments",
    "naming",
    "nasty",
    "opening",
    "packing",
    "pins",
    "reading",
    "running",
    "saying",
    "settling",
    "sharing",
    "telling",
    "turn",
    "understanding",
    "waiting",
    "warming",
    "words",
    "working",
    "writing",
}
MODULE_NAMES = PARTICIPLES | VAGUE_PARTICIPLES | METAPHORS | VAGUE_MODULES
"""A module is a noun for what it holds: no participle, no gerund that hides its object."""

PRONOUNS = re.compile(r"\b(?:[Ss]he|[Hh]ers?|[Hh]erself)\b(?!-?\d)")
METAPHORS_IN_PROSE = re.compile(r"\b(?:doors?|rooms?|desks?)\b", re.IGNORECASE)
SPEECH_IN_PROSE = re.compile(r"\b(?:told|heard|hears)\b", re.IGNORECASE)
SPEECH_OF_PROGRAMS = re.compile(
    r"(?<![.\w-])(?:says?|said|saying|tells?|telling|asks?|asked|asking)\b(?!\()", re.IGNORECASE
)
"""For what is a request, a read, a label or a message. People do speak: see below."""
SPEECH_OF_PEOPLE = re.compile(
    r"\bask (?:\w+ )?(?:person|administrator|coordinators?)\b|\bask \{inviterName\("
    r"|\bor ask for a new one\b|\bhow sure you said\b|\bquestion like those asked here\b"
    r"|\bskipped(?: ones are|,) asked again\b|\btell apart\b|\btoo few to tell\b",
    re.IGNORECASE,
)
"""What a user is to do, what experts answer, and two idioms of seeing a difference."""
PRODUCT = re.compile(r"^(?:annotation|backend|tools|frontend/src(?!/test/))/")
TEST_FILE = re.compile(r"\.test\.tsx?$")

PROSE_RULES = {
    "pronoun": PRONOUNS,
    "metaphor": METAPHORS_IN_PROSE,
    "speech": SPEECH_IN_PROSE,
}
CODE_SPAN = re.compile(r"`[^`]+`")
"""In Markdown these are names and commands."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

TYPESCRIPT_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
TYPESCRIPT_NAME = re.compile(
    r"\b(?:const|let|var|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)"
    r"|(?:[({,]|^|\breadonly)\s*([A-Za-z_$][\w$]*)\??:(?!:)"
    r"|[(,]\s*([A-Za-z_$][\w$]*)(?=[^()\n]*\)\s*(?::[^=\n]+)?=>)"
    r"|\b([A-Za-z_$][\w$]*)\s*=>",
    re.MULTILINE,
)
TYPESCRIPT_FUNCTION = re.compile(
    r"\bfunction\s+([A-Za-z_$][\w$]*)"
    r"|\bconst\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:\([^()]*\)|[\w$]+)\s*(?::[^=]+)?=>"
)


@dataclass(frozen=True)
class Violation:
    """A banned word, the rule that bans it, and where it is."""

    rule: str
    text: str
    line: int


LETTERS = re.compile(r"letter", re.IGNORECASE)
EXEMPT = {"backend/graphs/search": LETTERS, "tests/graphs/search": LETTERS}
"""Words that are the standard term there: term search counts and compares the letters of words."""


def check_file(path: PurePath, source: str) -> Iterator[Violation]:
    """Every violation in one file, without those that its folder is exempt from."""
    exempt = [words for folder, words in EXEMPT.items() if path.is_relative_to(folder)]
    for violation in _check_file(path, source):
        if not any(words.search(violation.text) for words in exempt):
            yield violation


def _check_file(path: PurePath, source: str) -> Iterator[Violation]:
    if path.stem.lstrip("_") in MODULE_NAMES and path.suffix in {".py", ".ts", ".tsx"}:
        yield Violation("module name", path.name, 1)
    yield from _check_speech(path, source)
    if path.suffix == ".py":
        yield from check_python(source)
    elif path.suffix in {".ts", ".tsx"}:
        yield from check_typescript(source)
    else:
        yield from check_prose(CODE_SPAN.sub(lambda span: "\n" * span[0].count("\n"), source))


def check_python(source: str) -> Iterator[Violation]:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        yield from _python_identifiers(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from check_prose(node.value, node.lineno)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from check_prose(token.string, token.start[0])


def check_typescript(source: str) -> Iterator[Violation]:
    """By regular expressions; text between tags and in strings is read as prose."""
    yield from check_prose(source)
    code = TYPESCRIPT_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source)
    for match in TYPESCRIPT_FUNCTION.finditer(code):
        yield from _speech(match[1] or match[2], _line_of(code, match.start()))
    for match in (*TYPESCRIPT_NAME.finditer(code), *TYPESCRIPT_FUNCTION.finditer(code)):
        name = next(group for group in match.groups() if group)
        if not match[0].startswith("function") and match.re is TYPESCRIPT_FUNCTION:
            continue  # a constant, which the other expression has found
        yield from check_identifier(name, _line_of(code, match.start()))


def _check_speech(path: PurePath, source: str) -> Iterator[Violation]:
    """In the whole text of the product; tests may describe what people say."""
    if not PRODUCT.match(str(path)) or TEST_FILE.search(path.name):
        return
    text = SPEECH_OF_PEOPLE.sub(lambda phrase: re.sub(r"\w", "_", phrase[0]), source)
    for match in SPEECH_OF_PROGRAMS.finditer(text):
        yield Violation("speech in prose", match[0], _line_of(text, match.start()))


def check_prose(text: str, line: int = 1) -> Iterator[Violation]:
    for rule, pattern in PROSE_RULES.items():
        for match in pattern.finditer(text):
            yield Violation(f"{rule} in prose", match[0], line + text.count("\n", 0, match.start()))


def check_identifier(name: str, line: int) -> Iterator[Violation]:
    if name.strip("_").lower() in PARTICIPLES:
        yield Violation("participle", name, line)
    if name.strip("_").lower() in VAGUE_PARTICIPLES:
        yield Violation("vague participle", name, line)
    if METAPHORS & {word.lower() for word in WORD.findall(name)}:
        yield Violation("metaphor", name, line)


def shared_class_names(sources: Iterable[str]) -> set[str]:
    """Public classes that several modules of one package define under the same name."""
    earlier_names: set[str] = set()
    shared: set[str] = set()
    for source in sources:
        names = {node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
        shared |= names & earlier_names
        earlier_names |= names
    return {name for name in shared if not name.startswith("_") and name not in FRAMEWORK_CLASSES}


FRAMEWORK_CLASSES = frozenset({"Command", "Migration"})
"""Django finds these by their name."""


def package_of(path: PurePath) -> str:
    """The package that a file counts for: a folder of backend or tests, a layer of the pages."""
    parts = path.parts
    if parts[0] == "frontend":
        depth = 4 if parts[2:3] in {("features",), ("domains",), ("study-kinds",)} else 3
        return "/".join(parts[:depth][: len(parts) - 1])
    if parts[0] in {"backend", "tests"}:
        return "/".join(parts[:2][: max(1, len(parts) - 1)])
    return parts[0] if len(parts) > 1 else "."


def _python_identifiers(node: ast.AST) -> Iterator[Violation]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from check_identifier(node.name, node.lineno)
        yield from _speech(node.name, node.lineno)
    elif isinstance(node, ast.ClassDef):
        yield from check_identifier(node.name, node.lineno)
    elif isinstance(node, ast.arg):
        yield from check_identifier(node.arg, node.lineno)
    elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
        name = node.id if isinstance(node, ast.Name) else node.attr
        yield from check_identifier(name, node.lineno)
    elif isinstance(node, ast.alias) and node.asname:
        yield from check_identifier(node.asname, node.lineno)


def _speech(name: str, line: int) -> Iterator[Violation]:
    words = WORD.findall(name)
    if words and words[0].lower() in SPEECH:
        yield Violation("speech", name, line)


def _line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
