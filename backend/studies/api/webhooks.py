"""Webhooks of a study with the log of their deliveries, and the hosts that they may have."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.studies.models import WebhookHost
from backend.studies.models.webhooks import MAX_ADDRESS_LENGTH, MAX_HOST_LENGTH
from backend.studies.webhooks import services
from backend.studies.webhooks.events import EVENTS
from backend.studies.webhooks.services import ShownDelivery, ShownWebhook, StudyWebhooks

DeliverySerializer = serializer_of(ShownDelivery, "WebhookDelivery")
WebhookSerializer = serializer_of(ShownWebhook, "Webhook", deliveries=DeliverySerializer(many=True))
StudyWebhooksSerializer = serializer_of(StudyWebhooks, webhooks=WebhookSerializer(many=True))


class NewWebhookSerializer(serializers.Serializer[Any]):
    address = serializers.CharField(max_length=MAX_ADDRESS_LENGTH)
    events = serializers.ListField(
        child=serializers.ChoiceField(EVENTS), min_length=1, max_length=len(EVENTS)
    )


class AddedWebhookSerializer(serializers.Serializer[Any]):
    webhook = WebhookSerializer()
    secret = serializers.CharField(help_text="It is shown this once.")


class WebhookHostSerializer(serializers.Serializer[WebhookHost]):
    id = serializers.IntegerField(read_only=True)
    host = serializers.CharField(max_length=MAX_HOST_LENGTH)


class WebhookHostsSerializer(serializers.Serializer[Any]):
    results = WebhookHostSerializer(many=True)


class StudyWebhooksView(APIView):
    @operation("study_webhooks", StudyWebhooksSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        shown = services.list_webhooks(actor=get_actor_or_raise(request), study_id=study_id)
        return Response(StudyWebhooksSerializer(shown).data)

    @operation(
        "add_webhook", AddedWebhookSerializer, 403, 409, status=201, request=NewWebhookSerializer
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        fields = validate(NewWebhookSerializer(data=request.data))
        actor = get_actor_or_raise(request)
        webhook, secret = services.add_webhook(actor=actor, study_id=study_id, **fields)
        shown = AddedWebhookSerializer({"webhook": webhook, "secret": secret})
        return Response(shown.data, status=201)


class WebhookView(APIView):
    @operation("remove_webhook", None, 403, status=204)
    def delete(self, request: Request, webhook_id: uuid.UUID) -> Response:
        services.remove_webhook(actor=get_actor_or_raise(request), webhook_id=webhook_id)
        return Response(status=204)


class WebhookTestView(APIView):
    @operation("test_webhook", None, 403, status=204, request=None)
    def post(self, request: Request, webhook_id: uuid.UUID) -> Response:
        """Queue a delivery without an event."""
        services.send_test(actor=get_actor_or_raise(request), webhook_id=webhook_id)
        return Response(status=204)


class RepeatedDeliveryView(APIView):
    @operation("repeat_webhook_delivery", None, 403, 409, status=204, request=None)
    def post(self, request: Request, delivery_id: uuid.UUID) -> Response:
        """Send an ended delivery again, with the same id and body."""
        services.send_again(actor=get_actor_or_raise(request), delivery_id=delivery_id)
        return Response(status=204)


class WebhookHostsView(APIView):
    @operation("webhook_hosts", WebhookHostsSerializer, 403)
    def get(self, request: Request) -> Response:
        rows = services.list_hosts(actor=get_actor_or_raise(request))
        return Response(WebhookHostsSerializer({"results": rows}).data)

    @operation(
        "allow_webhook_host", WebhookHostSerializer, 403, status=201, request=WebhookHostSerializer
    )
    def post(self, request: Request) -> Response:
        fields = validate(WebhookHostSerializer(data=request.data))
        row = services.allow_host(actor=get_actor_or_raise(request), **fields)
        return Response(WebhookHostSerializer(row).data, status=201)


class WebhookHostView(APIView):
    @operation("refuse_webhook_host", None, 403, status=204)
    def delete(self, request: Request, host_id: int) -> Response:
        services.refuse_host(actor=get_actor_or_raise(request), host_id=host_id)
        return Response(status=204)
