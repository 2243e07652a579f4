"""ZPL II label code to pictures, findings and label code, on libplaten.

    import platen
    png = platen.render("^XA^FO50,50^A0N,60^FDHello^FS^XZ")
"""

from __future__ import annotations

from typing import Any, Iterator, List, Optional

from ._engine import Document, Engine, default_engine
from ._errors import (
    BugError,
    CancelledError,
    DeadlineError,
    Error,
    FileError,
    InvalidError,
    LimitError,
    NotFoundError,
    OutOfMemoryError,
)
from ._native import Cancel, rule_sets, version
from ._options import Code
from ._results import Area, Bitmap, Box, Change, Comparison, Element, Finding, Label, Rewritten, Symbol

__version__ = version()
__all__ = [
    "Area", "Bitmap", "Box", "BugError", "Cancel", "CancelledError", "Change", "Comparison", "DeadlineError", "Document", "Element",
    "Engine", "Error", "FileError", "Finding", "InvalidError", "Label", "LimitError", "NotFoundError", "OutOfMemoryError", "Rewritten",
    "Symbol", "check", "compare", "explain", "image_to_zpl", "labels", "parse", "render", "rewrite", "rule_sets", "version",
]


def render(zpl: Code, format: str = "png", **options: Any) -> bytes:
    """One label as png, jpeg or webp (``label=0``), or all labels as pdf."""
    return default_engine().render(zpl, format, **options)


def labels(zpl: Code, format: Optional[str] = "png", **options: Any) -> Iterator[Label]:
    """Each label with its picture, elements and findings, drawn when it is asked for."""
    return default_engine().labels(zpl, format, **options)


def parse(zpl: Code, format: Optional[str] = None, **options: Any) -> Document:
    """Label code, parsed: its size and findings; its labels by index and in a loop."""
    return default_engine().parse(zpl, format, **options)


def check(zpl: Code, **options: Any) -> List[Finding]:
    """All findings, with every barcode read back."""
    return default_engine().check(zpl, **options)


def compare(a: Code, b: Code, **options: Any) -> Comparison:
    """Compares two labels: label code, or the bytes of a PNG, BMP or PCX file."""
    return default_engine().compare(a, b, **options)


def rewrite(zpl: Code, **options: Any) -> Rewritten:
    """Writes label code anew: laid out, for another density, rotated, or filled in from rows."""
    return default_engine().rewrite(zpl, **options)


def explain(zpl: Code, **options: Any) -> str:
    """Each command in words, one a line."""
    return default_engine().explain(zpl, **options)


def image_to_zpl(image: Any, **options: Any) -> bytes:
    """Label code of a picture: the bytes of a file or a Pillow image."""
    return default_engine().image_to_zpl(image, **options)
