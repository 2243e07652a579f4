"""Exceptions: one for each status of libplaten, each also a kind that Python knows."""

from __future__ import annotations

from typing import Dict, Type


class Error(Exception):
    """A call failed. Bad label code is no error: it gives findings, and the rest is rendered."""

    status = "error"


class InvalidError(Error, ValueError):
    """An option is out of its bounds, or a picture cannot be read."""

    status = "invalid"


class LimitError(Error, ValueError):
    """More labels, elements, dots or bytes than the limits allow."""

    status = "limit"


class OutOfMemoryError(Error, MemoryError):
    """The system or the memory limit of a label refused memory."""

    status = "memory"


class NotFoundError(Error, LookupError):
    """There is no such label, or no value for a name."""

    status = "not_found"


class FileError(Error, OSError):
    """A file of the objects folder could not be read."""

    status = "io"


class DeadlineError(Error, TimeoutError):
    """The time of ``timeout`` is over."""

    status = "deadline"


class CancelledError(Error):
    """A ``Cancel`` was set."""

    status = "cancelled"


class BugError(Error, RuntimeError):
    """A fault of the library: please report it."""

    status = "bug"


BY_STATUS: Dict[str, Type[Error]] = {
    kind.status: kind
    for kind in (
        InvalidError, LimitError, OutOfMemoryError, NotFoundError, FileError, DeadlineError, CancelledError, BugError,
    )
}
