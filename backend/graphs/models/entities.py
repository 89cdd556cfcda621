"""What is searched in the database: entities, and their documents by meaning.

The words that lead to entities lie beside the snapshot (backend.graphs.search.lexicon).

All of it can be made again from a version's snapshot. Rows are written by COPY and belong to one
version; `entity` is the entity's number in that snapshot.
"""

from django.db import models
from pgvector.django import HnswIndex, VectorField

from backend.graphs.models.graphs import Version

DIMENSIONS = 256


class Entity(models.Model):
    pk = models.CompositePrimaryKey("version_id", "number")
    version = models.ForeignKey(Version, models.CASCADE, related_name="+", db_index=False)
    number = models.IntegerField()
    identifier = models.TextField()
    name = models.TextField()
    type = models.TextField()
    degree = models.BigIntegerField()


class Meaning(models.Model):
    """What the vectors of one version's documents were made with, and what it had to learn."""

    version = models.OneToOneField(Version, models.CASCADE, primary_key=True, related_name="+")
    embedder = models.CharField(max_length=100)
    learnt = models.BinaryField()
    documents = models.IntegerField()


class Document(models.Model):
    """The vector by which the document of an entity is found; its text is in the snapshot."""

    version = models.ForeignKey(Version, models.CASCADE, related_name="+", db_index=False)
    entity = models.IntegerField()
    embedding = VectorField(dimensions=DIMENSIONS)

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
