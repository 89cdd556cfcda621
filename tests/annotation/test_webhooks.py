"""Webhooks: signed events to hosts that administrators allow, and to nothing else."""

import socket
import ssl
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings as project
from django.utils import timezone

from annotation.models import Assignment, Thread
from annotation.threads import send_messages
from backend.studies.models import Webhook, WebhookDelivery, WebhookHost
from backend.studies.webhooks import addresses, delivery, name_lookup
from backend.studies.webhooks.events import EVENTS, record_event
from tests.annotation.personas import Cast, client_of, write_answer
from tests.personas import make_person

State = WebhookDelivery.State
Run = Callable[[], list[str]]


@dataclass
class Receiver:
    server: HTTPServer
    status: int = 204
    requests: list[tuple[Mapping[str, str], bytes]] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"


@contextmanager
def receiving(certificate: Path | None = None) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.requests.append(({k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(received.status)
            self.send_header("location", f"http://{received.host}/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Not into the output of the tests."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    received = Receiver(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def receiver(settings: Any, db: None) -> Iterator[Receiver]:
    settings.WEBHOOKS_TO_LOOPBACK = True
    with receiving() as server:
        allow(server.host)
        yield server


@pytest.fixture
def work(run_queued_tasks: Run, django_capture_on_commit_callbacks: Any) -> Callable[[Any], Any]:
    """Do something in a transaction, then everything that it queued."""

    def run(act: Callable[[], Any]) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            result = act()
        run_queued_tasks()
        return result

    return run


def allow(host: str, status: int = 201) -> None:
    administrator = make_person(f"a{uuid.uuid4().hex}", is_administrator=True).user
    answer = client_of(administrator).post(
        "/api/v1/webhook-hosts", {"host": host}, "application/json"
    )
    assert answer.status_code == status


def add(cast: Cast, address: str, *events: str) -> Any:
    body = {"address": address, "events": events or EVENTS}
    path = f"/api/v1/studies/{cast.study.id}/webhooks"
    return client_of(cast.coordinator).post(path, body, "application/json")


def log_of(cast: Cast) -> Any:
    answer = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/webhooks")
    (webhook,) = answer.json()["webhooks"]
    return [(one["event"], one["state"], one["attempts"]) for one in webhook["deliveries"][::-1]]


@cache
def documented_reader() -> Any:
    """The function in the documentation."""
    page = (project.ROOT / "docs/how-to/receive-webhooks.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], names)  # noqa: S102  it is the test's subject
    return names["read_delivery"]


def change_status(cast: Cast, status: str) -> int:
    path = f"/api/v1/studies/{cast.study.id}"
    body = {"status": status}
    return client_of(cast.coordinator).patch(path, body, "application/json").status_code


def test_events_arrive_signed_as_the_documentation_verifies_them(
    cast: Cast, receiver: Receiver, work: Callable[[Any], Any]
) -> None:
    added = work(lambda: add(cast, f"http://{receiver.host}/hook?a=1"))
    assert added.status_code == 201
    own = cast.assignment()
    work(lambda: write_answer(own, "submit", comment="A secret comment"))
    message = [(uuid.uuid4(), "A secret message")]
    work(lambda: send_messages(actor=cast.expert, assignment_id=own.pk, messages=message))
    work(lambda: change_status(cast, "paused"))
    webhook = added.json()["webhook"]["id"]
    work(lambda: client_of(cast.coordinator).post(f"/api/v1/webhooks/{webhook}/test"))
    secret, known = added.json()["secret"], set[str]()
    events = [documented_reader()(secret, *request, known) for request in receiver.requests]
    submitted = {"assignment": own.pk, "question": own.question_id, "batch": cast.batch.id}
    thread = {"thread": Thread.objects.get().pk, "question": own.question_id}
    assert [(one["event"], one["data"]) for one in events] == [
        ("answer.submitted", {**{k: str(v) for k, v in submitted.items()}, "submission": 1}),
        (
            "thread.message",
            {**thread, "question": str(own.question_id), "message": str(message[0][0])},
        ),
        ("study.paused", {}),
        ("test", {}),
    ]
    assert {one["study"] for one in events} == {str(cast.study.id)}
    assert not any(b"secret" in body for _, body in receiver.requests)
    assert {row[1:] for row in log_of(cast)} == {("delivered", 1)}
    headers, body = receiver.requests[0]
    late = {**headers, "webhook-timestamp": "1700000000"}
    for changed in ((headers, body + b" "), (late, body), (headers, body)):
        with pytest.raises(ValueError, match=r"signature|before"):
            documented_reader()(secret, *changed, known)


def test_a_batch_is_completed_once_for_its_answers(
    cast: Cast, receiver: Receiver, work: Callable[[Any], Any]
) -> None:
    work(lambda: add(cast, f"http://{receiver.host}/", "batch.completed"))
    rows = list(Assignment.objects.filter(batch=cast.batch))
    for row in rows[:-1]:
        work(lambda row=row: write_answer(row, "agree"))
    assert receiver.requests == []
    for intent in ("agree", "submit"):
        work(lambda intent=intent: write_answer(rows[-1], intent))
    work(delivery.sweep)
    assert [(row[0], row[1]) for row in log_of(cast)] == [("batch.completed", "delivered")]
    counts = f'"data":{{"batch":"{cast.batch.id}","questions":3,"answers":6}}'
    assert counts.encode() in receiver.requests[0][1]


def due_now() -> None:
    WebhookDelivery.objects.filter(state=State.WAITING).update(due_at=timezone.now())


def test_a_failed_delivery_waits_longer_each_time_and_can_be_sent_again(
    cast: Cast, receiver: Receiver, work: Callable[[Any], Any]
) -> None:
    work(lambda: add(cast, f"http://{receiver.host}/", "study.closed"))
    receiver.status = 302
    work(lambda: change_status(cast, "closed"))
    row = WebhookDelivery.objects.get()
    assert (row.state, row.attempts) == (State.WAITING, 1)
    assert row.error == "The host answered with status 302. Redirects are not followed."
    path = f"/api/v1/webhook-deliveries/{row.pk}/repeat"
    assert client_of(cast.coordinator).post(path).status_code == 409
    pauses = []
    for _ in range(delivery.MAX_ATTEMPTS - 1):
        pauses.append(WebhookDelivery.objects.get().due_at - timezone.now())
        delivery.deliver(row.pk)  # not due yet
        due_now()
        work(delivery.sweep)
    assert pauses == sorted(pauses) and pauses[-1] > timedelta(hours=23)
    assert log_of(cast) == [("study.closed", "failed", delivery.MAX_ATTEMPTS)]
    receiver.status = 200
    assert work(lambda: client_of(cast.coordinator).post(path)).status_code == 204
    assert log_of(cast) == [("study.closed", "delivered", 1)]
    assert len({headers["webhook-id"] for headers, _ in receiver.requests}) == 1
    assert len(receiver.requests) == delivery.MAX_ATTEMPTS + 1


def test_an_attempt_is_leased_and_continued_after_its_worker_died(
    cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(cast, f"http://{receiver.host}/", "study.closed")
    record_event(cast.study.id, "study.closed")
    row = WebhookDelivery.objects.get()
    with monkeypatch.context() as patched:
        patched.setattr(delivery, "send", lambda one: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            delivery.deliver(row.pk)
    delivery.deliver(row.pk)
    assert receiver.requests == [] and delivery.sweep() == 0
    due_now()
    delivery.deliver(row.pk)
    assert log_of(cast) == [("study.closed", "delivered", 2)]


@pytest.mark.parametrize("prefix", ["", "long." * 46])
def test_a_host_that_is_allowed_no_longer_gets_nothing(
    cast: Cast, receiver: Receiver, prefix: str
) -> None:
    host = f"{prefix}{receiver.host}"
    allow(host)
    add(cast, f"http://{host}/", "study.closed")
    WebhookHost.objects.all().delete()
    record_event(cast.study.id, "study.closed")
    delivery.deliver(WebhookDelivery.objects.get().pk)
    assert receiver.requests == [] and log_of(cast) == [("study.closed", "failed", 1)]


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("https://other.example/", "not allowed"),
        ("https://hooks.example:444/", "not allowed"),
        ("http://hooks.example/", "https://"),
        ("https://hooks.example@other.example/", "user name"),
        ("https://user@hooks.example/", "user name"),
        ("https://hooks.example/#part", "user name"),
        ("https://other.example\\@hooks.example/", "user name|not a web|not allowed"),
        ("ftp://hooks.example/", "https://"),
        ("hooks.example", "user name"),
    ],
)
def test_only_https_addresses_on_allowed_hosts_are_accepted(
    cast: Cast, address: str, reason: str
) -> None:
    allow("Hooks.example")
    refused = add(cast, address)
    assert (refused.status_code, refused.json()["code"]) == (422, "address_refused")
    assert any(one in refused.json()["detail"] for one in reason.split("|"))
    assert not Webhook.objects.exists() and add(cast, "https://HOOKS.example/").status_code == 201


@pytest.mark.parametrize("host", ["-", "https://hooks.example", "hooks.example/x", "a b", "[::1]"])
def test_an_allowed_host_is_a_name_with_a_port(db: None, host: str) -> None:
    allow(host, status=422)


@pytest.mark.parametrize(
    ("ip", "is_public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        *((ip, False) for ip in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1")),
        *((ip, False) for ip in ("100.64.0.1", "224.0.0.1", "::1", "fd00::1")),
        *((ip, False) for ip in ("fe80::1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "2002:a00:1::")),
        *((ip, False) for ip in ("::127.0.0.1", "::a00:1", "::ffff:0:10.0.0.1", "fec0::1")),
        *((ip, False) for ip in ("2001::1", "64:ff9b:1::a00:1")),
    ],
)
def test_private_addresses_are_refused_after_the_name_is_resolved(
    db: None, monkeypatch: pytest.MonkeyPatch, ip: str, is_public: bool
) -> None:
    WebhookHost.objects.create(host="hooks.example", created_by=make_person("amara").user)
    both = [(0, 0, 0, "", (one, 443)) for one in ("8.8.8.8", ip)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    if is_public:
        assert addresses.resolve_target("https://hooks.example/").ip == "8.8.8.8"
        return
    with pytest.raises(addresses.AddressRefused, match="not public"):
        addresses.resolve_target("https://hooks.example/")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Of hooks.example, which signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hooks.example")])
    now = datetime.now(UTC)
    alternative = x509.SubjectAlternativeName([x509.DNSName("hooks.example")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(alternative, critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "certificate.pem"
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(private + certificate.public_bytes(encoding))
    return file


@pytest.mark.parametrize(
    ("name", "state"), [("hooks.example", "delivered"), ("x.example", "waiting")]
)
def test_the_connection_is_pinned_and_the_certificate_is_that_of_the_name(
    cast: Cast,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    certificate: Path,
    name: str,
    state: str,
) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with receiving(certificate) as server:
        port = server.server.server_port
        rows = [(0, 0, 0, "", ("127.0.0.1", port))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)
        allow(f"{name}:{port}")
        add(cast, f"https://{name}:{port}/", "study.closed")
        record_event(cast.study.id, "study.closed")
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
        delivery.deliver(WebhookDelivery.objects.get().pk)
        assert log_of(cast) == [("study.closed", state, 1)]
        assert [one["host"] for one, _ in server.requests] == [f"{name}:{port}"] * (
            state == "delivered"
        )


@pytest.fixture
def hanging_resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A name server that answers nothing before the event is set."""
    answers = threading.Event()

    def hang(*_: object, **__: object) -> Any:
        answers.wait()
        return [(0, 0, 0, "", ("8.8.8.8", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    monkeypatch.setattr(addresses, "LOOKUP_SECONDS", 0.01)
    yield answers
    answers.set()
    for thread in threading.enumerate():
        if thread.name == name_lookup.THREAD_NAME:
            thread.join()


def test_a_name_server_that_does_not_answer_ends_the_attempt(
    cast: Cast, hanging_resolver: threading.Event
) -> None:
    allow("hooks.example")
    add(cast, "https://hooks.example/", "study.closed")
    record_event(cast.study.id, "study.closed")
    delivery.deliver(WebhookDelivery.objects.get().pk)
    assert log_of(cast) == [("study.closed", "waiting", 1)]
    assert WebhookDelivery.objects.get().error == "The host's name was not resolved in time."


def test_names_that_hang_occupy_a_limited_number_of_threads(
    hanging_resolver: threading.Event,
) -> None:
    limit = name_lookup.MAX_LOOKUPS
    for _ in range(limit):
        with pytest.raises(name_lookup.LookupTooSlow, match="not resolved"):
            name_lookup.look_up("hooks.example", 443, seconds=0.01)
    with pytest.raises(name_lookup.LookupTooSlow, match="Too many"):
        name_lookup.look_up("hooks.example", 443, seconds=60)
    waiting = [it for it in threading.enumerate() if it.name == name_lookup.THREAD_NAME]
    assert len(waiting) == limit
    hanging_resolver.set()
    for thread in waiting:
        thread.join()
    assert name_lookup.look_up("hooks.example", 443, seconds=60) == ["8.8.8.8"]


def test_a_secret_is_neither_stored_nor_the_same_for_two_webhooks(cast: Cast) -> None:
    allow("hooks.example")
    secrets = [add(cast, "https://hooks.example/").json()["secret"] for _ in range(2)]
    stored = str(list(Webhook.objects.values()))
    assert len({*secrets}) == 2 and not any(one[6:] in stored for one in secrets)
    listed = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/webhooks")
    assert "whsec_" not in listed.content.decode()
