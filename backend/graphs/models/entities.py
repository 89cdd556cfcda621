"""DocumentVector vectors in the database, by which entities are searched.

They can be rebuilt from the snapshot of a version. `entity` is the number of an entity in that
snapshot. Names are searched in a term index beside the snapshot (backend.graphs.search).
"""

from django.db import models
from pgvector.django import HnswIndex, VectorField

from backend.graphs.models.graphs import Version

EMBEDDING_DIMENSIONS = 256


class DocumentEmbedder(models.Model):
    """The embedder of one version's document vectors, and its learned parameters."""

    version = models.OneToOneField(Version, models.CASCADE, primary_key=True, related_name="+")
    embedder = models.CharField(max_length=100)
    parameters = models.BinaryField()
    documents = models.IntegerField()


class DocumentVector(models.Model):
    """The vector of an entity's document; the text is in the snapshot."""

    version = models.ForeignKey(Version, models.CASCADE, related_name="+", db_index=False)
    entity = models.IntegerField()
    embedding = VectorField(dimensions=EMBEDDING_DIMENSIONS)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version", "entity"], name="document_vector_once_per_entity"
            )
        ]
        indexes = [
            HnswIndex(
                fields=["embedding"],
                name="graphs_document_vector",
                opclasses=["vector_cosine_ops"],
            )
        ]
