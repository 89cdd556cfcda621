"""Requests to a server, repeated while it is busy or cannot be reached."""

import base64
import hashlib
import re
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
from pydantic_core import from_json  # refuses deep nesting with ValueError

from backend.client.errors import ConnectionFailed, InvalidPredictions, RequestRefused, UsageError

DELAYS_S = (0.5, 1.0, 2.0, 4.0, 8.0)
LONGEST_WAIT_S = 120.0
TUS = {"Tus-Resumable": "1.0.0"}
PART_TYPE = "application/offset+octet-stream"
CHECKSUM_MISMATCH = 460
UPLOAD_ID = re.compile(r"[-0-9a-f]{36}")
REPEATED_STATUSES = (429, 503)
# A large file is checked before it is answered.
TIMEOUT = httpx.Timeout(60.0, connect=10.0, read=900.0)
Request = Callable[[], httpx.Response]
Notify = Callable[[str], None]


def ignore(_text: str) -> None:
    pass


class Connection:
    """One server. `notify` receives a sentence before each repetition."""

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        transport: httpx.BaseTransport | None = None,
        delays: Sequence[float] = DELAYS_S,
        notify: Notify = ignore,
    ) -> None:
        self.url = url.rstrip("/")
        self._delays = delays
        self._notify = notify
        headers = {"Accept": "application/json, application/problem+json, */*"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            base = httpx.URL(f"{self.url}/api/v1/")
        except httpx.InvalidURL as error:
            raise no_address(self.url) from error
        if base.scheme not in {"http", "https"} or not base.host:
            raise no_address(self.url)
        if not (token.isascii() and token.isprintable()):
            raise UsageError("The token has characters that no token has.", code="invalid_token")
        self._http = httpx.Client(
            base_url=base,
            headers=headers,
            timeout=TIMEOUT,
            transport=transport,
            event_hooks={"response": [refuse_redirect]},
        )

    def close(self) -> None:
        self._http.close()

    def get(self, path: str) -> Any:
        return self._send("GET", path)

    def post(self, path: str, body: Mapping[str, object], *, repeats: bool = True) -> Any:
        """repeats: whether writing twice is the same as once."""
        return self._send("POST", path, repeats=repeats, json=body)

    def relay(self, path: str, body: bytes, headers: Mapping[str, str]) -> Any:
        """Send a JSON-RPC message to a path of the server, once. None without an answer to it."""

        def request() -> httpx.Response:
            return self._http.post(f"{self.url}/{path}", content=body, headers=headers)

        response = self._repeat(request, ())
        if response.is_success and not response.content:
            return None
        try:
            answer = from_json(response.content)
        except ValueError:
            return self._read(response)  # raises
        return answer if isinstance(answer, dict) and "jsonrpc" in answer else self._read(response)

    def upload(
        self, path: str, fields: Mapping[str, str], open_upload: Callable[[], tuple[str, Any]]
    ) -> Any:
        """Send a form with a file, which is opened again for each repetition."""

        def request() -> httpx.Response:
            name, file = open_upload()
            with file:
                part = (name, file, "application/octet-stream")
                return self._http.post(path, data=fields, files={"file": part})

        return self._read(self._repeat(request))

    def start_upload(self, name: str, size: int) -> str:
        """The id of an upload in parts (tus 1.0)."""
        encoded = base64.b64encode(name.encode()).decode()
        headers = {**TUS, "Upload-Length": str(size), "Upload-Metadata": f"filename {encoded}"}
        headers["Idempotency-Key"] = str(uuid.uuid4())  # an upload whose answer was lost counts
        created = self._send("POST", "uploads", headers=headers)
        upload_id = created.get("id") if isinstance(created, dict) else None
        if not (isinstance(upload_id, str) and UPLOAD_ID.fullmatch(upload_id)):
            raise UsageError(f"{self.url} is not a Serendib server.", code="not_serendib")
        return upload_id

    def send_part(self, upload_id: str, offset: int, content: bytes) -> int:
        """Where the next part begins.

        After a broken connection the part may have arrived: then its repetition is refused, and
        the server states its offset.
        """
        path = f"uploads/{upload_id}"
        headers = {**TUS, "Upload-Offset": str(offset), "Content-Type": PART_TYPE}
        headers["Content-Length"] = str(len(content))
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        headers["Upload-Checksum"] = f"sha256 {digest}"

        def request() -> httpx.Response:
            # An iterator is empty once sent: httpx's objects would keep each part until the
            # garbage collector runs.
            response = self._http.patch(path, headers=headers, content=iter((content,)))
            if response.status_code == CHECKSUM_MISMATCH:
                raise httpx.WriteError("A part was damaged on its way")
            if response.status_code == HTTPStatus.CONFLICT:
                return self._http.head(path, headers=TUS)
            return response

        response = self._repeat(request)
        if not response.is_success:
            raise_problem(response)
        text = response.headers.get("Upload-Offset", "")
        following = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
        if not offset < following <= offset + len(content):
            raise ConnectionFailed("The upload was changed meanwhile. Send the file again.")
        return following

    def use_upload(self, path: str, fields: Mapping[str, str], upload_id: str) -> Any:
        """Send a form that names a complete upload in place of a file."""

        def request() -> httpx.Response:
            return self._http.post(path, data=fields, files={"upload": (None, upload_id)})

        return self._read(self._repeat(request))

    def delete_upload(self, upload_id: str) -> None:
        """It expires where this fails."""
        with suppress(httpx.RequestError, RequestRefused):
            self._http.delete(f"uploads/{upload_id}", headers=TUS)

    def download(self, path: str, target: Path) -> None:
        """Write the body of an answer into a file, part by part."""

        def request() -> httpx.Response:
            with self._http.stream("GET", path) as response:
                if not response.is_success:
                    response.read()
                    return response
                with target.open("wb") as file:
                    for part in response.iter_bytes():
                        file.write(part)
            return response

        response = self._repeat(request)
        if not response.is_success:
            raise_problem(response)

    def _send(self, method: str, path: str, *, repeats: bool = True, **options: Any) -> Any:
        def request() -> httpx.Response:
            return self._http.request(method, path, **options)

        return self._read(self._repeat(request, self._delays if repeats else ()))

    def _repeat(self, request: Request, delays: Sequence[float] | None = None) -> httpx.Response:
        for delay in self._delays if delays is None else delays:
            try:
                response = request()
            except httpx.TransportError as error:
                self._wait(str(self._failed(error)), delay)
                continue
            except httpx.DecodingError as error:
                raise self._failed(error) from error
            wait = retry_after(response)
            if response.status_code not in REPEATED_STATUSES or wait is None:
                return response
            self._wait(f"The server is busy (status {response.status_code}).", max(wait, delay))
        try:
            return request()
        except httpx.RequestError as error:
            raise self._failed(error) from error

    def _wait(self, reason: str, seconds: float) -> None:
        self._notify(f"{reason} Trying again in {seconds:.0f} s.")
        time.sleep(seconds)

    def _failed(self, error: httpx.RequestError) -> ConnectionFailed:
        reason = str(error) or type(error).__name__
        return ConnectionFailed(f"No complete answer from {self.url}: {reason}.")

    def _read(self, response: httpx.Response) -> Any:
        if response.is_success:
            try:
                return from_json(response.content)
            except ValueError as error:
                message = f"{self.url} is not a Serendib server: its answer is not JSON."
                raise UsageError(message, code="not_serendib") from error
        raise_problem(response)
        return None


def no_address(url: str) -> UsageError:
    message = f"'{url}' is not an address: it starts with http:// or https://."
    return UsageError(message, code="invalid_address")


def refuse_redirect(response: httpx.Response) -> None:
    """Raises RequestRefused, before httpx reads the new address: it may be none."""
    if response.has_redirect_location:
        place = response.headers["Location"]
        detail = f"The server has moved to {place}. Use that address."
        raise RequestRefused(response.status_code, {"code": "moved", "detail": detail})


def raise_problem(response: httpx.Response) -> None:
    """Raises InvalidPredictions or RequestRefused."""
    try:
        problem = from_json(response.content)
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    kind = InvalidPredictions if problem.get("code") == "invalid_predictions" else RequestRefused
    raise kind(response.status_code, problem)


def retry_after(response: httpx.Response) -> float | None:
    """Seconds; None if the server names none, or a date. At most LONGEST_WAIT_S."""
    text = response.headers.get("Retry-After", "")
    return min(float(text), LONGEST_WAIT_S) if text.isascii() and text.isdigit() else None
