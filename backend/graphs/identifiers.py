"""CURIEs: normalization, and the web pages that they link to.

A CURIE is a prefix, a colon and a local part ('DOID:1612'). Known prefixes are normalized to one
spelling; unknown ones are left unchanged. Identifiers are untrusted text: links are only http or
https, and only for local parts that match the pattern of their scheme.
"""

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote, unquote, urlsplit

from backend.graphs.identifier_schemes import SCHEMES, Scheme

MAX_URL_LENGTH = 2_000
SAFE_IN_PATHS = "-._~:@!$'()*,;/"
UNSAFE_IN_URL = re.compile(r"[\s\x00-\x1f\x7f-\x9f\\<>\"]")
RESOLVERS = ("identifiers.org/", "n2t.net/", "bioregistry.io/")


def _index_schemes(schemes: tuple[Scheme, ...]) -> dict[str, Scheme]:
    named = [(name, it) for it in schemes for name in (it.prefix, *it.aliases)]
    return {name.casefold(): it for name, it in named}


SCHEMES_BY_PREFIX = _index_schemes(SCHEMES)


def get_scheme(prefix: str) -> Scheme | None:
    return SCHEMES_BY_PREFIX.get(prefix.casefold())


def make_curie(prefix: str, raw: str) -> str:
    """Build a CURIE from an identifier with or without its prefix and leading zeros.

    >>> curie("mondo", "5148"), curie("HGNC", "HGNC:1097"), curie("CID", "2244")
    ('MONDO:0005148', 'HGNC:1097', 'PUBCHEM.COMPOUND:2244')
    """
    scheme = get_scheme(prefix)
    if scheme is None:
        return raw if raw.startswith(f"{prefix}:") else f"{prefix}:{raw}"
    local = _without_prefix(scheme, raw)
    if scheme.padded_width and local.isascii() and local.isdigit():
        local = local.zfill(scheme.padded_width)
    return f"{scheme.prefix}:{local}"


def _without_prefix(scheme: Scheme, raw: str) -> str:
    head, mark, local = raw.partition(":")
    if mark and get_scheme(head) is scheme:
        return local
    head, mark, local = raw.partition("_")
    if mark and local and head.casefold() == scheme.prefix.casefold():
        return local
    return raw


def canonicalize(identifier: str) -> str:
    """Normalize the prefix of a CURIE; other text is returned unchanged."""
    head, mark, local = identifier.partition(":")
    scheme = get_scheme(head) if mark and local else None
    return make_curie(head, local) if scheme else identifier


def scheme_of_curie(identifier: str) -> Scheme | None:
    """The scheme of a CURIE by its prefix alone."""
    head, mark, local = identifier.partition(":")
    return get_scheme(head) if mark and local else None


def identifier_url(identifier: str) -> str | None:
    """The web page of a CURIE, or the identifier itself if it is a safe URL."""
    if identifier[:8].casefold().startswith(("http://", "https://")):
        return identifier if _is_safe_url(identifier) else None
    scheme = scheme_of_curie(identifier)
    if scheme is None or not scheme.url_template:
        return None
    local = identifier.partition(":")[2]
    if not _local_part_pattern(scheme).fullmatch(local):
        return None
    return scheme.url_template.replace("{}", quote(local, safe=SAFE_IN_PATHS))


def _is_safe_url(address: str) -> bool:
    """Whether a URL may be shown as a link: it has a host, no credentials, no unsafe character."""
    if len(address) > MAX_URL_LENGTH or UNSAFE_IN_URL.search(address):
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    return bool(parts.hostname) and "@" not in parts.netloc


@cache
def _local_part_pattern(scheme: Scheme) -> re.Pattern[str]:
    return re.compile(scheme.pattern, re.ASCII)


def curie_from_url(address: str) -> str | None:
    """The CURIE that a URL is about, or None if no scheme has such a page."""
    if not _is_safe_url(address) or not (parts := _split_url(address)):
        return None
    host, rest = parts
    for page in _url_patterns().get(host, ()):
        match = page.pattern.fullmatch(rest)
        if match and _local_part_pattern(page.scheme).fullmatch(local := unquote(match["local"])):
            return make_curie(page.scheme.prefix, local)
    return _curie_from_resolver(host, rest)


def _curie_from_resolver(host: str, rest: str) -> str | None:
    """The CURIE in the URL of a general resolver: 'https://identifiers.org/DOID:1612'."""
    if f"{host}/" not in RESOLVERS:
        return None
    written = unquote(rest.lstrip("/"))
    if ":" not in written.partition("/")[0]:
        written = written.replace("/", ":", 1)
    identifier = canonicalize(written)
    return identifier if identifier_url(identifier) else None


@dataclass(frozen=True, slots=True)
class _UrlPattern:
    scheme: Scheme
    pattern: re.Pattern[str]


@cache
def _url_patterns() -> dict[str, tuple[_UrlPattern, ...]]:
    pages: dict[str, tuple[_UrlPattern, ...]] = {}
    for scheme in SCHEMES:
        for template in filter(None, (scheme.url_template, *scheme.other_templates)):
            host, rest = _split_url(template) or ("", "")
            before, after = rest.split("{}")
            spelt = f"{_case_insensitive(before)}(?P<local>.+?){re.escape(after)}/?"
            pages[host] = (*pages.get(host, ()), _UrlPattern(scheme, re.compile(spelt)))
    return pages


def _case_insensitive(text: str) -> str:
    """A case-insensitive pattern for the fixed part of a URL; a colon may be written %3A."""
    return f"(?i:{re.escape(text).replace(':', '(?::|%3A)')})"


def _split_url(address: str) -> tuple[str, str] | None:
    """Split a URL into its host, without 'www.', and the rest. None for other protocols."""
    parts = address.split("://", 1)
    if len(parts) != 2 or parts[0].casefold() not in {"http", "https"}:
        return None
    host, slash, rest = parts[1].partition("/")
    return host.casefold().removeprefix("www."), slash + rest
