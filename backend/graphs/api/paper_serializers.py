"""Papers in responses of the API."""

from typing import Any

from rest_framework import serializers

from backend.graphs.literature.entity_papers import NamingPapers
from backend.graphs.literature.paper_records import MAX_PMID
from backend.graphs.models import Collection, Paper

PUBMED_PAGE = "https://pubmed.ncbi.nlm.nih.gov/{}/"
MAX_QUERY_LENGTH = 2_000
MAX_PAPERS = 100


class CollectionSerializer(serializers.ModelSerializer[Collection]):
    """papers, undated, synthetic: how many there are of each."""

    class Meta:
        model = Collection
        fields = [
            "slug",
            "name",
            "source",
            "licence",
            "digest",
            "papers",
            "undated",
            "synthetic",
            "is_public",
            "is_demo",
            "created_at",
        ]
        read_only_fields = fields


class CollectionListSerializer(serializers.Serializer[Any]):
    results = CollectionSerializer(many=True)


class PaperSerializer(serializers.Serializer[Paper]):
    id = serializers.CharField(source="key", help_text="PMID, or SYN:n for a paper made up.")
    is_synthetic = serializers.BooleanField(source="is_made_up")
    url = serializers.SerializerMethodField(help_text="Its page at PubMed; null if made up.")
    date = serializers.CharField(
        allow_blank=True, help_text="2004, 2004-05 or 2004-05-17; empty if unknown."
    )
    title = serializers.CharField(allow_blank=True)
    abstract = serializers.CharField(allow_blank=True)
    note = serializers.CharField(
        allow_blank=True, help_text="What readers must know of the text, such as who wrote it."
    )

    def get_url(self, paper: Paper) -> str | None:
        return None if paper.is_made_up else PUBMED_PAGE.format(paper.key)


class RankedPaperSerializer(PaperSerializer):
    score = serializers.FloatField()


class CutoffQuery(serializers.Serializer[Any]):
    until_pmid = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_PMID,
        help_text="Only papers up to this PMID; those without one are left out and counted.",
    )
    until_date = serializers.DateField(
        required=False,
        help_text="Only papers up to this day; those without a date are left out and counted.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs.keys() & {"until_pmid", "until_date"}) == 2:
            message = "Give a PMID or a date, not both."
            raise serializers.ValidationError({"until_date": message})
        return attrs


class PaperQuery(CutoffQuery):
    q = serializers.CharField(max_length=MAX_QUERY_LENGTH)
    limit = serializers.IntegerField(default=20, min_value=1, max_value=MAX_PAPERS)


class PaperResultsSerializer(serializers.Serializer[Any]):
    collection = CollectionSerializer()
    results = RankedPaperSerializer(many=True)
    undated = serializers.IntegerField(
        help_text="Papers with a word of the query that the cut-off leaves out as undated."
    )


class NamingPapersSerializer(serializers.Serializer[NamingPapers]):
    collection = CollectionSerializer()
    papers = PaperSerializer(many=True)
    count = serializers.IntegerField(help_text="At least so many where is_complete is false.")
    undated = serializers.IntegerField(
        help_text="Papers that name it and that the cut-off leaves out as undated."
    )
    is_complete = serializers.BooleanField(help_text="Whether all candidates were read.")


class EntityPapersSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    results = NamingPapersSerializer(many=True, help_text="Of each collection, by name.")
