"""Mail files (.eml): the text, with sender, receivers and date above it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..headings import markdown_headings
from ..records import Document
from .content import Builder, FileContent, FilePath, escaped, parsing
from .html import read_html
from .text import decode, read_bytes

if TYPE_CHECKING:
    from email.message import EmailMessage

_ADDRESSES = ("from", "to", "cc")


def read_eml(path: FilePath) -> FileContent:
    """A mail as markdown: its plain text, else its HTML. Attachments are named and not read."""
    import email
    from email import policy

    data = read_bytes(path)
    with parsing(path, "a mail (.eml)"):
        message = email.message_from_bytes(data, policy=policy.default)
        if not any(message[name] for name in ("from", "to", "date", "subject", "received")):
            raise ValueError("it has no head: neither From, To, Date nor Subject")
        subject = " ".join(str(message["subject"] or "").split())
        metadata: dict[str, Any] = {
            name: " ".join(str(message[name]).split()) for name in _ADDRESSES if message[name]
        }
        if message["date"]:
            metadata["date"] = _date(message)
        attached = [
            part.get_filename() or part.get_content_type() for part in message.iter_attachments()
        ]
        if attached:
            metadata["attachments"] = attached
        builder = Builder()
        builder.heading(1, subject or "No subject")
        head = [f"{name.title()}: {metadata[name]}" for name in (*_ADDRESSES, "date")
                if name in metadata]  # fmt: skip
        builder.block("\n".join(head))
        _body(builder, message, str(path))
    names = ", ".join(attached)
    notes = (f"attachments not read: {names}",) if attached else ()
    return FileContent("eml", builder.document(), subject, metadata, notes)


def _date(message: EmailMessage) -> str:
    moment = getattr(message["date"], "datetime", None)
    return moment.isoformat() if moment is not None else str(message["date"])


def _body(builder: Builder, message: EmailMessage, name: str) -> None:
    part = message.get_body(("plain", "html"))
    if part is None:
        return
    try:
        text = str(part.get_content())
    except (LookupError, UnicodeError):  # an encoding that Python does not know
        data = part.get_payload(decode=True)
        text = decode(data if isinstance(data, bytes) else b"", name)
    if part.get_content_subtype() == "html":
        markdown = read_html(text)
        headings = markdown_headings(markdown, True)
        builder.append(Document(markdown, headings=headings), level=1)
    else:
        builder.block(escaped(text.replace("\r\n", "\n")))
