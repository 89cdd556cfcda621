"""The listening socket. The supervisor owns it, so a restarted server loses no connection."""

import errno
import socket

from backend.config.embedded.errors import ServiceError

ANYWHERE = {"0.0.0.0", "::"}  # noqa: S104  compared with, not bound


def listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as error:
        raise ServiceError(refusal(error, host, port)) from error
    listener.set_inheritable(True)
    return listener


def refusal(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken. Choose another: make run PORT={port + 1}"
    if error.errno == errno.EACCES:
        return f"This account may not use port {port}. Choose one above 1023: make run PORT=8000"
    return f"HOST={host} is not an address of this machine ({error.strerror})."


def reachable_names(host: str) -> list[str]:
    """Names that a browser may use for this server, for ALLOWED_HOSTS."""
    names = ["127.0.0.1", "localhost", "[::1]"]
    if host in ANYWHERE:
        names += [socket.gethostname(), socket.getfqdn(), own_address()]
    else:
        names.append(bracketed(host))
    return list(dict.fromkeys(names))


def own_address() -> str:
    """The address that other machines see; connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def address_for_people(host: str, port: int) -> str:
    return f"http://{bracketed(own_address() if host in ANYWHERE else host)}:{port}"
