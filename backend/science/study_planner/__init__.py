"""What a study of a given size will show, by simulation from models of raters.

A plan simulates many studies of one design. The raters of a study are drawn anew each time, so the
spread of an estimate over the studies contains that of raters and of items. The same seed gives the
same plan. Work is bounded: large designs are simulated less often, never fewer than 20 times.
"""
