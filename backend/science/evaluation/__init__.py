"""Statistics of leaderboard entries: intervals, comparisons, ranks, and what a release can resolve.

The data that all functions share:

- components: float64 (items, k). For each item a track yields a row of numbers to be summed, such
  as TP, FP, FN and TN, or a reciprocal rank and a 1. A missing prediction has its worst row.
- cluster sums: float64 (C, k), the components summed by cluster, from `sum_by_cluster`; of a slice
  the items outside it are left out, and the C clusters of the release stay. Entries of a board, or
  slices of one entry, are stacked to (E, C, k). Arrays of a board list the same clusters in the
  same order.
- metric: a function of summed components, (..., k) to (...). See `metrics`.
- draws: `ClusterDraws`, the same for all entries and slices of a board.

An AUC enters as the mean of its placement values (Obuchowski, Biometrics 53, 1997), which are
components like any others (`placements`).

The same input gives the same bytes. Sums are rounded to a grid on which every resampled sum is
exact (`cluster_sums`), so results depend neither on the number of threads nor on the other entries
of a board, and entries with equal sums tie exactly.
"""
