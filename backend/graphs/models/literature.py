"""Papers, independent of any graph: entities are found in them by name alone."""

import uuid
from pathlib import Path
from typing import Self

from django.conf import settings
from django.db import models

from backend.accounts.models import User


class CollectionQuerySet(models.QuerySet["Collection"]):
    def ready(self) -> Self:
        """Complete ones; not those that are still being imported."""
        return self.filter(ready_at__isnull=False)


class Collection(models.Model):
    """A named, immutable set of papers. digest: of the papers in their order; source: where they
    come from."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=100, unique=True)
    owner = models.ForeignKey(User, models.PROTECT, null=True, related_name="collections")
    is_public = models.BooleanField(default=False)
    is_demo = models.BooleanField(default=False)
    source = models.CharField(max_length=2000, blank=True)
    licence = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, blank=True)
    papers = models.PositiveIntegerField(default=0)
    undated = models.PositiveIntegerField(default=0)
    synthetic = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(ready_at__isnull=False),
                name="collection_once_per_name",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def folder(self) -> Path:
        """Of the index."""
        return Path(settings.LITERATURE) / str(self.pk)


class Paper(models.Model):
    """number: in the collection, from 0. key: PMID, or `SYN:n` for one that was made up. date:
    '2004', '2004-05' or '2004-05-17', empty if unknown."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=20)
    date = models.CharField(max_length=10, blank=True)
    title = models.TextField(blank=True)
    abstract = models.TextField(blank=True)
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "number"], name="paper_once_per_number"),
            models.UniqueConstraint(fields=["collection", "key"], name="paper_once_per_key"),
        ]

    @property
    def is_made_up(self) -> bool:
        return not self.key.isdecimal()
