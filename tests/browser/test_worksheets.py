"""Worksheets as a visitor gets them: a click downloads a file that opens by itself and has what is on the screen."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.navigation import go_to
from tests.browser.test_every_page import opened

pytestmark = pytest.mark.browser


def test_the_view_and_a_lesson_are_downloaded_as_files_that_need_no_server(
    page: Page, server: str, tmp_path: Path
):
    page.goto("/step-by-step?sentence=the+dog+sleeps&step=1&layer=1&head=0")
    opened(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Worksheet").click()
    view = tmp_path / "view.html"
    download.value.save_as(view)
    go_to(page, "Lessons")
    with page.expect_download() as download:
        page.get_by_test_id("stMain").get_by_role("button", name="One query, all keys").click()
    lesson = tmp_path / "lesson.html"
    download.value.save_as(lesson)

    asked: list[str] = []
    page.goto("about:blank")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(view.as_uri())
    expect(page.get_by_role("heading", name="Cross-attention, layer 1, head 0")).to_be_visible()
    expect(page.get_by_text("the dog sleeps", exact=True)).to_be_visible()
    expect(page.get_by_text(f"Live at {server}/step-by-step?sentence=the+dog+sleeps")).to_be_visible()
    page.goto(lesson.as_uri())
    expect(page.get_by_role("heading", name="Answers: One query, all keys")).to_be_visible()
    assert asked == [view.as_uri(), lesson.as_uri()]


def test_an_update_and_an_experiment_are_downloaded_too_and_a_training_once_there_is_one(
    page: Page, tmp_path: Path
):
    button = page.get_by_role("button", name="Worksheet")
    page.goto("/?model=reverse")
    for name, title in (("One update", "One update"), ("Experiments", "Copy without positions")):
        go_to(page, name)
        if title != name:
            page.get_by_role("link", name=title).click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        opened(page)
        with page.expect_download() as download:
            button.click()
        sheet = tmp_path / "sheet.html"
        download.value.save_as(sheet)
        assert f"<h1>{title}</h1>" in sheet.read_text(encoding="utf-8")
    go_to(page, "Train")
    expect(page.get_by_role("button", name="Start training")).to_be_visible()
    expect(button).to_have_count(0)
