"""JSON files from outside: decoding, field types for pydantic models, and faults with their places.

A model of an object in a file derives from FileModel; its fields are typed with the annotations
below (`text_field`, `integer_field`, `list_field` …). `validate` reports all faults of a value.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import ClassVar, NoReturn, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from backend.validation.faults import FaultList, printable

MAX_FILE_BYTES = 20_000_000
MAX_VALUES = 1_000_000
MAX_NUMBER_DIGITS = 18
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
CONTROLS_OR_SPACE = re.compile(r"[\x00-\x20\x7f]")
MISSING = object()
FAULT = "fault"  # the kind of pydantic's error that has a message, what was expected and a code
Path = tuple[str | int, ...]


class JsonObject(dict[str, object]):
    """A JSON object that records which of its fields were given twice."""

    __slots__ = ("repeated_fields",)

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.repeated_fields: tuple[str, ...] = ()
        if len(self) < len(pairs):
            times = Counter(name for name, _ in pairs)
            self.repeated_fields = tuple(name for name in times if times[name] > 1)


def value_error(message: str, expected: str = "", code: str = "invalid") -> PydanticCustomError:
    """A fault of the value that is being validated."""
    context = {"message": message, "expected": expected, "code": code}
    return PydanticCustomError(FAULT, "{message}", context)


def error_at(
    path: Path, message: str, expected: str = "", code: str = "invalid"
) -> InitErrorDetails:
    """A fault at a path inside the value that is being validated."""
    return InitErrorDetails(type=value_error(message, expected, code), loc=path, input=None)


def raise_errors(errors: list[InitErrorDetails]) -> NoReturn:
    raise ValidationError.from_exception_data("file", errors)


Handled = TypeVar("Handled")


def validate_with(
    errors: list[InitErrorDetails], value: object, handler: Callable[[object], Handled]
) -> Handled:
    """The validated value. Raises the errors given together with those of the handler."""
    try:
        result = handler(value)
    except ValidationError as error:
        raise_errors([*errors, *map(_init_details, _details(error))])
    if errors:
        raise_errors(errors)
    return result


def _details(error: ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False, include_input=False)


def _init_details(details: ErrorDetails) -> InitErrorDetails:
    return error_at(details["loc"], **details["ctx"])


class FileModel(BaseModel):
    """An object of a file. Required fields are those of the file; others are added by the reader.

    A field that is missing is validated as MISSING. Unknown fields are ignored; the context, if
    given, is called with the name of each and the model.
    """

    model_config = ConfigDict(frozen=True)
    needs_object: ClassVar[bool] = True  # else anything but an object counts as an empty one
    list_name: ClassVar[str] = ""  # of the list that such objects stand in

    @classmethod
    def file_fields(cls) -> list[str]:
        fields = cls.model_fields.items()
        return [one.alias or name for name, one in fields if one.is_required()]

    @model_validator(mode="wrap")
    @classmethod
    def _validate_object(
        cls, value: object, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        known = cls.file_fields()
        if not isinstance(value, JsonObject) and not cls.needs_object:
            value = JsonObject([])
        if not isinstance(value, JsonObject):
            raise value_error(
                f"This is {describe_value(value)}.", f"an object with {', '.join(known)}"
            )
        if info.context is not None:
            for name in value:
                if name not in known:
                    info.context(name, cls)
        errors = [*map(_repeated_field, value.repeated_fields), *cls.cross_field_errors(value)]
        return validate_with(errors, {name: value.get(name, MISSING) for name in known}, handler)

    @classmethod
    def cross_field_errors(cls, _value: JsonObject) -> Iterable[InitErrorDetails]:
        """Faults that no single field shows, found even if fields have faults of their own."""
        return ()


def _repeated_field(name: str) -> InitErrorDetails:
    message = f"The field '{printable(name)}' is given more than once."
    return error_at((), message, "each field once")


optional_field = WrapValidator(lambda value, handler: None if is_absent(value) else handler(value))


Model = TypeVar("Model", bound=FileModel)
NoteUnknown = Callable[[str, type[FileModel]], None]


def validate(
    model: type[Model],
    value: object,
    place: str,
    faults: FaultList,
    note_unknown: NoteUnknown | None = None,
) -> Model | None:
    """The value as a model, or None with all its faults added, each with its path after `place`."""
    try:
        return model.model_validate(value, context=note_unknown)
    except ValidationError as error:
        for one in _details(error):
            faults.add(place_of(place, one["loc"]), **one["ctx"])
        return None


def place_of(place: str, path: Path) -> str:
    """`batch1.json, question 2, llm_ranking[1].llm_rank`."""
    inside = full_path(path)
    return f"{place}, {inside}" if inside else place


def full_path(path: Path) -> str:
    parts = (f"[{one}]" if isinstance(one, int) else f".{one}" for one in path)
    return "".join(parts).removeprefix(".")


def text_field(longest: int, *, empty: bool = False) -> PlainValidator:
    """Text that can be stored, kept as it is."""
    return PlainValidator(lambda value: check_text(value, longest, empty=empty))


def optional_text_field(longest: int) -> PlainValidator:
    """As text; empty if missing or null."""
    return PlainValidator(
        lambda value: "" if is_absent(value) else check_text(value, longest, empty=True)
    )


def is_absent(value: object) -> bool:
    return value is MISSING or value is None


def check_text(value: object, longest: int, *, empty: bool = False) -> str:
    expected = f"text of {0 if empty else 1} to {longest:,} characters"
    if not isinstance(value, str):
        raise value_error(f"This is {describe_value(value)}.", expected)
    if len(value) > longest:
        raise value_error(f"This text has {len(value):,} characters.", expected)
    if not empty and not value.strip():
        raise value_error("This text is empty.", expected)
    if unstorable := UNSTORABLE.search(value):
        shown = printable(unstorable[0])
        raise value_error(f"This text contains {shown}, which is not a character.", expected)
    return value


def text_is_valid(value: object, longest: int, place: str, faults: FaultList) -> bool:
    """Whether a single value is text that is not empty; else the fault is added."""
    try:
        check_text(value, longest)
    except PydanticCustomError as error:
        faults.add(place, **(error.context or {}))
        return False
    return True


def link_field(longest: int) -> PlainValidator:
    """A link to the web, or empty text."""

    def check(value: object) -> str:
        link = check_text(value, longest, empty=True)
        if link and not is_web_address(link):
            expected = "an address that begins with http:// or https://, or empty text"
            message = f"'{printable(link)}' is not a web address."
            raise value_error(message, expected, "not_a_web_address")
        return link

    return PlainValidator(check)


def object_field() -> PlainValidator:
    """An object whose fields are checked elsewhere."""

    def check(value: object) -> object:
        if not isinstance(value, dict):
            raise value_error(f"This is {describe_value(value)}.", "an object")
        return value

    return PlainValidator(check)


def integer_field(least: int, most: int) -> PlainValidator:
    expected = f"a whole number from {least} to {most:,}"

    def check(value: object) -> int:
        if type(value) is not int:
            raise value_error(f"This is {describe_value(value)}.", expected)
        if not least <= value <= most:
            raise value_error(f"This is {value}.", expected)
        return value

    return PlainValidator(check)


def list_field(least: int, most: int, unit: str) -> WrapValidator:
    """A list. The items of one that is too short are validated as well."""

    def check(value: object, handler: ValidatorFunctionWrapHandler) -> object:
        errors = [] if (error := _length_error(value, least, most, unit)) is None else [error]
        if not isinstance(value, list) or len(value) > most:
            raise_errors(errors)
        return validate_with(errors, value, handler)

    return WrapValidator(check)


def _length_error(value: object, least: int, most: int, unit: str) -> InitErrorDetails | None:
    number = f"{most:,}" if least == most else f"{least} to {most:,}"
    expected = f"a list of {number} {unit}"
    if not isinstance(value, list):
        return error_at((), f"This is {describe_value(value)}.", expected)
    if not least <= len(value) <= most:
        return error_at((), f"The number of {unit} is {len(value):,}.", expected)
    return None


def list_items(
    value: object, least: int, most: int, unit: str, place: str, faults: FaultList
) -> list[object]:
    """The items of a file's list; those of one that is too short as well. Faults are added."""
    error = _length_error(value, least, most, unit)
    if error is not None and isinstance(error["type"], PydanticCustomError):
        faults.add(place, **(error["type"].context or {}))
    return value if isinstance(value, list) and len(value) <= most else []


def describe_value(value: object) -> str:
    """The kind of a value, for the author of the file."""
    if value is MISSING:
        return "missing"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text '{printable(value)}'"
    return "a list" if isinstance(value, list) else "an object"


def is_web_address(link: str) -> bool:
    """Whether a browser that follows the link can only open another page."""
    if CONTROLS_OR_SPACE.search(link):
        return False
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


class NotANumber(ValueError):
    pass


def _refuse_constant(word: str) -> object:
    raise NotANumber(f"{word} is not a JSON number")


def _parse_integer(digits: str) -> int | float:
    # Python refuses to convert very long integers; none of them is a valid value here.
    return int(digits) if len(digits) <= MAX_NUMBER_DIGITS else float(digits)


def parse_json_file(name: str, content: bytes, faults: FaultList) -> object:
    """The file's value, or MISSING with the reason among the faults."""
    text = decode_utf8(name, content, faults)
    if text is None or has_too_many_values(name, text, faults):
        return MISSING
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=JsonObject,
            parse_int=_parse_integer,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        place = f"{name}, line {error.lineno}, column {error.colno}"
        faults.add(place, f"This is not JSON: {error.msg}.", "a JSON file", "not_json")
    except NotANumber as error:
        faults.add(name, f"This is not JSON: {error}.", "a JSON file", "not_json")
    except RecursionError:
        faults.add(name, "This file is nested too deeply.", "a list of questions", "not_json")
    else:
        return value
    return MISSING


def has_too_many_values(name: str, content: str, faults: FaultList) -> bool:
    """Whether parsing would take too much memory; then that is a fault."""
    if sum(content.count(mark) for mark in ",[{") <= MAX_VALUES:
        return False
    faults.add(name, "This file has too many values.", f"at most {MAX_VALUES:,} values")
    return True


def decode_utf8(name: str, content: bytes, faults: FaultList) -> str | None:
    """The file's text without a byte order mark, or None with the reason among the faults."""
    if len(content) > MAX_FILE_BYTES:
        expected = f"at most {MAX_FILE_BYTES:,} bytes"
        faults.add(name, "This file is too large.", expected, "too_large")
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        faults.add(f"{name}, line {line}", "This is not UTF-8 text.", "UTF-8 text", "not_utf8")
        return None
