"""RNS: the serendipity score of a split of a question's candidates (SerenQA §2.2)."""
