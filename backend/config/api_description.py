"""The OpenAPI document, made once in each process: it depends on the code alone."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.views import SpectacularAPIView


@cache
def generate_document() -> dict[str, Any]:
    generator: Any = SchemaGenerator  # drf-spectacular has no annotations
    document: dict[str, Any] = generator().get_schema(request=None, public=True)
    return document


@cache
def document_as_yaml() -> bytes:
    """Takes half a second of processor time."""
    renderer: Any = OpenApiYamlRenderer
    text: bytes = renderer().render(generate_document())
    return text


class StoredYaml(OpenApiYamlRenderer):
    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> Any:
        if data is generate_document():
            return document_as_yaml()
        render: Any = super().render
        return render(data, accepted_media_type, renderer_context)


class StoredYaml2(StoredYaml, OpenApiYamlRenderer2):
    """As `application/yaml`."""


class DocumentGenerator(SchemaGenerator):
    def get_schema(self, request: Any = None, public: bool = False) -> dict[str, Any]:
        return generate_document()


class DescriptionView(SpectacularAPIView):
    generator_class = DocumentGenerator
    renderer_classes = [StoredYaml, StoredYaml2, OpenApiJsonRenderer, OpenApiJsonRenderer2]
