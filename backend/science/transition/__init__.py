"""How chance walks over a graph's links: steps, whole rows, entries among candidates, marginal."""
