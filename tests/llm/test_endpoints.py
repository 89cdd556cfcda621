"""Who registers and sees endpoints, where they may be, and that keys stay secret."""

import json
import logging
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core import serializers
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from backend.common.errors import DomainError
from backend.config.local_model import ServedModel
from backend.config.management.commands.add_local_model import register_local_model
from backend.llm.addresses import EndpointAddressRefused, check_base_url
from backend.llm.endpoints import NewEndpoint, set_endpoint
from backend.llm.keys import KeyMissing, encrypt_key, read_key
from backend.llm.models import Endpoint
from tests.llm.factories import CANARY
from tests.personas import Person

URL = "/api/v1/endpoints"
BODY = {
    "name": "A model",
    "base_url": "https://models.example.org/v1/",
    "model": "m-1",
    "price_in": "0.15",
    "price_out": "0",
}


def add(person: Person, **fields: Any) -> Any:
    return person.browser.post(URL, {**BODY, **fields})


def test_an_administrator_adds_changes_and_retires_an_endpoint(administrator: Person) -> None:
    added = add(administrator, key=CANARY)
    assert added.status_code == 201, added.json()
    assert added.json()["settings"]["base_url"] == "https://models.example.org/v1"
    place = f"{URL}/{added.json()['id']}"
    changed = administrator.browser.patch(place, {"price_in": "0.25", "max_in_flight": 4})
    assert changed.json()["price_in"] == "0.250000"
    assert changed.json()["settings"]["has_key"] is True
    assert administrator.browser.delete(place).status_code == 204
    assert administrator.browser.get(place).status_code == 404
    assert not Endpoint.objects.get().has_key
    assert add(administrator).status_code == 201


def test_others_see_those_that_they_may_use_without_their_settings(
    administrator: Person, researcher: Person, outsider: Person
) -> None:
    add(administrator, name="for administrators")
    add(administrator, name="for all", usable_by="everyone")
    add(administrator, name="for one", usable_by="named", people=[researcher.user.email])
    listed = {one["name"]: one for one in researcher.browser.get(URL).json()["results"]}
    assert [*listed] == ["for all", "for one"]
    assert all(one["settings"] is None for one in listed.values())
    assert "models.example.org" not in json.dumps(listed)
    assert [one["name"] for one in outsider.browser.get(URL).json()["results"]] == ["for all"]
    hidden = Endpoint.objects.get(name="for one")
    assert outsider.browser.get(f"{URL}/{hidden.pk}").status_code == 404


def test_retired_ones_are_listed_to_administrators_who_request_them(
    administrator: Person, researcher: Person
) -> None:
    added = add(administrator, usable_by="everyone").json()
    administrator.browser.delete(f"{URL}/{added['id']}")
    assert administrator.browser.get(URL).json()["results"] == []
    for person, count in ((administrator, 1), (researcher, 0)):
        listed = person.browser.get(f"{URL}?retired=true").json()["results"]
        assert len(listed) == count
        assert all(one["settings"]["retired_at"] for one in listed)
    assert administrator.browser.get(f"{URL}?retired=perhaps").status_code == 422


def test_an_address_without_an_account_is_refused_with_its_place(
    administrator: Person, researcher: Person
) -> None:
    people = [researcher.user.email, "nobody@example.org"]
    answer = add(administrator, usable_by="named", people=people)
    assert answer.status_code == 422, answer.json()
    assert [one["place"] for one in answer.json()["errors"]] == ["people.1"]
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"base_url": "ftp://models.example.org"}, "base_url"),
        ({"base_url": "http://models.example.org"}, "base_url"),
        ({"base_url": "https://127.0.0.1/v1"}, "base_url"),
        ({"base_url": "https://2130706433/v1"}, "base_url"),
        ({"base_url": "https://[::1]/v1"}, "base_url"),
        ({"base_url": f"https://a:{CANARY}@models.example.org/v1"}, "base_url"),
        ({"base_url": "https://models.example.org/v1?key=1"}, "base_url"),
        ({"price_in": "-1"}, "price_in"),
        ({"price_out": "NaN"}, "price_out"),
        ({"max_in_flight": 0}, "max_in_flight"),
        ({"key_env": "SECRET_KEY"}, "key_env"),
        ({"key_env": "DATABASE_URL"}, "key_env"),
        ({"key_env": "A B"}, "key_env"),
        ({"key": f"{CANARY}\nx"}, "key"),
        ({"key": CANARY, "key_env": "MODEL_KEY"}, "key"),
        ({"key": "sk-1234"}, "key"),
        ({"name": "two\nlines"}, "name"),
    ],
)
def test_what_cannot_be_an_endpoint_is_refused_with_its_place(
    administrator: Person, fields: dict[str, Any], place: str
) -> None:
    answer = add(administrator, **fields)
    assert answer.status_code == 422, answer.json()
    assert place in {error["place"] for error in answer.json()["errors"]}
    assert CANARY not in answer.content.decode()
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        *("https://10.0.0.1/v1", "https://[fd00::1]/v1", "https://169.254.169.254/"),
        *("https://0x7f.1/v1", "https://127.1/v1", "https://x.localhost/v1"),
        *("https://host/v1", "https:///v1", "//x"),
    ],
)
def test_private_addresses_are_only_for_endpoints_marked_as_private(address: str) -> None:
    with pytest.raises(EndpointAddressRefused):
        check_base_url(address, is_private=False)


def test_a_marked_endpoint_may_be_in_a_private_network() -> None:
    assert check_base_url("http://10.0.0.1:8080/v1/", is_private=True) == "http://10.0.0.1:8080/v1"


def test_a_key_is_in_no_answer_dump_representation_or_row(
    administrator: Person, researcher: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    added = add(administrator, key=CANARY, usable_by="everyone")
    endpoint = Endpoint.objects.get()
    place = f"{URL}/{endpoint.pk}"
    refused = administrator.browser.patch(place, {"key": CANARY, "key_env": "X_KEY"})
    wrong = administrator.browser.patch(place, {"key": CANARY + "\t"})
    assert {refused.status_code, wrong.status_code} == {422}
    answers = [added, refused, wrong, administrator.browser.get(URL), researcher.browser.get(place)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(e)::text FROM llm_endpoint e")
        [row] = cursor.fetchone()
    texts = [
        *(answer.content.decode() for answer in answers),
        *(repr(endpoint), str(endpoint), str(vars(endpoint)), row, caplog.text),
        *(serializers.serialize("json", [endpoint]), repr(NewEndpoint("a", "b", "c", key=CANARY))),
    ]
    assert not [text for text in texts if CANARY in text]
    assert read_key(endpoint) == CANARY


def test_a_key_cannot_be_read_with_another_secret(db: None) -> None:
    endpoint = Endpoint(name="x", key_cipher=encrypt_key(CANARY))
    with override_settings(ENDPOINT_KEYS_SECRET="another"), pytest.raises(KeyMissing):
        read_key(endpoint)


def test_a_key_comes_from_the_named_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = Endpoint(name="x", key_env="A_MODEL_KEY")
    with pytest.raises(KeyMissing) as missing:
        read_key(endpoint)
    assert "A_MODEL_KEY" not in missing.value.detail
    monkeypatch.setenv("A_MODEL_KEY", CANARY)
    assert read_key(endpoint) == CANARY


def run_command(*arguments: str) -> Any:
    output = StringIO()
    call_command("add_endpoint", *arguments, "--json", stdout=output)
    return json.loads(output.getvalue())


PRICES = ("--price-in", "0.5", "--price-out", "0")
ADDRESS = ("--url", "https://models.example.org/v1", "--model", "m-1")


def test_the_command_registers_and_then_changes_an_endpoint(db: None) -> None:
    first = run_command("A model", *ADDRESS, *PRICES, "--key-env", "A_MODEL_KEY")
    again = run_command("A model", *ADDRESS, "--price-in", "1", "--price-out", "2")
    assert first["id"] == again["id"] and first["has_key"]
    assert Endpoint.objects.get().price_in == Decimal(1)
    with pytest.raises(SystemExit):
        run_command("A model", *ADDRESS[:3], "m-2", *PRICES)


def columns(endpoint: Endpoint) -> dict[str, Any]:
    endpoint.refresh_from_db()
    values = {one.attname: getattr(endpoint, one.attname) for one in endpoint._meta.fields}
    return {**values, "people": {*endpoint.people.values_list("email", flat=True)}}


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ((), {}),
        (ADDRESS, {}),
        (("--price-in", "3"), {"price_in": Decimal(3)}),
        (("--max-in-flight", "2", "--timeout", "9"), {"max_in_flight": 2, "timeout_s": 9}),
        (("--usable-by", "everyone"), {"usable_by": "everyone"}),
        (("--no-may-publish",), {"may_publish": False}),
        (("--cache-epoch", "3"), {"cache_epoch": 3}),
        (("--private",), {"is_private": True}),
        (("--key-env", "A_MODEL_KEY"), {"key_env": "A_MODEL_KEY", "key_cipher": ""}),
        (("--key-env", ""), {"key_cipher": ""}),
    ],
    ids=str,
)
def test_the_command_changes_what_its_options_name_and_nothing_else(
    administrator: Person, researcher: Person, options: tuple[str, ...], changed: dict[str, Any]
) -> None:
    given = {
        **{"max_in_flight": 7, "timeout_s": 70, "context_tokens": 4096, "parameters": 10**9},
        **{"usable_by": "named", "people": [researcher.user.email], "may_publish": True},
    }
    assert add(administrator, key=CANARY, **given).status_code == 201
    endpoint = Endpoint.objects.get()
    before = columns(endpoint)
    run_command("A model", *options)
    assert columns(endpoint) == {**before, **changed}


def test_the_command_names_what_a_new_endpoint_lacks(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    output = StringIO()
    with pytest.raises(SystemExit):
        call_command("add_endpoint", "New", *ADDRESS, "--price-in", "1", "--json", stdout=output)
    assert "--price-out" in output.getvalue() and "--url" not in output.getvalue()
    assert not Endpoint.objects.exists()


def test_the_command_refuses_prices_that_are_none(db: None) -> None:
    with pytest.raises(CommandError, match="price"):
        run_command("A model", *ADDRESS, "--price-in", "nan", "--price-out", "0")


def test_a_supervised_server_moves_and_keeps_what_an_administrator_has_set(
    administrator: Person,
) -> None:
    model = ServedModel("m-1", 135_000_000, 2048)
    first = register_local_model("http://127.0.0.1:1000/v1", model)
    assert first.usable_by == "everyone" and first.may_publish and first.price_in == 0
    changes = {"usable_by": "administrators", "may_publish": False, "price_in": "1.5"}
    assert administrator.browser.patch(f"{URL}/{first.pk}", changes).status_code == 200
    before = columns(first)
    moved = register_local_model("http://127.0.0.1:2000/v1", model)
    assert columns(moved) == {**before, "base_url": "http://127.0.0.1:2000/v1"}
    with pytest.raises(DomainError):
        set_endpoint(name="local", given={"base_url": "http://127.0.0.1:3000/v1"})
