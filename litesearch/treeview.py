"""A document's tree as HTML, to look at in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def tree_html(entries: Sequence[tuple[int, str, int]]) -> str:
    """Nested lists that fold, from (level, title, page) in reading order; two levels are open.

    Every title is escaped: a document's text never becomes markup.
    """
    parts: list[str] = []
    open_levels: list[int] = []
    for index, (level, title, page) in enumerate(entries):
        while open_levels and open_levels[-1] >= level:
            parts.append("</details>")
            open_levels.pop()
        text = f"{escape(title) or 'Document'} <small>p. {page}</small>"
        following = entries[index + 1][0] if index + 1 < len(entries) else -1
        indent = "margin-left:1.2em" if open_levels else ""
        if following > level:
            shown = " open" if len(open_levels) < 2 else ""
            parts.append(f'<details{shown} style="{indent}"><summary>{text}</summary>')
            open_levels.append(level)
        else:
            parts.append(f'<div style="margin-left:{2.2 if open_levels else 1}em">{text}</div>')
    parts += ["</details>"] * len(open_levels)
    return "".join(parts)
