"""Packages: what is not edited is written back as it was, and what is no Word package is answered with a sentence."""

from __future__ import annotations

import io
import zipfile

import pytest
from lxml import etree

from fabai.errors import UnreadableFile
from fabai.formats.newdocument import own_template
from fabai.formats.package import CONTENT_TYPES, Package, parse
from fabai.formats.strict import transitional
from fabai.formats.wordml import W
from fabai.settings import ReadingLimits

from .word import case, parts


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_saved_package_has_the_same_parts_and_saving_it_again_changes_nothing() -> None:
    data = case("024", "dos-secciones.docx").read_bytes()
    saved = Package(data).save()
    assert parts(saved) == parts(data)
    assert Package(saved).save() == saved


def test_only_edited_parts_are_written_anew() -> None:
    data = case("024", "dos-secciones.docx").read_bytes()
    package = Package(data)
    package.edit("word/header2.xml").set("changed", "yes")
    changed = parts(package.save())
    assert [name for name, part in parts(data).items() if changed[name] != part] == ["word/header2.xml"]


def test_reading_a_part_does_not_rewrite_it() -> None:
    data = case("024", "dos-secciones.docx").read_bytes()
    package = Package(data)
    assert package.body.tag == W + "body"
    assert parts(package.save())["word/document.xml"] == parts(data)["word/document.xml"]


def test_strict_parts_are_read_as_transitional() -> None:
    package = Package(case("015", "estricta.docx").read_bytes())
    assert package.xml(package.document).tag == W + "document"
    assert not any(b"purl.oclc.org" in part for part in parts(package.save()).values())
    assert transitional(b"<a/>") == b"<a/>"


@pytest.mark.parametrize(
    ("strict", "wanted"),
    [
        ('<w:pgMar w:top="70.85pt" w:left="2.5cm"/>', '<w:pgMar w:top="1417" w:left="1417"/>'),
        ('<w:sz w:val="11pt"/>', '<w:sz w:val="22"/>'),
        ('<w:lvlText w:val="5pt"/>', '<w:lvlText w:val="5pt"/>'),
        ('<w:tblW w:w="50%" w:type="pct"/>', '<w:tblW w:w="2500" w:type="pct"/>'),
        ('<w:zoom w:percent="100%"/>', '<w:zoom w:percent="100"/>'),
        ('<w:ind w:start="36pt" w:hanging="18pt"/>', '<w:ind w:left="720" w:hanging="360"/>'),
        ('<w:lvl><w:start w:val="1"/><w:lvlJc w:val="end"/></w:lvl>',
         '<w:lvl><w:start w:val="1"/><w:lvlJc w:val="right"/></w:lvl>'),
        ('<w:tcMar><w:start w:w="5.4pt"/></w:tcMar>', '<w:tcMar><w:left w:w="108"/></w:tcMar>'),
        ('<w:tblLook w:firstRow="1" w:noVBand="1"/>', '<w:tblLook w:firstRow="1" w:noVBand="1" w:val="0420"/>'),
        ('<w:cnfStyle w:lastRowFirstColumn="1"/>', '<w:cnfStyle w:lastRowFirstColumn="1" w:val="000000000001"/>'),
        ('<a:alpha val="62.5%"/>', '<a:alpha val="62500"/>'),
        ('<c:gapWidth val="150%"/>', '<c:gapWidth val="150"/>'),
    ],
)  # fmt: skip
def test_values_of_strict_parts_are_in_the_units_that_transitional_counts_in(strict: str, wanted: str) -> None:
    def root(inside: str, base: str, year: str) -> bytes:
        names = {"w": "wordprocessingml{}/main", "a": "drawingml{}/main", "c": "drawingml{}/chart"}
        spaces = "".join(f' xmlns:{key}="{base}{name.format(year)}"' for key, name in names.items())
        return f"<w:document{spaces}>{inside}</w:document>".encode()

    made = transitional(root(strict, "http://purl.oclc.org/ooxml/", ""))
    right = root(wanted, "http://schemas.openxmlformats.org/", "/2006")
    assert etree.canonicalize(made.decode()) == etree.canonicalize(right.decode())


def test_a_relationship_to_a_part_that_is_not_there_leads_to_none() -> None:
    package = Package(case("015", "colgante.docx").read_bytes())
    dangling = next(one for one in package.relations(package.document) if "falta.png" in (one.get("Target") or ""))
    assert package.target(package.document, dangling) is None


def test_an_added_part_has_its_content_type_and_relationship_and_a_removed_one_has_neither() -> None:
    package = Package(case("017", "plantilla-minima.docx").read_bytes())
    name = package.ensure("numbering", "numbering")
    again = Package(package.save())
    assert again.related("numbering") == name
    assert (again.content_type(name) or "").endswith("numbering+xml")
    again.remove(name)
    assert not again.has(name)
    assert f"/{name}".encode() not in again.data(CONTENT_TYPES)


def test_the_same_relationship_is_added_once() -> None:
    package = Package(own_template())
    first = package.add_relation(package.document, "hyperlink", "https://example.org", external=True)
    assert package.add_relation(package.document, "hyperlink", "https://example.org", external=True) == first


def test_part_names_are_found_in_any_case() -> None:
    data = parts(own_template())
    data["word/Styles.xml"] = data.pop("word/styles.xml")
    assert Package(zipped(dict(data))).related("styles") is not None


@pytest.mark.parametrize(
    "declared", [b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<!DOCTYPE a><a/>".encode("utf-16-le")]
)
def test_a_part_that_declares_a_document_type_is_refused(declared: bytes) -> None:
    with pytest.raises(UnreadableFile, match="document type"):
        parse(declared, "part.xml")


def test_no_entity_is_read_from_a_file() -> None:
    with pytest.raises(UnreadableFile):
        parse(b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "part.xml")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (zipped({"a.txt": b"a"}), "not a Word document"),
        (zipped({"[Content_Types].xml": b"<broken"}), "not a Word document|damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "old .doc"),
    ],
)
def test_what_is_no_package_is_answered_with_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableFile, match=said):
        Package(data)


def test_a_package_that_would_unpack_to_too_much_is_refused() -> None:
    data = zipped({**parts(own_template()), "word/media/a.bin": b"\0" * 200_000})
    with pytest.raises(UnreadableFile, match="unpack"):
        Package(data, ReadingLimits(unpacked_bytes=100_000))


def test_a_cut_part_is_answered_with_one_sentence() -> None:
    data = parts(own_template())
    package = Package(zipped({**data, "word/document.xml": data["word/document.xml"][:-40]}))
    with pytest.raises(UnreadableFile, match="damaged"):
        package.body  # noqa: B018 - the reading is what is tested


def test_the_shipped_template_is_what_its_script_makes() -> None:
    make = pytest.importorskip("benches.make_template", reason="the bench folder is not in a wheel").make
    assert parts(make()) == parts(own_template())
    assert etree.fromstring(parts(own_template())["word/styles.xml"]).tag == W + "styles"
