"""Webhooks: addresses that learn of events in a study, and each delivery to them."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from backend.studies.models.studies import Study

MAX_ADDRESS_LENGTH = 500
MAX_HOST_LENGTH = 260
MAX_ERROR_LENGTH = 200


class WebhookHost(models.Model):
    """A host, with its port unless it is the default one, that administrators allow."""

    host = models.CharField(max_length=MAX_HOST_LENGTH, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)


class Webhook(models.Model):
    """Its secret is not stored: it is computed from the id and SECRET_KEY."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=MAX_ADDRESS_LENGTH)
    events = ArrayField(models.CharField(max_length=40))
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)


class WebhookDelivery(models.Model):
    """One event for one webhook; written in the transaction of the event, sent after its commit.

    key: of events that happen once. body: the exact bytes that are signed. due_at: when the next
    attempt may start; an attempt first moves it by its lease, so that no other worker starts one.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    key = models.CharField(max_length=100, blank=True)
    body = models.TextField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    error = models.CharField(max_length=MAX_ERROR_LENGTH, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "key"], name="webhook_event_once", condition=~Q(key="")
            )
        ]
        indexes = [
            models.Index(fields=["webhook", "-created_at"], name="deliveries_of_webhook"),
            models.Index(fields=["due_at"], name="deliveries_due", condition=Q(state="waiting")),
        ]
