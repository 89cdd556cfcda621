from typing import Any

from rest_framework import serializers

from backend.accounts.models import User
from backend.common.fields import OneLineField
from backend.llm.calls import Outcome
from backend.llm.endpoints import LIMITS
from backend.llm.models import Call, Endpoint
from backend.llm.models.endpoints import MAX_MODEL_LENGTH, MAX_NAME_LENGTH, MAX_URL_LENGTH
from backend.llm.spending import LEAST_DAYS, MOST_DAYS

MAX_PEOPLE = 200


class CapabilitiesSerializer(serializers.Serializer[Any]):
    """What the probe found out; null where a check could not be made."""

    schema_output = serializers.BooleanField(allow_null=True, default=None)
    object_output = serializers.BooleanField(allow_null=True, default=None)
    tool_calls = serializers.BooleanField(allow_null=True, default=None)
    logprobs = serializers.BooleanField(allow_null=True, default=None)
    repeats = serializers.BooleanField(allow_null=True, default=None)
    counts_tokens = serializers.BooleanField(allow_null=True, default=None)
    token_ratio = serializers.FloatField(allow_null=True, default=None)
    model_returned = serializers.CharField(default="")
    notes = serializers.DictField(child=serializers.CharField(), default=dict)


class UsableEndpointSerializer(serializers.Serializer[Endpoint]):
    """What everybody who may use an endpoint sees. Prices: US dollars for a million tokens."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    model = serializers.CharField()
    price_in = serializers.DecimalField(max_digits=12, decimal_places=6, allow_null=True)
    price_out = serializers.DecimalField(max_digits=12, decimal_places=6, allow_null=True)
    context_tokens = serializers.IntegerField(allow_null=True)
    parameters = serializers.IntegerField(allow_null=True)
    size_label = serializers.CharField(allow_blank=True)
    may_publish = serializers.BooleanField()
    capabilities = CapabilitiesSerializer()
    probed_at = serializers.DateTimeField(allow_null=True)


class EndpointSettingsSerializer(serializers.Serializer[Endpoint]):
    """For administrators. key_env: the name of a variable; the key itself is in no answer."""

    base_url = serializers.CharField()
    key_env = serializers.CharField(allow_blank=True)
    has_key = serializers.BooleanField()
    max_in_flight = serializers.IntegerField()
    timeout_s = serializers.IntegerField()
    cache_epoch = serializers.IntegerField()
    usable_by = serializers.ChoiceField(Endpoint.UsableBy.choices)
    people = serializers.SerializerMethodField()
    is_private = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(allow_null=True)

    def get_people(self, endpoint: Endpoint) -> list[str]:
        return [person.email for person in endpoint.people.all()]


class EndpointSerializer(UsableEndpointSerializer):
    """settings: for administrators; null for others."""

    settings = EndpointSettingsSerializer(source="*", allow_null=True)


class EndpointFilterSerializer(serializers.Serializer[Any]):
    retired = serializers.BooleanField(
        required=False, default=False, help_text="With those that are retired, for administrators."
    )


class EndpointListSerializer(serializers.Serializer[Any]):
    results = EndpointSerializer(many=True)


class CallSerializer(serializers.Serializer[Call]):
    """A row of the ledger; prompts and answers are with the runs that they belong to.

    subject: of the budget that pays, `run:ID` or `probe:ENDPOINT:ID`. reported, own: tokens in and
    out, as the endpoint and as Serendib counts them. reserved: the worst case. Money: US dollars.
    """

    id = serializers.UUIDField()
    subject = serializers.CharField(source="budget.subject")
    item_key = serializers.CharField(allow_blank=True)
    prompt_name = serializers.CharField()
    prompt_version = serializers.CharField()
    number = serializers.IntegerField()
    is_repair = serializers.BooleanField()
    json_mode = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(Call.State.choices)
    outcome = serializers.ChoiceField([one.value for one in Outcome], allow_blank=True)
    status = serializers.IntegerField(allow_null=True)
    model_returned = serializers.CharField(allow_blank=True)
    reported_in = serializers.IntegerField(allow_null=True)
    reported_out = serializers.IntegerField(allow_null=True)
    own_in = serializers.IntegerField()
    own_out = serializers.IntegerField()
    reserved = serializers.DecimalField(max_digits=24, decimal_places=12)
    cost = serializers.DecimalField(max_digits=24, decimal_places=12)
    latency_ms = serializers.IntegerField()
    flags = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(allow_blank=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


def endpoint_payload(user: User, endpoint: Endpoint) -> dict[str, Any]:
    payload = dict(EndpointSerializer(endpoint).data)
    if not user.is_administrator:
        payload["settings"] = None
    return payload


def limit_field(name: str, **options: Any) -> serializers.IntegerField:
    least, most = LIMITS[name]
    return serializers.IntegerField(min_value=least, max_value=most, required=False, **options)


def price_field() -> serializers.DecimalField:
    return serializers.DecimalField(
        max_digits=12,
        decimal_places=6,
        min_value=0,
        max_value=100_000,
        allow_null=True,
        required=False,
    )


class EndpointChangesSerializer(serializers.Serializer[Any]):
    """key: write-only; key_env and key exclude each other. people: e-mail addresses."""

    key_env = serializers.CharField(max_length=120, allow_blank=True, required=False)
    key = serializers.CharField(
        max_length=4096, allow_blank=True, required=False, write_only=True, trim_whitespace=False
    )
    price_in = price_field()
    price_out = price_field()
    max_in_flight = limit_field("max_in_flight")
    timeout_s = limit_field("timeout_s")
    context_tokens = limit_field("context_tokens", allow_null=True)
    parameters = limit_field("parameters", allow_null=True)
    cache_epoch = limit_field("cache_epoch")
    usable_by = serializers.ChoiceField(Endpoint.UsableBy.choices, required=False)
    people = serializers.ListField(
        child=serializers.EmailField(max_length=254), max_length=MAX_PEOPLE, required=False
    )
    may_publish = serializers.BooleanField(required=False)
    is_private = serializers.BooleanField(required=False)


class NewEndpointSerializer(EndpointChangesSerializer):
    name = OneLineField(max_length=MAX_NAME_LENGTH)
    base_url = serializers.CharField(max_length=MAX_URL_LENGTH)
    model = OneLineField(max_length=MAX_MODEL_LENGTH)


class SpendingFilterSerializer(serializers.Serializer[Any]):
    days = serializers.IntegerField(
        min_value=LEAST_DAYS,
        max_value=MOST_DAYS,
        required=False,
        default=90,
        help_text="Of calls that began within so many days.",
    )


class SpenderSerializer(serializers.Serializer[Any]):
    email = serializers.CharField()
    name = serializers.CharField(allow_blank=True)


class SpendingEndpointSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class SpendingSerializer(serializers.Serializer[Any]):
    """person: null for commands. unknown_cost: the part of cost that is a worst case."""

    person = SpenderSerializer(allow_null=True)
    endpoint = SpendingEndpointSerializer()
    model = serializers.CharField()
    calls = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.CharField()
    unknown_cost = serializers.CharField()
    last_call_at = serializers.DateTimeField()


class SpendingListSerializer(serializers.Serializer[Any]):
    results = SpendingSerializer(many=True)
