"""A badge of a result as SVG: where it was evaluated, its rank set and its score."""

from xml.sax.saxutils import escape, quoteattr

from backend.leaderboard.coverage import coverage_note
from backend.leaderboard.results import PublicResult, format_rank, format_score

CHARACTER_WIDTH = 6.4
PADDING = 10
LONGEST_TEXT = 60
TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label={title}>
<title>{text}</title>
<rect width="{width}" height="20" rx="3" fill="#0f6b66"/>
<path d="M3 0H{left}V20H3A3 3 0 0 1 0 17V3A3 3 0 0 1 3 0Z" fill="#44423e"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{left_middle}" y="14">{label}</text>
<text x="{right_middle}" y="14">{value}</text>
</g>
</svg>
"""


def badge_text(result: PublicResult) -> str:
    if not result.content:
        return "withdrawn"
    metric = result.main_metric
    score = f"{metric.label} {format_score(metric, result.main_score[0] or 0.0)}"
    if coverage := coverage_note(result.content, result.main_key):
        score = f"{score}, {coverage}"
    if not result.submission.is_on_board:
        return f"{score}, {'not scored again' if result.submission.is_left_out else 'replaced'}"
    return f"{format_rank(result.content['rank'])}, {score}"


def draw_badge(result: PublicResult) -> str:
    label, value = _shorten(result.release.name), _shorten(badge_text(result))
    left, right = (round(CHARACTER_WIDTH * len(text) + 2 * PADDING) for text in (label, value))
    text = f"{label}: {value}"
    return TEMPLATE.format(
        width=left + right,
        left=left,
        left_middle=left / 2,
        right_middle=left + right / 2,
        title=quoteattr(text),
        text=escape(text),
        label=escape(label),
        value=escape(value),
    )


def _shorten(text: str) -> str:
    """One line of printable characters; XML has no others."""
    line = "".join(character for character in text if character.isprintable())
    return line if len(line) <= LONGEST_TEXT else f"{line[: LONGEST_TEXT - 1]}…"
