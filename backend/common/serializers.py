"""Validation of requests, and serializers of responses, derived from dataclasses and models.

The type of a field selects its serializer field; `Annotated[int, "…"]` adds a description.
"""

import re
import types
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from django.db.models import Choices
from django.http import QueryDict
from pydantic import BaseModel
from rest_framework import serializers

AnyField = serializers.Field[Any, Any, Any, Any]
AnySerializer = serializers.Serializer[Any]
FIELDS: Mapping[object, type[AnyField]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    uuid.UUID: serializers.UUIDField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


def shadowing_field(field: AnyField) -> Any:
    """A field with the name of an attribute of the base class, such as `label` or `source`.

    Its metaclass takes fields out of the class body, so the attribute stays what it was.
    """
    return field


UNKNOWN_MEMBER = serializers.ErrorDetail(
    "There is no such member. Correct its name or leave it out.", code="unknown_member"
)


def validate(
    serializer: serializers.BaseSerializer[Any], *, is_form: bool = False
) -> dict[str, Any]:
    """The values sent. Raises ValidationError for every fault, among them unknown members.

    is_form: sent as a form, so that these are the members of a body. Unknown parameters of an
    address, which come in the same type, are ignored.
    """
    require_known_members(serializer, is_form=is_form)
    return dict(serializer.validated_data)


def validate_with(shape: AnySerializer, sent: object) -> dict[str, Any]:
    """As `validate`, by a serializer without data that requests share, for the most frequent ones:
    to make its fields for each request took twice as long as all that they check."""
    if not any(_unknown_members(shape, sent)):
        with suppress(serializers.ValidationError):
            return dict(shape.run_validation(sent))
    return validate(type(shape)(data=sent))  # raises every fault


def require_known_members(
    serializer: serializers.BaseSerializer[Any], *, is_form: bool = False
) -> None:
    """Validates; with unknown members it raises their faults together with all others."""
    sent = getattr(serializer, "initial_data", None)
    if isinstance(sent, QueryDict):
        unknown = _unknown_form_members(serializer, sent) if is_form else []
    else:
        unknown = [*_unknown_members(serializer, sent)]
    serializer.is_valid(raise_exception=not unknown)
    if unknown:
        places = {place: [UNKNOWN_MEMBER] for place in unknown}
        raise serializers.ValidationError({**dict(serializer.errors), **places})


def _unknown_members(field: object, sent: object, place: str = "") -> Iterator[str]:
    """Places of members that no serializer has, such as `settings.foo` or `items[0].foo`."""
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        for number, one in enumerate(sent if isinstance(sent, list) else []):
            yield from _unknown_members(field.child, one, f"{place}[{number}]")
    elif isinstance(field, serializers.Serializer) and isinstance(sent, Mapping):
        known = field.fields
        for name, value in sent.items():
            where = f"{place}.{name}".removeprefix(".")
            if name in known:
                yield from _unknown_members(known[name], value, where)
            else:
                yield where


def _unknown_form_members(
    serializer: serializers.BaseSerializer[Any], sent: QueryDict
) -> list[str]:
    """Members of a form are flat; `files[0]` and `settings.seed` belong to the first part."""
    known = getattr(serializer, "fields", {})
    return [name for name in sent if re.split(r"[.\[]", name)[0] not in known]


def serializer_of(
    shape: Any, name: str = "", *, doc: str | None = None, **declared: AnyField
) -> type[AnySerializer]:
    """The serializer of a dataclass or model, for responses. declared: fields to replace or add.

    name: of the component in the OpenAPI schema, if it is not the class's own.
    """
    hints = get_type_hints(shape, include_extras=True)
    names = [one.name for one in fields(shape)] if is_dataclass(shape) else [*shape.model_fields]
    derived = {one: declared[one] if one in declared else field_of(hints[one]) for one in names}
    body = {**derived, **declared, "__doc__": doc, "__module__": shape.__module__}
    return type(f"{name or shape.__name__}Serializer", (serializers.Serializer,), body)


@cache
def _shared_serializer(shape: Any) -> type[AnySerializer]:
    """One class per shape, so that the OpenAPI schema has one component of this name."""
    return serializer_of(shape)


def field_of(hint: Any, **options: Any) -> AnyField:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        texts = [one for one in arguments[1:] if isinstance(one, str)]
        return field_of(arguments[0], help_text=texts[0] if texts else None, **options)
    if origin in (Union, types.UnionType):
        (one,) = (it for it in arguments if it is not type(None))
        return field_of(one, allow_null=True, **options)
    if origin is Literal:
        return serializers.ChoiceField(arguments, **options)
    if origin in (list, tuple, frozenset):
        if is_shape(arguments[0]):
            return _shared_serializer(arguments[0])(many=True, **options)
        return serializers.ListField(child=field_of(arguments[0]), **options)
    if origin in (dict, Mapping):
        return serializers.DictField(child=field_of(arguments[1]), **options)
    if is_shape(hint):
        return _shared_serializer(hint)(**options)
    if isinstance(hint, type) and issubclass(hint, Choices):
        return serializers.ChoiceField(hint.choices, **options)
    return FIELDS[hint](**options)


def is_shape(hint: Any) -> bool:
    return is_dataclass(hint) or (isinstance(hint, type) and issubclass(hint, BaseModel))
