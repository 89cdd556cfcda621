"""The OpenAPI document, generated once in each process: it depends on the code alone."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView


@cache
def generate_document() -> dict[str, Any]:
    generator: Any = SchemaGenerator  # drf-spectacular has no annotations
    document: dict[str, Any] = generator().get_schema(request=None, public=True)
    return document


class DocumentGenerator(SchemaGenerator):
    def get_schema(self, request: Any = None, public: bool = False) -> dict[str, Any]:
        return generate_document()


class DescriptionView(SpectacularAPIView):
    generator_class = DocumentGenerator
