"""Which IP addresses belong to the public Internet, for servers that users name."""

import ipaddress

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# Outside it are addresses that translate or embed IPv4 addresses, which could be private.
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


def is_public(ip: IpAddress) -> bool:
    if ip.is_multicast or not ip.is_global:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        return True
    return ip in GLOBAL_UNICAST and not ip.sixtofour and not ip.teredo
