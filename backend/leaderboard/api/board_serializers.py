"""Boards, results and comparisons in the API."""

import re
from typing import Any

from rest_framework import serializers

from backend.benchmarks.models import Release, ReleaseSplit
from backend.common.serializers import serializer_of, shadowing_field
from backend.evaluation.models import IntervalReason, Provenance
from backend.leaderboard.api.groundedness import BoardGroundednessSerializer
from backend.leaderboard.api.judged import JudgedBoardSerializer
from backend.leaderboard.comparisons import DifferingItems, SliceComparison
from backend.leaderboard.results import WithdrawnBy

DATE = re.compile(r"\d{4}-\d\d-\d\d")


class MomentField(serializers.DateTimeField):
    """A time, or a date for its end: a board of a day has what was scored on it."""

    def to_internal_value(self, value: Any) -> Any:
        is_date = isinstance(value, str) and DATE.fullmatch(value) is not None
        return super().to_internal_value(f"{value}T23:59:59.999999Z" if is_date else value)


class StandingFilterSerializer(serializers.Serializer[Any]):
    split = serializers.ChoiceField(ReleaseSplit.choices, default=ReleaseSplit.TEST)
    at = MomentField(
        required=False, help_text="The standing of this time, or of the end of a date in UTC."
    )


class EntryFilterSerializer(StandingFilterSerializer):
    slice = serializers.CharField(
        required=False,
        max_length=60,
        help_text="Of the scores to sort or draw; without it the slice shown first.",
    )
    text = serializers.CharField(
        default="", allow_blank=True, max_length=120, help_text="In the model or organisation."
    )
    provenance = serializers.MultipleChoiceField(choices=Provenance.choices, required=False)
    hide = serializers.MultipleChoiceField(choices=("simulated", "sampled"), required=False)


class BoardFilterSerializer(EntryFilterSerializer):
    sort = serializers.CharField(
        default="",
        max_length=60,
        help_text="A metric, model, coverage, queries, cost, latency or date.",
    )
    order = serializers.ChoiceField(("ascending", "descending"), default="ascending")


class BoardPageSerializer(BoardFilterSerializer):
    offset = serializers.IntegerField(min_value=0, max_value=1_000_000, default=0)


class RankSetSerializer(serializers.Serializer[Any]):
    """Best and worst rank that cannot be excluded, over the whole board at 95%."""

    best = serializers.IntegerField()
    worst = serializers.IntegerField()


class BoardModelSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    organisation = serializers.CharField(allow_blank=True)
    parameters = serializers.IntegerField(allow_null=True)


class BoardRowSerializer(serializers.Serializer[Any]):
    """model: null while it is anonymous. scores: [value, low, high, n] by 'metric slice'."""

    submission = serializers.UUIDField()
    model = BoardModelSerializer(allow_null=True)
    anonymous_until = serializers.DateTimeField(allow_null=True, default=None)
    rank = RankSetSerializer(allow_null=True, help_text="Null for a declared sample.")
    provenance = serializers.CharField()
    is_simulated = serializers.BooleanField()
    submitted_at = serializers.DateTimeField()
    coverage = serializers.FloatField()
    cost_usd = serializers.FloatField(allow_null=True)
    latency_s = serializers.FloatField(allow_null=True)
    sample = serializers.CharField(allow_null=True)
    knowledge_until = serializers.IntegerField(
        allow_null=True,
        default=None,
        help_text="The last year that it may know: as declared, else of its training data.",
    )
    run_parameters = serializers.IntegerField(
        allow_null=True,
        default=None,
        help_text="Size of the model that a run here used, where the endpoint states it.",
    )
    query = serializers.IntegerField(
        allow_null=True, help_text="Which query of its submitter; null where none was counted."
    )
    scores = serializers.DictField(
        child=serializers.ListField(child=serializers.FloatField(allow_null=True))
    )
    interval_reasons = serializers.DictField(
        child=serializers.ChoiceField(IntervalReason.choices),
        default={},
        help_text="By 'metric slice': why an interval is approximate (few_clusters) or missing.",
    )
    coverages = serializers.DictField(
        child=serializers.FloatField(),
        allow_null=True,
        default=None,
        help_text="By 'metric slice': the share of items with a prediction, where it is below 1. "
        "Null in standings that were ranked before this was stored.",
    )


class AuditSerializer(serializers.Serializer[Any]):
    """What the items tell apart, in the unit of the main metric."""

    resolution_floor = serializers.FloatField(allow_null=True)
    separated_share = serializers.FloatField(allow_null=True)
    neighbours = serializers.IntegerField(help_text="Pairs of adjacent entries.")
    stable_half_splits = serializers.IntegerField()
    half_splits = serializers.IntegerField()
    clusters = serializers.IntegerField(
        allow_null=True, default=None, help_text="Of items that count in the main metric."
    )
    rank_reason = serializers.ChoiceField(
        [IntervalReason.FEW_CLUSTERS, IntervalReason.TOO_FEW_CLUSTERS],
        allow_null=True,
        default=None,
        help_text="Why ranks are approximate (few_clusters), or none is excluded.",
    )


class BoardMetricSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    label = shadowing_field(serializers.CharField())
    unit = serializers.CharField(source="unit.id")
    direction = serializers.CharField(allow_null=True)
    description = serializers.CharField()


class DescribedBoardSerializer(serializers.Serializer[Any]):
    release = serializers.CharField()
    name = serializers.CharField()
    track = serializers.CharField()
    split = serializers.ChoiceField(ReleaseSplit.choices)
    state = serializers.ChoiceField(Release.Phase.choices)
    release_digest = serializers.CharField()
    evaluator_version = serializers.CharField()
    queries = serializers.IntegerField(help_text="How many queries one person may use.")
    main_metric = serializers.CharField()
    overall = serializers.CharField(help_text="The slice of all items.")
    default_slice = serializers.CharField(help_text="The slice that is shown first.")
    metrics = BoardMetricSerializer(many=True)
    slices = serializers.ListField(child=serializers.CharField())
    standing = serializers.CharField(allow_null=True, help_text="Digest of this standing.")
    created_at = serializers.DateTimeField(allow_null=True)
    entries = serializers.IntegerField()
    audit = AuditSerializer(allow_null=True)
    results = BoardRowSerializer(many=True)


class ExportedBoardSerializer(DescribedBoardSerializer):
    """judged, groundedness: as on their own addresses; null for an earlier standing."""

    judged = JudgedBoardSerializer(allow_null=True)
    groundedness = BoardGroundednessSerializer(allow_null=True)


class BoardSerializer(DescribedBoardSerializer):
    matching = serializers.IntegerField(help_text="Entries that the filter leaves.")
    offset = serializers.IntegerField()


class ComparisonFilterSerializer(serializers.Serializer[Any]):
    first = serializers.UUIDField(help_text="A submission on the board.")
    second = serializers.UUIDField()
    metric = serializers.CharField(required=False, help_text="The main metric without it.")


class ComparedEntrySerializer(serializers.Serializer[Any]):
    """name: null while the entry is anonymous."""

    submission = serializers.UUIDField()
    name = serializers.CharField(allow_null=True)


class EntryComparisonSerializer(serializers.Serializer[Any]):
    """Differences are first minus second. items: on the dev split alone."""

    metric = serializers.CharField()
    split = serializers.ChoiceField(ReleaseSplit.choices)
    first = ComparedEntrySerializer()
    second = ComparedEntrySerializer()
    slices = serializer_of(SliceComparison)(many=True)
    items = serializer_of(DifferingItems)(allow_null=True)


class BoardResultSerializer(serializers.Serializer[Any]):
    """A result at its permanent address. Of a withdrawn one only the notice is left."""

    submission = serializers.UUIDField()
    release = serializers.CharField()
    release_name = serializers.CharField()
    release_digest = serializers.CharField()
    track = serializers.CharField()
    split = serializers.ChoiceField(ReleaseSplit.choices)
    evaluator_version = serializers.CharField()
    main_metric = serializers.CharField()
    metrics = BoardMetricSerializer(many=True)
    slices = serializers.ListField(
        child=serializers.CharField(), help_text="Of the board that has the entry, in its order."
    )
    queries = serializers.IntegerField()
    standing_at = serializers.DateTimeField(help_text="Of the last board that has the entry.")
    is_standing = serializers.BooleanField()
    is_left_out = serializers.BooleanField(
        help_text="Whether its stored file was lost, so that it could not be scored again."
    )
    corrected_by = serializers.CharField(
        allow_null=True, help_text="The last release in the chain of corrections that has opened."
    )
    corrected_by_name = serializers.CharField(allow_null=True)
    hardware = serializers.CharField(allow_null=True, help_text="As declared.")
    method = serializers.CharField(
        allow_null=True,
        help_text="How the predictions were made, as declared; null while the entry is anonymous.",
    )
    notes = serializers.CharField(
        allow_null=True, help_text="The submitter's; null while the entry is anonymous."
    )
    tool_calls = serializers.IntegerField(
        allow_null=True, help_text="Of the session that the submission names."
    )
    session = serializers.UUIDField(allow_null=True, help_text="If you may read its calls.")
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawn_by = serializers.ChoiceField(WithdrawnBy.choices, allow_null=True)
    withdrawal_reason = serializers.CharField(allow_blank=True)
    key = serializers.CharField(allow_null=True)
    url = serializers.CharField()
    bibtex = serializers.CharField()
    has_cases = serializers.BooleanField(help_text="Whether `cases` lists its items.")
    entry = BoardRowSerializer(allow_null=True)
