from pathlib import Path

from backend.tracks.stark import StarkTrack


class StarkAmazon(StarkTrack):
    slug = "stark-amazon"
    model_tasks = ("stark-amazon-rerank",)
    title = "Amazon"
    description = "Find the products that answer a question, by their text and their relations."
    folder = Path(__file__).parent


TRACK = StarkAmazon()
