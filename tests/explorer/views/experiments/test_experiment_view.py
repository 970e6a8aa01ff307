"""The view of an experiment's arms on a blank page of a real browser: one time, one probe and one head for all."""

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.browser.theatre import LAYER
from explorer.histories.figures import Line
from explorer.views.experiments.component import (
    END,
    HAVE,
    ArmShown,
    ExperimentData,
    experiment_view,
    pack,
)
from explorer.visitor.reports import Event
from tests.explorer.mounting import feed, mount
from tests.optional import unwrap

pytestmark = pytest.mark.browser

PROBES = {
    "unit": "letter",
    "n_layers": 1,
    "n_heads": 1,
    "probes": [
        {
            "text": text,
            "source": [*text, "</s>"],
            "right": [*text, "</s>"],
            "n_right": len(text),
            "gold": None,
            "is_reference": True,
        }
        for text in ("at", "cat")
    ],
}
CELLS = sum((len(text) + 1) ** 2 for text in ("at", "cat"))
ROWS = sum(len(text) + 1 for text in ("at", "cat"))


def packed(*moments: tuple[int, str]) -> dict[str, object]:
    """Moments of an arm: after how many updates, and what is then written for the second probe."""
    header = [
        {
            "updates": updates,
            "kept": True,
            "words": [
                {"tokens": list(written[:2]), "n": 2, "stopped": True},
                {"tokens": list(written), "n": len(written), "stopped": True},
            ],
        }
        for updates, written in moments
    ]
    return {
        "layer": 0,
        "moments": header,
        "p": np.zeros((len(moments), ROWS), np.float32),
        "w": np.zeros((len(moments), 2 * CELLS), np.uint8),
    }


def shown(
    place: int, label: str, *moments: tuple[int, str], problem: str = "", had: tuple[int, ...] = ()
) -> ArmShown:
    """An arm with the moments that a message brings, and those that the browser has said to have."""
    shape = ("disc", "square")[place]
    loss, exact = Line((1, 5, 10), (3.0, 2.0, 1.0)), Line((5, 10), (0.0, 0.5 * place))
    everything = sorted({*had, *(updates for updates, _ in moments)})
    return ArmShown(
        label,
        shape,
        "",
        not problem,
        problem,
        PROBES,
        packed(*moments),
        everything,
        had,
        loss,
        exact,
    )


def fed(arms: list[ArmShown], *, follows: bool = False, ended: bool = False, layer: int = 0) -> bytes:
    data = ExperimentData(
        f"a-b/{layer}",
        arms,
        10,
        "exact match, 20 held-out pairs",
        follows=follows,
        ended=ended,
        begun=True,
        layer=layer,
        n_layers=2,
    )
    return pack(data)


def mounted(browser: Browser, message: bytes) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    mount(page, "experiment-view", experiment_view.path, message)
    return page


def told(page: Page, event: Event) -> list[dict]:
    return [value for name, value in page.evaluate("window.reports") if name == event.name]


def ends(page: Page) -> list[dict]:
    return told(page, END)


def wait_for(page: Page, event: Event) -> None:
    """It was told once: what nobody has done by hand is told when the browser is at rest."""
    page.wait_for_function(
        "name => window.reports.filter(([each]) => each === name).length === 1", arg=event.name
    )


def written(page: Page, label: str) -> str:
    """What an arm writes for the second probe, as it is spoken."""
    region = page.get_by_role("region", name=label, exact=True)
    return unwrap(region.get_by_role("button").filter(has_text="cat").get_attribute("aria-label"))


WITH = shown(0, "With", (0, "aaa"), (5, "cct"), (10, "cat"))
WITHOUT = shown(1, "Without", (0, "ttt"), (5, "tta"), (10, "tac"))


def test_one_slider_moves_all_arms_and_the_end_is_reported_once(browser: Browser):
    page = mounted(browser, fed([WITH, WITHOUT], ended=True))
    at, slider = page.locator(".transport .at"), page.get_by_role("slider").first
    # What has ended is shown as it ended.
    expect(at).to_have_text("both after 10 of 10 updates")
    assert written(page, "With").endswith("which is right")
    assert written(page, "Without").endswith("an anagram")
    wait_for(page, END)
    assert [each["key"] for each in ends(page)] == ["a-b/0"]
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(at).to_have_text("both after 5 of 10 updates")
    assert "writes cct" in written(page, "With")
    assert "writes tta" in written(page, "Without")
    spoken = (
        "after 5 of 10 updates. With: loss 2.000, exact match 0.0000; Without: loss 2.000, exact match 0.0000"
    )
    expect(slider).to_have_attribute("aria-valuetext", spoken)
    page.keyboard.press("End")
    expect(at).to_have_text("both after 10 of 10 updates")
    wait_for(page, END)


def test_time_reaches_the_slower_arm_and_follows_what_comes(browser: Browser):
    early = shown(1, "Without", (0, "ttt"), (5, "tta"))
    page = mounted(browser, fed([WITH, early], follows=True))
    at = page.locator(".transport .at")
    expect(at).to_have_text("both after 5 of 10 updates")
    feed(page, fed([WITH, WITHOUT], follows=True))
    expect(at).to_have_text("both after 10 of 10 updates")
    assert ends(page) == []
    feed(page, fed([WITH, WITHOUT], ended=True))
    expect(at).to_have_text("both after 10 of 10 updates")
    wait_for(page, END)


def test_whoever_looks_back_is_left_there_and_the_verdict_waits(browser: Browser):
    page = mounted(browser, fed([WITH, shown(1, "Without", (0, "ttt"), (5, "tta"))], follows=True))
    at = page.locator(".transport .at")
    expect(at).to_have_text("both after 5 of 10 updates")
    page.get_by_role("button", name="First moment").click()
    feed(page, fed([WITH, WITHOUT], ended=True))
    expect(at).to_have_text("both after 0 of 10 updates")
    assert ends(page) == []
    page.get_by_role("button", name="Last moment").click()
    wait_for(page, END)


def test_a_probe_is_chosen_for_all_arms(browser: Browser):
    page = mounted(browser, fed([WITH, WITHOUT], ended=True))
    expect(page.get_by_role("img", name="Cross-attention of cat")).to_have_count(2)
    page.get_by_role("region", name="Without").get_by_role("button").filter(has_text="at").first.click()
    expect(page.get_by_role("img", name="Cross-attention of at,")).to_have_count(2)


def test_an_arm_that_has_failed_says_so_and_the_other_goes_on(browser: Browser):
    failed = shown(1, "Without", (0, "ttt"), problem="The loss is not a number.")
    page = mounted(browser, fed([WITH, failed], follows=True))
    expect(page.get_by_role("alert")).to_have_text("The loss is not a number.")
    expect(page.locator(".transport .at")).to_have_text("after 10 of 10 updates")
    assert written(page, "With").endswith("which is right")


def test_what_has_ended_stands_still_while_earlier_moments_are_computed(browser: Browser):
    def last(place: int, label: str, *moments: tuple[int, str]) -> ArmShown:
        return shown(place, label, *moments, (10, "cat"))

    page = mounted(browser, fed([last(0, "With"), last(1, "Without")]))
    at = page.locator(".transport .at")
    expect(at).to_have_text("both after 10 of 10 updates")
    assert ends(page) == []
    more = [last(0, "With", (0, "aaa"), (5, "cct")), last(1, "Without", (0, "ttt"), (5, "tta"))]
    feed(page, fed(more, ended=True))
    expect(at).to_have_text("both after 10 of 10 updates")
    wait_for(page, END)
    page.keyboard.press("ArrowLeft")
    expect(at).to_have_text("both after 5 of 10 updates")


def test_what_was_sent_is_kept_and_what_is_missing_is_asked_for(browser: Browser):
    page = mounted(browser, fed([WITH, shown(1, "Without", (0, "ttt"), (5, "tta"))], follows=True))
    at = page.locator(".transport .at")
    expect(at).to_have_text("both after 5 of 10 updates")
    # Only what is new is sent; what came before is still there.
    new = [shown(0, "With", had=(0, 5, 10)), shown(1, "Without", (10, "tac"), had=(0, 5))]
    feed(page, fed(new, ended=True))
    expect(at).to_have_text("both after 10 of 10 updates")
    page.get_by_role("button", name="First moment").click()
    assert "writes aaa" in written(page, "With")
    assert "writes ttt" in written(page, "Without")
    assert told(page, HAVE) == []
    # A view that was made anew has nothing of it, and says so; nothing has ended for it yet.
    other = mounted(browser, fed(new, ended=True))
    expect(other.locator(".transport .at")).to_have_text("nothing yet")
    wait_for(other, HAVE)
    (have,) = told(other, HAVE)
    assert have["have"] == [[], [10]]
    assert ends(other) == []
    feed(other, fed([WITH, shown(1, "Without", (0, "ttt"), (5, "tta"), had=(10,))], ended=True))
    expect(other.locator(".transport .at")).to_have_text("both after 10 of 10 updates")
    wait_for(other, END)


def test_another_layer_is_shown_at_the_same_time(browser: Browser):
    page = mounted(browser, fed([WITH, WITHOUT], ended=True))
    page.get_by_role("button", name="Moment before").click()
    expect(page.get_by_role("button", name="layer 0")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="layer 1").click()
    (asked,) = told(page, LAYER)
    assert (asked["key"], asked["layer"]) == ("a-b/0", 1)
    feed(page, fed([WITH, WITHOUT], ended=True, layer=1))
    expect(page.get_by_role("button", name="layer 1")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".transport .at")).to_have_text("both after 5 of 10 updates")
