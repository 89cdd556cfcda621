"""Endpoints of language models: administrators write, others list those that they may use."""

import uuid
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.pagination import CreatedAtCursorPagination
from backend.common.serializers import validate
from backend.jobs.api.serializers import JobSerializer
from backend.jobs.api.views import requested_job_response
from backend.jobs.services import request_job
from backend.llm import endpoints
from backend.llm.api.serializers import (
    CallSerializer,
    EndpointChangesSerializer,
    EndpointFilterSerializer,
    EndpointListSerializer,
    EndpointSerializer,
    NewEndpointSerializer,
    endpoint_payload,
)
from backend.llm.job_kinds import probe_request
from backend.llm.models import Call
from backend.llm.policies import (
    get_endpoint_or_raise,
    get_usable_endpoint_or_raise,
    listed_endpoints,
    require_endpoint_administrator,
)


class Endpoints(APIView):
    @operation("endpoints_list", EndpointListSerializer, parameters=[EndpointFilterSerializer])
    def get(self, request: Request) -> Response:
        """The endpoints that you may use, by name; with their settings for administrators."""
        actor = get_actor_or_raise(request)
        chosen = validate(EndpointFilterSerializer(data=request.query_params))
        rows = listed_endpoints(actor, with_retired=chosen["retired"])
        rows = rows.order_by("name").prefetch_related("people")
        return Response({"results": [endpoint_payload(actor, one) for one in rows]})

    @operation(
        "endpoints_create", EndpointSerializer, 409, status=201, request=NewEndpointSerializer
    )
    def post(self, request: Request) -> Response:
        """Add an endpoint. The server is not contacted before it is probed."""
        actor = get_actor_or_raise(request)
        require_endpoint_administrator(actor)
        fields = validate(NewEndpointSerializer(data=request.data))
        endpoint = endpoints.add_endpoint(actor=actor, fields=fields)
        return Response(endpoint_payload(actor, endpoint), status=HTTPStatus.CREATED)


class EndpointDetail(APIView):
    @operation("endpoints_read", EndpointSerializer)
    def get(self, request: Request, endpoint_id: uuid.UUID) -> Response:
        """An endpoint that you may use."""
        actor = get_actor_or_raise(request)
        return Response(endpoint_payload(actor, get_usable_endpoint_or_raise(actor, endpoint_id)))

    @operation("endpoints_change", EndpointSerializer, request=EndpointChangesSerializer)
    def patch(self, request: Request, endpoint_id: uuid.UUID) -> Response:
        """Change prices, limits, the key, or who may use it."""
        actor = get_actor_or_raise(request)
        require_endpoint_administrator(actor)
        changes = validate(EndpointChangesSerializer(data=request.data))
        endpoint = endpoints.change_endpoint(actor=actor, endpoint_id=endpoint_id, changes=changes)
        return Response(endpoint_payload(actor, endpoint))

    @operation("endpoints_retire", None, status=204)
    def delete(self, request: Request, endpoint_id: uuid.UUID) -> Response:
        """Retire an endpoint. Its calls stay in the ledger."""
        endpoints.retire_endpoint(actor=get_actor_or_raise(request), endpoint_id=endpoint_id)
        return Response(status=HTTPStatus.NO_CONTENT)


class EndpointProbe(APIView):
    @operation("endpoints_probe", {200: JobSerializer, 202: JobSerializer}, request=None)
    def post(self, request: Request, endpoint_id: uuid.UUID) -> Response:
        """Find out in six calls what an endpoint can do. Refused while its price is unknown."""
        actor = get_actor_or_raise(request)
        require_endpoint_administrator(actor)
        endpoint = get_usable_endpoint_or_raise(actor, endpoint_id)
        endpoints.require_price(endpoint)
        return requested_job_response(
            actor, request_job(owner=actor, request=probe_request(endpoint))
        )


class CallPagination(CreatedAtCursorPagination):
    ordering = "-started_at"


class EndpointCalls(ListAPIView[Call]):
    serializer_class = CallSerializer
    pagination_class = CallPagination

    def get_queryset(self) -> QuerySet[Call]:
        require_endpoint_administrator(get_actor_or_raise(self.request))
        endpoint = get_endpoint_or_raise(self.kwargs["endpoint_id"])
        return Call.objects.filter(endpoint=endpoint).select_related("budget")

    @operation("endpoints_calls", CallSerializer(many=True), 403)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The ledger of an endpoint, the latest first: calls of runs, ensembles and probes."""
        return super().get(request, *args, **kwargs)
