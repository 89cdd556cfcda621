"""The item and answer schemas of every study kind in the OpenAPI schema."""

from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from annotation.kinds.registry import study_kinds

REFERENCE = "#/components/schemas/{model}"


def add_study_kinds(result: dict[str, Any], **_context: object) -> dict[str, Any]:
    """A postprocessing hook of drf-spectacular: `item` and `payload` are one of the kinds'."""
    components = result["components"]["schemas"]
    items = _add_models(components, [kind.item_schema for kind in study_kinds().values()])
    answers = _add_models(components, [kind.answer_schema for kind in study_kinds().values()])
    for name, field, alternatives in (
        ("Assignment", "item", items),
        ("Response", "payload", answers),
        ("ResponseWriteRequest", "payload", answers),
    ):
        properties = components[name]["properties"]
        description = properties[field]["description"]
        properties[field] = {"description": description, "anyOf": alternatives}
    return result


def _add_models(components: dict[str, Any], models: list[type[BaseModel]]) -> list[dict[str, str]]:
    """Add the models as components; returns the references to them."""
    mode: Literal["validation"] = "validation"
    references, definitions = models_json_schema(
        [(model, mode) for model in models], ref_template=REFERENCE
    )
    components.update(definitions["$defs"])
    return [references[model, mode] for model in models]
