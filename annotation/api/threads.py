"""Threads about questions: of an expert, and of the coordinators of a study."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.models import MAX_MESSAGE
from annotation.threads import (
    MessageView,
    ThreadView,
    answer_thread,
    get_thread_or_raise,
    list_own_threads,
    list_study_threads,
    mark_read,
    resolve_thread,
)
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.studies.policies import get_coordinated_study_or_raise

ThreadSerializer = serializer_of(
    ThreadView, "Thread", messages=serializer_of(MessageView, "ThreadMessage")(many=True)
)


class ThreadsSerializer(serializers.Serializer[Any]):
    results = ThreadSerializer(many=True)


class NewMessageSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="Made by the client; a known id adds nothing.")
    text = serializers.CharField(max_length=MAX_MESSAGE)


class ThreadChangeSerializer(serializers.Serializer[Any]):
    is_resolved = serializers.BooleanField()


class OwnThreadsView(APIView):
    @operation("my_threads", ThreadsSerializer)
    def get(self, request: Request) -> Response:
        """The expert's own threads; new messages are sent with the activity."""
        rows = list_own_threads(get_actor_or_raise(request))
        return Response(ThreadsSerializer({"results": rows}).data)


class StudyThreadsView(APIView):
    @operation("study_threads", ThreadsSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        reader = get_actor_or_raise(request)
        study = get_coordinated_study_or_raise(reader, study_id)
        rows = list_study_threads(study, reader)
        return Response(ThreadsSerializer({"results": rows}).data)


class ThreadStateView(APIView):
    @operation("resolve_thread", None, 403, status=204, request=ThreadChangeSerializer)
    def patch(self, request: Request, thread_id: int) -> Response:
        body = validate(ThreadChangeSerializer(data=request.data))
        resolve_thread(actor=get_actor_or_raise(request), thread_id=thread_id, **body)
        return Response(status=204)


class ThreadMessagesView(APIView):
    @operation("answer_thread", None, 403, status=204, request=NewMessageSerializer)
    def post(self, request: Request, thread_id: int) -> Response:
        """A coordinator's message to the expert."""
        body = validate(NewMessageSerializer(data=request.data))
        user = get_actor_or_raise(request)
        answer_thread(actor=user, thread_id=thread_id, key=body["id"], text=body["text"])
        return Response(status=204)


class ThreadReadingView(APIView):
    @operation("read_thread", None, status=204, request=None)
    def post(self, request: Request, thread_id: int) -> Response:
        """All messages so far are read."""
        user = get_actor_or_raise(request)
        mark_read(user, get_thread_or_raise(user, thread_id))
        return Response(status=204)
