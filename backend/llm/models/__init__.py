"""Endpoints of language models, what was requested from them, and what it cost."""

from backend.llm.models.budgets import Budget
from backend.llm.models.endpoints import Endpoint
from backend.llm.models.ledger import CachedAnswer, Call, Exchange, StoredText

__all__ = ["Budget", "CachedAnswer", "Call", "Endpoint", "Exchange", "StoredText"]
