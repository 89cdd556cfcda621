"""Scores that a model judged, corrected by the verdicts of people.

What the modules share (`claims`): a claim has the judge's score and, where people verified it,
their mean verdict, else NaN. Claims of one rationale are a cluster, and weigh 1/claims, so that a
mean over claims is the mean over rationales. The claims are a sample: an estimate is of the model's
rate on claims like these, and its interval has the spread of rationales beside that of verdicts.
The same input and seed give the same numbers.
"""
