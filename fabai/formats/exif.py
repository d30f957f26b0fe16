"""Pictures without what a camera or a program wrote into them: place, device, person, date.

Knows the segments of JPEG and the chunks of PNG. Does not decode pictures, except to turn one that only its EXIF data
told how to hold.
"""

from __future__ import annotations

import io
import struct
import zlib

from fabai.formats.package import Package

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_WORDS = (b"eXIf", b"tEXt", b"iTXt", b"zTXt", b"tIME")
_ORIENTATION = 0x0112
_APPLICATION = range(0xE1, 0xF0)
_COMMENT = 0xFE
_KEPT_APPLICATION = (0xE2, 0xEE)
"""Colour profile and Adobe's colour transform: without them the colours change."""


def without_metadata(data: bytes) -> bytes:
    """The picture with the same pixels and nothing else; data that is no JPEG or PNG comes back as it is."""
    if data.startswith(b"\xff\xd8\xff"):
        turn = orientation(data)
        return _upright(data) if turn not in (None, 1) else _plain_jpeg(data)
    if data.startswith(_PNG):
        return _plain_png(data)
    return data


def clean_pictures(package: Package) -> int:
    """Clean every picture of a Word package in place; returns how many had something to lose."""
    count = 0
    for name in package.names:
        if "/media/" in name:
            data = package.data(name)
            plain = without_metadata(data)
            if plain != data:
                package.put(name, plain)
                count += 1
    return count


def orientation(data: bytes) -> int | None:
    """How a JPEG asks to be turned (1: not at all, 2-8), None where it does not say."""
    for marker, start, end in _segments(data):
        if marker == 0xE1 and data[start : start + 6] == b"Exif\x00\x00":
            return _tag(data[start + 6 : end])
    return None


def _tag(tiff: bytes) -> int | None:
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 14:
        return None
    (offset,) = struct.unpack_from(f"{order}I", tiff, 4)
    if offset + 2 > len(tiff):
        return None
    (count,) = struct.unpack_from(f"{order}H", tiff, offset)
    for number in range(count):
        entry = offset + 2 + 12 * number
        if entry + 12 > len(tiff):
            return None
        tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, entry)
        if tag == _ORIENTATION:
            return int(value) if 1 <= value <= 8 else None
    return None


def _segments(data: bytes) -> list[tuple[int, int, int]]:
    """Marker, start and end of the content of every segment in front of the pixels."""
    found = []
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        if marker == 0xDA:
            break
        (length,) = struct.unpack_from(">H", data, place + 2)
        if length < 2:
            break
        found.append((marker, place + 4, place + 2 + length))
        place += 2 + length
    return found


def _plain_jpeg(data: bytes) -> bytes:
    out = bytearray(data[:2])
    place = 2
    for marker, _, end in _segments(data):
        drop = marker == _COMMENT or (marker in _APPLICATION and marker not in _KEPT_APPLICATION)
        if not drop:
            out += data[place:end]
        place = end
    return bytes(out + data[place:])


def _plain_png(data: bytes) -> bytes:
    out = bytearray(_PNG)
    place = len(_PNG)
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind = data[place + 4 : place + 8]
        end = place + 12 + length
        if end > len(data):
            return data
        if kind not in _PNG_WORDS:
            out += data[place:end]
        place = end
        if kind == b"IEND":
            break
    return bytes(out)


def _upright(data: bytes) -> bytes:
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            turned = ImageOps.exif_transpose(picture)
            out = io.BytesIO()
            profile = picture.info.get("icc_profile")
            turned.save(out, "JPEG", quality=95, subsampling=0, **({"icc_profile": profile} if profile else {}))
    except (UnidentifiedImageError, OSError, ValueError, zlib.error, Image.DecompressionBombError):
        return _plain_jpeg(data)
    return _plain_jpeg(out.getvalue())
