"""What is searched: entities, the words that lead to them, and their documents.

All of it can be made again from a version's snapshot. Rows are written by COPY and belong to one
version; `entity` is the entity's number in that snapshot.
"""

from django.db import models
from pgvector.django import HnswIndex, VectorField

from backend.graphs.models.graphs import Version

DIMENSIONS = 256
# A B-tree takes 2,704 bytes; a longer text is cut for search only, the snapshot keeps all of it.
LONGEST_TERM = 200


class Entity(models.Model):
    pk = models.CompositePrimaryKey("version_id", "number")
    version = models.ForeignKey(Version, models.CASCADE, related_name="+", db_index=False)
    number = models.IntegerField()
    identifier = models.TextField()
    name = models.TextField()
    type = models.TextField()
    degree = models.BigIntegerField()


class Term(models.Model):
    """A text that leads to an entity, in its normal form."""

    class Kind(models.IntegerChoices):
        IDENTIFIER = 0
        NAME = 1
        SYNONYM = 2

    version = models.ForeignKey(Version, models.CASCADE, related_name="+", db_index=False)
    entity = models.IntegerField()
    text = models.CharField(max_length=LONGEST_TERM)
    kind = models.SmallIntegerField(choices=Kind.choices)
    boost = models.SmallIntegerField(default=0)

    class Meta:
        indexes = [
            # Exact texts and prefixes alike, whatever the database's collation.
            models.Index(
                fields=["version", "text"],
                name="graphs_term_text",
                opclasses=["int4_ops", "text_pattern_ops"],
            )
        ]


class Document(models.Model):
    """The document of an entity, with the vector by which its meaning is searched."""

    version = models.ForeignKey(Version, models.CASCADE, related_name="+", db_index=False)
    entity = models.IntegerField()
    sections = models.JSONField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    embedding = VectorField(dimensions=DIMENSIONS, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "entity"], name="document_once_per_entity")
        ]
        indexes = [
            HnswIndex(
                fields=["embedding"],
                name="graphs_document_meaning",
                opclasses=["vector_cosine_ops"],
            )
        ]
