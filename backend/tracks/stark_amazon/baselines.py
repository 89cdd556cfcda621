from backend.tracks.stark_baselines import BASELINES

__all__ = ["BASELINES"]
