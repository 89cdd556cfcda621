"""Reads the records of a large XML file one after another, in bounded memory.

Files are hostile until read: a document type with declarations of its own is refused, so that no
entity can be declared and none expands; nothing outside the file is opened; depth, size and number
of elements of a record are limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from backend.graphs.importers.common.input_files import FileRefused, InputFile

CHUNK_BYTES = 1 << 18
MAX_DEPTH = 64
MAX_RECORD_ELEMENTS = 200_000
MAX_RECORD_CHARACTERS = 4_000_000
MAX_UNPARSED_BYTES = 1 << 24  # of one tag or one comment


@dataclass(slots=True)
class XmlElement:
    """content: texts and elements in their order."""

    name: str
    attributes: dict[str, str]
    line: int
    content: list[str | XmlElement] = field(default_factory=list)

    @property
    def children(self) -> list[XmlElement]:
        return [it for it in self.content if isinstance(it, XmlElement)]

    @property
    def text(self) -> str:
        """With the text of the elements inside."""
        return "".join(it if isinstance(it, str) else it.text for it in self.content)

    def find_all(self, *path: str) -> list[XmlElement]:
        """The elements at this path of names, from the children on."""
        matched = [self]
        for name in path:
            matched = [child for it in matched for child in it.children if child.name == name]
        return matched

    def find_text(self, *path: str) -> str:
        """The text of the first element at the path, without spaces around it; '' for none."""
        matched = self.find_all(*path)
        return matched[0].text.strip() if matched else ""


def read_records(file: InputFile, root: str, record: str) -> Iterator[XmlElement]:
    """The elements `record` directly inside the element `root`. Raises FileRefused."""
    return _Reader(file, root, record).read()


class _Reader:
    def __init__(self, file: InputFile, root: str, record: str) -> None:
        self.file, self.root, self.record = file, root, record
        self.path: list[str] = []
        self.open: list[XmlElement] = []
        self.complete: list[XmlElement] = []
        self.elements = self.characters = 0
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.add_text
        parser.StartDoctypeDeclHandler = self.check_doctype
        parser.EntityDeclHandler = self.refuse_entity
        parser.ExternalEntityRefHandler = self.refuse_external
        parser.SkippedEntityHandler = self.refuse_skipped

    def read(self) -> Iterator[XmlElement]:
        fed = 0
        with self.file.open() as stream:
            while True:
                data = stream.read(CHUNK_BYTES)
                self.parse(data)
                fed += len(data)
                yield from self.complete
                self.complete.clear()
                if not data:
                    return
                if fed - self.parser.CurrentByteIndex > MAX_UNPARSED_BYTES:
                    self.refuse("too_long", "a tag or a text is longer than allowed")

    def parse(self, data: bytes) -> None:
        try:
            self.parser.Parse(data, not data)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            self.refuse("xml", f"it is not well-formed XML: {reason}")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        if len(self.path) > MAX_DEPTH:
            self.refuse("too_deep", f"elements are nested deeper than {MAX_DEPTH}")
        if self.path[0] != self.root:
            self.refuse("not_recognised", f"its first element is not {self.root}")
        if not self.open and self.path != [self.root, self.record]:
            return
        self.elements += 1
        self.count_characters(sum(map(len, attributes.values())))
        element = XmlElement(name, attributes, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].content.append(element)
        self.open.append(element)

    def end(self, name: str) -> None:
        self.path.pop()
        if not self.open:
            return
        element = self.open.pop()
        if not self.open:
            self.complete.append(element)
            self.elements = self.characters = 0

    def add_text(self, text: str) -> None:
        if self.open:
            self.count_characters(len(text))
            self.open[-1].content.append(text)

    def count_characters(self, count: int) -> None:
        self.characters += count
        if self.characters > MAX_RECORD_CHARACTERS or self.elements > MAX_RECORD_ELEMENTS:
            self.refuse("too_large", "one record is larger than allowed")

    def check_doctype(
        self, name: str, system: str | None, public: str | None, has_internal_subset: int
    ) -> None:
        if has_internal_subset:
            self.refuse("declarations", "its document type has declarations of its own")

    def refuse_entity(self, *declaration: object) -> None:
        self.refuse("declarations", "it declares an entity")

    def refuse_external(self, *reference: object) -> int:
        self.refuse("external", "it refers to another file")

    def refuse_skipped(self, name: str, is_parameter: int) -> None:
        self.refuse("declarations", f"it uses the entity {name[:60]!r}, which is not part of XML")

    def refuse(self, code: str, reason: str) -> NoReturn:
        detail = f"{self.file.name}, line {self.parser.CurrentLineNumber:,}: {reason}."
        raise FileRefused(self.file.name, detail, code=code)
