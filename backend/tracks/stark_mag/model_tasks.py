from backend.tracks.stark_rerank import RerankTask


class StarkMagRerank(RerankTask):
    name = "stark-mag-rerank"
    track = "stark-mag"
    domain = "research: papers, authors, institutions, fields of study"


MODEL_TASKS = [StarkMagRerank()]
