"""Entities as vectors whose distance says how closely a graph's links tie them together.

Import from the modules: `undirected` (the graph, without what is held out), `splitting` and
`evaluation` (what is held out, and whether it is found again), `propagation` (no training, any
size), `training` (a graph convolution network), `embedding` (what comes out).
"""
