"""What calls return: dataclasses made of the tuples of the extension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

if TYPE_CHECKING:
    import numpy
    import PIL.Image

# The order of members is the order of the tuples that native/results.c makes.


@dataclass(frozen=True)
class Finding:
    """Something about the label code or the drawn label."""

    code: str  #: stable, such as "unknown_command"
    severity: str  #: "info", "warning" or "error"
    message: str
    command: str  #: such as "^FO", or ""
    offset: int  #: in bytes of the label code
    length: int
    line: int  #: from 1
    column: int
    label: int  #: index, or -1
    parameter: int  #: from 1; 0: the command as a whole
    element: int  #: index, or -1
    missing_mm: float  #: how much is missing or too much; 0: no length


@dataclass(frozen=True)
class Box:
    """Dots on the finished page."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Symbol:
    """What only barcodes have."""

    symbology: str
    module_dots: int
    quiet_zone_ok: bool
    quiet_zone: Box
    bars: Box
    decoded: Optional[bool]  #: with verify: can it be read? None: not tried
    matches: Optional[bool]  #: is what was read what the field says?
    decoded_data: bytes
    no_reader_reason: Optional[str]
    margin: Optional[str]  #: what a print that is a dot too dark or too light does


@dataclass(frozen=True)
class Element:
    """One text, barcode, shape or image of a label."""

    type: str  #: "text", "barcode", "box", "circle", "ellipse", "line" or "image"
    command: str  #: such as "^A0"
    x: int  #: ink box on the finished page, in dots
    y: int
    width: int
    height: int
    rotation: int
    reverse: bool
    clipped: bool  #: text did not fit its block
    inside_label: bool
    overlaps: Tuple[int, ...]  #: indexes of other elements
    offset: int  #: in bytes of the label code
    length: int
    data: bytes  #: field data
    text: str  #: what it says to a human
    symbol: Optional[Symbol]


@dataclass(frozen=True)
class Bitmap:
    """The dots of a label. ``data`` has whole rows of bytes."""

    width: int
    height: int
    dpmm: float
    grey: bool  #: one byte a dot, 0 is black; otherwise 8 dots a byte, leftmost in the highest bit, 1 is ink
    data: bytes

    @property
    def stride(self) -> int:
        """Bytes of a row."""
        return self.width if self.grey else (self.width + 7) // 8

    def to_pillow(self) -> "PIL.Image.Image":
        """A Pillow image, mode "L" or "1". Shades share the memory of ``data``."""
        from PIL import Image

        if self.grey:
            return Image.frombuffer("L", (self.width, self.height), self.data, "raw", "L", 0, 1)
        return Image.frombytes("1", (self.width, self.height), self.data, "raw", "1;I")

    def to_numpy(self) -> "numpy.ndarray[Any, Any]":
        """Shades: a view of ``data`` as uint8, 0 is black. Black and white: bool, True is ink."""
        import numpy

        rows = numpy.frombuffer(self.data, dtype=numpy.uint8).reshape(self.height, self.stride)
        if self.grey:
            return rows
        return numpy.unpackbits(rows, axis=1, count=self.width).view(bool)


@dataclass(frozen=True)
class Label:
    """A label, drawn."""

    index: int
    copies: int
    offset: int  #: ^XA to ^XZ in the label code
    length: int
    data: bytes  #: the picture file; empty without a format
    elements: List[Element]
    findings: List[Finding]


@dataclass(frozen=True)
class Area:
    """Where ink differs."""

    x: int
    y: int
    width: int
    height: int
    dots: int


@dataclass(frozen=True)
class Change:
    """How an element differs."""

    change: str  #: "removed", "added", "moved" or "changed"
    differs: Tuple[str, ...]  #: of "type", "data", "size", "place", "look"
    a: Optional[Element]
    b: Optional[Element]
    dx: int
    dy: int


@dataclass(frozen=True)
class Comparison:
    """Two labels, dot by dot. It is true if they are the same."""

    same: bool
    size_a: Tuple[int, int]
    size_b: Tuple[int, int]
    ink_a: int
    ink_b: int
    only_a: int  #: dots that only a has
    only_b: int
    share: float  #: of all dots with ink, how many differ: 0 to 1
    area_count: int  #: of all; ``areas`` has the 64 largest
    areas: List[Area]
    changes: List[Change]
    picture: bytes  #: PNG: black in both, orange in a only, blue in b only

    def __bool__(self) -> bool:
        return self.same


@dataclass(frozen=True)
class Rewritten:
    """Label code, written anew."""

    code: bytes
    notes: List[Finding]  #: what could not be kept or scaled exactly


def findings(tuples: List[Tuple[Any, ...]]) -> List[Finding]:
    return [Finding(*values) for values in tuples]


def element(values: Optional[Tuple[Any, ...]]) -> Optional[Element]:
    if values is None:
        return None
    symbol = values[-1]
    if symbol is None:
        return Element(*values)
    name, module, quiet_ok, quiet, bars, *rest = symbol
    return Element(*(values[:-1] + (Symbol(name, module, quiet_ok, Box(*quiet), Box(*bars), *rest),)))


def elements(tuples: List[Tuple[Any, ...]]) -> List[Element]:
    return [made for made in map(element, tuples) if made is not None]


_DIFFERS = ("type", "data", "size", "place", "look")


def comparison(values: Tuple[Any, ...]) -> Comparison:
    *head, areas, changes, picture = values
    made = [
        Change(kind, tuple(name for bit, name in enumerate(_DIFFERS) if bits >> bit & 1), element(a), element(b), dx, dy)
        for kind, bits, a, b, dx, dy in changes
    ]
    return Comparison(*(tuple(head) + ([Area(*area) for area in areas], made, picture)))
