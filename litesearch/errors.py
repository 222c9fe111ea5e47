"""Every error that litesearch raises on purpose. The tree:

    LitesearchError
    ├── DatabaseError               the file as a whole
    │   ├── NotALitesearchFile      opened something else
    │   ├── NewerFormat             written by a later version
    │   ├── EncoderMismatch         the file's vectors come from another encoder
    │   ├── ReadOnly                a write on a file opened for reading
    │   └── Busy                    another writer held the file too long
    ├── DocumentError               one document; nothing of it was stored
    │   ├── ParseError              no reader could read it: encrypted, truncated, ...
    │   ├── EmptyDocument           no text at all (zero pages, white space, a scan)
    │   └── EncodeError             the encoder raised, or gave rows that cannot be stored
    ├── NotFound                    a document, node or table that is not in the file
    ├── InvalidArgument             also a ValueError: a value outside its documented range
    ├── InvalidType                 also a TypeError: a value of the wrong type
    └── MissingExtra                also an ImportError: an optional package is not installed

Each message says what is wrong and ends with how to cure it.
"""


class LitesearchError(Exception):
    """Base of all errors of this package: `except LitesearchError` catches every one."""


class DatabaseError(LitesearchError):
    """The database file cannot be used as asked."""


class NotALitesearchFile(DatabaseError):
    """The path holds something else: another SQLite database, or no database at all."""


class NewerFormat(DatabaseError):
    """The file was written by a later version of litesearch than this one."""


class EncoderMismatch(DatabaseError):
    """The vectors in the file come from another encoder than the one asked for."""


class ReadOnly(DatabaseError):
    """A write was asked of a database that is opened for reading only."""


class Busy(DatabaseError):
    """Another connection held the write lock for longer than the busy timeout."""


class DocumentError(LitesearchError):
    """One document cannot be stored. Nothing of it is in the file."""


class ParseError(DocumentError):
    """A reader could not read the document: encrypted, truncated, or of another format."""


class EmptyDocument(DocumentError):
    """The document has no text: zero pages, white space only, or scanned pages."""


class EncodeError(DocumentError):
    """The encoder raised, or returned rows that are not what it was asked for."""


class NotFound(LitesearchError):
    """The document, node or table is not in the file."""


class InvalidArgument(LitesearchError, ValueError):
    """A value outside its documented range."""


class InvalidType(LitesearchError, TypeError):
    """A value of the wrong type."""


class MissingExtra(LitesearchError, ImportError):
    """An optional package is needed and not installed; the message names the install command."""


class LitesearchWarning(UserWarning):
    """Something was left out or done in a lesser way; the message says what and what to do."""
