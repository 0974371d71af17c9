"""SLC: levels in XML, read without trusting the file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from sokoviz.errors import EmptyLevelError, LevelError, MalformedXMLError, UnknownCharacterError
from sokoviz.formats import CollectionText, LevelText, read_levels, write_levels

if TYPE_CHECKING:
    from pathlib import Path

ROWS = ("#####", "#@$.#", "#####")
ROW_ELEMENTS = "<L>#####</L><L>#@$.#</L><L>#####</L>"
DOCUMENT = f"""<?xml version="1.0" encoding="ISO-8859-1"?>
<SokobanLevels xsi:schemaLocation="SokobanLev.xsd" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <Title>Boxes &amp; more</Title>
  <Description>
    Two lines
    of text.
  </Description>
  <Email>me@example.org</Email>
  <LevelCollection Copyright="Zo\u00eb" MaxWidth="5" MaxHeight="3">
    <Level Id="Gate" Width="5" Height="3">{ROW_ELEMENTS}</Level>
    <Level Id="Door" Width="5" Height="3" Copyright="Ann">
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    </Level>
  </LevelCollection>
</SokobanLevels>
"""


def errors_of(text: str) -> list[LevelError]:
    """The errors in a text."""
    return [level for level in read_levels(text).levels if isinstance(level, LevelError)]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-16"])
def test_a_document_with_everything(encoding: str) -> None:
    levels = (LevelText(ROWS, "Gate", "Zoë"), LevelText(ROWS, "Door", "Ann"))
    text = DOCUMENT if encoding == "latin-1" else DOCUMENT.replace("ISO-8859-1", encoding.upper())
    assert read_levels(text.encode(encoding)) == CollectionText(levels, "Boxes & more", "Zoë", "Two lines\nof text.")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_document_type_is_read_in_every_encoding(encoding: str) -> None:
    """XML may be in UTF-16 without a mark."""
    text = f'<?xml version="1.0"?><!DOCTYPE SokobanLevels SYSTEM "a.dtd"><a><Level Id="Łuk">{ROW_ELEMENTS}</Level></a>'
    assert read_levels(text.encode(encoding)).levels == (LevelText(ROWS, "Łuk"),)


def test_a_declared_encoding_is_believed() -> None:
    text = DOCUMENT.replace("ISO-8859-1", "ISO-8859-2").replace("Zo\u00eb", "\u0141uk")
    assert read_levels(text.encode("iso-8859-2")).author == "\u0141uk"


def test_an_encoding_that_does_not_exist_is_guessed() -> None:
    assert read_levels(DOCUMENT.replace("ISO-8859-1", "ISO-8859-99").encode("latin-1")).author == "Zoë"


def test_elements_may_be_in_a_namespace() -> None:
    text = f'<SokobanLevels xmlns="urn:levels"><Level Id="Gate">{ROW_ELEMENTS}</Level></SokobanLevels>'
    assert read_levels(text).levels == (LevelText(ROWS, "Gate"),)


@pytest.mark.parametrize(
    "rows",
    [
        "<L>\n#####\n#@$.#\n#####\n</L>",
        "<L>&#35;####</L><L>#@<![CDATA[$]]>.#</L><L>#####</L>",
        "<L/><L>\t#####</L><L>\t#@$.#</L><L>\t#####</L><L></L>",
    ],
)
def test_unusual_rows(rows: str) -> None:
    assert read_levels(f"<SokobanLevels><Level>{rows}</Level></SokobanLevels>").levels == (LevelText(ROWS),)


def test_what_a_document_looks_like() -> None:
    collection = CollectionText((LevelText(ROWS, 'A "<&"', "Me", "Push\nit."),), "Boxes", "All")
    lines = write_levels(collection, "slc").splitlines()
    assert lines[4] == '  <LevelCollection Copyright="All" MaxWidth="5" MaxHeight="3">'
    assert lines[5] == """    <Level Id='A "&lt;&amp;"' Width="5" Height="3" Copyright="Me">"""
    assert lines[6:9] == ["      <Description>Push", "it.</Description>", "      <L>#####</L>"]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("<SokobanLevels>\n  <Level>\n</SokobanLevels>", 3, 3, "expected well-formed XML, found: mismatched tag"),
        ("\n\n  <SokobanLevels", 3, 3, "expected well-formed XML, found: unclosed token"),
        ("<a>&nothing;</a>", 1, 4, "undefined entity"),
        ("<a/>", 1, 1, "expected <Level> elements with rows in <L> elements, found none"),
        ("\n <a/>", 2, 2, "expected <Level> elements"),
        ("<html>\n<br></html>", 2, 7, "mismatched tag"),
        ("<a>\x01</a>", 1, 4, "not well-formed"),
    ],
)  # fmt: skip
def test_malformed_xml(text: str, line: int, column: int, message: str) -> None:
    (error,) = errors_of(text)
    assert isinstance(error, MalformedXMLError)
    assert (error.line, error.column) == (line, column)
    assert message in error.message


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">',
        '<!DOCTYPE SokobanLevels PUBLIC "-//levels//EN" "http://127.0.0.1:1/SokobanLev.dtd">',
        "<!DOCTYPE SokobanLevels\n  SYSTEM 'SokobanLev.dtd'\n>",
        "<!-- not <!DOCTYPE a> --><!DOCTYPE SokobanLevels >",
        "<?maker a>b?>\n<!doctype sokobanlevels system 'sokobanlev.dtd'>",
        '<!DocType SokobanLevels Public "-//levels//EN" "SokobanLev.dtd">',
        "<!DOCTYPE SokobanLevels SYSTEM 'a[b]>c'>",
    ],
)
def test_a_document_type_that_declares_nothing_is_read(head: str) -> None:
    declaration, _, rest = DOCUMENT.partition("\n")
    assert read_levels(f"{declaration}\n{head}\n{rest}".encode("latin-1")) == read_levels(DOCUMENT)


def test_places_stay_what_they_are_behind_a_document_type() -> None:
    (error,) = errors_of('<!DOCTYPE a\n SYSTEM "b"><Level><L>#####</L><L>#@?.#</L><L>#####</L></Level>')
    assert isinstance(error, UnknownCharacterError)
    assert (error.line, error.column) == (2, 37)


@pytest.mark.parametrize("keyword", ["SYSTEM", 'PUBLIC "-//levels//EN"'])
def test_the_grammar_that_a_document_type_names_is_not_fetched(
    keyword: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammar = tmp_path / "SokobanLev.dtd"
    grammar.write_text('<!ENTITY fetched "Gate"><!ATTLIST Level Id CDATA "fetched">')
    rows = f"<SokobanLevels><Level>{ROW_ELEMENTS}</Level></SokobanLevels>"
    read_levels(rows)  # whatever is imported is imported now

    def refuse(*arguments: object, **_options: object) -> None:
        pytest.fail(f"opened {arguments}")

    for name in ("builtins.open", "io.open", "os.open", "socket.socket", "socket.create_connection"):
        monkeypatch.setattr(name, refuse)
    for place in (grammar.as_uri(), str(grammar), "http://127.0.0.1:1/SokobanLev.dtd"):
        levels = read_levels(f'<!DOCTYPE SokobanLevels {keyword} "{place}">{rows}').levels
        assert levels == (LevelText(ROWS),)  # the grammar would give it a title


@pytest.mark.parametrize("used", ["<Title>&fetched;</Title><Level>", '<Level Id="&fetched;">'])
def test_entities_that_a_named_grammar_might_declare_are_refused(used: str, tmp_path: Path) -> None:
    (tmp_path / "a.dtd").write_text('<!ENTITY fetched "Gate">')
    head = f'<!DOCTYPE SokobanLevels SYSTEM "{tmp_path / "a.dtd"}">'
    (error,) = errors_of(f"{head}<SokobanLevels>{used}{ROW_ELEMENTS}</Level></SokobanLevels>")
    assert isinstance(error, MalformedXMLError)
    assert "undefined entity" in error.message


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE a []>",
        "<!DOCTYPE a [<!ELEMENT a ANY>]>",
        '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]>',
        '<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY b "c">]>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "http://127.0.0.1:1/">]>',
        '<!DOCTYPE a [<!ENTITY % b SYSTEM "file:///etc/passwd"> %b;]>',
        "<!DOCTYPE a><!DOCTYPE b>",
    ],
)
def test_declarations_and_entities_of_a_document_type_are_refused(head: str) -> None:
    (error,) = errors_of(f"{head}<SokobanLevels><Level>{ROW_ELEMENTS}</Level></SokobanLevels>")
    assert isinstance(error, MalformedXMLError)
    assert "expected at most one document type, and in it neither declarations nor entities; found" in error.message
    assert error.line == 1


@pytest.mark.parametrize(
    "text",
    [
        "<!-- -->" * 100_000 + "<!DOCTYPE a [",
        "<!-- -->\n<?a?>" * 100_000 + "<!DOCTYPE " + " \n" * 1000,
        "<!--" * 300_000,
        "<?" * 300_000,
        "<!DOCTYPE" + " " * 1_000_000,
        '<!DOCTYPE a SYSTEM "' + "x" * 1_000_000,
        "<!DOCTYPE " + "a" * 500_000 + " SYSTEM " + "'" * 500_000,
        "<!DOCTYPE a SYSTEM 'x' " * 50_000,
    ],
)
def test_a_long_prolog_takes_no_time(text: str) -> None:
    start = time.process_time()
    (error,) = errors_of(text)
    assert isinstance(error, MalformedXMLError)
    assert time.process_time() - start < 3


def test_errors_on_rows_have_their_place_in_the_file() -> None:
    (error,) = errors_of(DOCUMENT.replace("<L>#@$.#</L>\n", "<L>#@&#63;.#</L>\n"))
    assert isinstance(error, UnknownCharacterError)
    assert (error.number, error.title, error.line, error.column) == (2, "Door", 13, 12)


def test_a_level_without_rows_is_empty() -> None:
    (error,) = errors_of("<SokobanLevels>\n<Level Id='a'/></SokobanLevels>")
    assert isinstance(error, EmptyLevelError)
    assert (error.number, error.title, error.line) == (1, "a", 2)


def test_a_bad_level_leaves_the_others_alone() -> None:
    bad = "<Level><L>###</L></Level>"
    text = f"<SokobanLevels><Level>{ROW_ELEMENTS}</Level>{bad}<Level>{ROW_ELEMENTS}</Level></SokobanLevels>"
    first, second, third = read_levels(text).levels
    assert first == third == LevelText(ROWS)
    assert isinstance(second, LevelError)


def test_levels_before_a_mistake_in_the_xml_are_kept() -> None:
    first, second = read_levels(f"<SokobanLevels><Level>{ROW_ELEMENTS}</Level><Level Id='b'></L>").levels
    assert first == LevelText(ROWS)
    assert isinstance(second, MalformedXMLError)
    assert (second.number, second.title) == (2, "b")


def test_deep_nesting_does_no_harm() -> None:
    (error,) = errors_of("<a>" * 100_000)
    assert isinstance(error, MalformedXMLError)
