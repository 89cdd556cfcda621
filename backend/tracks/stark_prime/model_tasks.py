from backend.tracks.stark_rerank import RerankTask


class StarkPrimeRerank(RerankTask):
    name = "stark-prime-rerank"
    track = "stark-prime"
    domain = "medicine: diseases, drugs, genes and proteins, pathways, side effects"


MODEL_TASKS = [StarkPrimeRerank()]
