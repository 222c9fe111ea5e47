"""The languages of source files by suffix; apart from their reader, which is loaded when used."""

from __future__ import annotations

# Suffix -> the grammar's package, and its function where it has several.
LANGUAGES: dict[str, tuple[str, str]] = {
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), ("javascript", "language")),
    **dict.fromkeys((".ts", ".mts", ".cts"), ("typescript", "language_typescript")),
    ".tsx": ("typescript", "language_tsx"),
    ".java": ("java", "language"),
    ".c": ("c", "language"),
    **dict.fromkeys((".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp"), ("cpp", "language")),
    ".cs": ("c_sharp", "language"),
    ".go": ("go", "language"),
    ".rs": ("rust", "language"),
    ".rb": ("ruby", "language"),
    ".php": ("php", "language_php"),
    **dict.fromkeys((".sh", ".bash"), ("bash", "language")),
}
