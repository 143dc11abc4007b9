"""The learning curve as a small SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["draw_curve"]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 640, 360, 48, 40, 20
_LINES = (
    ("score", "#1f6feb", "F1"),
    ("discontinuous f1", "#d1242f", "discontinuous F1"),
    ("tag accuracy", "#1a7f37", "tags"),
)


def draw_curve(history: Sequence[dict[str, Any]]) -> str:
    """Dev scores and training loss by epoch; the loss is drawn to its own scale."""
    epochs = max((row["epoch"] for row in history), default=1)
    right = _WIDTH - 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" ',
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
    ]

    def x(epoch: float) -> float:
        return _LEFT + (right - _LEFT) * (epoch - 1) / max(1, epochs - 1)

    def y(share: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * share

    for tick in range(0, 101, 20):
        parts.append(f'<path d="M{_LEFT} {y(tick / 100):.1f}H{right}" stroke="#d0d7de"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(tick / 100) + 4:.1f}" text-anchor="end">{tick}</text>')
    for epoch in sorted({1, epochs, *range(10, epochs, max(10, epochs // 50 * 10))}):
        parts.append(f'<text x="{x(epoch):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{epoch}</text>')
    highest = max((row["loss"] for row in history), default=1.0) or 1.0
    curves = [(name, colour, label, 100.0) for name, colour, label in _LINES] + [("loss", "#6e7781", "loss", highest)]
    place = _LEFT
    for name, colour, label, scale in curves:
        points = [(x(row["epoch"]), y(row[name] / scale)) for row in history if isinstance(row.get(name), int | float)]
        if not points or (name == "tag accuracy" and all(row.get("score") == row.get(name) for row in history)):
            continue
        dots = " ".join(f"{left:.1f},{top:.1f}" for left, top in points)
        dashes = ' stroke-dasharray="4 3"' if name == "loss" else ""
        parts.append(f'<polyline points="{dots}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        parts.append(f'<text x="{place}" y="{_HEIGHT - 6}" fill="{colour}">{label}</text>')
        place += 40 + 7 * len(label)
    parts.append("</svg>\n")
    return "\n".join(parts)
