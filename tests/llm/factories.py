"""Endpoints and requests of tests."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ValidationError

from backend.llm.budgets import open_budget
from backend.llm.calls import ModelRequest
from backend.llm.endpoints import NewEndpoint, register_endpoint
from backend.llm.limiter import LimiterTimes
from backend.llm.models import Budget, Endpoint
from backend.llm.session import RetryRules
from backend.tracks.model_tasks import Message
from backend.validation.model_output import OutputUnreadable, read_objects

QUICK = RetryRules(first_pause_s=0.01, longest_pause_s=0.02, poll_s=0.05)
SHORT = LimiterTimes(report_s=0.02, lease_s=2.0, cooldown_s=0.1, shortest_pause_s=0.05)
# The ledger has a connection of its own. Only these tables are emptied, which saves seconds a test.
COMMITTED = pytest.mark.django_db(
    transaction=True,
    available_apps=[
        *("django.contrib.contenttypes", "django.contrib.auth"),
        *("backend.accounts", "backend.jobs", "backend.llm"),
    ],
)
CANARY = "test-canary-5d1f7a90c2"


class YesOrNo(BaseModel):
    answer: Literal["yes", "no"]


def read_as(
    model: type[BaseModel], plain: Callable[[str], BaseModel | None] = lambda text: None
) -> Callable[[str], tuple[BaseModel, str]]:
    """As runs read answers: the first object that fits, else plain text."""

    def read(text: str) -> tuple[BaseModel, str]:
        faults: list[ValidationError] = []
        try:
            for one in read_objects(text):
                try:
                    return model.model_validate(one.value), one.reading
                except ValidationError as fault:
                    faults.append(fault)
        except OutputUnreadable:
            if (value := plain(text)) is not None:
                return value, "plain_text"
            raise
        raise faults[0]

    return read


YES_OR_NO = YesOrNo.model_json_schema()  # made once, as a task does


def make_endpoint(url: str, name: str = "scripted", **fields: Any) -> Endpoint:
    known = {"price_in": Decimal(1), "price_out": Decimal(2), "is_private": True, **fields}
    new = NewEndpoint(name=name, base_url=url, model="scripted-1", **known)
    return register_endpoint(actor=None, new=new)


def make_budget(amount: str = "1", subject: str = "test:1") -> Budget:
    return open_budget(subject=subject, amount=Decimal(amount))


def make_request(item: int | str = 1, **fields: Any) -> ModelRequest:
    known: dict[str, Any] = {
        "messages": [Message("user", f"Is item {item} a gene that a drug can inhibit?")],
        "max_tokens": 64,
        "prompt_name": "yes-or-no",
        "prompt_version": "1",
        "item_key": str(item),
        "schema": YES_OR_NO,
        "read": read_as(YesOrNo),
    }
    return ModelRequest(**{**known, **fields})
