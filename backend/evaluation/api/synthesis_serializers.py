"""Syntheses of queries as the API has them."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from backend.common.bounds import MAX_SEED
from backend.common.serializers import shadowing_field
from backend.evaluation.api.budget_field import BudgetField
from backend.evaluation.api.proposal_serializers import ProposalBudgetSerializer
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.models.syntheses import SynthesisStep
from backend.evaluation.synthesis.services import (
    LIMITS,
    LONGEST_NAME,
    MOST_REQUESTED,
    MOST_VERIFIERS,
)
from backend.jobs.api.serializers import JobErrorSerializer


def limited_field(name: str, default: int, help_text: str) -> serializers.IntegerField:
    least, most = LIMITS[name]
    return serializers.IntegerField(
        min_value=least, max_value=most, default=default, help_text=help_text
    )


class NewSynthesisSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=LONGEST_NAME, help_text="Of the question set.")
    graph = serializers.SlugField(max_length=100, help_text="Of STaRK's types and relations.")
    writer = serializers.UUIDField(help_text="Endpoint that extracts properties and writes.")
    rewriter = serializers.UUIDField(help_text="Endpoint that puts queries in other words.")
    verifiers = serializers.ListField(
        child=serializers.UUIDField(),
        min_length=1,
        max_length=MOST_VERIFIERS,
        help_text="Endpoints that check each answer, in this order.",
    )
    budget = BudgetField(
        default=Decimal(0),
        help_text="In US dollars, for all calls.",
    )
    count = serializers.IntegerField(
        min_value=1, max_value=MOST_REQUESTED, default=20, help_text="Relations to draw."
    )
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, default=0)
    most_answers = limited_field("most_answers", 20, "Entities that have a drawn relation.")
    hard = limited_field("hard", 2, "Properties that an answer must have, at most.")
    soft = limited_field("soft", 1, "Properties that are desirable, at most.")


class SynthesisOverviewSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(RequestState.choices)
    error = JobErrorSerializer(allow_null=True)
    name = serializers.CharField()
    count = serializers.IntegerField()
    seed = serializers.IntegerField()
    most_answers = serializers.IntegerField()
    hard = serializers.IntegerField()
    soft = serializers.IntegerField()
    graph = serializers.CharField()
    graph_name = serializers.CharField()
    snapshot = serializers.CharField()
    writer = serializers.CharField()
    rewriter = serializers.CharField()
    verifiers = serializers.ListField(child=serializers.CharField())
    models = serializers.ListField(
        child=serializers.CharField(), help_text="Of these endpoints, each with its size."
    )
    prompt_version = serializers.CharField()
    question_set = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class SynthesisCountsSerializer(serializers.Serializer[Any]):
    drawn = serializers.IntegerField()
    accepted = serializers.IntegerField()
    open = serializers.IntegerField()
    outcomes = serializers.DictField(
        child=serializers.IntegerField(), help_text="Queries that were dropped, by reason."
    )
    gold_checked = serializers.IntegerField(help_text="Accepted queries with hard properties.")
    gold_passed = serializers.IntegerField(
        help_text="Those whose own gold answer all verifiers passed."
    )
    gold_share = serializers.FloatField(allow_null=True)
    removed = serializers.IntegerField(help_text="Candidates that a verifier refused.")


class SynthesisStatisticsSerializer(serializers.Serializer[Any]):
    """As STaRK's Tables 3 and 4 and Figure 5; of the accepted queries."""

    queries = serializers.IntegerField()
    mean_answers = serializers.FloatField()
    mean_words = serializers.FloatField()
    shannon_entropy = serializers.FloatField(help_text="In bits.")
    type_token_ratio = serializers.FloatField()
    relational_share = serializers.FloatField(allow_null=True)
    relational_to_textual = serializers.FloatField(allow_null=True)


class GoldAnswerSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()


class AnswerPropertySerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    is_hard = serializers.BooleanField()
    source = shadowing_field(serializers.CharField(help_text="The sentence that states it."))


class SynthesizedQuerySerializer(serializers.Serializer[Any]):
    """outcome: `accepted`, why it was dropped, or empty while it is open."""

    number = serializers.IntegerField()
    template = serializers.CharField()
    role = serializers.CharField(help_text="Whose voice it has; by the graph.")
    relation = serializers.CharField()
    step = serializers.ChoiceField(SynthesisStep.choices)
    outcome = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    gold = GoldAnswerSerializer()
    properties = AnswerPropertySerializer(many=True)
    first_text = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)
    candidates = serializers.IntegerField()
    answers = serializers.ListField(child=serializers.CharField())
    gold_passed = serializers.BooleanField(
        allow_null=True, help_text="Null while it is open, or without hard properties."
    )


class SynthesisSerializer(SynthesisOverviewSerializer):
    job = serializers.UUIDField(allow_null=True)
    summary = SynthesisCountsSerializer()
    statistics = SynthesisStatisticsSerializer()
    budget = ProposalBudgetSerializer()
    results = SynthesizedQuerySerializer(many=True)
