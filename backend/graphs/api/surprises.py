from dataclasses import asdict
from typing import Any, get_args

from django.core.cache import cache
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView, build_id
from backend.graphs.api.cancellation import run_cancellable
from backend.graphs.api.operations_schema import PathSerializer, StepSerializer
from backend.graphs.api.paths import Payload, entity_ref_payload, path_payload
from backend.graphs.api.serializers import EntitySummarySerializer
from backend.graphs.graph_access import OpenGraph
from backend.graphs.surprises import Surprise, find_surprises
from backend.graphs.use_reasons import Basis

CACHED_S = 7 * 24 * 3600
RETRY_S = 300  # until a search that the time limit ended is repeated


class SurpriseReasonSerializer(serializers.Serializer[Any]):
    basis = serializers.ChoiceField(
        get_args(Basis),
        help_text="What the counted drugs have in common: a link to the entity, or its treatment.",
    )
    entity = EntitySummarySerializer()
    drugs = serializers.IntegerField(help_text="Other drugs with a use that have it in common.")
    with_usual = serializers.IntegerField(help_text="Those of them with the usual use.")
    with_distant = serializers.IntegerField(help_text="Those of them with the distant use.")


class SurpriseSerializer(serializers.Serializer[Any]):
    drug = EntitySummarySerializer()
    usual = EntitySummarySerializer()
    distant = EntitySummarySerializer()
    usual_step = StepSerializer()
    distant_step = StepSerializer()
    is_later = serializers.BooleanField(
        help_text="Whether the distant use is known to have come second."
    )
    reason = SurpriseReasonSerializer()
    mechanism = PathSerializer(allow_null=True)


class SurprisesSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    uses = serializers.IntegerField(help_text="Drugs with a use; 0 if the graph states none.")
    results = SurpriseSerializer(many=True)


class SurprisesView(GraphReadView):
    @operation("graph_surprises", SurprisesSerializer, parameters=[SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """Drugs with a usual and a distant use, and what links the drug to the latter."""
        opened = self.get_open_graph(request, slug)
        return self.respond(opened, lambda: surprises_payload(opened))


def surprises_payload(opened: OpenGraph) -> Payload:
    """Computed once for each snapshot: the first visitor waits, later ones read the cache."""
    key = f"surprises-{build_id()}-{opened.version.snapshot}"
    payload: Payload | None = cache.get(key)
    if payload is None:
        result = run_cancellable(lambda stop: find_surprises(opened.snapshot, stop))
        payload = {"uses": result.uses, "results": [_payload(one) for one in result.surprises]}
        cache.set(key, payload, CACHED_S if result.is_complete else RETRY_S)
    return payload


def _payload(surprise: Surprise) -> Payload:
    ends = ("drug", "usual", "distant")
    return {
        **{end: entity_ref_payload(getattr(surprise, end)) for end in ends},
        "usual_step": asdict(surprise.usual_step),
        "distant_step": asdict(surprise.distant_step),
        "is_later": surprise.is_later,
        "reason": {
            "basis": surprise.reason.basis,
            "entity": entity_ref_payload(surprise.reason_entity),
            "drugs": surprise.reason.drugs,
            "with_usual": surprise.reason.usual,
            "with_distant": surprise.reason.distant,
        },
        "mechanism": surprise.mechanism and path_payload(surprise.mechanism),
    }
