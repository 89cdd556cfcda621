"""Identifiers as the field writes them, and the pages that they lead to.

An identifier is a CURIE: a prefix, a colon, a local part ('DOID:1612'). A known prefix has one
spelling here however a file spells it; an unknown one is kept as it came. Only http and https
addresses ever come out, and only for a local part that its scheme's pattern allows: an
identifier is text from outside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote, unquote, urlsplit

from backend.graphs.schemes import SCHEMES, Scheme

LONGEST_LINK = 2_000
SAFE_IN_PATHS = "-._~:@!$'()*,;/"
UNFIT = re.compile(r"[\s\x00-\x1f\x7f-\x9f\\<>\"]")
RESOLVERS = ("identifiers.org/", "n2t.net/", "bioregistry.io/")


def _known(schemes: tuple[Scheme, ...]) -> dict[str, Scheme]:
    named = [(name, it) for it in schemes for name in (it.prefix, *it.spellings)]
    return {name.casefold(): it for name, it in named}


BY_PREFIX = _known(SCHEMES)


def scheme_named(prefix: str) -> Scheme | None:
    return BY_PREFIX.get(prefix.casefold())


def curie(prefix: str, raw: str) -> str:
    """The CURIE of what a file calls `raw`, with or without its prefix and leading zeros.

    >>> curie("mondo", "5148"), curie("HGNC", "HGNC:1097"), curie("CID", "2244")
    ('MONDO:0005148', 'HGNC:1097', 'PUBCHEM.COMPOUND:2244')
    """
    scheme = scheme_named(prefix)
    if scheme is None:
        return raw if raw.startswith(f"{prefix}:") else f"{prefix}:{raw}"
    local = _without_prefix(scheme, raw)
    if scheme.digits and local.isascii() and local.isdigit():
        local = local.zfill(scheme.digits)
    return f"{scheme.prefix}:{local}"


def _without_prefix(scheme: Scheme, raw: str) -> str:
    head, mark, local = raw.partition(":")
    if mark and scheme_named(head) is scheme:
        return local
    head, mark, local = raw.partition("_")
    if mark and local and head.casefold() == scheme.prefix.casefold():
        return local
    return raw


def canonical(identifier: str) -> str:
    """A CURIE with its prefix spelt as here; anything else as it came."""
    head, mark, local = identifier.partition(":")
    scheme = scheme_named(head) if mark and local else None
    return curie(head, local) if scheme else identifier


def scheme_of(identifier: str) -> Scheme | None:
    """The scheme that a CURIE belongs to, judged by its prefix alone."""
    head, mark, local = identifier.partition(":")
    return scheme_named(head) if mark and local else None


def link_of(identifier: str) -> str | None:
    """The page about what a CURIE names, or the address itself where it is one."""
    if identifier[:8].casefold().startswith(("http://", "https://")):
        return identifier if _is_clean(identifier) else None
    scheme = scheme_of(identifier)
    if scheme is None or not scheme.page:
        return None
    local = identifier.partition(":")[2]
    if not _pattern(scheme).fullmatch(local):
        return None
    return scheme.page.replace("{}", quote(local, safe=SAFE_IN_PATHS))


def _is_clean(address: str) -> bool:
    """An address that a page may offer: a host, no name or password before it, nothing odd."""
    if len(address) > LONGEST_LINK or UNFIT.search(address):
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    return bool(parts.hostname) and "@" not in parts.netloc


@cache
def _pattern(scheme: Scheme) -> re.Pattern[str]:
    return re.compile(scheme.pattern, re.ASCII)


def identifier_in_link(address: str) -> str | None:
    """The CURIE that an outbound link is about; None where it is about nothing known here."""
    if not _is_clean(address) or not (found := _place(address)):
        return None
    host, rest = found
    for page in _pages().get(host, ()):
        match = page.pattern.fullmatch(rest)
        if match and _pattern(page.scheme).fullmatch(local := unquote(match["local"])):
            return curie(page.scheme.prefix, local)
    return _resolved(host, rest)


def _resolved(host: str, rest: str) -> str | None:
    """The CURIE in an address of a general resolver: 'https://identifiers.org/DOID:1612'."""
    if f"{host}/" not in RESOLVERS:
        return None
    written = unquote(rest.lstrip("/"))
    if ":" not in written.partition("/")[0]:
        written = written.replace("/", ":", 1)
    identifier = canonical(written)
    return identifier if link_of(identifier) else None


@dataclass(frozen=True, slots=True)
class _Page:
    scheme: Scheme
    pattern: re.Pattern[str]


@cache
def _pages() -> dict[str, tuple[_Page, ...]]:
    pages: dict[str, tuple[_Page, ...]] = {}
    for scheme in SCHEMES:
        for template in filter(None, (scheme.page, *scheme.others)):
            host, rest = _place(template) or ("", "")
            before, after = rest.split("{}")
            spelt = f"{_either_case(before)}(?P<local>.+?){re.escape(after)}/?"
            pages[host] = (*pages.get(host, ()), _Page(scheme, re.compile(spelt)))
    return pages


def _either_case(text: str) -> str:
    """The fixed part of an address as a pattern, where a colon may be written as %3A."""
    return f"(?i:{re.escape(text).replace(':', '(?::|%3A)')})"


def _place(address: str) -> tuple[str, str] | None:
    """Host and rest of an address, as files that mean the same page write both."""
    parts = address.split("://", 1)
    if len(parts) != 2 or parts[0].casefold() not in {"http", "https"}:
        return None
    host, slash, rest = parts[1].partition("/")
    return host.casefold().removeprefix("www."), slash + rest
