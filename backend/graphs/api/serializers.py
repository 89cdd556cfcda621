from typing import Any

from rest_framework import serializers

from backend.common.fields import OneLineField
from backend.common.serializers import serializer_of, shadowing_field
from backend.graphs.models import Graph, SavedView, Version
from backend.graphs.snapshots.dated_view import MAX_DATE
from backend.graphs.source_records import Section

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
MAX_TEXT_LENGTH = 20_000


class VersionSerializer(serializers.ModelSerializer[Version]):
    class Meta:
        model = Version
        fields = ["snapshot", "number", "entities", "edges", "created_at"]
        read_only_fields = fields


class GraphSerializer(serializers.ModelSerializer[Any]):
    versions = VersionSerializer(many=True)
    latest = serializers.CharField()

    class Meta:
        model = Graph
        fields = [
            "id",
            "slug",
            "name",
            "description",
            "licence",
            "citation",
            "source_url",
            "visibility",
            "is_demo",
            "created_at",
            "versions",
            "latest",
        ]
        read_only_fields = fields


class GraphListSerializer(serializers.Serializer[Any]):
    results = GraphSerializer(many=True)


class CountSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    count = serializers.IntegerField()


class RelationSerializer(serializers.Serializer[Any]):
    relation = serializers.CharField(source="name")
    forward = serializers.CharField()
    backward = serializers.CharField()
    symmetric = serializers.BooleanField()
    count = serializers.IntegerField()


class GraphDetailSerializer(GraphSerializer):
    snapshot = serializers.CharField()
    types = CountSerializer(many=True)
    relations = RelationSerializer(many=True)
    may_change = serializers.BooleanField()
    date_unit = serializers.ChoiceField(
        ["pmid", "year"], allow_null=True, help_text="How edges are dated; null if none is."
    )

    date_range = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="The first and the last of these dates; null if there is none.",
    )

    class Meta(GraphSerializer.Meta):
        own = ("snapshot", "types", "relations", "may_change", "date_unit", "date_range")
        fields = [*GraphSerializer.Meta.fields, *own]


class GraphUpdateSerializer(serializers.Serializer[Any]):
    """Update of a graph by its owner; fields that are not sent stay unchanged."""

    description = serializers.CharField(
        max_length=MAX_TEXT_LENGTH, required=False, allow_blank=True, trim_whitespace=False
    )
    licence = OneLineField(max_length=200, required=False, allow_blank=True)
    citation = serializers.CharField(
        max_length=MAX_TEXT_LENGTH, required=False, allow_blank=True, trim_whitespace=False
    )
    source_url = serializers.URLField(max_length=2000, required=False, allow_blank=True)
    visibility = serializers.ChoiceField(Graph.Visibility.choices, required=False)
    studies = serializers.ListField(
        child=serializers.UUIDField(), required=False, max_length=100, allow_empty=True
    )


class IdentifierSerializer(serializers.Serializer[Any]):
    curie = serializers.CharField()
    scheme = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_null=True)


SectionSerializer = serializer_of(Section)


class EntityRelationSerializer(serializers.Serializer[Any]):
    relation = serializers.CharField()
    phrase = serializers.CharField()
    outgoing = serializers.BooleanField()
    symmetric = serializers.BooleanField()
    count = serializers.IntegerField()


class EntitySerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    id = serializers.CharField()
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    type = serializers.CharField(allow_blank=True)
    degree = serializers.IntegerField()
    synonyms = serializers.ListField(child=serializers.CharField())
    identifiers = IdentifierSerializer(many=True)
    document = SectionSerializer(many=True)
    relations = EntityRelationSerializer(many=True)


class CutoffField(serializers.IntegerField):
    """A PMID or a year, as the graph dates its edges."""

    def __init__(self) -> None:
        help_text = (
            "Only edges first seen until this PMID or year; undated edges are left out and counted."
        )
        super().__init__(min_value=1, max_value=MAX_DATE, required=False, help_text=help_text)


class NeighbourQuery(serializers.Serializer[Any]):
    relation = serializers.CharField(required=False, trim_whitespace=False)
    outgoing = serializers.BooleanField(default=True)
    first_seen_until = CutoffField()
    cursor = serializers.RegexField(r"^[0-9]{1,18}$", required=False)
    limit = serializers.IntegerField(
        default=DEFAULT_PAGE_SIZE, min_value=1, max_value=MAX_PAGE_SIZE
    )


class PublicationSerializer(serializers.Serializer[Any]):
    curie = serializers.CharField()
    url = serializers.CharField(allow_null=True)


class FirstSeenSerializer(serializers.Serializer[Any]):
    unit = serializers.ChoiceField(["pmid", "year"])
    value = serializers.IntegerField()
    url = serializers.CharField(allow_null=True)
    source = shadowing_field(
        serializers.CharField(allow_blank=True, help_text="What states it; 'synthetic' if nothing.")
    )


class EvidenceSerializer(serializers.Serializer[Any]):
    source = shadowing_field(serializers.CharField(allow_blank=True))
    score = serializers.FloatField(allow_null=True)
    level = serializers.CharField(allow_blank=True)
    p_value = serializers.FloatField(allow_null=True)
    publications = PublicationSerializer(many=True)
    first_seen = FirstSeenSerializer(allow_null=True)
    row_count = serializers.IntegerField()


class EntitySummarySerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    type = serializers.CharField(allow_blank=True)
    degree = serializers.IntegerField()


class EntityListQuery(serializers.Serializer[Any]):
    type = serializers.CharField(max_length=500, trim_whitespace=False, allow_blank=True)
    cursor = serializers.RegexField(r"^[0-9]{1,18}$", required=False)
    limit = serializers.IntegerField(
        default=DEFAULT_PAGE_SIZE, min_value=1, max_value=MAX_PAGE_SIZE
    )


class EntityListSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    count = serializers.IntegerField()
    results = EntitySummarySerializer(many=True)
    next = serializers.CharField(allow_null=True)


class NeighbourSerializer(serializers.Serializer[Any]):
    edge = serializers.IntegerField()
    relation = serializers.CharField()
    entity = EntitySummarySerializer()
    evidence = EvidenceSerializer(allow_null=True)


class NeighboursSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    count = serializers.IntegerField()
    results = NeighbourSerializer(many=True)
    undated = serializers.IntegerField(allow_null=True)
    next = serializers.CharField(allow_null=True)


class ViewStateSerializer(serializers.Serializer[Any]):
    """A page of the explorer within its graph, with its query string."""

    page = serializers.RegexField(
        r"^(canvas|paths|compare|e/[^/]{1,600})?$", max_length=602, allow_blank=True
    )
    query = serializers.CharField(
        max_length=MAX_TEXT_LENGTH, allow_blank=True, trim_whitespace=False
    )


class NewViewSerializer(serializers.Serializer[Any]):
    title = OneLineField(max_length=200)
    state = ViewStateSerializer()
    snapshot = serializers.CharField(max_length=200, required=False, allow_null=True)


class ViewSerializer(serializers.ModelSerializer[SavedView]):
    graph = serializers.CharField(source="version.graph.slug")
    snapshot = serializers.CharField(source="version.snapshot")
    url = serializers.SerializerMethodField()
    author = serializers.SerializerMethodField()
    version = serializers.IntegerField(source="version.number")
    state = ViewStateSerializer()

    class Meta:
        model = SavedView
        fields = [
            *("id", "url", "graph", "snapshot", "version"),
            *("title", "author", "state", "created_at"),
        ]

    def get_url(self, view: SavedView) -> str:
        return f"/explore/view/{view.pk}"

    def get_author(self, view: SavedView) -> str | None:
        """The name of whoever saved it; None for a visitor or a deleted account."""
        return view.owner.name or None if view.owner else None
