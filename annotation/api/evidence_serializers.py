"""How evidence looks from outside."""

from typing import Any

from rest_framework import serializers

from annotation.evidence import Evidence, Named
from annotation.pins import LONGEST_NAMED, Pinned
from backend.benchmarks.models import How, WhyNot
from backend.common.fields import OneLine
from backend.graphs.api.operations_schema import PathsAnswer
from backend.graphs.api.serializers import (
    BriefSerializer,
    EntityRelationSerializer,
    SectionSerializer,
)
from backend.graphs.models import Version


class PinnedGraphSerializer(serializers.Serializer[Version]):
    """One version of a graph, as a study names it."""

    slug = serializers.CharField(source="graph.slug")
    name = serializers.CharField(source="graph.name")
    snapshot = serializers.CharField()
    number = serializers.IntegerField()


class PinSerializer(serializers.Serializer[dict[str, str]]):
    graph = OneLine(
        max_length=LONGEST_NAMED,
        allow_null=True,
        allow_blank=True,
        help_text="A graph's slug, for its newest version, or slug@version; null for none.",
    )


class NamedSerializer(serializers.Serializer[Named]):
    """What the question names, and the entity of the graph that it stands for."""

    name = serializers.CharField()
    how = serializers.ChoiceField(How.choices, allow_null=True)
    why_not = serializers.ChoiceField(WhyNot.choices, allow_null=True)
    by = serializers.CharField(
        allow_blank=True, help_text="The identifier or the name that it was recognised by."
    )
    entity = BriefSerializer(allow_null=True)


class CandidateEvidenceSerializer(NamedSerializer):
    candidate = serializers.UUIDField()
    summary = SectionSerializer(allow_null=True, help_text="The first section of its document.")
    sections = serializers.IntegerField(help_text="How many its document has.")
    relations = EntityRelationSerializer(many=True)


class AssignmentEvidenceSerializer(serializers.Serializer[Evidence]):
    graph = PinnedGraphSerializer(source="opened.version")
    is_complete = serializers.BooleanField(help_text="False while names are still looked up.")
    named = NamedSerializer(many=True)
    candidates = CandidateEvidenceSerializer(many=True)


class AskedPathsSerializer(serializers.Serializer[dict[str, Any]]):
    candidate = serializers.UUIDField()
    hubs = serializers.BooleanField(default=False, help_text="Show paths through hubs, too.")


class EvidencePathsSerializer(serializers.Serializer[dict[str, Any]]):
    """For the schema: the paths are sent as the graph's own route sends them."""

    candidate = serializers.UUIDField()
    named = NamedSerializer(many=True, help_text="Where the paths begin.")
    paths = PathsAnswer(
        allow_null=True, help_text="Null where the candidate, or all that is named, is not known."
    )


class FoundSerializer(serializers.Serializer[dict[str, int]]):
    """Names by what they were recognised by, or why they were not."""

    identifier = serializers.IntegerField(default=0)
    cross_reference = serializers.IntegerField(default=0)
    name = serializers.IntegerField(default=0)
    not_in_graph = serializers.IntegerField(default=0)
    several_references = serializers.IntegerField(default=0)
    several_names = serializers.IntegerField(default=0)
    other_identifier = serializers.IntegerField(default=0)


class BoardEvidenceSerializer(serializers.Serializer[Pinned]):
    graph = PinnedGraphSerializer(source="version")
    is_complete = serializers.BooleanField()
    is_locked = serializers.BooleanField(
        help_text="Experts have looked at its evidence, so the study keeps this graph."
    )
    fault = serializers.CharField(allow_blank=True)
    candidates = FoundSerializer()
    resources = FoundSerializer()
