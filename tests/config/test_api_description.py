"""The OpenAPI document over HTTP: YAML unless JSON is asked for, and written once."""

from typing import Any

import pytest
import yaml
from drf_spectacular.renderers import OpenApiYamlRenderer
from rest_framework.test import APIClient

from backend.config.api_description import document_as_yaml, generate_document

ADDRESS = "/api/schema"


@pytest.mark.parametrize("accept", ["*/*", "application/vnd.oai.openapi", "application/yaml"])
def test_the_document_is_sent_as_yaml(accept: str) -> None:
    answer = APIClient().get(ADDRESS, headers={"Accept": accept})
    assert answer.status_code == 200
    media_type = "application/vnd.oai.openapi" if accept == "*/*" else accept
    assert answer.headers["Content-Type"].startswith(media_type)
    assert answer.content == OpenApiYamlRenderer().render(generate_document())
    assert (
        yaml.load(answer.content, yaml.CSafeLoader)
        == APIClient().get(ADDRESS, headers={"Accept": "application/json"}).json()
    )


def test_only_the_first_request_writes_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("It was written again.")

    first = document_as_yaml()
    monkeypatch.setattr(OpenApiYamlRenderer, "render", fail)
    assert APIClient().get(ADDRESS).content == first
