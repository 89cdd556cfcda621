import uuid
from decimal import Decimal
from hashlib import sha256
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.accounts.models import User

MAX_URL_LENGTH = 500
MAX_MODEL_LENGTH = 200
MAX_NAME_LENGTH = 120


class EndpointQuerySet(models.QuerySet["Endpoint"]):
    def usable_by(self, user: User) -> Self:
        if not user.is_active:
            return self.none()
        if user.is_administrator:
            return self
        everyone = Q(usable_by=Endpoint.UsableBy.EVERYONE)
        named = Q(usable_by=Endpoint.UsableBy.NAMED, people=user)
        return self.filter(everyone | named).distinct()

    def alike(self, endpoint: "Endpoint") -> Self:
        """Those of its identity."""
        return self.filter(base_url=endpoint.base_url, model=endpoint.model)


class Endpoint(models.Model):
    """A model behind an OpenAI-compatible server. Its address and model do not change, except
    those of a supervised server.

    key_env: the environment variable that has the key; or key_cipher, the key encrypted with a
        secret that is not in the database. Neither: the server needs no key.
    price_in, price_out: US dollars for a million tokens; None is unknown, and refused.
    is_private: an administrator allows that its host has an address of a private network.
    may_publish: answers may be shown to everybody.
    parameters: of the model, where they are known; results state it.
    cache_epoch: of the answers that may be used again; see backend.llm.call_keys. Another one where
        another model is behind the same name.
    capabilities: what the probe found out; see backend.llm.calls.Capabilities.
    """

    class UsableBy(models.TextChoices):
        EVERYONE = "everyone"
        ADMINISTRATORS = "administrators"
        NAMED = "named"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=MAX_NAME_LENGTH, unique=True)
    base_url = models.CharField(max_length=MAX_URL_LENGTH)
    model = models.CharField(max_length=MAX_MODEL_LENGTH)
    key_env = models.CharField(max_length=120, blank=True)
    key_cipher = models.TextField(blank=True)
    price_in = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    price_out = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    max_in_flight = models.PositiveSmallIntegerField(default=32)
    timeout_s = models.PositiveSmallIntegerField(default=120)
    context_tokens = models.PositiveIntegerField(null=True)
    parameters = models.PositiveBigIntegerField(null=True)
    usable_by = models.CharField(
        max_length=14, choices=UsableBy.choices, default=UsableBy.ADMINISTRATORS
    )
    people = models.ManyToManyField(User, related_name="endpoints", blank=True)
    may_publish = models.BooleanField(default=False)
    is_private = models.BooleanField(default=False)
    cache_epoch = models.PositiveIntegerField(default=0)
    capabilities = models.JSONField(default=dict)
    probed_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["Endpoint"]] = EndpointQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(key_env="") | Q(key_cipher=""), name="endpoint_one_key"
            ),
            models.CheckConstraint(
                condition=(Q(price_in=None) | Q(price_in__gte=0))
                & (Q(price_out=None) | Q(price_out__gte=0)),
                name="endpoint_price_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(max_in_flight__gte=1, timeout_s__gte=1), name="endpoint_limits"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def identity(self) -> str:
        """Equal for endpoints whose answers may stand for each other."""
        return sha256(f"{self.base_url}\n{self.model}".encode()).hexdigest()

    @property
    def size_label(self) -> str:
        return describe_size(self.parameters)

    @property
    def model_and_size(self) -> str:
        """As results name what made them."""
        return describe_model(self.model, self.parameters)

    @property
    def has_key(self) -> bool:
        return bool(self.key_env or self.key_cipher)

    @property
    def has_price(self) -> bool:
        return self.price_in is not None and self.price_out is not None

    def cost(self, tokens_in: int, tokens_out: int) -> Decimal:
        """US dollars, exact. Raises ValueError where a price is unknown."""
        if self.price_in is None or self.price_out is None:
            raise ValueError(f"The endpoint {self.name} has no price.")
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1_000_000


def describe_size(parameters: int | None) -> str:
    """'135-million-parameter model'; empty where the size is unknown."""
    if parameters is None:
        return ""
    for unit, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if parameters >= unit:
            return f"{parameters / unit:.3g}-{name}-parameter model"
    return f"{parameters:,}-parameter model"


def describe_model(model: str, parameters: int | None) -> str:
    size = describe_size(parameters)
    return f"{model}, a {size}" if size else model
