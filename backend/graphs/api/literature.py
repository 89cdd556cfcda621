"""Collections of papers, searches in them, and the papers that name an entity."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.parsers import require_body_size
from backend.common.serializers import shadowing_field, validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.paper_serializers import (
    MAX_PAPERS,
    CollectionListSerializer,
    CollectionSerializer,
    EntityPapersSerializer,
    PaperQuery,
    PaperResultsSerializer,
    PaperSerializer,
)
from backend.graphs.literature.collections import PaperImport
from backend.graphs.literature.cutoff import Cutoff, cutoff_of_number
from backend.graphs.literature.entity_papers import find_papers_naming, names_of
from backend.graphs.literature.import_service import request_paper_import
from backend.graphs.literature.paper_search import search_papers
from backend.graphs.literature.policies import get_collection_or_raise, readable_collections
from backend.graphs.policies import require_importer
from backend.graphs.snapshots.dated_view import MAX_DATE, get_edge_dates
from backend.jobs.api.serializers import JobSerializer
from backend.jobs.api.views import job_payload

MAX_FILES = 1_000


class CollectionListView(APIView):
    permission_classes = [AllowAny]

    @operation("literature_list", CollectionListSerializer)
    def get(self, request: Request) -> Response:
        """Collections of papers by name."""
        chosen = readable_collections(get_actor(request))
        return Response(CollectionListSerializer({"results": chosen}).data)


class CollectionView(APIView):
    permission_classes = [AllowAny]

    @operation("literature_read", CollectionSerializer)
    def get(self, request: Request, collection: str) -> Response:
        chosen = get_collection_or_raise(get_actor(request), collection)
        return Response(CollectionSerializer(chosen).data)


class PaperSearchView(APIView):
    permission_classes = [AllowAny]

    @operation("literature_search", PaperResultsSerializer, 503, parameters=[PaperQuery])
    def get(self, request: Request, collection: str) -> Response:
        """Papers by the words of their titles and abstracts (BM25), best first."""
        chosen = get_collection_or_raise(get_actor(request), collection)
        query = validate(PaperQuery(data=request.query_params))
        results = search_papers(chosen, query["q"], query["limit"], read_cutoff(query))
        ranked = [{**PaperSerializer(it.paper).data, "score": it.score} for it in results.papers]
        body = {"results": ranked, "undated": results.undated}
        return Response({"collection": CollectionSerializer(chosen).data, **body})


def read_cutoff(query: dict[str, Any]) -> Cutoff | None:
    if "until_pmid" in query:
        return Cutoff(pmid=query["until_pmid"])
    return Cutoff(day=query["until_date"]) if "until_date" in query else None


class EntityPapersQuery(serializers.Serializer[Any]):
    first_seen_until = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_DATE,
        help_text="A year, or a PMID, in the unit of the graph's dates; a number up to 9999 is a "
        "year where it has none.",
    )
    limit = serializers.IntegerField(default=10, min_value=1, max_value=MAX_PAPERS)


class EntityPapersView(GraphReadView):
    @operation(
        "graph_entity_papers",
        EntityPapersSerializer,
        503,
        parameters=[EntityPapersQuery, SNAPSHOT_PARAMETER],
    )
    def get(self, request: Request, slug: str, identifier: str) -> Response:
        """Papers that name the entity: by its name or a synonym, as a whole phrase."""
        query = self.validated_query(request, EntityPapersQuery)
        opened = self.get_open_graph(request, slug)
        number = opened.entity_number_or_raise(identifier)
        cutoff = None
        if "first_seen_until" in query:
            dates = get_edge_dates(opened.snapshot)
            cutoff = cutoff_of_number(query["first_seen_until"], dates.unit if dates else None)
        names = names_of(opened.snapshot.entity(number))
        chosen = [
            find_papers_naming(collection, names, query["limit"], cutoff)
            for collection in readable_collections(get_actor(request))
        ]
        body = {"snapshot": opened.version.snapshot, "results": chosen}
        return Response(EntityPapersSerializer(body).data)


class NewPaperImportSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=200)
    licence = OneLineField(max_length=200)
    source = shadowing_field(
        OneLineField(max_length=2_000, required=False, allow_blank=True, default="")
    )
    is_public = serializers.BooleanField(default=False)
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MAX_FILES
    )


class PaperImportsView(APIView):
    parser_classes = [MultiPartParser]

    @operation(
        "literature_imports_create",
        JobSerializer,
        409,
        status=202,
        request={"multipart/form-data": NewPaperImportSerializer},
    )
    def post(self, request: Request) -> Response:
        """Upload files of papers; the job that imports them is read at /jobs."""
        actor = get_actor_or_raise(request)
        require_importer(actor)
        require_body_size(request, settings.LARGEST_GRAPH_UPLOAD)
        fields = validate(NewPaperImportSerializer(data=request.data), is_form=True)
        files = fields.pop("files")
        job = request_paper_import(actor=actor, request=PaperImport(**fields), files=files)
        return Response(job_payload(actor, job), status=HTTPStatus.ACCEPTED)
