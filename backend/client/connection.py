"""Requests to a server, repeated while it is busy or cannot be reached."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from pydantic_core import from_json  # refuses deep nesting with ValueError

from backend.client.errors import ConnectionFailed, InvalidPredictions, RequestRefused, UsageError

DELAYS_S = (0.5, 1.0, 2.0, 4.0, 8.0)
LONGEST_WAIT_S = 120.0
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
