"""Requests for hypotheses as the API has them."""

from typing import Any

from rest_framework import serializers

from backend.common.bounds import MAX_SEED
from backend.common.serializers import shadowing_field
from backend.evaluation.api.grounding_serializers import (
    SOURCES,
    GroundingLiteratureSerializer,
    GroundingSourcesSerializer,
)
from backend.evaluation.models.grounding import Verifier
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.proposals.background_files import LONGEST_BACKGROUND, MOST_REQUESTED
from backend.evaluation.proposals.services import DEFAULT_COUNT, DEFAULT_GAP, MOST_GAP
from backend.jobs.api.serializers import JobErrorSerializer
from backend.tracks.hypothesis_tasks import LEAST_HYPOTHESES, MOST_HYPOTHESES


class BackgroundSerializer(serializers.Serializer[Any]):
    question = serializers.CharField(
        max_length=LONGEST_BACKGROUND,
        allow_blank=True,
        default="",
        trim_whitespace=False,
        help_text="What the hypotheses answer.",
    )
    background = serializers.CharField(max_length=LONGEST_BACKGROUND, trim_whitespace=False)


class NewProposalSerializer(GroundingSourcesSerializer):
    """endpoint: of the model that proposes; verifier: of the one that verifies."""

    endpoint = serializers.UUIDField(help_text="Of the model that proposes.")
    verifier = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="Endpoint that verifies claims. Without it, the plain verifier works.",
    )
    backgrounds = serializers.ListField(
        child=BackgroundSerializer(), min_length=1, max_length=MOST_REQUESTED
    )
    count = serializers.IntegerField(
        min_value=LEAST_HYPOTHESES,
        max_value=MOST_HYPOTHESES,
        default=DEFAULT_COUNT,
        help_text="Hypotheses about each background.",
    )
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, default=0)
    least_gap = serializers.FloatField(
        min_value=0.1,
        max_value=MOST_GAP,
        default=DEFAULT_GAP,
        help_text="Of the groundedness of a pair, in points of 100.",
    )


class ProposalSummarySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(RequestState.choices)
    error = JobErrorSerializer(allow_null=True)
    model = serializers.CharField()
    model_size = serializers.CharField(allow_blank=True)
    prompt_version = serializers.CharField()
    backgrounds = serializers.IntegerField()
    count = serializers.IntegerField()
    seed = serializers.IntegerField()
    least_gap = serializers.FloatField()
    graph = serializers.CharField()
    graph_name = serializers.CharField()
    snapshot = serializers.CharField()
    literature = GroundingLiteratureSerializer(allow_null=True)
    cutoff = serializers.IntegerField(allow_null=True)
    verifier = serializers.ChoiceField(Verifier.choices)
    verifier_version = serializers.CharField()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class ProposedHypothesisSerializer(serializers.Serializer[Any]):
    """share: groundedness of the rationale; null if undefined, or while it waits."""

    number = serializers.IntegerField()
    hypothesis = serializers.CharField()
    rationale = serializers.CharField()
    grounding = serializers.UUIDField(allow_null=True)
    share = serializers.FloatField(allow_null=True)


class ProposalBackgroundSerializer(serializers.Serializer[Any]):
    """outcome: of the request to the model; empty while it waits."""

    number = serializers.IntegerField()
    question = serializers.CharField(allow_blank=True)
    background = serializers.CharField()
    outcome = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    hypotheses = ProposedHypothesisSerializer(many=True)


class PairSelectionSerializer(serializers.Serializer[Any]):
    """close: backgrounds without two hypotheses that are far enough apart."""

    pairs = serializers.IntegerField()
    hypotheses = serializers.IntegerField()
    undefined = serializers.IntegerField(help_text="Their rationale states no claims.")
    ungraded = serializers.IntegerField()
    close = serializers.IntegerField()
    unanswered = serializers.DictField(
        child=serializers.IntegerField(), help_text="Backgrounds without hypotheses, by outcome."
    )


class ProposalBudgetSerializer(serializers.Serializer[Any]):
    amount = serializers.CharField()
    spent = serializers.CharField()


class ProposalSerializer(ProposalSummarySerializer):
    job = serializers.UUIDField(allow_null=True)
    source = shadowing_field(serializers.ChoiceField(SOURCES))
    selection = PairSelectionSerializer()
    budget = ProposalBudgetSerializer()
    results = ProposalBackgroundSerializer(many=True)


class PairSideSerializer(serializers.Serializer[Any]):
    hypothesis = serializers.CharField()
    rationale = serializers.CharField()
    model = serializers.CharField()
    arm = serializers.CharField()
    score = serializers.FloatField()


class PairEntrySerializer(serializers.Serializer[Any]):
    """As studies of hypothesis pairs import it; experts see no model, arm, score or gap."""

    qid = serializers.IntegerField()
    question_number = serializers.IntegerField()
    text = serializers.CharField()
    category = serializers.CharField()
    background = serializers.CharField()
    hypotheses = PairSideSerializer(many=True)
    gap = serializers.FloatField(help_text="In points.")
    least_gap = serializers.FloatField()
