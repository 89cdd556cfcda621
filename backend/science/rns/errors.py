from typing import ClassVar


class RnsError(ValueError):
    """Has a stable code, the place in the input, and a sentence."""

    code: ClassVar[str]

    def __init__(self, place: str, sentence: str) -> None:
        # Both are passed to the base class, so that the error can be pickled between workers.
        super().__init__(place, sentence)
        self.place = place
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}"


class EmptySet(RnsError):
    code = "empty_set"


class OverlappingSets(RnsError):
    code = "overlapping_sets"


class RepeatedCandidate(RnsError):
    code = "repeated_candidate"


class UnknownCandidate(RnsError):
    code = "unknown_candidate"


class WeightsOffSimplex(RnsError):
    code = "weights_off_simplex"


class SizeOutOfRange(RnsError):
    code = "size_out_of_range"


class TooManySplits(RnsError):
    code = "too_many_splits"


class UnknownSplit(RnsError):
    code = "unknown_split"


class InvalidNumbers(RnsError):
    """Arrays of the wrong shape, or with invalid values."""

    code = "invalid_numbers"
