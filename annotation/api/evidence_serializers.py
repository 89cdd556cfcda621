from typing import Any

from rest_framework import serializers

from annotation.evidence import AssignmentEvidence, LinkedEntity
from annotation.study_graph import MAX_VERSION_NAME_LENGTH, PinnedGraph
from backend.benchmarks.models import MatchMethod, UnmatchedReason
from backend.common.fields import OneLineField
from backend.graphs.api.operations_schema import PathsSerializer
from backend.graphs.api.paper_serializers import NamingPapersSerializer
from backend.graphs.api.serializers import (
    EntityRelationSerializer,
    EntitySummarySerializer,
    SectionSerializer,
)
from backend.graphs.models import Version


class PinnedGraphSerializer(serializers.Serializer[Version]):
    """One version of a graph, as a study names it."""

    slug = serializers.CharField(source="graph.slug")
    name = serializers.CharField(source="graph.name")
    snapshot = serializers.CharField()
    number = serializers.IntegerField()


class PinGraphSerializer(serializers.Serializer[dict[str, str]]):
    graph = OneLineField(
        max_length=MAX_VERSION_NAME_LENGTH,
        allow_null=True,
        allow_blank=True,
        help_text="A graph's slug, for its newest version, or slug@version; null for none.",
    )


class LinkedEntitySerializer(serializers.Serializer[LinkedEntity]):
    """A name in the question, and the entity of the graph that it is linked to."""

    name = serializers.CharField()
    match_method = serializers.ChoiceField(MatchMethod.choices, allow_null=True)
    unmatched_reason = serializers.ChoiceField(UnmatchedReason.choices, allow_null=True)
    matched_on = serializers.CharField(
        allow_blank=True, help_text="The identifier or the name that it was matched on."
    )
    entity = EntitySummarySerializer(allow_null=True)


class CandidateEvidenceSerializer(LinkedEntitySerializer):
    candidate = serializers.UUIDField()
    summary = SectionSerializer(allow_null=True, help_text="The first section of its document.")
    sections = serializers.IntegerField(help_text="How many its document has.")
    rest = SectionSerializer(
        many=True,
        allow_null=True,
        help_text="The other sections; null where the graph's own pages have them.",
    )
    relations = EntityRelationSerializer(many=True)


class AssignmentEvidenceSerializer(serializers.Serializer[AssignmentEvidence]):
    graph = PinnedGraphSerializer(source="opened.version")
    has_pages = serializers.BooleanField(
        help_text="Whether the expert may open the graph's own pages."
    )
    is_complete = serializers.BooleanField(help_text="False while names are still being linked.")
    named = LinkedEntitySerializer(many=True)
    candidates = CandidateEvidenceSerializer(many=True)


class PathsQuerySerializer(serializers.Serializer[dict[str, Any]]):
    candidate = serializers.UUIDField()
    hubs = serializers.BooleanField(default=False, help_text="Show paths through hubs, too.")


class PapersQuerySerializer(serializers.Serializer[dict[str, Any]]):
    candidate = serializers.UUIDField()


class EvidencePapersSerializer(serializers.Serializer[dict[str, Any]]):
    candidate = serializers.UUIDField()
    results = NamingPapersSerializer(many=True, help_text="Of each collection, by name.")


class EvidencePathsSerializer(serializers.Serializer[dict[str, Any]]):
    """For the schema: paths have the same shape as in the graph's own route."""

    candidate = serializers.UUIDField()
    named = LinkedEntitySerializer(many=True, help_text="Where the paths begin.")
    paths = PathsSerializer(
        allow_null=True, help_text="Null if the candidate, or every name, is not in the graph."
    )


class MatchCountsSerializer(serializers.Serializer[dict[str, int]]):
    """How many names were matched, by method, or not matched, by reason."""

    identifier = serializers.IntegerField(default=0)
    cross_reference = serializers.IntegerField(default=0)
    name = serializers.IntegerField(default=0)
    not_in_graph = serializers.IntegerField(default=0)
    several_references = serializers.IntegerField(default=0)
    several_names = serializers.IntegerField(default=0)
    other_identifier = serializers.IntegerField(default=0)


class DashboardEvidenceSerializer(serializers.Serializer[PinnedGraph]):
    graph = PinnedGraphSerializer(source="version")
    is_complete = serializers.BooleanField()
    is_locked = serializers.BooleanField(
        help_text="Experts have seen its evidence, so the study keeps this graph."
    )
    can_be_looked_up = serializers.BooleanField(
        help_text="Evidence that the study hides, on the graph's own pages by its experts."
    )
    error = serializers.CharField(allow_blank=True)
    candidates = MatchCountsSerializer()
    resources = MatchCountsSerializer()
