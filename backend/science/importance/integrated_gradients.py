"""What each link contributed to the score of later links, by integrated gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from backend.science.importance.dated_links import Floats, Longs
from backend.science.importance.link_network import LinkNetwork

NODES = 4  # of Gauss and Legendre's rule, exact to degree 7; gradients between kinks have degree 3
FIRST_PARTS, MOST_PARTS = 5, 1_280
TOLERANCE = 1e-4


@dataclass(frozen=True)
class Attribution:
    """values [L]. gap: |Σ values - (F(1) - F(0))| ÷ |F(1) - F(0)|. gradients: how many were
    computed."""

    values: Floats
    gap: float
    gradients: int

    @property
    def is_complete(self) -> bool:
        return self.gap <= TOLERANCE


def integrated_gradients(network: LinkNetwork, targets: Longs, links: Longs) -> Attribution:
    """IG_e = ∫₀¹ ∂F/∂a_e (t) dt, F being the summed scores of the later links `targets`.

    The path scales the links of the whole graph from none to all, with N as it is at its end; if N
    were computed again on the way, D^-½ t·A D^-½ would not depend on t. links [L, 2]: all links of
    the graph, whose values sum to F(1) - F(0).

    A homogeneous network has degree 4, so IG_e is a quarter of the gradient at the end. Otherwise
    the path is divided into parts, and into twice as many until the sum is complete to TOLERANCE or
    there are MOST_PARTS; relu's kinks make it inexact.
    Source: Sundararajan, Taly and Yan (2017); Dyport, equation 2.
    """
    change = network.score(targets, 1) - network.score(targets, 0)
    if network.is_homogeneous:
        values = network.link_gradients(targets, links) / 4
        return Attribution(values, find_gap(values, change), 1)
    parts, used = FIRST_PARTS, 0
    while True:
        values = integrate(network, targets, links, parts)
        used += parts * NODES
        gap = find_gap(values, change)
        if gap <= TOLERANCE or parts >= MOST_PARTS:
            return Attribution(values, gap, used)
        parts *= 2


def integrate(network: LinkNetwork, targets: Longs, links: Longs, parts: int) -> Floats:
    places, shares = np.polynomial.legendre.leggauss(NODES)
    total = np.zeros(len(links))
    for part in range(parts):
        for place, share in zip(places.tolist(), shares.tolist(), strict=True):
            at = (part + (place + 1) / 2) / parts
            total += share / (2 * parts) * network.link_gradients(targets, links, at)
    return total


def find_gap(values: Floats, change: float) -> float:
    gap = abs(float(values.sum()) - change)
    return gap / abs(change) if change else gap
