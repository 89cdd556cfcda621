"""Endpoints as administrators register and change them, and as others see them."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, NotFound
from backend.llm.addresses import check_base_url
from backend.llm.calls import Capabilities
from backend.llm.keys import check_key_env, encrypt_key
from backend.llm.models import Budget, Endpoint
from backend.llm.policies import (
    get_usable_endpoint_or_raise,
    require_endpoint_administrator,
    usable_endpoints,
)
from backend.llm.refusals import CallsRefused
from backend.validation.faults import Fault, printable

UsableBy = Endpoint.UsableBy
MAX_PRICE = Decimal(100_000)
LIMITS = {
    "max_in_flight": (1, 2_000),
    "timeout_s": (1, 3_600),
    "context_tokens": (64, 100_000_000),
    "parameters": (1, 10**18),
    "cache_epoch": (0, 10**9),
}
CHANGEABLE = frozenset(
    {"price_in", "price_out", *LIMITS, "usable_by", "people", "may_publish", "is_private"}
)
NEEDED = {
    "base_url": "address (--url)",
    "model": "model (--model)",
    "price_in": "price of the prompt (--price-in)",
    "price_out": "price of the answer (--price-out)",
}


class PriceUnknown(DomainError):
    code = "price_unknown"

    def __init__(self, endpoint: Endpoint) -> None:
        message = f"The price of {endpoint.name} is unknown. An administrator can set it."
        super().__init__(message, faults=[Fault("endpoint", message, self.code)])


class EndpointChanged(CallsRefused):
    """What held when the calls began has ended: an administrator changed the endpoint."""


@dataclass(frozen=True)
class NewEndpoint:
    """key_env: name of an environment variable; key: encrypted and not stored otherwise."""

    name: str
    base_url: str
    model: str
    key_env: str = ""
    key: str = ""
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    max_in_flight: int = 32
    timeout_s: int = 120
    context_tokens: int | None = None
    parameters: int | None = None
    usable_by: UsableBy = UsableBy.ADMINISTRATORS
    may_publish: bool = False
    is_private: bool = False
    cache_epoch: int = 0

    def __repr__(self) -> str:
        return f"NewEndpoint({self.name!r}, {self.base_url!r}, {self.model!r})"


def get_endpoint_by_name_or_raise(name: str) -> Endpoint:
    endpoint = Endpoint.objects.filter(name=name, retired_at=None).first()
    if endpoint is None:
        missing = f"There is no endpoint '{printable(name)}'."
        raise NotFound(f"{missing} Add it by add_endpoint, or start with MODEL=local.")
    return endpoint


def register_endpoint(*, actor: User | None, new: NewEndpoint) -> Endpoint:
    """actor: None for a command or a supervised server of this machine. Raises Conflict where the
    name is taken, DomainError, EndpointAddressRefused."""
    if actor is not None:
        require_endpoint_administrator(actor)
    base_url = check_base_url(new.base_url, is_private=new.is_private)
    fields = _key_fields(new.key_env, new.key) | {
        name: getattr(new, name) for name in (CHANGEABLE - {"people"})
    }
    check_fields(fields)
    endpoint, is_new = Endpoint.objects.get_or_create(
        name=new.name,
        defaults={"base_url": base_url, "model": new.model, "created_by": actor, **fields},
    )
    if not is_new:
        message = f"An endpoint '{new.name}' exists. Choose another name."
        raise Conflict(message, code="name_taken")
    return endpoint


@transaction.atomic
def set_endpoint(
    *,
    name: str,
    given: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
    may_move: bool = False,
) -> Endpoint:
    """Add the endpoint of this name, or change in it what is given: the rest may have been set by
    an administrator since. For commands.

    given, defaults: members of NewEndpoint; defaults are for a new one alone. may_move: the server
    of this name has another address after each start. Raises Conflict where another address or
    model has the name, DomainError, EndpointAddressRefused.
    """
    endpoint = Endpoint.objects.select_for_update().filter(name=name).first()
    if endpoint is None:
        fields = {**(defaults or {}), **given}
        _require_members(fields)
        try:
            return register_endpoint(actor=None, new=NewEndpoint(name=name, **fields))
        except Conflict:  # another process has added it since
            endpoint = Endpoint.objects.select_for_update().get(name=name)
    fields = _changed_fields(given)
    is_private = fields.get("is_private", endpoint.is_private)
    base_url = check_base_url(given.get("base_url", endpoint.base_url), is_private=is_private)
    address = {"base_url": base_url, "model": given.get("model", endpoint.model)}
    if not may_move and address != {"base_url": endpoint.base_url, "model": endpoint.model}:
        message = f"An endpoint '{name}' has another address or model. Choose another name."
        raise Conflict(message, code="name_taken")
    return _update(endpoint, {**fields, **address, "retired_at": None})


def _require_members(fields: Mapping[str, Any]) -> None:
    """Raises DomainError."""
    faults = [
        Fault(name, f"A new endpoint needs its {words}.", "required")
        for name, words in NEEDED.items()
        if fields.get(name) is None
    ]
    if faults:
        raise DomainError("The endpoint is new, and lacks members.", faults=faults)


@transaction.atomic
def add_endpoint(*, actor: User, fields: Mapping[str, Any]) -> Endpoint:
    """Raises Conflict where the name is taken, DomainError, EndpointAddressRefused."""
    require_endpoint_administrator(actor)
    people = _people_or_raise(fields.get("people", ()))
    given = {name: value for name, value in fields.items() if name != "people"}
    endpoint = register_endpoint(actor=actor, new=NewEndpoint(**given))
    endpoint.people.set(people)
    return endpoint


def _changed_fields(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that change; a key or the name of its variable replaces either. Raises
    DomainError."""
    fields = {name: value for name, value in changes.items() if name in CHANGEABLE - {"people"}}
    if "key" in changes or "key_env" in changes:
        fields |= _key_fields(changes.get("key_env", ""), changes.get("key", ""))
    check_fields(fields)
    return fields


def _key_fields(key_env: str, key: str) -> dict[str, Any]:
    if key_env and key:
        message = "Give the key, or the name of its environment variable, not both."
        raise DomainError(message, faults=[Fault("key", message, "two_keys")])
    if key_env:
        check_key_env(key_env)
    return {"key_env": key_env, "key_cipher": encrypt_key(key) if key else ""}


def check_fields(fields: Mapping[str, Any]) -> None:
    """Raises DomainError with each value that is out of its range."""
    faults = []
    for name in ("price_in", "price_out"):
        price = fields.get(name)
        if price is not None and not (price.is_finite() and 0 <= price <= MAX_PRICE):
            message = f"A price is between 0 and {MAX_PRICE:,} dollars for a million tokens."
            faults.append(Fault(name, message, "price_invalid"))
    for name, (least, most) in LIMITS.items():
        value = fields.get(name)
        if value is not None and not least <= value <= most:
            message = f"This must be between {least:,} and {most:,}."
            faults.append(Fault(name, message, "limit_invalid"))
    if faults:
        raise DomainError("The endpoint cannot be stored.", faults=faults)


@transaction.atomic
def change_endpoint(*, actor: User, endpoint_id: uuid.UUID, changes: Mapping[str, Any]) -> Endpoint:
    """Change prices, limits, who may use it, or its key (`key` or `key_env`).

    Calls that have begun are settled at the price at which they were reserved or less.
    """
    require_endpoint_administrator(actor)
    endpoint = get_usable_endpoint_or_raise(actor, endpoint_id)
    fields = _changed_fields(changes)
    check_base_url(endpoint.base_url, is_private=fields.get("is_private", endpoint.is_private))
    if "people" in changes:
        endpoint.people.set(_people_or_raise(changes["people"]))
    return _update(endpoint, fields)


def _people_or_raise(addresses: Collection[str]) -> list[User]:
    """Raises DomainError with the place of each address that no account has."""
    people = [User.objects.by_email(address) for address in addresses]
    message = "No account has this address. Invite the person first."
    faults = [
        Fault(f"people.{at}", message, "unknown_person")
        for at, person in enumerate(people)
        if person is None
    ]
    if faults:
        raise DomainError("Some people have no account.", code="unknown_person", faults=faults)
    return [person for person in people if person is not None]


def _update(endpoint: Endpoint, fields: Mapping[str, Any]) -> Endpoint:
    for name, value in fields.items():
        setattr(endpoint, name, value)
    endpoint.save()
    return endpoint


def retire_endpoint(*, actor: User, endpoint_id: uuid.UUID) -> None:
    """Nobody can use it any more, and its key is removed; its calls stay in the ledger."""
    require_endpoint_administrator(actor)
    endpoint = get_usable_endpoint_or_raise(actor, endpoint_id)
    name = f"{endpoint.name[:90]} ({endpoint.pk.hex[:8]})"  # free for another
    _update(endpoint, {"name": name, "retired_at": timezone.now(), "key_env": "", "key_cipher": ""})


def require_price(endpoint: Endpoint) -> None:
    if not endpoint.has_price:
        raise PriceUnknown(endpoint)


def require_unchanged(endpoint: Endpoint, budget: Budget) -> None:
    """Raises EndpointChanged where it is retired or has moved, its address is not allowed any more,
    another model is behind its name (`cache_epoch`), it has another price than `endpoint` or than
    the budget's calls had until now, or may not be used by the budget's owner any more. A budget
    without an owner is that of a command, which may use any endpoint."""
    # Before the endpoint is read: one that is retired meanwhile is then stated to be retired.
    may_use = _may_use(endpoint, budget)
    now = Endpoint.objects.filter(pk=endpoint.pk, retired_at=None).first()
    name = endpoint.name
    if now is None:
        message = f"The endpoint {name} is retired. Choose another one for a new run."
        raise EndpointChanged(message, code="endpoint_retired")
    if (now.base_url, now.is_private) != (endpoint.base_url, endpoint.is_private):
        message = f"The address of {name} has changed. Resume to go on with the new one."
        raise EndpointChanged(message, code="endpoint_moved")
    if now.cache_epoch != endpoint.cache_epoch:
        message = f"Another model is behind {name}. Resume to answer all items with it."
        raise EndpointChanged(message, code="model_changed")
    is_old_price = _remember_price(now, budget.pk)
    if not is_old_price or (now.price_in, now.price_out) != (endpoint.price_in, endpoint.price_out):
        message = f"The price of {name} has changed. Check the budget before you go on."
        raise EndpointChanged(message, code="price_changed")
    if not may_use:
        message = f"You may not use {name} any more. Ask an administrator, or choose another."
        raise EndpointChanged(message, code="endpoint_not_allowed")


def _may_use(endpoint: Endpoint, budget: Budget) -> bool:
    if budget.owner_id is None:
        return True
    owner = User.objects.filter(pk=budget.owner_id).first()
    return owner is not None and usable_endpoints(owner).filter(pk=endpoint.pk).exists()


def _remember_price(endpoint: Endpoint, budget_id: uuid.UUID) -> bool:
    """Whether the budget has paid no other price until now. The next session is compared with this
    one: whoever resumes the run has seen that it changed."""
    place, price = str(endpoint.pk), [str(endpoint.price_in), str(endpoint.price_out)]
    rows = Budget.objects.filter(pk=budget_id)
    if rows.values_list("prices", flat=True).get().get(place) == price:
        return True
    with transaction.atomic():
        budget = rows.select_for_update(no_key=True).get()
        known = budget.prices.get(place)
        budget.prices[place] = price
        budget.save(update_fields=["prices"])
    return known in (None, price)


def read_capabilities(endpoint: Endpoint) -> Capabilities:
    return Capabilities.model_validate(endpoint.capabilities)


@transaction.atomic
def store_capabilities(endpoint: Endpoint, capabilities: Capabilities) -> datetime:
    """Where the server names another model than in the last probe that had a name, answers of
    before are not used again."""
    now = timezone.now()
    row = Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint.pk)
    before, named = row.capabilities.get("model_returned", ""), capabilities.model_returned
    row.cache_epoch += bool(before and named and before != named)
    stored = capabilities.model_copy(update={"model_returned": named or before})
    row.capabilities, row.probed_at = stored.model_dump(mode="json"), now
    row.save(update_fields=["cache_epoch", "capabilities", "probed_at"])
    return now
