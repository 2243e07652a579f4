"""Arguments of calls: checked here, so that the extension gets values of the right type and range."""

from __future__ import annotations

import datetime
import operator
from typing import Any, Optional, Sequence, Tuple, Union

Code = Union[str, bytes, bytearray, memoryview]

FORMATS = ("png", "jpeg", "webp", "pdf")
QUALITIES = ("bitonal", "grayscale")
PROFILES = ("reference", "printer")
LANGUAGES = ("auto", "zpl", "epl", "tspl", "cpcl")  # by enum platen_language
LAYOUTS = ("lines", "compact")
CODINGS = ("keep", "acs", "hex", "z64", "smallest")
DITHERS = ("threshold", "auto", "floyd_steinberg", "atkinson", "ordered")
_ALIASES = {"jpg": "jpeg", "grey": "grayscale", "gray": "grayscale", "floyd-steinberg": "floyd_steinberg"}
_LARGEST = 2**31 - 1
_FIRST_SECOND, _LAST_SECOND = -62135596800, 253402300799  # of the years 1 to 9999


def code_bytes(code: Code, name: str = "zpl") -> bytes:
    """Label code as bytes; text is UTF-8."""
    if isinstance(code, bytes):
        return code
    if isinstance(code, str):
        return code.encode("utf-8")
    if isinstance(code, (bytearray, memoryview)):
        return bytes(code)
    raise TypeError(f"'{name}' must be str, bytes, bytearray or memoryview, not {type(code).__name__}")


def choice(name: str, value: Any, words: Sequence[str]) -> int:
    """The number of a word."""
    if type(value) is str and value in words:
        return words.index(value)  # as it is usually written: options are read for each label
    if not isinstance(value, str):
        raise TypeError(f"'{name}' must be a str, not {type(value).__name__}")
    word = _ALIASES.get(value.lower(), value.lower())
    if word not in words:
        raise ValueError(f"'{name}' must be one of {', '.join(words)}, not {value!r}")
    return words.index(word)


def whole(name: str, value: Any, largest: int = _LARGEST) -> int:
    """A whole number from 0."""
    if type(value) is int and 0 <= value <= largest:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"'{name}' must be an int, not {type(value).__name__}")
    number = operator.index(value)
    if not 0 <= number <= largest:
        raise ValueError(f"'{name}' must be from 0 to {largest}")
    return int(number)


def switch(name: str, value: Any) -> bool:
    """True or False. Text such as "no" has a truth, too, and it is the wrong one."""
    if not isinstance(value, bool):
        raise TypeError(f"'{name}' must be a bool, not {type(value).__name__}")
    return value


def real(name: str, value: Any) -> float:
    """A number of any kind. Text is none, though float() reads it, and neither is a bool."""
    if isinstance(value, (bool, str, bytes, bytearray)) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise TypeError(f"'{name}' must be a number, not {type(value).__name__}")
    return float(value)


def length(name: str, value: Optional[float]) -> float:
    """A number above 0; None is 0, the default."""
    if value is None:
        return 0.0
    number = real(name, value)
    if not 0 < number < float("inf"):
        raise ValueError(f"'{name}' must be a number above 0")
    return number


def clock(value: Union[None, int, datetime.datetime]) -> Optional[int]:
    """The printer's clock as seconds since 1970, read as local time."""
    if value is None:
        return None
    if isinstance(value, datetime.datetime):
        return int((value.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)).total_seconds())
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"'time' must be a datetime or an int, not {type(value).__name__}")
    number = operator.index(value)
    if not _FIRST_SECOND <= number <= _LAST_SECOND:
        raise ValueError("'time' must be in the years 1 to 9999")
    return int(number)


def name_or_none(name: str, value: Optional[str]) -> Optional[str]:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"'{name}' must be a str, not {type(value).__name__}")
    return value


def render_options(
    elements: bool,
    *,
    width_mm: Optional[float] = None,
    height_mm: Optional[float] = None,
    dpmm: Optional[float] = None,
    quality: str = "bitonal",
    profile: str = "reference",
    language: str = "auto",
    rotation: int = 0,
    fit_size: bool = False,
    collapse_copies: bool = False,
    verify: bool = False,
    rules: Optional[str] = None,
    min_module_mm: Optional[float] = None,
    printer_model: Optional[str] = None,
    time: Union[None, int, datetime.datetime] = None,
    linter: bool = False,
    timeout: Optional[float] = None,
    cancel: Any = None,
) -> Tuple[Any, ...]:
    """The tuple that native/options.c reads, in its order."""
    model, rule_set = name_or_none("printer_model", printer_model), name_or_none("rules", rules)
    read_back = switch("verify", verify)
    return (
        length("width_mm", width_mm),
        length("height_mm", height_mm),
        length("dpmm", dpmm),
        choice("quality", quality, QUALITIES),
        choice("profile", profile, PROFILES),
        choice("language", language, LANGUAGES),
        whole("rotation", rotation),
        switch("fit_size", fit_size),
        switch("collapse_copies", collapse_copies),
        elements or read_back or model,
        read_back,
        rule_set and rule_set.lower(),
        length("min_module_mm", min_module_mm),
        model and model.lower(),
        clock(time),
        switch("linter", linter),
        timeout,
        cancel,
    )
