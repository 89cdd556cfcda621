"""Where calls may go: http or https, at public addresses unless an administrator allows others.

The address is checked again for each connection, so that a name which is resolved otherwise later
leads nowhere else.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from backend.common.errors import DomainError
from backend.common.public_addresses import is_public
from backend.llm.models import Endpoint
from backend.llm.models.endpoints import MAX_URL_LENGTH
from backend.validation.faults import Fault


class EndpointAddressRefused(DomainError):
    code = "endpoint_address_refused"

    def __init__(self, message: str) -> None:
        super().__init__(message, faults=[Fault("base_url", message, self.code)])


class AddressNotPublic(OSError):
    """The host has an address that is not public."""


def check_base_url(base_url: str, *, is_private: bool) -> str:
    """The URL without a slash at its end. Raises EndpointAddressRefused."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise EndpointAddressRefused("This is not a web address.") from error
    is_visible = base_url.isascii() and base_url.isprintable() and " " not in base_url
    if not host or not is_visible or len(base_url) > MAX_URL_LENGTH or port == 0:
        raise EndpointAddressRefused("This is not a web address.")
    if parts.username or parts.password or parts.query or parts.fragment or "?" in base_url:
        raise EndpointAddressRefused("Leave out user name, password, '?' and '#'.")
    if parts.scheme not in {"http", "https"}:
        raise EndpointAddressRefused("The address must begin with https:// or http://.")
    if not is_private:
        if parts.scheme != "https":
            raise EndpointAddressRefused("Use https://, or mark the endpoint as private.")
        if not _is_public_name(host):
            raise EndpointAddressRefused("The address is not public. Mark the endpoint as private.")
    return base_url.rstrip("/")


def _is_public_name(host: str) -> bool:
    """Numbers are checked here, as resolvers read `127.1` and `0x7f000001`; names when resolved."""
    try:
        return is_public(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return is_public(ipaddress.ip_address(socket.inet_aton(host)))
    except OSError:
        return "." in host and not host.lower().rstrip(".").endswith((".localhost", ".local"))


def require_allowed(endpoint: Endpoint) -> None:
    """Before each call, as a rule may be stricter than when the endpoint was added."""
    check_base_url(endpoint.base_url, is_private=endpoint.is_private)


class PublicResolver(AbstractResolver):
    """Resolves names to public addresses; all of a name's addresses must be."""

    def __init__(self) -> None:
        self._resolver = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        results = await self._resolver.resolve(host, port, family)
        if not all(is_public(ipaddress.ip_address(one["host"])) for one in results):
            raise AddressNotPublic(f"The host {host} has an address that is not public.")
        return results

    async def close(self) -> None:
        await self._resolver.close()
