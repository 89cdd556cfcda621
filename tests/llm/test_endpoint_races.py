"""Two processes register the same endpoint at once."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction

from backend.llm.endpoints import NewEndpoint, register_endpoint, set_endpoint
from backend.llm.models import Endpoint
from tests.llm.factories import COMMITTED
from tests.parallel import run_and_close, wait_until_somebody_waits_for_a_lock

pytestmark = COMMITTED
GIVEN: dict[str, Any] = {
    "base_url": "https://models.example.org/v1",
    "model": "m-1",
    "price_in": Decimal(0),
    "price_out": Decimal(0),
}


def test_the_second_changes_what_it_gives() -> None:
    second = partial(set_endpoint, name="bench", given={**GIVEN, "max_in_flight": 7})
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first = register_endpoint(actor=None, new=NewEndpoint(name="bench", **GIVEN))
            changed = pool.submit(run_and_close, second)
            wait_until_somebody_waits_for_a_lock()
        assert changed.result().pk == first.pk
    assert Endpoint.objects.get().max_in_flight == 7
