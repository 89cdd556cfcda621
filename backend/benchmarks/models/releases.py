"""Models that are evaluated, and releases: frozen items of a track with hidden answers."""

import json
import uuid
from typing import Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from backend.accounts.models import Team, TeamMember, User
from backend.graphs.models import Version
from backend.graphs.snapshots.dated_view import MAX_DATE


class ModelQuerySet(models.QuerySet["Model"]):
    def owned_by(self, user_id: uuid.UUID) -> Self:
        """A user's personal models and those of the team that they are in now."""
        teams = TeamMember.objects.current().filter(user=user_id).values("team")
        return self.filter(Q(owner=user_id, team=None) | Q(team__in=teams))


class Model(models.Model):
    """What makes predictions: a language model, a retriever, a baseline.

    A model without owner comes from published tables or is a baseline of this project.
    `parameters` is the number of its weights, `training_cutoff` the last day of its training data.

    training_data: what that is, and whether items or answers of benchmarks are in it.
    former_names: in lower case, those that public boards showed; no other model takes them.
    version: of its fields, so that a change of an older version is refused.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120, unique=True)
    former_names = ArrayField(models.CharField(max_length=120), default=list)
    version = models.PositiveIntegerField(default=1)
    slug = models.SlugField(max_length=120, unique=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="models"
    )
    # Then it belongs to the team's members; its owner is who registered it.
    team = models.ForeignKey(Team, models.PROTECT, null=True, related_name="models")
    organisation = models.CharField(max_length=120, blank=True)
    family = models.CharField(max_length=120, blank=True)
    parameters = models.PositiveBigIntegerField(null=True)
    licence = models.CharField(max_length=120, blank=True)
    training_cutoff = models.DateField(null=True)
    training_data = models.TextField(blank=True, default="")
    link = models.URLField(max_length=2000, blank=True)
    code = models.URLField(max_length=2000, blank=True)
    paper = models.URLField(max_length=2000, blank=True)
    is_baseline = models.BooleanField(default=False)
    is_simulated = models.BooleanField(default=False)
    # Since when a result of it is public.
    listed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ModelQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("name"), name="model_name_once")]

    def __str__(self) -> str:
        return self.name


class ReleaseQuerySet(models.QuerySet["Release"]):
    def public(self) -> Self:
        return self.exclude(state=Release.State.DRAFT)

    def visible_to(self, user: User | None) -> Self:
        """Drafts are visible to their creator and to administrators."""
        if user is not None and user.is_active and user.is_administrator:
            return self.all()
        return self.public() if user is None else self.public() | self.filter(created_by=user)

    def past_closing(self) -> Self:
        return self.filter(state=Release.State.OPEN, closes_at__lte=timezone.now())


class Release(models.Model):
    """A frozen version of a track. Items and answers never change; a correction is a new release.

    digest: SHA-256 of the track, the items with their splits, the answers, and verdicts on others,
        with a key of the server.
    evaluator_version: that of the evaluations which its board shows.
    partition: the method of the one partition that its items are of; empty where the track has no
        partitions, and where an older release has several, of which one gives away another.
    is_in_key_order: whether positions follow the keys of the items. Those of an older release have
        the order of its files, which may reveal labels: nobody is shown it.
    cutoff: a PMID, or a year in the unit of the graph's dates. Nothing later is evidence: it is in
        no prompt of a run, and tools do not show it.
    is_sealed: its items have no answers yet. Predictions are stored unscored, until a later version
        of its graph has the answers.
    unseals: the sealed release whose entries this one scores, by what `graph_version` knows.
    queries, queries_per_day: how many scores on the test split one person may have.
    version: of what organisers write and set, so that a change of an older version is refused.
    """

    class State(models.TextChoices):
        """What the organiser set. The dates act on an open release, see `phase`."""

        DRAFT = "draft"
        OPEN = "open"
        CLOSED = "closed"
        DEPRECATED = "deprecated"

    class Phase(models.TextChoices):
        """What holds now. An announced release is public and takes no predictions yet."""

        DRAFT = "draft"
        ANNOUNCED = "announced"
        OPEN = "open"
        CLOSED = "closed"
        DEPRECATED = "deprecated"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=200)
    track = models.CharField(max_length=60)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    digest = models.CharField(max_length=64)
    evaluator_version = models.CharField(max_length=20)
    graph_version = models.ForeignKey(Version, models.PROTECT, null=True, related_name="releases")
    corrects = models.OneToOneField("self", models.PROTECT, null=True, related_name="corrected_by")
    partition = models.CharField(max_length=20, blank=True, default="")
    test_share = models.FloatField()
    seed = models.PositiveBigIntegerField()
    cutoff = models.PositiveBigIntegerField(null=True)
    is_sealed = models.BooleanField(default=False)
    unseals = models.ForeignKey("self", models.PROTECT, null=True, related_name="unsealed_as")
    queries = models.PositiveIntegerField(default=10)
    queries_per_day = models.PositiveIntegerField(default=3)
    licence = models.CharField(max_length=200, blank=True)
    citation = models.TextField(blank=True)
    data_card = models.TextField(blank=True)
    terms = models.TextField(blank=True)
    opens_at = models.DateTimeField(null=True)
    closes_at = models.DateTimeField(null=True)
    is_demo = models.BooleanField(default=False)
    is_in_key_order = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="releases"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(closes_at=None)
                | Q(opens_at=None)
                | Q(closes_at__gt=models.F("opens_at")),
                name="release_closes_after_opening",
            ),
            models.CheckConstraint(
                condition=Q(cutoff=None) | Q(cutoff__gte=1, cutoff__lte=MAX_DATE),
                name="release_cutoff_is_a_date",
            ),
            models.UniqueConstraint(
                fields=["unseals", "graph_version"],
                condition=Q(unseals__isnull=False),
                name="unsealed_once_per_version",
            ),
            models.CheckConstraint(
                condition=Q(is_sealed=False)
                | Q(graph_version__isnull=False, cutoff__isnull=False, corrects=None, unseals=None),
                name="sealed_release_has_a_graph_and_a_cutoff",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def subject(self) -> str:
        """Of its jobs."""
        return f"release:{self.pk}"

    @property
    def phase(self) -> "Release.Phase":
        if self.state != self.State.OPEN:
            return self.Phase(self.state)
        now = timezone.now()
        if self.closes_at is not None and self.closes_at <= now:
            return self.Phase.CLOSED
        if self.opens_at is not None and self.opens_at > now:
            return self.Phase.ANNOUNCED
        return self.Phase.OPEN

    def earlier_cutoff(self, given: int | None) -> int | None:
        """The earlier of the release's cut-off and the given one; None where there is neither."""
        return min((one for one in (self.cutoff, given) if one is not None), default=None)

    @property
    def public_correction(self) -> "Release | None":
        """The release that has taken the place of this one: the last one in the chain of
        corrections that has opened."""
        later: Release | None = getattr(self, "corrected_by", None)
        if later is None or later.state == self.State.DRAFT:
            return None
        return later.public_correction or later

    @property
    def has_ended(self) -> bool:
        return self.phase in (self.Phase.CLOSED, self.Phase.DEPRECATED)

    @property
    def are_answers_retired(self) -> bool:
        """Whether no more predictions are scored on its answers, also not for its correction."""
        if not self.has_ended:
            return False
        later = Release.objects.filter(corrects=self).first()
        return later is None or later.are_answers_retired

    def chain(self) -> list["Release"]:
        """The release, all that it corrects, and all that correct it; the first one first."""
        first = self
        while first.corrects is not None:
            first = first.corrects
        chain = [first]
        while (later := Release.objects.filter(corrects=chain[-1]).first()) is not None:
            chain.append(later)
        return chain

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        names = cls.objects.filter(graph_version=version).values_list("name", flat=True)
        return [f"release '{name}'" for name in names]


class ReleaseSplit(models.TextChoices):
    DEV = "dev"
    TEST = "test"


class Item(models.Model):
    """One thing to answer. `key` is the data set's own key as a JSON list, `content` is public.

    position: in the release. number: in the split, from 0.
    """

    release = models.ForeignKey(Release, models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    number = models.PositiveIntegerField()
    key = models.TextField()
    content = models.JSONField()

    class Meta:
        ordering = ["release_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["release", "key"], name="item_once_per_release"),
            models.UniqueConstraint(fields=["release", "position"], name="item_position_once"),
            models.UniqueConstraint(
                fields=["release", "split", "number"], name="item_number_once_in_split"
            ),
        ]

    @property
    def key_parts(self) -> list[str | int]:
        parts: list[str | int] = json.loads(self.key)
        return parts


class HiddenAnswer(models.Model):
    """The answer to an item, in a table of its own that no public query joins."""

    item = models.OneToOneField(
        Item, models.CASCADE, primary_key=True, related_name="hidden_answer"
    )
    content = models.JSONField()


class SplitSlices(models.Model):
    """Which items of a split each slice is over, by a version of the track.

    masks: a packed row of bits for each name. No public query loads it but to count.
    """

    release = models.ForeignKey(Release, models.CASCADE, related_name="slices")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    version = models.CharField(max_length=20)
    names = models.JSONField()
    items = models.PositiveIntegerField()
    masks = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "split", "version"], name="slices_once_per_version"
            )
        ]


class JudgedAnswer(models.Model):
    """An expert verdict on one answer to an item. A true one is in the hidden answer as well.

    answer: as predictions write it.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="judged_answers")
    answer = models.JSONField()
    is_true = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "answer"], name="answer_judged_once")
        ]
