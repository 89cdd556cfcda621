"""Entities as vectors whose distance says how closely a graph's links tie them together.

Begin with `embed.embed`. Import from the modules: `undirected` (the graph, less what is held out),
`splitting` and `evaluation` (what is held out, and whether it is found again), `propagation` (no
training, any size), `training` (a graph convolution network, `gcn`), `vectors` (what comes out).
"""
