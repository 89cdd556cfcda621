"""Where webhooks may be sent: HTTPS on hosts that administrators allow, at public addresses.

The name is resolved once, and the connection goes to the address that was checked, so that a name
which changes its address in between leads nowhere else.
"""

import ipaddress
from dataclasses import dataclass

import httpx
from django.conf import settings

from backend.common.errors import DomainError
from backend.common.public_addresses import IpAddress, is_public
from backend.studies.models import WebhookHost
from backend.studies.models.webhooks import MAX_ADDRESS_LENGTH
from backend.studies.webhooks.name_lookup import LOOKUP_SECONDS, look_up
from backend.validation.faults import Fault

HTTPS_PORT, HTTP_PORT = 443, 80


class AddressRefused(DomainError):
    code = "address_refused"

    def __init__(self, message: str) -> None:
        super().__init__(message, faults=[Fault("address", message, self.code)])


@dataclass(frozen=True)
class Target:
    """An address with the IP address that its host has now."""

    url: httpx.URL
    ip: str


def check_address(address: str) -> httpx.URL:
    """Raises AddressRefused. The host is not resolved yet."""
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL as error:
        raise AddressRefused("This is not a web address.") from error
    if len(str(url)) > MAX_ADDRESS_LENGTH or not url.host or url.userinfo or url.fragment:
        raise AddressRefused("Use a web address without a user name or '#'.")
    if url.scheme != "https" and not (settings.WEBHOOKS_TO_LOOPBACK and url.scheme == "http"):
        raise AddressRefused("The address must begin with https://.")
    if not WebhookHost.objects.filter(host=host_of(url)).exists():
        raise AddressRefused(
            f"The host {host_of(url)} is not allowed. Request it from an administrator."
        )
    return url


def host_of(url: httpx.URL) -> str:
    return url.netloc.decode("ascii").rpartition("@")[2].lower()


def resolve_target(address: str) -> Target:
    """Raises AddressRefused, and OSError where the name has no address, or not in time."""
    url = check_address(address)
    port = url.port or (HTTPS_PORT if url.scheme == "https" else HTTP_PORT)
    # The name as it is sent: resolving it in Unicode would encode it by other rules.
    ips = look_up(url.raw_host.decode("ascii"), port, seconds=LOOKUP_SECONDS)
    for ip in ips:
        if not _may_connect(ipaddress.ip_address(ip), is_plain=url.scheme == "http"):
            raise AddressRefused(f"The host {host_of(url)} has an address that is not public.")
    return Target(url, ips[0])


def _may_connect(ip: IpAddress, *, is_plain: bool) -> bool:
    """Unencrypted, to this machine alone."""
    if ip.is_loopback:
        return bool(settings.WEBHOOKS_TO_LOOPBACK)
    return not is_plain and is_public(ip)
