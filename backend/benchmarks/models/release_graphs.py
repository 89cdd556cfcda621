"""The masked graphs of a release."""

from django.db import models

from backend.accounts.models import User
from backend.benchmarks.models.releases import Release
from backend.graphs.models import Graph, Version


class ReleaseGraph(models.Model):
    """The release's graph without the edges that reveal what one method counts as serendipitous.

    removed_edges: of those that were known at the cut-off of the release, if it has one.
    later_edges, undated_edges: of the release's graph, left out by the cut-off. None without one,
        and in graphs that were made before they were counted.
    included: ids of the questions that hold on it: all existing answers match, no serendipitous
        one does.
    excluded: the others by id: `reason`, and `conflicts`, the questions that they conflict with.
    """

    release = models.ForeignKey(Release, models.CASCADE, related_name="graphs")
    method = models.CharField(max_length=20)
    version = models.OneToOneField(Version, models.PROTECT, related_name="release_graph")
    removed_edges = models.PositiveBigIntegerField()
    later_edges = models.PositiveBigIntegerField(null=True)
    undated_edges = models.PositiveBigIntegerField(null=True)
    included = models.JSONField()
    excluded = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["release_id", "method"]
        constraints = [
            models.UniqueConstraint(fields=["release", "method"], name="release_graph_once")
        ]

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        rows = cls.objects.filter(version=version).select_related("release")
        return [f"the masked graph of release '{one.release.name}'" for one in rows]

    @classmethod
    def visible_graphs(cls, user: User | None) -> models.QuerySet[Graph]:
        """Whoever sees the release sees its masked graphs."""
        releases = Release.objects.visible_to(user)
        return Graph.objects.filter(versions__release_graph__release__in=releases)
