"""What was requested and answered: exchanges, their calls, texts by digest, and the cache."""

import uuid
from decimal import Decimal

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q, Value
from django.db.models.functions import Length

from backend.llm.calls import JsonMode, Outcome
from backend.llm.models.budgets import Budget, money_field
from backend.llm.models.endpoints import MAX_MODEL_LENGTH, Endpoint

OUTCOMES = [(one.value, one.value) for one in Outcome]
# Items as 'dev:9', 'dev:10', 'test:0'.
ITEM_ORDER = (
    Func(F("item_key"), Value(":"), Value(1), function="split_part"),
    Length("item_key"),
    F("item_key"),
)
JSON_MODES = [(one.value, one.value) for one in JsonMode]


class StoredText(models.Model):
    """The bytes of a prompt or an answer, as they were sent; digest: their SHA-256."""

    digest = models.CharField(max_length=64, primary_key=True)
    content = models.BinaryField()


class ExchangeQuerySet(models.QuerySet["Exchange"]):
    def last_ends(self) -> "ExchangeQuerySet":
        """Of each item in a budget the last one: those before it are of a model or a context that
        the endpoint has no more."""
        same = Exchange.objects.filter(budget=OuterRef("budget"), item_key=OuterRef("item_key"))
        is_later = Q(ended_at__gt=OuterRef("ended_at")) | Q(
            ended_at=OuterRef("ended_at"), pk__gt=OuterRef("pk")
        )
        return self.filter(~Exists(same.filter(is_later)))


class Exchange(models.Model):
    """How the request of an item ended, once for each budget: a resumed run makes no further call
    for it.

    key: of the request; items with equal requests share it, and the calls of the first.
    lasting_key: see `call_keys`; "" in rows of before it was stored.
    text: digest of the answer. is_cached: the answer is that of an equal request, of this budget or
        another. cost: of the item's own calls. is_retried: see ModelAnswer.
    """

    budget = models.ForeignKey(Budget, models.CASCADE, related_name="exchanges")
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="exchanges")
    key = models.CharField(max_length=64)
    lasting_key = models.CharField(max_length=64, blank=True)
    item_key = models.CharField(max_length=200)
    prompt_name = models.CharField(max_length=120)
    prompt_version = models.CharField(max_length=40)
    outcome = models.CharField(max_length=14, choices=OUTCOMES)
    json_mode = models.CharField(max_length=6, choices=JSON_MODES, blank=True)
    text = models.CharField(max_length=64, blank=True)
    model_returned = models.CharField(max_length=MAX_MODEL_LENGTH, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    flags = ArrayField(models.CharField(max_length=14), default=list)
    logprobs = models.JSONField(null=True)
    calls = models.PositiveSmallIntegerField(default=0)
    is_cached = models.BooleanField(default=False)
    is_retried = models.BooleanField(default=False)
    cost = money_field(default=Decimal(0))
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    latency_ms = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(auto_now_add=True)

    objects = ExchangeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["budget", "key", "item_key"], name="exchange_once_for_each_item"
            )
        ]
        indexes = [
            models.Index("budget", *ITEM_ORDER, name="exchanges_in_order"),
            models.Index(fields=["budget", "lasting_key"], name="exchanges_by_lasting_key"),
        ]


class Call(models.Model):
    """One HTTP request: the ledger. It is committed before the request is sent.

    key: of the exchange. number: from 1 in the exchange. process: the one that waits for the
    answer; its advisory lock is free once it has died. prompt, text: digests of StoredText.
    reported_in, reported_out: tokens as the endpoint counts them, own_in, own_out by us, with the
    hidden ones that it states; cost is by the endpoint's, or by the larger where they are flagged.
    reserved: the worst case.
    """

    class State(models.TextChoices):
        RESERVED = "reserved"
        SETTLED = "settled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    budget = models.ForeignKey(Budget, models.CASCADE, related_name="calls")
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="calls")
    key = models.CharField(max_length=64)
    item_key = models.CharField(max_length=200)
    prompt_name = models.CharField(max_length=120)
    prompt_version = models.CharField(max_length=40)
    number = models.PositiveSmallIntegerField()
    is_repair = models.BooleanField(default=False)
    json_mode = models.CharField(max_length=6, choices=JSON_MODES, blank=True)
    process = models.UUIDField()
    prompt = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State.choices, default=State.RESERVED)
    reserved = money_field()
    outcome = models.CharField(max_length=14, choices=OUTCOMES, blank=True)
    status = models.PositiveSmallIntegerField(null=True)
    text = models.CharField(max_length=64, blank=True)
    model_returned = models.CharField(max_length=MAX_MODEL_LENGTH, blank=True)
    reported_in = models.PositiveIntegerField(null=True)
    reported_out = models.PositiveIntegerField(null=True)
    own_in = models.PositiveIntegerField(default=0)
    own_out = models.PositiveIntegerField(default=0)
    cost = money_field(default=Decimal(0))
    latency_ms = models.PositiveIntegerField(default=0)
    flags = ArrayField(models.CharField(max_length=14), default=list)
    reason = models.CharField(max_length=300, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["budget", "key"],
                name="call_one_at_a_time",
                condition=Q(state="reserved"),
            )
        ]
        indexes = [
            models.Index(fields=["budget", "key"], name="calls_of_exchange"),
            models.Index(fields=["endpoint", "-started_at"], name="calls_of_endpoint"),
            models.Index(fields=["process"], name="calls_open", condition=Q(state="reserved")),
        ]


class CachedAnswer(models.Model):
    """An answer that any budget may use again. text: digest."""

    key = models.CharField(max_length=64, primary_key=True)
    text = models.CharField(max_length=64)
    json_mode = models.CharField(max_length=6, choices=JSON_MODES, blank=True)
    model_returned = models.CharField(max_length=MAX_MODEL_LENGTH, blank=True)
    flags = ArrayField(models.CharField(max_length=14), default=list)
    logprobs = models.JSONField(null=True)
    is_retried = models.BooleanField(default=False)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
