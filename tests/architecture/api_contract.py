"""HTTP answers checked against the OpenAPI schema that this project publishes.

The check is stricter than the schema: an object may have no member that the schema does not
name, so that the generated TypeScript types describe the whole answer.
"""

import copy
import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
from django.http import HttpResponseBase, StreamingHttpResponse

from backend.config.api_description import generate_document

PATH_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
EXTENSIBLE = {"Problem"}
"""Problems may carry members of their own, which RFC 9457 allows."""


@cache
def openapi_document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(generate_document()))
    return document


def openapi_path(template: str) -> str:
    """`api/v1/studies/<uuid:study_id>` as OpenAPI writes it."""
    return "/" + PATH_PARAMETER.sub(r"{\1}", template)


def find_violations(method: str, template: str, response: HttpResponseBase) -> list[str]:
    """What the answer has that the schema does not document, one sentence each."""
    operation = openapi_document()["paths"].get(openapi_path(template), {}).get(method)
    if operation is None:
        return ["The schema has no such operation."]
    documented = operation["responses"].get(str(response.status_code))
    if documented is None:
        return [f"Status {response.status_code} is not documented."]
    content = _resolved(documented).get("content", {})
    return list(_body_violations(content, response))


def response_body(response: HttpResponseBase) -> bytes:
    if isinstance(response, StreamingHttpResponse):
        return b"".join(response)
    content = bytes(getattr(response, "content"))  # noqa: B009  the base class does not declare it
    compressed = response.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(content) if compressed else content


def _resolved(documented: dict[str, Any]) -> dict[str, Any]:
    """The response itself, where an operation refers to one that several share."""
    if "$ref" not in documented:
        return documented
    name = documented["$ref"].rpartition("/")[2]
    shared: dict[str, Any] = openapi_document()["components"]["responses"][name]
    return shared


def _body_violations(content: dict[str, Any], response: HttpResponseBase) -> Iterator[str]:
    body = response_body(response)
    if not body:
        if content:
            yield f"The body is empty, but {', '.join(content)} is documented."
        return
    media_type = response.headers.get("Content-Type", "").partition(";")[0]
    if media_type not in content and "*/*" not in content:
        yield f"{media_type} is not documented, only {', '.join(content) or 'an empty body'}."
    elif media_type.endswith("json") and media_type in content:
        validator = _validator(json.dumps(content[media_type].get("schema", {})))
        for error in validator.iter_errors(json.loads(body)):
            yield f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    root = {**json.loads(schema), "components": {"schemas": _closed_components()}}
    return jsonschema_rs.Draft202012Validator(root, validate_formats=True)


@cache
def _closed_components() -> dict[str, Any]:
    """The component schemas, in which objects may have no further members."""
    components: dict[str, Any] = copy.deepcopy(openapi_document()["components"]["schemas"])
    for name, component in components.items():
        if "properties" in component and name not in EXTENSIBLE:
            component.setdefault("additionalProperties", False)
    return components
