"""Several files at once: which ones, and a summary of what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from .errors import InvalidArgument, LitesearchError, NotFound


@dataclass(slots=True)
class Summary:
    """What add_dir did: paths stored, skipped as unchanged, and failed with the reason.

    `notes` says what is in the file only in part: pages without text, what a format's reader
    leaves out ("2 images left out").
    """

    stored: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            self.stored + other.stored,
            self.unchanged + other.unchanged,
            self.failed | other.failed,
            self.notes | other.notes,
        )

    def as_dict(self) -> dict[str, Any]:
        """The four parts by name."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [
            f"{len(self.stored)} stored, {len(self.unchanged)} unchanged, {len(self.failed)} failed"
        ]
        lines += [f"  failed: {source}: {reason}" for source, reason in self.failed.items()]
        lines += [f"  note: {source}: {note}" for source, note in self.notes.items()]
        return "\n".join(lines)


def files_in(folder: str | PathLike[str], pattern: str = "**/*") -> list[Path]:
    """The files of a folder that a reader is registered for, sorted; hidden ones left out."""
    from .data import READERS

    root = Path(folder)
    if not root.is_dir():
        raise NotFound(f"{fspath(folder)}: no such folder. Check the path.")
    try:
        paths = list(root.glob(pattern))
    except (ValueError, NotImplementedError) as error:
        raise InvalidArgument(
            f"pattern is {pattern!r} ({error}). Give one within the folder, such as '**/*.pdf'."
        ) from error
    return sorted(
        path
        for path in paths
        if path.is_file()
        and path.suffix.lower() in READERS
        and not any(part.startswith(".") for part in path.relative_to(root).parts)
    )


def add_files(
    paths: Iterable[Path], add: Callable[[Path], tuple[int, bool]], note: Callable[[int], str]
) -> Summary:
    """Add each file; one that fails is named in the summary and does not stop the others."""
    summary = Summary()
    for path in paths:
        name = str(path)
        try:
            added = add(path)
        except (LitesearchError, OSError) as error:
            summary.failed[name] = str(error).removeprefix(f"{name}: ")
            continue
        except Exception as error:  # noqa: BLE001  # a reader may fail in any way on a bad file
            summary.failed[name] = (
                f"{type(error).__name__}: {error}. Convert the file, or leave it out."
            )
            continue
        doc_id, stored = added
        (summary.stored if stored else summary.unchanged).append(name)
        notes = [note(doc_id), *getattr(added, "notes", ())]
        if any(notes):
            summary.notes[name] = "; ".join(filter(None, notes))
    return summary
