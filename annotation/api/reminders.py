import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.dashboard_serializers import PersonSerializer
from annotation.reminders import Reminder, SentReminders, list_reminders, send_reminders
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate

MAX_EXPERTS = 1000

ReminderSerializer = serializer_of(Reminder, expert=PersonSerializer())
SentRemindersSerializer = serializer_of(SentReminders)


class RemindersSerializer(serializers.Serializer[Any]):
    results = ReminderSerializer(many=True)


class ExpertsSerializer(serializers.Serializer[Any]):
    experts = serializers.ListField(child=serializers.UUIDField(), max_length=MAX_EXPERTS)


class RemindersView(APIView):
    @operation("study_reminders", RemindersSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """What each expert with open questions would be sent now."""
        rows = list_reminders(actor=get_actor_or_raise(request), study_id=study_id)
        return Response(RemindersSerializer({"results": rows}).data)

    @operation("send_reminders", SentRemindersSerializer, 409, request=ExpertsSerializer)
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Remind these experts; who was reminded in the last day is left out."""
        body = validate(ExpertsSerializer(data=request.data))
        sent = send_reminders(
            actor=get_actor_or_raise(request), study_id=study_id, expert_ids=body["experts"]
        )
        return Response(SentRemindersSerializer(sent).data)
