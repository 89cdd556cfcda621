from celery import shared_task
from django.conf import settings

from backend.leaderboard import board_exports


@shared_task(name="leaderboard.export_boards")
def export_boards() -> int:
    """Every night, so that a standing outlives the server."""
    return len(board_exports.export_boards(settings.BOARD_EXPORTS)["boards"])
