from pathlib import Path

from backend.tracks.stark import StarkTrack


class StarkMag(StarkTrack):
    slug = "stark-mag"
    model_tasks = ("stark-mag-rerank",)
    title = "MAG"
    description = "Find the papers that answer a question, by their text and their relations."
    folder = Path(__file__).parent


TRACK = StarkMag()
