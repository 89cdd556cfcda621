"""Tools of programs on a release's graph: sessions, calls, and the log of calls.

A token of either scope is enough to open sessions and call tools: a session writes only its own
log. No token shares one.
"""

import uuid
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.token_authentication import ANY_TOKEN_OR_SESSION
from backend.benchmarks.policies import get_release_or_raise
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.common.pagination import CreatedAtCursorPagination
from backend.common.serializers import validate
from backend.evaluation.api.tool_serializers import (
    NewToolCallSerializer,
    NewToolSessionSerializer,
    SessionSharingSerializer,
    ToolCallResultSerializer,
    ToolCallSerializer,
    ToolListSerializer,
    ToolSessionSerializer,
    ToolWalkSerializer,
)
from backend.evaluation.models import ToolCall, ToolSession
from backend.evaluation.tool_calls import call_tool
from backend.evaluation.tool_sessions import (
    close_session,
    get_session_or_raise,
    list_methods,
    list_own_sessions,
    open_session,
    share_session,
)
from backend.evaluation.tool_walk import read_walk
from backend.evaluation.tools.registry import load_tools


def session_payload(request: Request, session: ToolSession) -> dict[str, Any]:
    context = {"user": get_actor(request)}
    return dict(ToolSessionSerializer(session, context=context).data)


class ReleaseTools(APIView):
    authentication_classes = ANY_TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("releases_tools", ToolListSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The tools, with the JSON schemas of their arguments and results."""
        release = get_release_or_raise(get_actor(request), slug)
        tools = [
            {
                "name": one.name,
                "description": one.description,
                "arguments": one.argument_schema(),
                "result": one.result_schema(),
            }
            for one in load_tools().values()
        ]
        payload = {
            "methods": list_methods(release),
            "calls_per_session": settings.TOOL_CALLS_PER_SESSION,
            "calls_per_day": settings.TOOL_CALLS_PER_DAY,
            "tools": tools,
        }
        return Response(ToolListSerializer(payload).data)


class ReleaseToolSessions(APIView):
    authentication_classes = ANY_TOKEN_OR_SESSION

    @operation(
        "releases_open_tool_session",
        ToolSessionSerializer,
        429,
        status=201,
        request=NewToolSessionSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Open a session on the release's graph; every call of a tool is logged in it."""
        form = validate(NewToolSessionSerializer(data=request.data))
        session = open_session(actor=get_actor_or_raise(request), slug=slug, **form)
        return Response(session_payload(request, session), status=HTTPStatus.CREATED)


class ToolSessions(ListAPIView[ToolSession]):
    authentication_classes = ANY_TOKEN_OR_SESSION
    serializer_class = ToolSessionSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "user": get_actor_or_raise(self.request)}

    def get_queryset(self) -> QuerySet[ToolSession]:
        return list_own_sessions(get_actor_or_raise(self.request))

    @operation("tool_sessions_list", ToolSessionSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your sessions, the latest first."""
        return super().get(request, *args, **kwargs)


class ToolSessionDetail(APIView):
    authentication_classes = ANY_TOKEN_OR_SESSION
    permission_classes = [AllowAny]

    @operation("tool_sessions_read", ToolSessionSerializer)
    def get(self, request: Request, session_id: uuid.UUID) -> Response:
        """A session of yours or of a release that you organise, or one that is shared."""
        session = get_session_or_raise(get_actor(request), session_id)
        return Response(session_payload(request, session))


class ToolSessionClosing(APIView):
    authentication_classes = ANY_TOKEN_OR_SESSION

    @operation("tool_sessions_close", ToolSessionSerializer, request=None)
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        """Take no more calls. Naming the session in a submission closes it as well."""
        session = close_session(actor=get_actor_or_raise(request), session_id=session_id)
        return Response(session_payload(request, session))


class ToolSessionSharing(APIView):
    @operation("tool_sessions_share", ToolSessionSerializer, 409, request=SessionSharingSerializer)
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        """Let everybody who sees the release read the calls, or take that back."""
        form = validate(SessionSharingSerializer(data=request.data))
        session = share_session(actor=get_actor_or_raise(request), session_id=session_id, **form)
        return Response(session_payload(request, session))


class CallPagination(CreatedAtCursorPagination):
    ordering = "number"


class ToolCalls(ListAPIView[ToolCall]):
    authentication_classes = ANY_TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]
    serializer_class = ToolCallSerializer
    pagination_class = CallPagination

    def get_queryset(self) -> QuerySet[ToolCall]:
        actor, session_id = get_actor(self.request), self.kwargs["session_id"]
        return get_session_or_raise(actor, session_id).call_rows.defer("result")

    @operation("tool_calls_list", ToolCallSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The calls in their order, without their results."""
        return super().get(request, *args, **kwargs)

    @operation(
        "tool_calls_create", ToolCallResultSerializer, 409, 429, request=NewToolCallSerializer
    )
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        """Call a tool. Errors of the tool are logged as well."""
        form = validate(NewToolCallSerializer(data=request.data))
        done = call_tool(actor=get_actor_or_raise(request), session_id=session_id, **form)
        payload = {**ToolCallSerializer(done.call).data, "result": done.result}
        return Response(payload)


class ToolSessionWalk(APIView):
    authentication_classes = ANY_TOKEN_OR_SESSION
    permission_classes = [AllowAny]

    @operation("tool_sessions_walk", ToolWalkSerializer)
    def get(self, request: Request, session_id: uuid.UUID) -> Response:
        """The first calls as steps: what each offered, and what later calls chose of it."""
        session = get_session_or_raise(get_actor(request), session_id)
        return Response(ToolWalkSerializer(read_walk(session)).data)


class ToolCallDetail(APIView):
    authentication_classes = ANY_TOKEN_OR_SESSION
    permission_classes = [AllowAny]

    @operation("tool_calls_read", ToolCallResultSerializer)
    def get(self, request: Request, session_id: uuid.UUID, number: int) -> Response:
        """One call with its result."""
        session = get_session_or_raise(get_actor(request), session_id)
        call = session.call_rows.filter(number=min(number, session.calls)).first()
        if call is None or call.number != number:
            raise NotFound("This session has no call of this number.")
        return Response(ToolCallResultSerializer(call).data)
