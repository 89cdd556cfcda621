"""An entity's page, and its neighbours."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.schema import problems
from backend.graphs.api.reading import SNAPSHOT, GraphRead
from backend.graphs.api.serializers import EntitySerializer, NeighbourQuery, NeighboursSerializer
from backend.graphs.entities import entity_page, neighbour_page


class OneEntity(GraphRead):
    @extend_schema(
        operation_id="graph_entities_read",
        parameters=[SNAPSHOT],
        responses={200: EntitySerializer, **problems(404)},
    )
    def get(self, request: Request, slug: str, identifier: str) -> Response:
        opened = self.opened(request, slug)
        number = opened.number_or_raise(identifier)
        return self.answer(opened, lambda: entity_page(opened.snapshot, number))


class Neighbours(GraphRead):
    @extend_schema(
        operation_id="graph_neighbours_list",
        parameters=[NeighbourQuery, SNAPSHOT],
        responses={200: NeighboursSerializer, **problems(404, 422)},
    )
    def get(self, request: Request, slug: str, identifier: str) -> Response:
        """A page by relation, then neighbour; `next` is the cursor of the page behind it."""
        asked = self.asked(request, NeighbourQuery)
        opened = self.opened(request, slug)
        number = opened.number_or_raise(identifier)
        return self.answer(
            opened,
            lambda: neighbour_page(
                opened.snapshot,
                number,
                relation=asked.get("relation"),
                outgoing=asked["outgoing"],
                after=int(asked["cursor"]) if "cursor" in asked else None,
                limit=asked["limit"],
            ),
        )
