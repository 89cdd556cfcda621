"""Groundings of rationales as the API has them."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from backend.common.serializers import shadowing_field
from backend.evaluation.api.budget_field import BudgetField
from backend.evaluation.grounding.limits import LONGEST_HYPOTHESIS, LONGEST_RATIONALE
from backend.evaluation.models.grounding import GroundingState, Verifier
from backend.graphs.snapshots.dated_view import MAX_DATE
from backend.jobs.api.serializers import JobErrorSerializer
from backend.tracks.grounding_verdicts import EvidenceSource, Verdict

VERDICTS = [one.value for one in Verdict]
SOURCES = [one.value for one in EvidenceSource]
STANCES = ["supports", "contradicts"]


class GroundingSourcesSerializer(serializers.Serializer[Any]):
    graph = serializers.SlugField(max_length=100)
    literature = serializers.SlugField(
        max_length=100, required=False, allow_null=True, help_text="A collection of papers."
    )
    cutoff = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DATE,
        required=False,
        allow_null=True,
        help_text="A PMID, or a year in the unit of the graph's dates. Nothing later is read.",
    )
    budget = BudgetField(
        default=Decimal(0),
        help_text="In US dollars, for the calls of the endpoint.",
    )


class GroundingSettingsSerializer(GroundingSourcesSerializer):
    endpoint = serializers.UUIDField(
        required=False, allow_null=True, help_text="Without it, the plain verifier works."
    )
    is_public = serializers.BooleanField(default=False)


class NewGroundingSerializer(GroundingSettingsSerializer):
    hypothesis = serializers.CharField(
        max_length=LONGEST_HYPOTHESIS, allow_blank=True, default="", trim_whitespace=False
    )
    rationale = serializers.CharField(max_length=LONGEST_RATIONALE, trim_whitespace=False)


class GroundingFileSerializer(GroundingSettingsSerializer):
    """Rows with `hypothesis` and `rationale`. Its name states format and compression."""

    file = serializers.FileField(allow_empty_file=True)


class GroundingChangeSerializer(serializers.Serializer[Any]):
    is_public = serializers.BooleanField()


class ClaimCountsSerializer(serializers.Serializer[Any]):
    """share: supported claims ÷ claims; null without claims."""

    supported = serializers.IntegerField()
    contradicted = serializers.IntegerField()
    claims = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class GroundingLiteratureSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    slug = serializers.CharField()
    digest = serializers.CharField(allow_blank=True)


class GroundingSummarySerializer(serializers.Serializer[Any]):
    """groundedness: by source; empty until it has ended. model: empty for the plain verifier."""

    id = serializers.UUIDField()
    batch = serializers.UUIDField(help_text="Of the request or file that it came with.")
    line = serializers.IntegerField(allow_null=True, help_text="In its file.")
    state = serializers.ChoiceField(GroundingState.choices)
    error = JobErrorSerializer(allow_null=True)
    hypothesis = serializers.CharField(allow_blank=True)
    groundedness = serializers.DictField(child=ClaimCountsSerializer())
    graph = serializers.CharField()
    graph_name = serializers.CharField()
    snapshot = serializers.CharField()
    literature = GroundingLiteratureSerializer(allow_null=True)
    cutoff = serializers.IntegerField(allow_null=True)
    verifier = serializers.ChoiceField(Verifier.choices)
    verifier_version = serializers.CharField()
    model = serializers.CharField(allow_blank=True)
    model_size = serializers.CharField(allow_blank=True)
    is_public = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class LinkedMentionSerializer(serializers.Serializer[Any]):
    """start, end: characters of the claim. identifier: null where several entities have the
    name; alternatives are then these."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    text = serializers.CharField()
    identifier = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    type = serializers.CharField(allow_blank=True)
    method = serializers.ChoiceField(["exact", "synonym", "typo", "bm25"])
    score = serializers.FloatField()
    alternatives = serializers.ListField(child=serializers.CharField())


class ClaimContextSerializer(serializers.Serializer[Any]):
    """What the verifier read: identifiers of papers, numbers of edges in the snapshot."""

    papers = serializers.ListField(child=serializers.CharField())
    edges = serializers.ListField(child=serializers.IntegerField())
    edges_between = serializers.IntegerField(help_text="Between entities of the claim.")


class EvidenceEntitySerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()


class EvidenceEdgeSerializer(serializers.Serializer[Any]):
    edge = serializers.IntegerField(help_text="Its number in the snapshot.")
    source = shadowing_field(EvidenceEntitySerializer())
    target = EvidenceEntitySerializer()
    relation = serializers.CharField()
    phrase = serializers.CharField(allow_blank=True)
    first_seen = serializers.IntegerField(allow_null=True)
    date_source = serializers.CharField(
        allow_blank=True, default="", help_text="What states it; 'synthetic' if nothing does."
    )
    publications = serializers.ListField(child=serializers.CharField())


class EvidenceSentenceSerializer(serializers.Serializer[Any]):
    paper = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    date = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)
    sentence = serializers.IntegerField(help_text="0 is the title.")
    text = serializers.CharField(allow_blank=True)


class VerdictEvidenceSerializer(serializers.Serializer[Any]):
    """An edge or a sentence. score: how much of the claim it covers, by the plain verifier."""

    kind = serializers.ChoiceField(["edge", "sentence"])
    stance = serializers.ChoiceField(STANCES)
    score = serializers.FloatField(allow_null=True)
    edge = EvidenceEdgeSerializer(allow_null=True)
    sentence = EvidenceSentenceSerializer(allow_null=True)


class ClaimVerdictSerializer(serializers.Serializer[Any]):
    """probability: of this verdict, where the verifier has one. support: of 'supported', whatever
    the verdict; null where it is not known within 0.05, or nothing was judged. fault: why a
    model gave none. papers_read, edges_read: how many of the first of the claim's context were read
    for it."""

    source = shadowing_field(serializers.ChoiceField(SOURCES))
    verdict = serializers.ChoiceField(VERDICTS)
    probability = serializers.FloatField(allow_null=True)
    support = serializers.FloatField(allow_null=True)
    fault = serializers.CharField(allow_blank=True)
    papers_read = serializers.IntegerField()
    edges_read = serializers.IntegerField()
    evidence = VerdictEvidenceSerializer(many=True)


class GroundedClaimSerializer(serializers.Serializer[Any]):
    """start, end: characters of the rationale; null where a model's words are not in it."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    mentions = LinkedMentionSerializer(many=True)
    context = shadowing_field(ClaimContextSerializer())
    verdicts = ClaimVerdictSerializer(many=True)


class GroundingExportSerializer(GroundingSummarySerializer):
    rationale = serializers.CharField()
    claims = GroundedClaimSerializer(many=True)


class GroundingSerializer(GroundingExportSerializer):
    is_own = serializers.BooleanField()
    is_withheld = serializers.BooleanField(
        help_text="Whether claims are left out: you may no longer read the graph or the papers."
    )
    job = serializers.UUIDField(allow_null=True)
    bibtex = serializers.CharField()


class GroundingFileResultSerializer(serializers.Serializer[Any]):
    job = serializers.UUIDField()
    groundings = serializers.ListField(child=serializers.UUIDField(), help_text="In its order.")


class GroundingQuotaSerializer(serializers.Serializer[Any]):
    """Rationales a person and UTC day, and bounds of one."""

    used = serializers.IntegerField()
    limit = serializers.IntegerField()
    next_at = serializers.DateTimeField()
    longest_hypothesis = serializers.IntegerField()
    longest_rationale = serializers.IntegerField()
    most_claims = serializers.IntegerField()
    most_rows = serializers.IntegerField(help_text="Of a file.")
