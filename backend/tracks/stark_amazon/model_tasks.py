from backend.tracks.stark_rerank import RerankTask


class StarkAmazonRerank(RerankTask):
    name = "stark-amazon-rerank"
    track = "stark-amazon"
    domain = "products: items, brands, categories, reviews"


MODEL_TASKS = [StarkAmazonRerank()]
