"""Words that a layout has set with blanks between their letters, put together again."""

from __future__ import annotations

import re

# At least four single characters, each after one blank: "S e c t i o n 1", "D e f i n i t i o n s".
SPACED = re.compile(r"(?<![^\s(])(?:[^\W\d_] ){3,}[^\W\d_](?![^\s,.;:)])")


def close_letterspacing(line: str) -> str:
    """`line` with its letterspaced words closed: "S e c t i o n 1" -> "Section 1".

    Two blanks part the words of a letterspaced line; where only one is left, an upper-case letter
    begins the next word.
    """
    if len(line) < 7 or (line[1:2] != " " and " " not in line[1:]):
        return line
    return SPACED.sub(lambda found: found[0].replace(" ", ""), line)
