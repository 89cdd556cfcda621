from backend.tracks.stark_searches import BASELINES, TRAININGS

__all__ = ["BASELINES", "TRAININGS"]
