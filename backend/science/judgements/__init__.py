"""Statistics of categorical, ordinal and pair judgements.

What the modules share: a table is (raters, items) with NaN where a rater did not judge an item
(`tables`); intervals resample raters and items (`two_way`) and take a seed; an undefined number is
a `Statistic` with a reason; the same input gives the same numbers whatever the order of records.
"""
