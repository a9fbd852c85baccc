"""The page: complete in itself, the same bytes every time, readable by people and machines."""

from __future__ import annotations

import io
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from rich.console import Console

from genesia_rl.core.errors import ConfigError
from genesia_rl.report.page import Number, Report
from genesia_rl.report.parquet import read_table
from genesia_rl.report.plots import forest, grouped_bars, heatmap
from genesia_rl.report.style import COLOURS, Palette

ODD = "<script>alert(\"1\")</script> & 'x'"
VOID = {"meta", "col", "br", "link", "img", "input", "hr"}
DASH = "–"  # noqa: RUF001


class Page(HTMLParser):
    """What a browser would find: ids, attributes, texts by element, and that all elements end."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [] if tag in VOID else [tag]
        self.handle_startendtag(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", data.strip()))

    def of(self, tag: str) -> list[str]:
        return [text for where, text in self.texts if where == tag]


def figure() -> Figure:
    return forest(["a", "b"], [0.4, 0.6], [0.3, 0.5], [0.5, 0.7], 0.5, reference_label="even")


def sample() -> Report:
    report = Report("Balance", "of a game")
    report.facts({"command": "genesia balance --seed 7", "seeds": [7, 8], "games": 12000, "unknown": None})
    report.section("Cards", "First.\n\nSecond.")
    report.plot(figure(), "Shares of two cards.", "two dots")
    report.table(
        "cards",
        {"card": [f"card {i}" for i in range(12)], "share": [*np.linspace(0.4, 0.6, 11), math.nan]},
        "Every card",
        {"share": ".1%"},
        show=5,
    )
    report.note("Too few games.", "warning")
    report.section("Seats")
    report.plot(figure(), "The same again.", "two dots")
    report.plot(heatmap([[0.4, 0.6]], ["x"], ["a", "b"], centre=0.5), "A row.", "a matrix")
    report.table("seats", {"seat": np.arange(1, 4), "fair": [True, None, False]})
    report.table("nothing", {"a": [], "b": []})
    return report


@pytest.fixture(scope="module")
def text() -> str:
    return sample().html()


def one_table(**options: Any) -> Page:
    report = Report("t")
    report.table("t", **options)
    return Page(report.html())


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        sample().save(tmp_path / name)
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert [str(p) for p in files] == [
        "report.html", "tables/cards.parquet", "tables/nothing.parquet", "tables/seats.parquet",
    ]  # fmt: skip
    for path in files:
        assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes()


def test_saving_again_replaces_and_leaves_nothing_unfinished(tmp_path: Path) -> None:
    report = sample()
    first = report.save(tmp_path).read_bytes()
    assert report.save(tmp_path).read_bytes() == first
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


def test_tables_of_an_older_report_and_of_a_killed_one_go(tmp_path: Path) -> None:
    sample().save(tmp_path)
    (tmp_path / ".tables.new.1.part").mkdir()
    (tmp_path / ".tables.new.1.part" / "cards.parquet").touch()
    report = Report("Another")
    report.table("cards", {"card": ["one"]})
    report.save(tmp_path)
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert files == ["report.html", "tables/cards.parquet"]
    assert read_table(tmp_path / "tables" / "cards.parquet") == {"card": ["one"]}
    Report("Without tables").save(tmp_path)
    assert not list((tmp_path / "tables").iterdir())


def test_a_report_that_cannot_be_written_leaves_the_older_one(tmp_path: Path) -> None:
    sample().save(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    report = Report("Another")
    report.table("cards", {"card": ["one"]})
    report.table("seats", {"seat": [1, "two"]})
    with pytest.raises(ConfigError, match="column 'seat'"):
        report.save(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_page_asks_the_network_for_nothing(text: str) -> None:
    assert not re.findall(r"https?:|//[a-z]+\.|@import|<link|<iframe", text)
    for tag, name, value in Page(text).attributes:
        if name in ("src", "href"):
            assert value.startswith(("#", "data:")), f"{tag} {name}={value}"
        for target in re.findall(r"url\(([^)]*)\)", value):
            assert target.startswith("#")


def test_all_elements_end_and_ids_are_unique_and_references_lead_somewhere(text: str) -> None:
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    found = [value for _, name, value in page.attributes if name == "href" and value.startswith("#")]
    clips = [part for _, _, value in page.attributes for part in re.findall(r"url\((#[^)]*)\)", value)]
    assert len(found) > 4 and clips and {target[1:] for target in found + clips} <= set(page.ids)


def test_the_contents_link_to_every_section(text: str) -> None:
    page = Page(text)
    assert page.of("a") == ["Cards", "Seats"] and page.of("h2") == ["Contents", "Cards", "Seats"]
    assert page.of("h1") == ["Balance"] and page.of("title") == ["Balance"]
    assert page.of("p")[1:3] == ["First.", "Second."]
    short = Report("t")
    short.section("Only one")
    assert "<nav" not in short.html()


def test_plots_have_words_for_those_who_do_not_see_them(text: str) -> None:
    page = Page(text)
    labels = [value for tag, name, value in page.attributes if tag == "svg" and name == "aria-label"]
    assert labels == ["two dots", "two dots", "a matrix"]
    assert "even" in page.of("text"), "text in plots stays text"
    with pytest.raises(ConfigError, match="alt = ' ' of the plot 'x'"):
        Report("t").plot(figure(), "x", " ")


def test_whatever_is_written_is_never_markup() -> None:
    report = Report(ODD, ODD)
    report.facts({ODD: ODD})
    for _ in range(2):
        report.section(ODD, ODD)
    report.note(ODD)
    report.table("t", {ODD: [ODD]}, ODD, show=1)
    report.plot(forest([ODD], [0.5], None, None, xlabel=ODD, flags=[ODD]), ODD, ODD)
    text = report.html()
    assert "<script>alert" not in text and text.count("<script>") == 1
    page = Page(text)
    for tag in ("h1", "title", "h2", "a", "dt", "dd", "th", "td", "figcaption", "text"):
        assert ODD in page.of(tag), tag


def test_numbers_stand_right_and_missing_ones_are_dashes() -> None:
    page = one_table(
        columns={"who": ["a", None], "n": [1234, None], "x": [0.5, math.nan], "ok": [True, np.bool_(False)]},
    )
    assert page.of("td") == ["a", "1,234", "0.500", "yes", DASH, DASH, DASH, "no"]
    right = [tag for tag, name, value in page.attributes if (name, value) == ("class", "number")]
    assert right == ["th", "th", "td", "td", "td", "td"]
    assert [v for _, name, v in page.attributes if name == "data-key"] == ["1234", "0.5"]


def test_formats_change_what_is_read_and_not_what_is_written(tmp_path: Path) -> None:
    report = Report("t")
    report.table("t", {"share": [0.12345, None], "seed": [12345, 6]}, formats={"share": ".1%", "seed": "d"})
    assert Page(report.html()).of("td") == ["12.3\u00a0%", "12345", DASH, "6"]
    report.save(tmp_path)
    assert read_table(tmp_path / "tables" / "t.parquet") == {"share": [0.12345, None], "seed": [12345, 6]}


def test_all_tables_can_be_read_from_their_files(tmp_path: Path) -> None:
    sample().save(tmp_path)
    cards = read_table(tmp_path / "tables" / "cards.parquet")
    assert cards["card"][11] == "card 11" and np.allclose(cards["share"][:11], np.linspace(0.4, 0.6, 11))
    assert math.isnan(cards["share"][11])
    assert read_table(tmp_path / "tables" / "seats.parquet") == {
        "seat": [1, 2, 3], "fair": [True, None, False],
    }  # fmt: skip
    assert read_table(tmp_path / "tables" / "nothing.parquet") == {"a": [], "b": []}


@pytest.mark.parametrize(("show", "folded"), [(None, None), (5, None), (4, "1 more row"), (1, "4 more rows")])
def test_long_tables_are_folded(show: int | None, folded: str | None) -> None:
    page = one_table(columns={"i": list("abcde")}, show=show)
    assert page.of("td") == list("abcde") and page.of("summary") == ([folded] if folded else [])
    assert page.of("th") == ["i"] * (2 if folded else 1)
    widths = [value for tag, name, value in page.attributes if tag == "col" and name == "style"]
    assert len(set(widths)) == 1, "both parts stand in line"


def test_changing_a_list_afterwards_changes_no_table(tmp_path: Path) -> None:
    report, held, numbers = Report("t"), ["a"], np.zeros(1)
    report.table("t", {"held": held, "numbers": numbers})
    held.append("b")
    numbers[:] = 1
    report.save(tmp_path)
    assert read_table(tmp_path / "tables" / "t.parquet") == {"held": ["a"], "numbers": [0.0]}


def test_the_terminal_gets_tables_and_notes() -> None:
    file = io.StringIO()
    sample().print(Console(file=file, width=100))
    text = file.getvalue()
    assert "card 4" in text and "card 5" not in text and "7 more in the table cards" in text
    assert "40.0\u00a0%" in text and "warning: Too few games." in text and "Seats" in text
    assert "First." not in text, "the page has the prose"


def test_the_terminal_writes_square_brackets_as_they_are() -> None:
    file = io.StringIO()
    report = Report("[bold]t[/bold]")
    report.section("[red]s")
    report.table("t", {"[a]": ["[/b]"]}, "[c]")
    report.note("[d]")
    report.print(Console(file=file, width=100))
    for part in ("[bold]t[/bold]", "[red]s", "[a]", "[/b]", "[c]", "[d]"):
        assert part in file.getvalue()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": {"a": [1], "b": [1, 2]}}, "table 't': column 'b' has 2 rows, allowed is 1"),
        ({"columns": {"a": [1]}, "formats": {"b": "d"}}, "table 't': format of 'b', allowed are a"),
        ({"columns": {"a": ["x"]}, "formats": {"a": ".1f"}}, "column 'a': format '.1f' of 'x'"),
        ({"columns": {"a": [1]}, "show": 0}, "table 't': show = 0, allowed is 1 or more"),
    ],
)
def test_tables_that_cannot_be_are_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        Report("r").table("t", **options)


@pytest.mark.parametrize("name", ["", "../up", "a b", ".hidden", "Seats"])
def test_names_of_tables_are_names_of_files_and_unique(name: str) -> None:
    report = Report("r")
    report.table("seats", {"a": [1]})
    with pytest.raises(ConfigError, match=re.escape(repr(name))):
        report.table(name, {"a": [1]})


def test_notes_are_of_known_kinds_and_headings_of_words() -> None:
    with pytest.raises(ConfigError, match="kind = 'error' of a note, allowed are info, warning"):
        Report("r").note("x", "error")
    with pytest.raises(ConfigError, match="heading = ' '"):
        Report("r").section(" ")


# ---------------------------------------------------------------- what came out, and terminals of any width


def wide_table() -> Report:
    """More figures with intervals than fit side by side."""
    report = Report("Wide")
    rows = 4
    columns: dict[str, Any] = {
        "players": [2] * rows, "policy": ["greedy"] * rows,
        "thing": [f"a thing of many words, number {i}" for i in range(rows)],
    }  # fmt: skip
    formats: dict[str, str] = {}
    for name in ("won", "rank", "score", "lead", "first", "second"):
        columns |= {name: [0.123] * rows, f"{name} low": [0.1] * rows, f"{name} high": [0.2] * rows}
        formats |= dict.fromkeys((name, f"{name} low", f"{name} high"), ".1%")
    columns["games"] = [12000] * rows
    report.table("wide", columns, "All things", formats)
    return report


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_table_fits_the_terminal_and_no_number_is_cut_or_broken(width: int) -> None:
    file = io.StringIO()
    wide_table().print(Console(file=file, width=width))
    text = file.getvalue()
    assert max(map(len, text.splitlines())) <= width and "…" not in text
    assert text.count("12.3\u00a0% (10.0 .. 20.0)") == 6 * 4 and text.count("12,000") == 4
    assert "All things (players 2, policy greedy)" in text, "what all rows share is said once"
    assert text.count("number 3") >= (2 if width < 120 else 1), "each part names its rows"


def answered() -> Report:
    report = sample()
    figures = [
        Number("one", 0.6, 0.5, 0.7, more="of games"),
        Number("other", math.nan),
        Number("gain", 0.02, code="+.1pp"),
    ]
    report.answer(["One is better.", "It is sure."], figures)
    return report


def test_what_came_out_stands_before_everything_else() -> None:
    text = answered().html()
    assert text.index("<h1>") < text.index("One is better.") < text.index("Contents") < text.index("<dl>")
    page = Page(text)
    assert [said for said in page.of("p") if said in ("One is better.", "It is sure.")] == page.of("p")[1:3]
    assert page.of("th")[:3] == ["one", "other", "gain"]
    assert page.of("td")[:3] == ["60.0\u00a0% (50.0 .. 70.0) of games", DASH, "+2.0\u00a0pp"]
    file = io.StringIO()
    answered().print(Console(file=file, width=80))
    assert file.getvalue().splitlines()[1:3] == ["One is better.", "It is sure."]
    assert "  gain   +2.0\u00a0pp" in file.getvalue()


def test_numbers_of_a_sentence_are_not_broken() -> None:
    report = Report("t")
    report.answer([f"{'word ' * k}it wins 54.1 % (51.2 .. 57.0) of its games." for k in range(20)])
    file = io.StringIO()
    report.print(Console(file=file, width=60))
    text = file.getvalue()
    assert (
        text.count("54.1\u00a0%\u00a0(51.2\u00a0..\u00a057.0)") == 20
        and max(map(len, text.splitlines())) <= 60
    )
    assert report.to_dict()["answer"][0] == "it wins 54.1 % (51.2 .. 57.0) of its games."


def test_a_report_for_programs_holds_the_same_as_json_knows_it() -> None:
    held = json.loads(json.dumps(answered().to_dict(), allow_nan=False))
    assert held["title"] == "Balance" and held["answer"] == ["One is better.", "It is sure."]
    assert held["figures"][:2] == [
        {"name": "one", "value": 0.6, "low": 0.5, "high": 0.7},
        {"name": "other", "value": None, "low": None, "high": None},
    ]
    assert held["facts"]["seeds"] == [7, 8] and held["notes"] == [
        {"kind": "warning", "text": "Too few games."}
    ]
    assert held["tables"]["seats"] == {"seat": [1, 2, 3], "fair": [True, None, False]}
    assert held["tables"]["cards"]["share"][-1] is None and len(held["tables"]["cards"]["card"]) == 12


def test_a_difference_of_shares_is_told_in_percentage_points() -> None:
    page = one_table(
        columns={"gain": [0.0213], "gain low": [-0.001], "gain high": [0.05]},
        formats=dict.fromkeys(("gain", "gain low", "gain high"), "+.1pp"),
    )
    assert page.of("td") == ["+2.1\u00a0pp (-0.1 .. +5.0)"]


def test_charts_that_share_a_palette_give_a_name_one_colour() -> None:
    looks = Palette(["a", "b"])
    one = grouped_bars(["x"], {"b": ([0.5], None, None)}, "share", palette=looks)
    other = forest(["a", "b"], [0.4, 0.6], None, None, flags=["a", "b"], palette=looks, listed=False)
    bar = one.axes[0].patches[0].get_facecolor()[:3]
    dots = {line.get_color() for line in other.axes[0].lines if line.get_marker() not in ("None", "|", "")}
    assert to_rgb(COLOURS[1]) == bar and {COLOURS[0], COLOURS[1]} <= dots
    assert other.legends == [], "the names stand beside their rows"
