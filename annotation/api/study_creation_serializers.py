from typing import Any

from rest_framework import serializers

from annotation.imports import MAX_STUDY_NAME_LENGTH
from annotation.models import MAX_ADAPTIVE_SHARE, SEED_BITS, StudyDesign
from annotation.study_creation import (
    MAX_GOLD_SHARE,
    MAX_OVERLAP,
    MAX_REPEAT_SHARE,
    CreatedStudy,
)
from annotation.study_graph import MAX_VERSION_NAME_LENGTH
from backend.common.fields import OneLineField
from backend.common.serializers import serializer_of
from backend.studies.models import Study

MAX_LEASE_MINUTES = 7 * 24 * 60
MAX_QUALIFICATION_ITEMS = 1_000


class OverlapField(serializers.IntegerField):
    def __init__(self) -> None:
        super().__init__(
            min_value=1,
            max_value=MAX_OVERLAP,
            default=None,
            allow_null=True,
            help_text="Experts for each question, who take them from a pool; null assigns batches.",
        )


class QualityOptionsSerializer(serializers.Serializer[Any]):
    """How a study checks its experts."""

    repeat_share = serializers.FloatField(
        min_value=0,
        max_value=MAX_REPEAT_SHARE,
        default=0,
        help_text="Of an expert's answered questions, the share that comes again in another visit.",
    )
    gold_share = serializers.FloatField(
        min_value=0,
        max_value=MAX_GOLD_SHARE,
        default=0.05,
        help_text="Of what an expert gets, questions with a known answer, if there are any.",
    )
    gold_feedback = serializers.ChoiceField(
        StudyDesign.GoldFeedback.choices,
        default=StudyDesign.GoldFeedback.NEVER,
        help_text="When an expert learns whether a gold answer was right.",
    )
    qualification_items = serializers.IntegerField(
        min_value=0,
        max_value=MAX_QUALIFICATION_ITEMS,
        default=0,
        help_text="Questions with a known answer that each expert of a pool answers first.",
    )
    qualification_minimum = serializers.IntegerField(
        min_value=0,
        max_value=MAX_QUALIFICATION_ITEMS,
        default=0,
        help_text="How many of them must be right.",
    )


class NewStudySerializer(QualityOptionsSerializer):
    name = OneLineField(max_length=MAX_STUDY_NAME_LENGTH)
    question_set = serializers.UUIDField(help_text="A question set that you own.")
    kind = OneLineField(
        max_length=40, default="", allow_blank=True, help_text="The default kind if empty."
    )
    graph = OneLineField(
        max_length=MAX_VERSION_NAME_LENGTH,
        default="",
        allow_blank=True,
        help_text="The graph that shows evidence: a slug, or slug@version; none if empty.",
    )
    overlap = OverlapField()
    arm_shares = serializers.DictField(
        child=serializers.DictField(child=serializers.FloatField()),
        default=dict,
        help_text="By arm, the share of each level but the first: {'prior': {'hidden': 0.5}}.",
    )
    seed = serializers.IntegerField(
        min_value=0, max_value=2**SEED_BITS - 1, default=None, allow_null=True
    )
    lease_minutes = serializers.IntegerField(
        min_value=1, max_value=MAX_LEASE_MINUTES, default=60, help_text="Of a pool's leases."
    )
    adaptive_share = serializers.FloatField(
        min_value=0,
        max_value=MAX_ADAPTIVE_SHARE,
        default=0,
        help_text="Of a pool's draws, those of the question that informs most; the rest by chance.",
    )
    is_draft = serializers.BooleanField(
        default=False, help_text="Experts see nothing of a draft until it is opened."
    )


class CloneSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=MAX_STUDY_NAME_LENGTH)


class NewStudyNameSerializer(serializers.Serializer[Study]):
    id = serializers.UUIDField()
    name = serializers.CharField()


CreatedStudySerializer = serializer_of(CreatedStudy, study=NewStudyNameSerializer())
