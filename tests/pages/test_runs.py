"""The page Runs through the entry script: what is there, and what can be done with it."""

import json
import shutil

import pytest

from explorer.look.markdown_text import plain
from explorer.models.known import known_runs, shipped_runs
from explorer.models.server import training_engine
from explorer.trainings import archive
from tests.addresses import HOME
from tests.explorer.own_runs import train_tiny
from tests.explorer.trainings.conftest import is_in, wait_for
from tests.pages.opening import header_of, open_page, said
from tests.unwritable import unwritable

PAGE, CHOICE = "pages/training/runs.py", "runs_chosen"
TABLE, SUMMARY, NORMS, SETTINGS = range(4)
"""Of the tables of the page, in their order."""
HOSTILE = "**Mine** <b>$x$</b>"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("trained"))


@pytest.fixture
def root(tmp_path, monkeypatch, trained):
    """A runs folder with two runs."""
    root = tmp_path / "runs"
    for number, title in enumerate(("First", HOSTILE), start=1):
        folder = root / f"tiny000{number}"
        shutil.copytree(trained, folder)
        (folder / "app.json").write_text(json.dumps({"title": title, "created": float(number)}))
    monkeypatch.setenv("EXPLORER_RUNS", str(root))
    return root


def texts(app) -> list[str]:
    assert not app.exception
    return [each.value for each in app.text]


def choose(app, *places: str):
    return app.multiselect(key=CHOICE).set_value(list(places)).run()


def test_every_run_is_in_the_table_and_can_be_chosen(root):
    app = open_page(PAGE)
    assert not app.exception
    table = app.dataframe[TABLE].value
    titles = [run.name for run in list(known_runs().values())[len(shipped_runs()) :]]
    assert titles == [HOSTILE, "First"]
    assert list(table["Title"])[-2:] == titles
    assert list(table["State"]) == ["shipped"] * len(shipped_runs()) + ["finished"] * 2
    assert list(table["Updates"])[-1] == "20"
    assert app.multiselect(key=CHOICE).options[-2:] == titles
    assert app.multiselect(key=CHOICE).value == ["shipped/en-fr"]


def test_a_shipped_run_can_be_opened_and_downloaded_but_not_changed(root):
    app = open_page(PAGE, model="copy")
    assert texts(app) == ["Copy letters"]
    assert {button.key for button in app.button} == {"run_add", "run_train_on"}
    assert app.get_by_key("run_download").proto.label.startswith("Download")


def test_an_own_run_is_opened_by_its_link(root):
    app = choose(open_page(PAGE), "own/tiny0002")
    assert texts(app) == [HOSTILE]
    links = {link.proto.label: link.proto.query_string for link in app.get("page_link") if link.proto.label}
    assert links["Look inside"] == "model=tiny0002"
    opened = open_page(HOME, model="tiny0002")
    assert not opened.exception
    assert opened.radio(key="model").value == "tiny0002"
    assert opened.radio(key="model").options[-2:] == [plain(HOSTILE), "First"]


def test_a_run_is_renamed(root):
    app = choose(open_page(PAGE), "own/tiny0001")
    app.text_input(key="run_title_tiny0001").set_value("Another").run()
    app.button(key="run_rename").click().run()
    assert texts(app) == ["Another"]
    assert training_engine().status("tiny0001").title == "Another"
    app.text_input(key="run_title_tiny0001").set_value("  ").run()
    app.button(key="run_rename").click().run()
    assert "Type a title of at least one character." in texts(app)
    assert known_runs()["tiny0001"].name == "Another"


def test_a_run_is_deleted_and_whoever_looked_at_it_is_told(root):
    other = open_page("pages/model/self_attention.py", model="tiny0001")
    assert other.radio(key="model").value == "tiny0001"
    app = open_page(PAGE, model="tiny0001")
    assert app.multiselect(key=CHOICE).value == ["own/tiny0001"]
    app.button(key="run_delete").click().run()
    assert not app.exception
    assert not (root / "tiny0001").exists()
    assert "First" not in app.multiselect(key=CHOICE).options
    for shown in (app, other.run()):
        assert not shown.exception
        assert said(shown) == ["The model that was shown here has been deleted; this is the default one."]
        assert shown.radio(key="model").value == "en-fr"


def test_runs_are_compared(root):
    app = choose(open_page(PAGE), "own/tiny0001", "shipped/copy", "own/tiny0002")
    assert not app.exception
    losses = json.loads(app.get_by_key("run_losses").proto.spec)["data"]
    assert [trace["name"] for trace in losses] == [
        "First",
        "Copy letters",
        "**Mine** &#60;b&#62;&#36;x&#36;&#60;/b&#62;",
    ]
    matches = json.loads(app.get_by_key("run_matches").proto.spec)["data"]
    assert [trace["x"] for trace in matches] == [[10, 20], [10, 20]]
    norms = json.loads(app.get_by_key("run_norms").proto.spec)["data"]
    assert [[*trace["x"]] for trace in norms] == [[0, 5, 10, 15, 20]] * 2
    assert app.selectbox(key="run_norm_block").value == "decoder.layers.0.cross_attn"
    assert app.dataframe[NORMS].value["Last norm"].iloc[0] == f"{norms[0]['y'][-1]:.3f}"
    settings = app.dataframe[SETTINGS].value
    assert set(settings["≠"]) == {"≠"}
    assert list(settings.columns) == ["Setting", "≠", "First", "Copy letters", HOSTILE]
    app.toggle(key="run_settings_only").set_value(False).run()
    assert len(app.dataframe[SETTINGS].value) > len(settings)
    assert list(app.dataframe[SUMMARY].value["Best exact match"])[1] == "—"
    kept = "Only some updates are kept of Copy letters: the lowest loss is the lowest of these."
    assert kept in texts(app)


def test_it_says_why_a_run_cannot_be_looked_into(root):
    (root / "tiny0001" / "run.json").write_text("{")
    (root / "tiny0002" / "model.safetensors").unlink()
    shutil.copytree(root / "tiny0002", root / "en-fr")
    app = open_page(PAGE)
    said = "\n".join(texts(app))
    assert "First cannot be looked into. It cannot be read: tiny0001/run.json is not JSON" in said
    assert f"{HOSTILE} (tiny0002) cannot be looked into. It has no weights yet" in said
    assert "name of a shipped model" in said
    for place in ("own/tiny0001", "own/tiny0002", "own/en-fr"):
        assert not choose(app, place).exception
        assert "Look inside" not in {link.proto.label for link in app.get("page_link")}
    choose(app, "own/tiny0001", "own/en-fr", "shipped/en-fr")
    assert not app.exception


def test_figures_that_cannot_be_read_leave_the_comparison_to_the_others(root):
    for name in ("tiny0001", "tiny0002"):
        (root / name / "metrics.sqlite").write_bytes(b"not a data base" * 100)
    app = choose(open_page(PAGE), "own/tiny0001", "own/tiny0002", "shipped/copy")
    said = [each for each in texts(app) if "metrics.sqlite cannot be used" in each]
    assert [each.split(":")[0] for each in said] == ["First", HOSTILE]
    assert len(json.loads(app.get_by_key("run_losses").proto.spec)["data"]) == 1


def test_a_run_is_uploaded_and_another_file_refused(root):
    packed = archive.pack(root / "tiny0001")
    app = open_page(PAGE)
    app.file_uploader(key="run_file_0").set_value(("run.zip", packed, "application/zip")).run()
    app.text_input(key="run_file_title_0").set_value("From elsewhere").run()
    app.button(key="run_add").click().run()
    assert texts(app) == ["From elsewhere"]
    (added,) = set(known_runs()) - set(shipped_runs()) - {"tiny0001", "tiny0002"}
    assert known_runs()[added].name == "From elsewhere"
    assert app.button(key="run_add").disabled, "a second press must not add it again"
    app.file_uploader(key="run_file_1").set_value(("run.zip", b"PK nothing", "application/zip")).run()
    app.button(key="run_add").click().run()
    assert "The upload is not a zip file." in texts(app)
    assert len(known_runs()) == len(shipped_runs()) + 3


@pytest.mark.proof
def test_a_stopped_run_is_continued_and_a_finished_one_cannot_be(root):
    train_tiny(root, "stopped1", stop_after=12)
    app = choose(open_page(PAGE), "own/stopped1")
    assert training_engine().status("stopped1").state == "stopped"
    app.button(key="run_resume").click().run()
    assert not app.exception
    assert wait_for(training_engine(), "stopped1", is_in("finished")).updates == 20
    for place in ("own/stopped1", "own/tiny0001"):
        choose(app, place)
        assert "run_resume" not in {button.key for button in app.button}


def test_a_folder_that_cannot_be_written_becomes_a_sentence(root, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "file"))
    app = open_page(PAGE)
    assert not app.exception
    assert len(app.error) == 1
    assert not open_page(HOME).error


@pytest.fixture
def sealed(root):
    """The runs folder, in which nothing can be written."""
    with unwritable(root):
        yield root


@pytest.mark.proof
def test_a_folder_that_cannot_be_written_is_read_and_no_path_reaches_a_visitor(sealed):
    app = choose(open_page(PAGE), "own/tiny0001")
    assert {"tiny0001", "tiny0002"} <= set(known_runs())
    told = []
    for press in ("run_rename", "run_delete", "run_upload"):
        match press:
            case "run_rename":
                app.text_input(key="run_title_tiny0001").set_value("Another title").run()
            case "run_upload":
                packed = archive.pack(sealed / "tiny0001")
                app.file_uploader(key="run_file_0").set_value(("run.zip", packed, "application/zip")).run()
        app.get_by_key("run_add" if press == "run_upload" else press).click().run()
        told += [each for each in texts(app) if "cannot be written" in each]
    assert told == ["The runs folder cannot be written: Permission denied."] * 3
    app = choose(app, "own/tiny0001", "own/tiny0002")
    assert len(json.loads(app.get_by_key("run_losses").proto.spec)["data"]) == 2
    watched = open_page("pages/training/train.py", run="tiny0001")
    assert header_of(watched, "train_theatre")["run"]["moments"][-1]["updates"] == 20
    begun = open_page("pages/training/train.py")
    begun.button(key="train_start").click().run()
    assert any("cannot be written" in each for each in texts(begun))
    inside = open_page("pages/model/self_attention.py", model="tiny0001")
    for shown in (app, watched, begun, inside):
        assert not shown.exception
        assert str(sealed.parent) not in "\n".join(str(each) for each in shown)


def test_a_run_says_what_it_takes_by_kind_and_is_thinned(root):
    app = choose(open_page(PAGE), "own/tiny0001")
    assert any(each.value.startswith("On disk: weights") and "moments" in each.value for each in app.caption)
    app.number_input(key="run_moments_tiny0001").set_value(2).run()
    app.button(key="run_thin").click().run()
    assert any(
        "2 moments of its training" in each.value and "checkpoint" not in each.value for each in app.caption
    )
    assert len(list((root / "tiny0001" / "history").iterdir())) == 2
