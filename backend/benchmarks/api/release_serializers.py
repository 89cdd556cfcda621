"""Tracks, releases, items and models in the API."""

from typing import Any

from django.utils.functional import cached_property
from rest_framework import serializers

from backend.accounts.models import Team
from backend.accounts.teams import find_team
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.policies import is_organiser, split_of_discoveries
from backend.common.bounds import MAX_SEED
from backend.common.fields import OneLineField
from backend.graphs.snapshots.dated_view import MAX_DATE
from backend.tracks.base import AnyTrack
from backend.tracks.registry import load_tracks

MAX_FILES = 20


class ReleaseMetadataSerializer(serializers.Serializer[Any]):
    """What an organiser writes about a release. A missing field stays as it is."""

    name = OneLineField(max_length=200, required=False)
    licence = OneLineField(max_length=200, required=False, allow_blank=True)
    citation = serializers.CharField(max_length=20_000, required=False, allow_blank=True)
    data_card = serializers.CharField(max_length=50_000, required=False, allow_blank=True)
    terms = serializers.CharField(max_length=20_000, required=False, allow_blank=True)
    queries = serializers.IntegerField(min_value=0, max_value=10_000, required=False)
    queries_per_day = serializers.IntegerField(min_value=0, max_value=10_000, required=False)
    opens_at = serializers.DateTimeField(required=False, allow_null=True)
    closes_at = serializers.DateTimeField(required=False, allow_null=True)


class ReleaseChangeSerializer(ReleaseMetadataSerializer):
    version = serializers.IntegerField(
        min_value=1,
        help_text="That of the release when you read it; a later one refuses the change.",
    )


class NewReleaseSerializer(ReleaseMetadataSerializer):
    track = serializers.CharField(max_length=60)
    name = OneLineField(max_length=200)
    slug = serializers.SlugField(max_length=100, required=False, allow_blank=True)
    graph = OneLineField(max_length=120, required=False, allow_blank=True)
    test_share = serializers.FloatField(min_value=0, max_value=1, default=1.0)
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, default=0)
    masked_by = OneLineField(
        max_length=20,
        required=False,
        allow_blank=True,
        help_text="The method of partitions whose masked graph the items are about.",
    )
    partition = OneLineField(
        max_length=20,
        required=False,
        allow_blank=True,
        help_text="The partitions that the items are of, where a track has one a release.",
    )
    cutoff = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DATE,
        required=False,
        help_text="A PMID, or a year in the unit of the graph's dates. Nothing later is shown to "
        "models and tools.",
    )
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MAX_FILES
    )


class ReleaseVersionSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(
        min_value=1,
        required=False,
        help_text="That of the release when you read it: a later one then refuses this.",
    )


class ReleaseStateSerializer(ReleaseVersionSerializer):
    state = serializers.ChoiceField(Release.State.choices)


class ReleaseGraphSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField(source="graph.slug")
    name = serializers.CharField(source="graph.name")
    version = serializers.IntegerField(source="number")


class ReleaseSerializer(serializers.Serializer[Release]):
    slug = serializers.CharField()
    name = serializers.CharField()
    track = serializers.CharField()
    state = serializers.ChoiceField(
        Release.Phase.choices, source="phase", help_text="Of now: dates take effect on their own."
    )
    digest = serializers.CharField()
    evaluator_version = serializers.CharField()
    graph = ReleaseGraphSerializer(source="graph_version", allow_null=True)
    items = serializers.SerializerMethodField(help_text="Number of items by split.")
    entries = serializers.IntegerField(help_text="Submissions that stand on the board.")
    test_share = serializers.FloatField()
    seed = serializers.IntegerField()
    queries = serializers.IntegerField()
    queries_per_day = serializers.IntegerField()
    licence = serializers.CharField(allow_blank=True)
    citation = serializers.CharField(allow_blank=True)
    data_card = serializers.CharField(allow_blank=True)
    terms = serializers.CharField(allow_blank=True)
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    is_demo = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    version = serializers.IntegerField(help_text="Grows with each change by its organisers.")
    partition = serializers.CharField(
        allow_blank=True, help_text="The method of the partition that all items are of."
    )
    cutoff = serializers.IntegerField(
        allow_null=True, help_text="A PMID or year. Nothing later is shown to models and tools."
    )
    is_sealed = serializers.BooleanField(
        help_text="Nobody knows its answers yet; predictions are stored unscored."
    )
    has_discoveries = serializers.SerializerMethodField(
        help_text="Whether everybody may read which of its links are true, and who foresaw them."
    )
    unseals = serializers.CharField(source="unseals.slug", default=None, allow_null=True)
    unseals_name = serializers.CharField(source="unseals.name", default=None, allow_null=True)
    has_several_partitions = serializers.SerializerMethodField(
        help_text="An older release, in which roots of one partition are answers of another."
    )
    key_fields = serializers.SerializerMethodField(help_text="Fields of an item that are its key.")
    corrects = serializers.CharField(source="corrects.slug", default=None, allow_null=True)
    corrects_name = serializers.CharField(source="corrects.name", default=None, allow_null=True)
    corrected_by = serializers.SerializerMethodField(
        help_text="The last release in the chain of corrections that has opened."
    )
    corrected_by_name = serializers.SerializerMethodField()
    open_reports = serializers.SerializerMethodField(help_text="For its organisers, else null.")
    present_version = serializers.SerializerMethodField(
        help_text="Of the evaluator; the board's scores are of `evaluator_version`."
    )
    can_change = serializers.SerializerMethodField()

    def get_items(self, release: Release) -> dict[str, int]:
        return {split.value: getattr(release, f"{split.value}_items") for split in ReleaseSplit}

    def get_has_discoveries(self, release: Release) -> bool:
        return bool(split_of_discoveries(release))

    def get_key_fields(self, release: Release) -> list[str]:
        track = load_tracks().get(release.track)
        return list(track.key_fields) if track else []

    def get_has_several_partitions(self, release: Release) -> bool:
        track = load_tracks().get(release.track)
        return bool(track and track.partition_methods) and not release.partition

    def get_corrected_by(self, release: Release) -> str | None:
        return release.public_correction.slug if release.public_correction else None

    def get_corrected_by_name(self, release: Release) -> str | None:
        return release.public_correction.name if release.public_correction else None

    def get_open_reports(self, release: Release) -> int | None:
        count: int = getattr(release, "open_reports", 0)
        return count if self.get_can_change(release) else None

    def get_present_version(self, release: Release) -> str:
        track = load_tracks().get(release.track)
        return track.version if track else release.evaluator_version

    def get_can_change(self, release: Release) -> bool:
        user = self.context["user"]
        return user is not None and is_organiser(user, release)


class ModelFieldsSerializer(serializers.Serializer[Any]):
    organisation = OneLineField(max_length=120, required=False, allow_blank=True)
    family = OneLineField(max_length=120, required=False, allow_blank=True)
    parameters = serializers.IntegerField(
        min_value=1, max_value=10**15, required=False, allow_null=True
    )
    licence = OneLineField(max_length=120, required=False, allow_blank=True)
    training_cutoff = serializers.DateField(required=False, allow_null=True)
    training_data = serializers.CharField(
        max_length=2_000,
        required=False,
        allow_blank=True,
        help_text="What it is, and whether items or answers of benchmarks are in it.",
    )
    link = serializers.URLField(max_length=2000, required=False, allow_blank=True)
    code = serializers.URLField(max_length=2000, required=False, allow_blank=True)
    paper = serializers.URLField(max_length=2000, required=False, allow_blank=True)


class NewModelSerializer(ModelFieldsSerializer):
    name = OneLineField(max_length=120)
    for_team = serializers.BooleanField(default=False, help_text="It then belongs to your team.")


class ModelChangeSerializer(ModelFieldsSerializer):
    version = serializers.IntegerField(
        min_value=1, help_text="That of the model when you read it; a later one refuses the change."
    )
    name = OneLineField(max_length=120, required=False)


class ModelSerializer(serializers.Serializer[Model]):
    slug = serializers.CharField()
    name = serializers.CharField()
    organisation = serializers.CharField(allow_blank=True)
    family = serializers.CharField(allow_blank=True)
    parameters = serializers.IntegerField(allow_null=True)
    licence = serializers.CharField(allow_blank=True)
    training_cutoff = serializers.DateField(allow_null=True)
    training_data = serializers.CharField(allow_blank=True)
    link = serializers.CharField(allow_blank=True)
    code = serializers.CharField(allow_blank=True)
    paper = serializers.CharField(allow_blank=True)
    is_baseline = serializers.BooleanField()
    is_simulated = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    version = serializers.IntegerField()
    is_own = serializers.SerializerMethodField()
    team = serializers.SerializerMethodField(
        help_text="The name of your team, if the model belongs to it."
    )

    @cached_property
    def own_team(self) -> Team | None:
        return find_team(self.context["user"])

    def get_is_own(self, model: Model) -> bool:
        user = self.context["user"]
        if user is None:
            return False
        return model.owner_id == user.pk if model.team_id is None else self.is_of_team(model)

    def is_of_team(self, model: Model) -> bool:
        return self.own_team is not None and model.team_id == self.own_team.pk

    def get_team(self, model: Model) -> str | None:
        if model.team_id is None or not self.get_is_own(model) or self.own_team is None:
            return None
        return self.own_team.name


class ItemFilterSerializer(serializers.Serializer[Any]):
    split = serializers.ChoiceField(ReleaseSplit.choices, default=ReleaseSplit.TEST)


class ItemPageFilterSerializer(ItemFilterSerializer):
    offset = serializers.IntegerField(min_value=0, max_value=100_000_000, default=0)


class ItemPageSerializer(serializers.Serializer[Any]):
    """Public items in the order of the release, from `offset`."""

    split = serializers.ChoiceField(ReleaseSplit.choices)
    total = serializers.IntegerField()
    offset = serializers.IntegerField()
    results = serializers.ListField(child=serializers.DictField())


class EvaluatedTrackSerializer(serializers.Serializer[AnyTrack]):
    """A track that evaluates here, so that releases of it can be made."""

    slug = serializers.CharField()
    title = serializers.CharField()
    paper = serializers.CharField()
    description = serializers.CharField()
    version = serializers.CharField()
    partition_methods = serializers.ListField(
        child=serializers.CharField(), help_text="A release is of one; the preferred first."
    )
    mask_methods = serializers.SerializerMethodField(
        help_text="Methods whose masked graph items may be about."
    )

    def get_mask_methods(self, track: AnyTrack) -> list[str]:
        return [] if track.partition_methods else list(track.mask_methods)


class EvaluatedTrackListSerializer(serializers.Serializer[Any]):
    results = EvaluatedTrackSerializer(many=True)
