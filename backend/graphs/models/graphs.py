"""A graph, its versions, whom it is shared with, and views of it that somebody kept."""

import uuid
from pathlib import Path
from typing import Self

from django.conf import settings
from django.db import models

from backend.accounts.models import User


class GraphQuerySet(models.QuerySet["Graph"]):
    def public(self) -> Self:
        return self.filter(visibility=Graph.Visibility.PUBLIC)


class Graph(models.Model):
    """A knowledge graph: a name, whose it is, who may see it. What is in it is in its versions."""

    class Visibility(models.TextChoices):
        PUBLIC = "public"
        PRIVATE = "private"
        STUDY = "study"

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


class GraphShare(models.Model):
    """A graph that the members of a study may see. This room knows a study's id and no more."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="shares")
    study = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["graph", "study"], name="graph_shared_once_per_study")
        ]
        indexes = [models.Index(fields=["study"])]


class VersionQuerySet(models.QuerySet["Version"]):
    def ready(self) -> Self:
        """What people see. A version that is still being indexed is not among them."""
        return self.filter(ready_at__isnull=False)


class Version(models.Model):
    """One immutable snapshot as a version of a graph.

    `snapshot` is the name of its folder: the content's id, followed by '-' and letters of the
    documents' digest where there are documents. Small ids: millions of rows carry them.
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
    def content(self) -> str:
        """The id of the entities and edges alone."""
        return self.snapshot.partition("-")[0]

    @property
    def folder(self) -> Path:
        return Path(settings.SNAPSHOTS) / self.snapshot


class SavedView(models.Model):
    """A permanent link: what the explorer showed, of exactly one version."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    version = models.ForeignKey(Version, models.PROTECT, related_name="views")
    title = models.CharField(max_length=200)
    state = models.JSONField()
    owner = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
