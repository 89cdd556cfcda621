"""What may be asked of paths, parts, walks and exports, and how they are answered."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.graphs.api.serializers import BriefSerializer, EvidenceSerializer
from backend.graphs.subgraph import MOST_EDGES, MOST_ENTITIES
from backend.graphs.walks import MOST_STEPS, SEEDS
from backend.science.path_answers import LONGEST

LONGEST_ID = 2000
MOST_PATHS = 1000
LONG = 100_000


class Exact(serializers.CharField):
    """A text as it was sent: an id may begin or end with a space."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)


class PathsQuery(serializers.Serializer[object]):
    to = Exact(max_length=LONG, help_text="Entities: repeated, or with commas between them.")
    hops = serializers.IntegerField(min_value=1, max_value=LONGEST, default=LONGEST)
    order = serializers.ChoiceField(["probability", "degree"], default="probability")
    relations = Exact(required=False, help_text="Only these relations: repeated.")
    metapath = Exact(default="", allow_blank=True, help_text="Only this kind of path, by its key.")
    shortest = serializers.BooleanField(default=False)
    hubs = serializers.BooleanField(default=False, help_text="Show paths through hubs, too.")
    hub_links = serializers.IntegerField(min_value=0, required=False)
    limit = serializers.IntegerField(min_value=0, max_value=MOST_PATHS, default=12)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """'from' is a word of Python's."""
        start = Exact(max_length=LONG, help_text="Entities: repeated, or with commas between them.")
        return {"from": start, **super().get_fields()}


class SubgraphQuery(serializers.Serializer[object]):
    ids = serializers.ListField(
        child=Exact(max_length=LONGEST_ID), min_length=1, max_length=MOST_ENTITIES
    )
    relations = serializers.ListField(
        child=Exact(max_length=LONGEST_ID), max_length=MOST_ENTITIES, default=list
    )
    limit = serializers.IntegerField(min_value=0, max_value=MOST_EDGES, default=MOST_EDGES)


class WalkQuery(serializers.Serializer[object]):
    steps = serializers.IntegerField(min_value=0, max_value=MOST_STEPS, default=10)
    seed = serializers.IntegerField(min_value=0, max_value=SEEDS - 1, required=False)
    restart = serializers.FloatField(min_value=0, max_value=1, default=0.0)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"from": Exact(max_length=LONGEST_ID), **super().get_fields()}


class ExportQuery(serializers.Serializer[object]):
    format = serializers.CharField(max_length=20)
    ids = Exact(
        required=False,
        max_length=LONG,
        help_text="Entities, repeated or with commas between them, with all edges among them.",
    )
    around = Exact(default="", allow_blank=True, help_text="An entity, with its own edges.")
    relation = Exact(default="", allow_blank=True, help_text="Of 'around', of one relation.")
    outgoing = serializers.BooleanField(default=None, allow_null=True)
    limit = serializers.IntegerField(min_value=1, max_value=MOST_EDGES, default=MOST_EDGES)


class ExportBody(serializers.Serializer[object]):
    """As many entities as an address cannot hold."""

    format = serializers.CharField(max_length=20)
    ids = serializers.ListField(
        child=Exact(max_length=LONGEST_ID), min_length=1, max_length=MOST_ENTITIES
    )
    limit = serializers.IntegerField(min_value=1, max_value=MOST_EDGES, default=MOST_EDGES)


class StepBody(serializers.Serializer[object]):
    edge = serializers.IntegerField()
    relation = serializers.CharField()
    phrase = serializers.CharField()
    forward = serializers.BooleanField()
    symmetric = serializers.BooleanField()
    evidence = EvidenceSerializer(allow_null=True)


class TurnBody(StepBody):
    """Either an entity alone, or all the members of a step."""

    entity = BriefSerializer(required=False)


class PathBody(serializers.Serializer[object]):
    rank = serializers.IntegerField()
    weight = serializers.FloatField()
    metapath = serializers.CharField()
    steps = TurnBody(many=True)


class MetapathBody(serializers.Serializer[object]):
    key = serializers.CharField()
    words = serializers.CharField()
    count = serializers.IntegerField()
    hidden = serializers.IntegerField()


class PathsAnswer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    shown = serializers.IntegerField()
    found = serializers.IntegerField()
    hidden_through_hubs = serializers.IntegerField()
    hub_links = serializers.IntegerField(allow_null=True)
    capped = serializers.BooleanField()
    capped_by = serializers.ChoiceField(["work", "time"], allow_null=True)
    summary = serializers.CharField()
    order = serializers.ChoiceField(["probability", "degree"])
    formula = serializers.CharField()
    metapaths = MetapathBody(many=True)
    other_metapaths = serializers.IntegerField()
    paths = PathBody(many=True)


class SubgraphEdge(StepBody):
    source = serializers.CharField()  # type: ignore[assignment]  # a field, not the base's argument
    target = serializers.CharField()


class SubgraphAnswer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    entities = BriefSerializer(many=True)
    edges = SubgraphEdge(many=True)
    shown = serializers.IntegerField()
    found = serializers.IntegerField()
    capped = serializers.BooleanField()


class WalkTurn(serializers.Serializer[object]):
    step = StepBody(allow_null=True)
    entity = BriefSerializer()


class WalkAnswer(serializers.Serializer[object]):
    snapshot = serializers.CharField()
    seed = serializers.IntegerField()
    start = BriefSerializer()
    steps = WalkTurn(many=True)
    ended = serializers.BooleanField()
