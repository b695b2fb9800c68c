from __future__ import annotations

import pytest
from tests.client.test_finding import ANNA, CLUB, HOME, MS, OLD, OTHER, SECOND, line, sighting
from tests.client.test_painters import LOOKS, SIZES, assert_fits, check_golden

from speed_client.door import Address
from speed_client.finding import Finding
from speed_client.pages import Join, Practise, Quit
from speed_client.progress import Progress
from speed_client.server_page import ServerPage
from speed_client.style import THEMES, Look

NOW = 3 * SECOND
ENTER = "c-m"


def found() -> Finding:
    """Two servers that answer, of which one wants a passcode, and a remembered one that does not."""
    finding = Finding(0)
    finding.remember(ANNA, "anna's laptop", HOME, 0)
    finding.remember(OLD, "the old club", Address("10.0.0.7", 8000), 0)
    finding.announced(sighting(CLUB, "192.168.1.31", name="Friday evening"), 0)
    finding.answered(ANNA, HOME, line(ANNA, players=3, tables=2), 400_000, NOW)
    finding.answered(CLUB, OTHER, line(CLUB, "Friday evening", players=12, tables=6, locked=True), 9 * MS // 10, NOW)
    finding.silent(OLD, "nothing listens on 10.0.0.7:8000: is the server running?")
    return finding


def page(finding: Finding | None = None, progress: Progress | None = None) -> ServerPage:
    return ServerPage(found() if finding is None else finding, progress or Progress(4, {1: 62_000_000}), NOW)


def after(keys: list[str], finding: Finding | None = None) -> ServerPage:
    shown = page(finding)
    for key in keys:
        shown.press(key, NOW)
    return shown


def asking(*keys: str) -> ServerPage:
    """The page that asks for the passcode of the club, after some keys."""
    shown = ServerPage(found(), Progress(4, {}), NOW, "'Friday evening' is closed", Join(OTHER))
    for key in keys:
        shown.press(key, NOW)
    return shown


SCREENS = {
    "servers": page(),
    "servers-none": page(Finding(0)),
    "servers-address": after(["c", "1", "9"]),
    "servers-passcode": asking(*"frog"),
    "servers-levels": after(["p", "7", ENTER]),
    "servers-help": after(["?"]),
}


@pytest.mark.parametrize("size", SIZES[:2] + SIZES[3:])
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", SCREENS)
def test_the_list_of_servers_is_the_golden_one(name: str, size: tuple[int, int], look: str) -> None:
    check_golden(f"{name}-{size[0]}x{size[1]}-{look}", SCREENS[name].paint(*size, LOOKS[look]))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SCREENS)
def test_the_list_of_servers_fits_every_size(name: str, theme: str) -> None:
    for ascii_only in (False, True):
        look = Look(theme, ascii=ascii_only)
        for width, height in [*SIZES, (1, 1), (79, 23), (200, 60), (41, 12), (40, 13)]:
            assert_fits(SCREENS[name].paint(width, height, look), width, height, look)


@pytest.mark.parametrize("key", ["down", "j"])
def test_enter_joins_the_chosen_server_and_w_watches_it(key: str) -> None:
    shown = page()
    assert shown.press(ENTER, NOW) == Join(HOME)
    shown.press(key, NOW)
    assert shown.press("w", NOW) == Join(OTHER, watch=True)
    for _ in range(5):
        shown.press("k", NOW)
    assert shown.press(ENTER, NOW) == Join(HOME)


def test_the_choice_stays_with_its_server_when_others_come() -> None:
    finding = found()
    shown = page(finding)
    shown.press("j", NOW)
    finding.announced(sighting("b" * 16, "192.168.1.40", name="another"), NOW)
    assert shown.press(ENTER, NOW) == Join(OTHER)


def test_an_address_is_typed_mended_pasted_and_joined() -> None:
    shown = page()
    for key in ["c", "h", "o", "x", "c-h"]:
        shown.press(key, NOW)
    shown.paste("st:90\n00 ")
    assert shown.typed == "host:9000"
    assert shown.press(ENTER, NOW) == Join(Address("host", 9000))


def test_the_whole_line_that_the_server_printed_may_be_typed() -> None:
    shown = page()
    shown.press("c", NOW)
    for key in "speed-client 192.168.1.20":
        assert shown.press(key, NOW) is None
    assert shown.press(ENTER, NOW) == Join(HOME)


def test_an_address_that_is_none_says_how_to_write_it_and_escape_closes_the_line() -> None:
    shown = page()
    for key in ["c", "h", ":", ENTER]:
        assert shown.press(key, NOW) is None
    assert "names no port" in shown.notice
    shown.press("c", NOW)
    assert shown.press("escape", NOW) is None
    assert shown.typed is None


def test_what_is_pasted_where_nothing_is_typed_is_nothing() -> None:
    shown = page()
    shown.paste("10.0.0.1")
    assert shown.typed is None


@pytest.mark.parametrize("key", ["escape", "c-h", "c-c", "<sigint>"])
def test_escape_quits(key: str) -> None:
    assert page().press(key, NOW) == Quit()


def test_help_is_closed_by_any_key() -> None:
    shown = after(["?", "escape"])
    assert shown.press("escape", NOW) == Quit()


def test_practice_is_chosen_by_speed_and_a_closed_one_says_what_opens_it() -> None:
    shown = after(["p"])
    assert shown.press(ENTER, NOW) == Practise(4)
    shown.press("down", NOW)
    assert shown.press(ENTER, NOW) is None
    assert "speed 5 is not open yet" in "\n".join(shown.paint(80, 24, Look()).lines())
    assert shown.press("2", NOW) is None
    assert shown.press("p", NOW) == Practise(2)
    assert shown.press("c-c", NOW) == Quit()
    assert shown.press("escape", NOW) is None
    assert shown.press("escape", NOW) == Quit()


def test_nothing_is_said_to_be_missing_before_the_search_has_taken_its_time() -> None:
    shown = ServerPage(Finding(0), Progress(), SECOND)
    assert shown.next_due() == 2 * SECOND
    assert "looking for servers" in "\n".join(shown.paint(80, 24, Look()).lines())
    assert shown.due(2 * SECOND) is None
    text = "\n".join(shown.paint(80, 24, Look()).lines())
    assert "no server was found" in text
    assert "speed-client HOST" in text
    assert shown.next_due() is None
    assert shown.press(ENTER, NOW) is None
    assert "c types an address" in shown.notice


def test_a_network_that_cannot_be_searched_says_why() -> None:
    finding = Finding(0)
    finding.fault = "No such device"
    assert "does not work here: No such device" in "\n".join(page(finding).paint(80, 24, Look()).lines())


def test_a_passcode_is_typed_unseen_mended_and_given_with_the_server() -> None:
    shown = asking(*"Green  frogs", "c-h")
    about = shown.model().about
    assert "*" * 11 + "_ · 'Friday evening' is closed" in about
    assert "frog" not in about
    choice = shown.press(ENTER, NOW)
    assert choice == Join(OTHER, word="green frog")
    assert "frog" not in repr(choice)


def test_an_invitation_may_be_pasted_for_a_passcode() -> None:
    shown = asking()
    shown.paste(" K7QM-2XZP-9TRA-44CN\n")
    assert shown.press(ENTER, NOW) == Join(OTHER, word="k7qm-2xzp-9tra-44cn")


def test_a_word_that_is_no_passcode_is_said_and_asked_again() -> None:
    shown = asking("x")
    assert shown.press(ENTER, NOW) is None
    assert "passcode: _ · a passcode has 4 to 64 characters" in shown.model().about


@pytest.mark.parametrize("key", ["escape", "c-c"])
def test_escape_gives_the_passcode_up_and_the_list_is_there_again(key: str) -> None:
    shown = asking("q", key)
    assert "passcode:" not in shown.model().about
    assert shown.press(ENTER, NOW) == Join(HOME)
