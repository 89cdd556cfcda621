import uuid
from pathlib import Path
from typing import Self

from django.conf import settings
from django.db import models

from backend.accounts.models import User
from backend.studies.models import Study


class GraphQuerySet(models.QuerySet["Graph"]):
    def public(self) -> Self:
        return self.filter(visibility=Graph.Visibility.PUBLIC)

    def open_by_address(self) -> Self:
        return self.filter(visibility__in=OPEN_BY_ADDRESS)


class Graph(models.Model):
    """A knowledge graph: name, owner, visibility, metadata. Its content is in its versions."""

    class Visibility(models.TextChoices):
        """UNLISTED: like PUBLIC for who knows the address; in no list."""

        PUBLIC = "public"
        PRIVATE = "private"
        STUDY = "study"
        UNLISTED = "unlisted"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    slug = models.SlugField(max_length=100, unique=True)
    owner = models.ForeignKey(User, models.PROTECT, null=True, related_name="graphs")
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=200, blank=True)
    citation = models.TextField(blank=True)
    source_url = models.CharField(max_length=2000, blank=True)
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GraphQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


OPEN_BY_ADDRESS = (Graph.Visibility.PUBLIC, Graph.Visibility.UNLISTED)


class GraphShare(models.Model):
    """A graph that the members of a study may see."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="shares")
    study = models.ForeignKey(Study, models.CASCADE, related_name="shared_graphs")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["graph", "study"], name="graph_shared_once_per_study")
        ]


class VersionQuerySet(models.QuerySet["Version"]):
    def ready(self) -> Self:
        """Published versions; not those that are still being indexed."""
        return self.filter(ready_at__isnull=False)


class Version(models.Model):
    """One immutable snapshot as a version of a graph.

    `snapshot` is the name of its folder: the content id, followed by '-' and the start of the
    documents' digest if there are documents. The primary key is small: many rows refer to it.

    is_masked: it was made of another version, without some of its edges. masked_from: that version,
    where the entities have the same numbers in both.
    """

    id = models.AutoField(primary_key=True)
    graph = models.ForeignKey(Graph, models.CASCADE, related_name="versions")
    snapshot = models.CharField(max_length=200)
    number = models.PositiveIntegerField()
    entities = models.BigIntegerField()
    edges = models.BigIntegerField()
    types = models.JSONField(default=dict)
    relations = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    ready_at = models.DateTimeField(null=True)
    is_masked = models.BooleanField(default=False)
    masked_from = models.ForeignKey("self", models.PROTECT, null=True, related_name="masked")

    objects = VersionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["graph", "snapshot"], name="graph_version_once_per_snapshot"
            ),
            models.UniqueConstraint(
                fields=["graph", "number"], name="graph_version_once_per_number"
            ),
        ]
        indexes = [models.Index(fields=["snapshot"])]

    def __str__(self) -> str:
        return f"{self.graph_id} {self.number}"

    @property
    def content_id(self) -> str:
        """The id of the entities and edges, without the documents."""
        return self.snapshot.partition("-")[0]

    @property
    def folder(self) -> Path:
        return Path(settings.SNAPSHOTS) / self.snapshot

    @property
    def documents_version_id(self) -> int:
        """The version whose document vectors are those of this one."""
        return self.masked_from_id or self.id

    @classmethod
    def describe_references(cls, version: "Version") -> list[str]:
        graphs = cls.objects.filter(masked_from=version).values_list("graph__name", flat=True)
        return [f"the masked graph '{name}'" for name in graphs]


class StudyGraph(models.Model):
    """The version that shows evidence to a study's experts; it cannot be removed meanwhile."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="graph_link")
    version = models.ForeignKey(Version, models.PROTECT, related_name="study_links")

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        names = cls.objects.filter(version=version).values_list("study__name", flat=True)
        return [f"the study '{name}'" for name in names]


class SavedView(models.Model):
    """A permanent link to a state of the explorer on one version."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    version = models.ForeignKey(Version, models.PROTECT, related_name="views")
    title = models.CharField(max_length=200)
    state = models.JSONField()
    owner = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        count = cls.objects.filter(version=version).count()
        return [f"{count} saved view{'s' if count > 1 else ''}"] if count else []
