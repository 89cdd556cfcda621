"""People by the hundred over real HTTP: what the load journeys and the benchmarks share."""
