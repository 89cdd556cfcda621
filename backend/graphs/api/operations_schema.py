"""Request and response schemas of paths, subgraphs, random walks and exports."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from backend.common.serializers import serializer_of, shadowing_field
from backend.graphs.api.serializers import (
    CutoffField,
    EntitySummarySerializer,
    EvidenceSerializer,
)
from backend.graphs.path_queries import MetapathCount
from backend.graphs.subgraph_queries import MAX_EDGES, MAX_ENTITIES
from backend.graphs.walk_queries import MAX_STEPS, SEED_LIMIT, WalkStep
from backend.science.path_answers import MAX_HOPS

MAX_ID_LENGTH = 2000
MAX_PATHS = 1000
MAX_PARAMETER_LENGTH = 100_000


class ExactCharField(serializers.CharField):
    """Text without trimming: an id may begin or end with a space."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)


class PathsQuery(serializers.Serializer[object]):
    to = ExactCharField(
        max_length=MAX_PARAMETER_LENGTH,
        help_text="Entities: repeated, or with commas between them.",
    )
    hops = serializers.IntegerField(min_value=1, max_value=MAX_HOPS, default=MAX_HOPS)
    order = serializers.ChoiceField(["probability", "degree"], default="probability")
    relations = ExactCharField(required=False, help_text="Only these relations: repeated.")
    metapath = ExactCharField(
        default="", allow_blank=True, help_text="Only this metapath, by its key."
    )
    shortest = serializers.BooleanField(default=False)
    hubs = serializers.BooleanField(default=False, help_text="Show paths through hubs, too.")
    hub_links = serializers.IntegerField(min_value=0, required=False)
    limit = serializers.IntegerField(min_value=0, max_value=MAX_PATHS, default=12)
    first_seen_until = CutoffField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """'from' is a reserved word in Python, so it cannot be a class attribute."""
        start = ExactCharField(
            max_length=MAX_PARAMETER_LENGTH,
            help_text="Entities: repeated, or with commas between them.",
        )
        return {"from": start, **super().get_fields()}


class SubgraphQuery(serializers.Serializer[object]):
    ids = serializers.ListField(
        child=ExactCharField(max_length=MAX_ID_LENGTH), min_length=1, max_length=MAX_ENTITIES
    )
    relations = serializers.ListField(
        child=ExactCharField(max_length=MAX_ID_LENGTH), max_length=MAX_ENTITIES, default=list
    )
    limit = serializers.IntegerField(min_value=0, max_value=MAX_EDGES, default=MAX_EDGES)
    first_seen_until = CutoffField()


class WalkQuery(serializers.Serializer[object]):
    steps = serializers.IntegerField(min_value=0, max_value=MAX_STEPS, default=10)
    seed = serializers.IntegerField(min_value=0, max_value=SEED_LIMIT - 1, required=False)
    restart = serializers.FloatField(min_value=0, max_value=1, default=0.0)
    first_seen_until = CutoffField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"from": ExactCharField(max_length=MAX_ID_LENGTH), **super().get_fields()}


class ExportQuery(serializers.Serializer[object]):
    format = serializers.CharField(max_length=20)
    ids = ExactCharField(
        required=False,
        max_length=MAX_PARAMETER_LENGTH,
        help_text="Entities, repeated or with commas between them, with all edges among them.",
    )
    around = ExactCharField(
        default="", allow_blank=True, help_text="An entity, with its own edges."
    )
    relation = ExactCharField(
        default="", allow_blank=True, help_text="With 'around': only edges of this relation."
    )
    outgoing = serializers.BooleanField(default=None, allow_null=True)
    limit = serializers.IntegerField(min_value=1, max_value=MAX_EDGES, default=MAX_EDGES)


class SubgraphExportSerializer(serializers.Serializer[object]):
    """Export request for more entities than fit into a URL."""

    format = serializers.CharField(max_length=20)
    ids = serializers.ListField(
        child=ExactCharField(max_length=MAX_ID_LENGTH), min_length=1, max_length=MAX_ENTITIES
    )
    limit = serializers.IntegerField(min_value=1, max_value=MAX_EDGES, default=MAX_EDGES)


class StepSerializer(serializers.Serializer[object]):
    edge = serializers.IntegerField()
    relation = serializers.CharField()
    phrase = serializers.CharField()
    forward = serializers.BooleanField()
    symmetric = serializers.BooleanField()
    evidence = EvidenceSerializer(allow_null=True)


class PathEntitySerializer(serializers.Serializer[object]):
    entity = EntitySummarySerializer()


class PathSerializer(serializers.Serializer[object]):
    rank = serializers.IntegerField()
    weight = serializers.FloatField()
    metapath = serializers.CharField()
    steps = PolymorphicProxySerializer(
        component_name="PathStep",
        serializers=[PathEntitySerializer, StepSerializer],
        resource_type_field_name=None,
        many=True,
        help_text="Entities and edges in alternation.",
    )


MetapathSerializer = serializer_of(MetapathCount, "Metapath")


class PathsSerializer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    shown = serializers.IntegerField()
    total = serializers.IntegerField()
    hidden_through_hubs = serializers.IntegerField()
    hub_links = serializers.IntegerField(allow_null=True)
    capped = serializers.BooleanField()
    capped_by = serializers.ChoiceField(["work", "time"], allow_null=True)
    summary = serializers.CharField()
    order = serializers.ChoiceField(["probability", "degree"])
    formula = serializers.CharField()
    metapaths = MetapathSerializer(many=True)
    other_metapaths = serializers.IntegerField()
    paths = PathSerializer(many=True)
    undated = serializers.IntegerField(allow_null=True)


class SubgraphEdgeSerializer(StepSerializer):
    source = shadowing_field(serializers.CharField())
    target = serializers.CharField()


class SubgraphSerializer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    entities = EntitySummarySerializer(many=True)
    edges = SubgraphEdgeSerializer(many=True)
    shown = serializers.IntegerField()
    total = serializers.IntegerField()
    capped = serializers.BooleanField()
    undated = serializers.IntegerField(allow_null=True)


WalkStepSerializer = serializer_of(
    WalkStep, step=StepSerializer(allow_null=True), entity=EntitySummarySerializer()
)


class WalkSerializer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    seed = serializers.IntegerField()
    start = EntitySummarySerializer()
    steps = WalkStepSerializer(many=True)
    undated = serializers.IntegerField(allow_null=True)
    ended = serializers.BooleanField()
