"""litesearch: a document search engine in one SQLite file.

>>> from litesearch import database
>>> db = database("library.db")  # doctest: +SKIP
>>> db.add_dir("documents")      # doctest: +SKIP
>>> print(db.sections("rate of VAT on books"))  # doctest: +SKIP
"""

from .db import Database, database
from .errors import (
    Busy,
    DatabaseError,
    DocumentError,
    EmptyDocument,
    EncodeError,
    EncoderMismatch,
    InvalidArgument,
    InvalidType,
    LitesearchError,
    LitesearchWarning,
    MissingExtra,
    NewerFormat,
    NotALitesearchFile,
    NotFound,
    ParseError,
    ReadOnly,
)
from .folders import Summary
from .hits import Hit, Results, Section

__version__ = "0.1.0"

__all__ = [
    "Busy",
    "Database",
    "DatabaseError",
    "DocumentError",
    "EmptyDocument",
    "EncodeError",
    "EncoderMismatch",
    "Hit",
    "InvalidArgument",
    "InvalidType",
    "LitesearchError",
    "LitesearchWarning",
    "MissingExtra",
    "NewerFormat",
    "NotALitesearchFile",
    "NotFound",
    "ParseError",
    "ReadOnly",
    "Results",
    "Section",
    "Summary",
    "__version__",
    "database",
]
