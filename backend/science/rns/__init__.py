"""RNS: how serendipitous one part of a question's candidates is beside the other (SerenQA §2.2)."""
