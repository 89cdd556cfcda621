"""The listening socket. The supervisor owns it, so that a server restart loses no connection."""

import errno
import socket

from backend.config.embedded.errors import ServiceError

ALL_ADDRESSES = {"0.0.0.0", "::"}  # noqa: S104  compared with, not bound


def listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as error:
        raise ServiceError(describe_bind_error(error, host, port)) from error
    listener.set_inheritable(True)
    return listener


def describe_bind_error(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken. Choose another: make run PORT={port + 1}"
    if error.errno == errno.EACCES:
        return f"This account may not use port {port}. Choose one above 1023: make run PORT=8000"
    return f"HOST={host} is not an address of this machine ({error.strerror})."


def reachable_names(host: str) -> list[str]:
    """Host names by which browsers may reach this server, for ALLOWED_HOSTS."""
    names = ["127.0.0.1", "localhost", "[::1]"]
    if host in ALL_ADDRESSES:
        names += [socket.gethostname(), socket.getfqdn(), external_address()]
    else:
        names.append(bracket_ipv6(host))
    return list(dict.fromkeys(names))


def external_address() -> str:
    """The address that other machines see. Connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def bracket_ipv6(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def public_url(host: str, port: int) -> str:
    return f"http://{bracket_ipv6(external_address() if host in ALL_ADDRESSES else host)}:{port}"
