"""Photographs made smaller than a camera makes them, and pictures of other formats as PNG, for a document.

Knows pixels. Does not know metadata (fabai.formats.exif takes it out) nor where a picture stands.
"""

from __future__ import annotations

import io
import zlib

LONGEST = 2_400
"""Pixels of the longer side: 30 cm at 200 dots per inch."""


def scaled(data: bytes, longest: int = LONGEST) -> bytes:
    """The picture with at most so many pixels on its longer side, in its own format; one that is small enough, moves or
    cannot be read comes back as it is.
    """
    if not data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")):
        return data
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            if max(picture.size) <= longest or getattr(picture, "is_animated", False):
                return data
            kind = picture.format
            profile = picture.info.get("icc_profile")
            small = picture.convert("RGBA" if picture.mode == "P" else picture.mode)
            small.thumbnail((longest, longest), Image.Resampling.LANCZOS)
            out = io.BytesIO()
            more = {"quality": 85} if kind == "JPEG" else {"optimize": True}
            small.save(out, kind, **more, **({"icc_profile": profile} if profile else {}))
    except (UnidentifiedImageError, OSError, ValueError, zlib.error, Image.DecompressionBombError):
        return data
    made = out.getvalue()
    return made if len(made) < len(data) else data


def opens(data: bytes) -> bool:
    """Whether a PNG or JPEG tells its size and is no larger than programs show; of other formats nothing is said."""
    if not data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")):
        return True
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            return min(picture.size) > 0
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, zlib.error, Image.DecompressionBombError):
        return False


def as_png(data: bytes, dots: int | None = None) -> bytes | None:
    """A picture of another format as a PNG, the first of those that move; None where it cannot be read. dots: how many
    of its pixels make an inch.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            out = io.BytesIO()
            still = picture if picture.mode in ("RGB", "RGBA", "L", "P") else picture.convert("RGBA")
            still.save(out, "PNG", optimize=True, **({} if dots is None else {"dpi": (dots, dots)}))
    except (UnidentifiedImageError, OSError, ValueError, zlib.error, Image.DecompressionBombError):
        return None
    return out.getvalue()
