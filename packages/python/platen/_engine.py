"""The engine, documents, and the functions of the module, which use one engine for all."""

from __future__ import annotations

import io
import operator
import os
import threading
import time
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from . import _native, _options, _results
from ._options import Code
from ._results import Bitmap, Comparison, Finding, Label, Rewritten

_PICTURES = (b"\x89PNG", b"BM", b"\x0a\x05", b"\x0a\x03", b"\x0a\x02")  # PNG, BMP, PCX


class Document:
    """Label code, parsed. Iterating draws its labels one by one. Any number of threads may use it."""

    def __init__(self, native: "_native.Document", format: Optional[str], jpeg_quality: int) -> None:
        self._native = native
        self._format = -1 if format is None else _options.choice("format", format, _options.FORMATS)
        self._jpeg_quality = _options.whole("jpeg_quality", jpeg_quality, 100)
        (self.width_mm, self.height_mm, self.width, self.height, self.page_count, self.findings_dropped, self.language, found) = native.info()
        self.findings: List[Finding] = _results.findings(found)

    def __len__(self) -> int:
        return self._native.count()

    def __getitem__(self, index: int) -> Label:
        count = len(self)
        number = operator.index(index)
        number += count if number < 0 else 0
        if not 0 <= number < count:
            raise IndexError(f"there is no label {index}: the document has {count}")
        copies, offset, length, data, elements, found, _ = self._native.draw(number, self._format, self._jpeg_quality, False)
        return Label(number, copies, offset, length, data, _results.elements(elements), _results.findings(found))

    def __iter__(self) -> Iterator[Label]:
        return (self[index] for index in range(len(self)))

    def bitmap(self, index: int = 0) -> Bitmap:
        """The dots of a label."""
        number = _options.whole("index", index)
        values = self._native.draw(number, -1, 0, True)[6]
        assert values is not None
        return Bitmap(*values)


class Engine:
    """Fonts, limits and stored objects. The functions of the module use one with the defaults."""

    def __init__(
        self,
        objects_dir: Union[None, str, "os.PathLike[str]"] = None,
        *,
        input_bytes: int = 0,
        labels: int = 0,
        dots_per_label: int = 0,
        memory_bytes: int = 0,
    ) -> None:
        most = 2**62
        self._native = _native.Engine(
            objects_dir,
            _options.whole("input_bytes", input_bytes, most),
            _options.whole("labels", labels),
            _options.whole("dots_per_label", dots_per_label, most),
            _options.whole("memory_bytes", memory_bytes, most),
        )

    def parse(self, zpl: Code, format: Optional[str] = None, *, jpeg_quality: int = 0, elements: bool = True, **options: Any) -> Document:
        """Parses label code. ``format`` is that of the labels' pictures; None: none."""
        native = self._native.parse(_options.code_bytes(zpl), _options.render_options(_options.switch("elements", elements), **options))
        return Document(native, format, jpeg_quality)

    def render(self, zpl: Code, format: str = "png", *, label: int = 0, jpeg_quality: int = 0, title: str = "Labels", **options: Any) -> bytes:
        """One label as a picture file, or all labels as a PDF."""
        kind = _options.choice("format", format, _options.FORMATS)
        pdf = _options.FORMATS[kind] == "pdf"
        options.setdefault("rules", "none")
        return self._native.render(
            _options.code_bytes(zpl),
            _options.render_options(pdf, **options),
            _options.whole("label", label),
            kind,
            _options.whole("jpeg_quality", jpeg_quality, 100),
            title,
        )

    def labels(self, zpl: Code, format: Optional[str] = "png", **options: Any) -> Iterator[Label]:
        """Each label, drawn when it is asked for."""
        return iter(self.parse(zpl, format, **options))

    def check(self, zpl: Code, *, verify: bool = True, **options: Any) -> List[Finding]:
        """All findings: of the code, of the drawn labels, and of their barcodes."""
        document = self.parse(zpl, verify=verify, **options)
        return document.findings + [finding for label in document for finding in label.findings]

    def _snapshot(self, side: Code, index: int, options: Dict[str, Any]) -> "_native.Snapshot":
        code = _options.code_bytes(side, "a and b")
        if code.startswith(_PICTURES):
            return self._native.snapshot_of_picture(code)
        return self._native.parse(code, _options.render_options(True, **options)).snapshot(index)

    def compare(
        self,
        a: Code,
        b: Code,
        *,
        label: int = 0,
        tolerance_dots: int = 0,
        tolerance_percent: float = 0,
        elements: bool = False,
        **options: Any,
    ) -> Comparison:
        """Compares two labels: label code, or the bytes of a PNG, BMP or PCX file."""
        index = _options.whole("label", label)
        options.setdefault("rules", "none")
        timeout, cancel, began = options.pop("timeout", None), options.pop("cancel", None), time.monotonic()

        def left() -> Optional[float]:
            if timeout is None or isinstance(timeout, bool) or not timeout >= 0:  # the extension says what is wrong with it
                return timeout  # type: ignore[no-any-return]
            return max(timeout - (time.monotonic() - began), 0.0)  # type: ignore[no-any-return]

        one, other = (self._snapshot(side, index, {**options, "timeout": left(), "cancel": cancel}) for side in (a, b))
        return _results.comparison(
            _native.compare(
                one,
                other,
                _options.whole("tolerance_dots", tolerance_dots, 2**62),
                _options.real("tolerance_percent", tolerance_percent),
                _options.switch("elements", elements),
                left(),
                cancel,
            )
        )

    def rewrite(
        self,
        zpl: Code,
        *,
        layout: str = "lines",
        graphics: str = "keep",
        dpmm: Optional[float] = None,
        target_dpmm: Optional[float] = None,
        width_mm: Optional[float] = None,
        height_mm: Optional[float] = None,
        rotation: int = 0,
        rows: Union[None, Code, Sequence[Dict[str, Any]]] = None,
        timeout: Optional[float] = None,
        cancel: Optional["_native.Cancel"] = None,
    ) -> Rewritten:
        """Writes label code anew: laid out, for another density, rotated, or filled in from rows."""
        if rows is not None and not isinstance(rows, (str, bytes, bytearray, memoryview)):
            import json

            rows = json.dumps(list(rows))
        code, notes = self._native.rewrite(
            _options.code_bytes(zpl),
            _options.choice("layout", layout, _options.LAYOUTS),
            _options.choice("graphics", graphics, _options.CODINGS),
            _options.length("dpmm", dpmm),
            _options.length("target_dpmm", target_dpmm),
            _options.length("width_mm", width_mm),
            _options.length("height_mm", height_mm),
            _options.whole("rotation", rotation),
            None if rows is None else _options.code_bytes(rows, "rows"),
            timeout,
            cancel,
        )
        return Rewritten(code, _results.findings(notes))

    def explain(self, zpl: Code, *, dpmm: Optional[float] = None, timeout: Optional[float] = None, cancel: Optional["_native.Cancel"] = None) -> str:
        """Each command in words, one a line."""
        return self._native.explain(_options.code_bytes(zpl), _options.length("dpmm", dpmm), timeout, cancel).decode("utf-8", "replace")

    def image_to_zpl(
        self,
        image: Any,
        *,
        dither: str = "auto",
        coding: str = "acs",
        threshold: float = 50,
        width_mm: Optional[float] = None,
        height_mm: Optional[float] = None,
        dpmm: Optional[float] = None,
        rotation: int = 0,
        x: int = 0,
        y: int = 0,
        invert: bool = False,
        trim: bool = False,
        stored: bool = False,
        bare: bool = False,
        name: Optional[str] = None,
        timeout: Optional[float] = None,
        cancel: Optional["_native.Cancel"] = None,
    ) -> bytes:
        """Label code of a picture: the bytes of a file (PNG, JPEG, GIF, WebP, BMP …) or a Pillow image."""
        if hasattr(image, "save") and hasattr(image, "mode"):
            file = io.BytesIO()
            image.save(file, "PNG")
            image = file.getvalue()
        if isinstance(image, str):
            raise TypeError("'image' must be the bytes of a picture file or a Pillow image, not str")
        return self._native.graphic(
            _options.code_bytes(image, "image"),
            _options.choice("dither", dither, _options.DITHERS),
            _options.choice("coding", coding, _options.CODINGS),
            _options.real("threshold", threshold),
            _options.length("width_mm", width_mm),
            _options.length("height_mm", height_mm),
            _options.length("dpmm", dpmm),
            _options.whole("rotation", rotation),
            _options.whole("x", x),
            _options.whole("y", y),
            _options.switch("invert", invert),
            _options.switch("trim", trim),
            _options.switch("stored", stored),
            _options.switch("bare", bare),
            _options.name_or_none("name", name),
            timeout,
            cancel,
        )


_lock = threading.Lock()
_default: Optional[Engine] = None


def default_engine() -> Engine:
    """The engine of the module's functions; made at the first call."""
    global _default
    if _default is None:
        with _lock:
            if _default is None:
                _default = Engine()
    return _default
