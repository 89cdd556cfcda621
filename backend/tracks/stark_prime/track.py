from pathlib import Path

from backend.tracks.stark import StarkTrack


class StarkPrime(StarkTrack):
    slug = "stark-prime"
    model_tasks = ("stark-prime-rerank",)
    title = "PrimeKG"
    description = (
        "Find the entities that answer a medical question, by their text and their relations."
    )
    folder = Path(__file__).parent


TRACK = StarkPrime()
