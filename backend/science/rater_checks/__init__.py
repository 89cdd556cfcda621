"""Checks of single raters against chance and against the other raters of the same items.

Raters, items and choices are numbers from 0. Each check tests every rater with enough answers and
adjusts the p-values by Holm over these raters, so that the probability to flag any rater wrongly is
at most 5% a check. A flag is a reason to look, never a verdict.
"""
