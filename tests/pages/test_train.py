"""The page that trains, through the entry script: choose, start, watch, and whatever two visitors do at once."""

import errno
import json
import os
import re
import sqlite3
import struct
from contextlib import closing
from html import unescape
from itertools import count, pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from core import files, trace
from core.config import TrainConfig, TransformerConfig
from core.data.tasks import get_task
from core.errors import RunError
from core.model.parameters import find_parameter
from core.model.shapes import expected_parameters
from core.run import load_run
from core.run_description import read_description
from core.training.control import CONTROL_FILE
from core.training.history import load_run_at
from core.training.new_run import begin_run
from core.training.own_pairs import PAIRS, PAIRS_FILE
from core.training.plan import dataset_of, describe_task
from core.training.run_store import STORE_FILE
from core.training.session import train_run
from explorer.models.known import RECORDED
from explorer.server.limits import Limits
from explorer.server.serve import command
from explorer.trainings.engine import TrainingEngine
from explorer.views.training.own_pairs import MOST_PASTED, NO_PAIRS
from explorer.visitor.values import is_drawn
from tests.explorer.own_runs import train_pairs, train_tiny
from tests.explorer.trainings.conftest import is_in, wait_for
from tests.optional import unwrap
from tests.pages.opening import header_of, lead_of, message_of, open_page, said, title_of

pytestmark = pytest.mark.usefixtures("engine")

PAGE, THEATRE = "pages/training/train.py", "train_theatre"
NUMBERS = count(2**50)
TINY = {"d_model": 16, "n_heads": 2, "d_ff": 32, "n_encoder_layers": 1, "n_decoder_layers": 1}
PAIRS_TEXT = "\n".join(f"red{i} cat{j}\tcat{j} red{i}" for i in range(10) for j in range(10))


def endless() -> TrainConfig:
    return TrainConfig(
        steps=10**6, warmup_steps=5, batch_size=4, n_train=100, n_validation=5, n_test=5,
        validate_every=10**6, checkpoint_every=500,
    )  # fmt: skip


def begun(engine: TrainingEngine, title: str = "long") -> str:
    return engine.begin(describe_task(get_task("copy"), endless(), TINY), title=title)


def texts(app: AppTest) -> list[str]:
    assert not app.exception
    return [each.value for each in app.text]


def words(app: AppTest) -> str:
    """How the run stands, as the page says it."""
    assert not app.exception
    (line,) = [each.proto.body for each in app.get("html") if 'class="train-stands' in each.proto.body]
    return unescape(re.sub("<[^>]*>", "", line))


def wishes(app: AppTest) -> list[str]:
    """What can be asked of the training."""
    return header_of(app, THEATRE)["wishes"]


def report(app: AppTest, event: str, **what: object) -> AppTest:
    """Something that the theatre reports."""
    told = {"key": header_of(app, THEATRE)["key"], "report": next(NUMBERS), **what}
    app.session_state[THEATRE] = {event: told}
    return app.run()


def ask(app: AppTest, wish: str) -> AppTest:
    return report(app, "wish", do=wish)


def copying(app: AppTest) -> AppTest:
    """The line offers to learn to copy."""
    return app.selectbox(key="train_task").set_value("copy").run()


def ways_on(app: AppTest) -> list[str]:
    """The links and buttons under a training, in their order."""
    queue, found = [app.main], []
    while queue:
        node = queue.pop(0)
        queue[:0] = getattr(node, "children", {}).values()
        label = getattr(getattr(node, "proto", None), "label", "")
        found += [label] if label in ("See its mistakes", "Take an update apart", "Train on") else []
    return found


def set_small(app: AppTest, **more: int) -> AppTest:
    """A training of a few updates of a tiny model."""
    app = copying(app)
    for name, value in (
        TINY | {"warmup_steps": 2, "steps": 20, "batch_size": 4, "n_train": 200} | more
    ).items():
        app.number_input(key=f"train_copy_{name}").set_value(value)
    return app.run()


def run_of(app: AppTest) -> str:
    (run_id,) = (
        app.query_params["run"] if isinstance(app.query_params["run"], list) else [app.query_params["run"]]
    )
    return run_id


def test_a_form_stands_there_with_the_size_of_the_model_before_anything_is_started(engine):
    app = open_page(PAGE)
    assert title_of(app) == "Train"
    assert any(
        each.value.startswith("118,656 parameters") and "known to learn" in each.value for each in app.caption
    )
    assert not app.button(key="train_start").disabled
    assert engine.statuses() == []


def test_theatre_has_skeleton_until_training_is_read(monkeypatch):
    def fail(*given, **named):
        raise RunError("the training is not read yet")

    monkeypatch.setattr("explorer.views.training.view.watch", fail)
    assert len(open_page(PAGE).get("skeleton")) == 2, "the model's size, and the theatre"


def test_what_is_impossible_cannot_be_started_and_says_why():
    app = copying(open_page(PAGE))
    app.number_input(key="train_copy_d_model").set_value(63).run()
    assert "Width 63 must be a multiple of Heads 4." in texts(app)
    assert app.button(key="train_start").disabled
    app.number_input(key="train_copy_d_model").set_value(32).run()
    assert not app.button(key="train_start").disabled
    (size,) = [text for text in texts(app) if "weights" in text]
    assert size.startswith("47,296 weights in ")
    assert not any("known to learn" in each.value for each in app.caption)


@pytest.mark.proof
def test_a_training_goes_from_its_start_to_its_end_and_a_link_finds_it_again(engine):
    app = set_small(open_page(PAGE))
    app.text_input(key="train_name").set_value("**mine**").run()
    app.button(key="train_start").click().run()
    run_id = run_of(app)
    assert "**mine**" in texts(app)
    assert "of 20 updates" in words(app)
    wait_for(engine, run_id, is_in("finished"))
    app = open_page(PAGE, run=run_id)
    assert words(app) == "Finished: 20 of 20 updates"
    right = re.compile(r"were kept: [\d,]+ of [\d,]+ test sources, .* come out exactly right")
    assert right.search(lead_of(app))
    assert wishes(app) == []
    links = [each.proto for each in app.get("page_link") if each.proto.label == "See its mistakes"]
    assert [link.query_string for link in links] == [f"model={run_id}"]
    # What the end of the training adds comes last: under the pointer nothing changes its place.
    assert ways_on(app) == ["See its mistakes", "Take an update apart", "Train on"]
    again = open_page(PAGE)
    # Where nothing goes on, the newest run that has finished plays.
    assert header_of(again, THEATRE)["key"] == header_of(app, THEATRE)["key"]
    assert header_of(again, THEATRE)["plays"]


@pytest.mark.proof
def test_the_theatre_is_fed_what_was_recorded_of_each_kept_moment(engine):
    folder = train_tiny(engine.folder, "tiny0001")
    app = open_page(PAGE, run="tiny0001")
    header = header_of(app, THEATRE)
    assert [each["text"] for each in header["probes"]] == ["tap", "level", "banana", "keyboard"]
    assert header["all"] == [0, 5, 10, 15, 20]
    assert [each["updates"] for each in header["run"]["moments"]] == [0, 5, 10, 15, 20]
    loaded = load_run_at(folder, 15)
    written = header["run"]["moments"][3]["words"][0]
    assert "".join(written["tokens"]) == loaded.translate("tap")[: len(written["tokens"])]
    answer = loaded.encode_target("tap")
    found = trace(loaded.model, loaded.encode_source("tap"), answer)
    led = found.logits.softmax(dim=-1)[torch.arange(4), answer]
    message = message_of(app, THEATRE)
    arrays = arrays_of(message)
    assert arrays["run.p"][3][:4].tolist() == pytest.approx(led.tolist())
    weights = found.activations["decoder.layers.0.cross_attn.weights"][0]
    codes = np.frombuffer(arrays["run.w"][3].tobytes(), "<u2")[: weights.numel()]
    assert np.abs(codes / 65_535 - weights.numpy().ravel()).max() < 1e-4
    steps = arrays["loss"]
    assert steps.shape == (20, 3)


def arrays_of(message: bytes) -> dict[str, np.ndarray]:
    """The numbers of a message, by their names."""
    (length,) = struct.unpack("<I", message[:4])
    header = json.loads(message[4 : 4 + length])
    at, found = 4 + -(-length // 4) * 4, {}
    for names, kind in ((header["arrays"], "<f4"), (header.get("codes", []), "u1")):
        for name, shape in names:
            n_bytes = int(np.prod(shape)) * np.dtype(kind).itemsize
            found[name] = np.frombuffer(message[at : at + n_bytes], kind).reshape(shape)
            at += n_bytes
    return found


@pytest.mark.proof
def test_only_moments_that_the_browser_lacks_are_sent(engine):
    train_tiny(engine.folder, "tiny0001")
    app = open_page(PAGE, run="tiny0001")
    app = report(app, "have", have=3)
    header = header_of(app, THEATRE)
    assert header["since"] == 3
    assert [each["updates"] for each in header["run"]["moments"]] == [15, 20]
    app = report(app, "have", have=5)
    assert header_of(app, THEATRE)["run"]["moments"] == []
    # What another run's view said is nothing that this one has.
    train_tiny(engine.folder, "tiny0002")
    app.query_params["run"] = "tiny0002"
    assert len(header_of(app.run(), THEATRE)["run"]["moments"]) == 5
    for nonsense in (-1, 6, "x", None, 2.5):
        app = report(app, "have", have=nonsense)
        assert len(header_of(app, THEATRE)["run"]["moments"]) == 5, nonsense


@pytest.mark.proof
def test_a_moment_opens_the_app_and_leads_through_the_living_map(engine):
    train_tiny(engine.folder, "tiny0001")
    app = report(open_page(PAGE, run="tiny0001"), "open", updates=10, probe=2)
    seen = app.session_state["explorer"]
    assert (seen.run, seen.updates, seen.sentence) == ("tiny0001", 10, "banana")
    assert title_of(app) == "Cross-attention"
    app = report(open_page(PAGE, run="tiny0001"), "walk", updates=15, probe=3)
    seen = app.session_state["explorer"]
    assert (seen.run, seen.updates, seen.sentence) == ("tiny0001", 15, "keyboard")
    assert app.get_by_key("living_map")
    for updates, probe in ((11, 0), (10, 4), (10, -1), ("10", 0)):
        app = report(open_page(PAGE, run="tiny0001"), "open", updates=updates, probe=probe)
        assert title_of(app) == "Train"
        assert app.session_state["explorer"].updates is None


@pytest.mark.proof
def test_what_the_theatre_leaves_out_is_folded_away_and_computed_when_it_is_opened(engine):
    run_id = train_tiny(engine.folder, "tiny0001").name
    app = open_page(PAGE, run=run_id)
    assert not app.dataframe
    app.session_state["train_more"] = True
    app.run()
    probes = app.dataframe[0].value
    assert list(probes["after updates"][:2]) == ["right answer", "20"]
    norms = next(each.value for each in app.dataframe if "cross-attention: gradient" in each.value.columns)
    assert list(norms["after updates"]) == ["20", "15", "10", "5", "0"]
    app.selectbox(key=f"train_blocks_{run_id}").set_value("Encoder, layer 0").run()
    assert not any("cross-attention: gradient" in each.value.columns for each in app.dataframe)


@pytest.mark.proof
def test_pause_one_update_go_on_and_stop_and_what_another_visitor_does_meanwhile(engine):
    run_id = begun(engine, "[x](http://a.b)")
    wait_for(engine, run_id, lambda status: status.updates > 0)
    app = open_page(PAGE, run=run_id)
    assert words(app).startswith("Training: ")
    assert wishes(app) == ["pause", "stop"]
    ask(app, "pause")
    wait_for(engine, run_id, is_in("paused"))
    app.run()
    made = engine.status(run_id).updates
    assert words(app) == f"Paused: {made:,} of 1,000,000 updates"
    assert wishes(app) == ["go_on", "step", "stop"]
    ask(app, "step")
    wait_for(engine, run_id, lambda status: status.updates == made + 1)
    app.run()
    ask(app, "go_on")
    wait_for(engine, run_id, lambda status: status.updates > made + 5)
    app.run()
    other = open_page(PAGE, run=run_id)
    ask(other, "stop")
    wait_for(engine, run_id, is_in("stopped"))
    # What was asked before the page knew is refused with a sentence, unless the page knows by then.
    assert words(app.run()).startswith("Stopped at a checkpoint: ")
    assert wishes(app) == ["resume"]
    engine.delete(run_id)
    assert gone(app.run())
    assert words(app) == "Recorded run, finished"


def gone(app: AppTest) -> bool:
    return "There is no such run any more." in said(app)


def test_a_wish_that_came_too_late_is_a_sentence(engine, nothing_starts, monkeypatch):
    run_id = begun(engine)
    engine.stop(run_id)
    app = open_page(PAGE, run=run_id)
    monkeypatch.setattr("explorer.views.training.view.wishes_of", lambda status, *, may_steer: ("pause",))
    ask(app.run(), "pause")
    assert "“long” does not train now; it is stopped." in texts(app)


def test_a_stopped_run_is_resumed(engine, nothing_starts):
    run_id = begun(engine)
    engine.stop(run_id)
    app = open_page(PAGE, run=run_id)
    assert wishes(app) == ["resume"]
    ask(app, "resume")
    assert words(app).startswith("Waiting, next in the queue: ")
    assert wishes(app) == ["stop"]


def test_one_waits_and_is_told_its_place(engine, nothing_starts):
    first, second, third = (begun(engine, title) for title in ("first", "second", "third"))
    app = open_page(PAGE, run=third)
    assert words(app) == "Waiting, 2 in the queue before it: 0 of 1,000,000 updates"
    assert wishes(app) == ["stop"]
    named = {line.partition(":")[0] for line in texts(app) if " of 1,000,000 updates" in line}
    assert named == {"first", "second"}
    app.button(key=f"train_watch_{first}").click().run()
    assert run_of(app) == first
    app = open_page(PAGE, run=third)
    ask(app, "stop")
    assert engine.status(third).state == "stopped"
    assert engine.status(second).place == 1


def test_a_run_that_is_gone_is_a_sentence_and_another_one_plays():
    app = open_page(PAGE)
    for run_id in ("abcdefgh", "00000000", "My.run_2"):
        app.query_params["run"] = run_id
        assert gone(app.run()), run_id
        assert app.button(key="train_start")
        assert header_of(app, THEATRE)["key"] == "reverse-recorded/0"
        assert "run" not in app.query_params


def test_a_fresh_clone_plays_a_whole_training_with_its_validations(engine):
    app = open_page(PAGE)
    header = header_of(app, THEATRE)
    assert header["plays"]
    assert len(header["all"]) > 30
    assert (header["all"][0], header["all"][-1]) == (0, header["span"])
    arrays = arrays_of(message_of(app, THEATRE))
    assert len(arrays["loss"]) == header["span"]
    exact = dict(arrays["exact"].tolist())
    assert len(exact) > 10
    assert exact[header["span"]] > 0.98
    # Of most moments the weights are not here, and nothing is opened with them.
    app = report(app, "walk", updates=header["all"][5], probe=0)
    assert title_of(app) == "Train"
    # Its best weights were kept for themselves, and are opened as such.
    app = report(app, "walk", updates=header["span"], probe=0)
    seen = app.session_state["explorer"]
    assert (seen.run, seen.updates, seen.sentence) == (RECORDED, None, "tap")


def test_the_line_offers_the_task_of_what_plays_and_leaves_the_large_button_to_what_trains(
    engine, nothing_starts
):
    app = open_page(PAGE)
    assert app.selectbox(key="train_task").value == "reverse"
    assert app.button(key="train_start").proto.type == "primary"
    app = open_page(PAGE, run=begun(engine))
    assert app.selectbox(key="train_task").value == "copy"
    assert app.button(key="train_start").proto.type == "secondary"
    # What somebody has chosen stays, whatever is watched.
    app = app.selectbox(key="train_task").set_value("sort").run()
    app.query_params.clear()
    assert app.run().selectbox(key="train_task").value == "sort"


def test_the_details_keep_what_was_typed_while_they_are_folded():
    app = open_page(PAGE)
    assert app.number_input(key="train_reverse_steps").set_value(400).run()
    for _ in range(2):
        app = app.button(key="train_details").click().run()
        assert app.number_input(key="train_reverse_steps").value == 400


def test_any_tensor_of_the_recorded_training_is_drawn_where_its_weights_are(engine):
    app = report(open_page(PAGE), "pick", name="src_embed.weight", probe=0)
    header = header_of(app, THEATRE)
    assert header["all"] == list(header["picked"]["updates"]) == [0, 100, header["span"]]


@pytest.mark.proof
def test_a_link_that_is_no_id_is_left_out():
    app = open_page(PAGE)
    for run_id in ("../../etc", ".hidden", "a" * 65, "abcdefgh/../x", "a b"):
        app.query_params["run"] = run_id
        assert "The link's run cannot be used here; it was left out." in said(app.run()), run_id
        assert app.button(key="train_start")
        # Another link, as from elsewhere: the sentence goes with it.
        app.query_params.clear()
        assert not said(app.run())


@pytest.mark.proof
def test_a_training_in_a_terminal_is_watched_by_the_name_of_its_folder(engine):
    folder = engine.folder / "my-name.2"
    begin_run(folder, describe_task(get_task("copy"), endless(), TINY), None)
    # As `python -m core.train --out runs/my-name.2` pulls it, which notes nothing for the app.
    training = train_run(folder, *begun_there(folder))
    for _ in range(3):
        next(training)
    app = open_page(PAGE, run="my-name.2")
    assert words(app).startswith("Training: ")
    assert wishes(app) == ["pause", "stop"]
    ask(app, "pause")
    # It is what plays for whoever opens the page.
    assert "my-name.2" in texts(open_page(PAGE))
    training.close()
    app.run()
    assert words(app).startswith("Interrupted: ")
    assert any(text.startswith("Its process ended without a word") for text in texts(app))
    assert wishes(app) == ["resume"]


def begun_there(folder: Path) -> tuple:
    description = read_description(folder)
    return description, dataset_of(folder, description)


def test_damaged_figures_are_a_sentence_and_take_no_button_away(engine, nothing_starts):
    run_id = begun(engine)
    engine.stop(run_id)
    (engine.run_folder(run_id) / STORE_FILE).write_bytes(b"no data base at all, " * 100)
    app = open_page(PAGE, run=run_id)
    assert any("file is not a database" in text for text in texts(app))
    assert not app.button(key="train_start").disabled
    assert wishes(app) == ["resume"]
    overview = open_page("pages/training/runs.py")
    assert not overview.exception
    assert "long" in list(overview.dataframe[0].value["Title"])


@pytest.mark.proof
def test_wishes_that_cannot_be_written_are_a_sentence(engine):
    folder = engine.folder / "my-name"
    begin_run(folder, describe_task(get_task("copy"), endless(), TINY), None)
    training = train_run(folder, *begun_there(folder))
    next(training)
    with closing(sqlite3.connect(folder / CONTROL_FILE, isolation_level=None)) as other:
        other.execute("CREATE TABLE held (a)")
        other.execute("BEGIN EXCLUSIVE")
        app = open_page(PAGE, run="my-name")
        ask(app, "pause")
    assert any("control.sqlite is locked by another program" in text for text in texts(app))
    assert words(app).startswith("Training: ")
    training.close()


def test_a_full_disk_is_a_sentence(engine, monkeypatch):
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    app = open_page(PAGE)
    monkeypatch.setattr(files, "_to_disk", full)
    app.button(key="train_start").click().run()
    assert any("cannot be written: No space left on device" in text for text in texts(app))
    assert engine.statuses() == []
    assert app.button(key="train_start")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        (
            "pairs.tsv",
            "café\tbar".encode("latin-1"),
            "is not text that can be read (byte 0xE9 in line 1)",
        ),
        ("<b>.tsv", b"\x89PNG\r\n\x1a\n\x00\x00", "<b>.tsv is"),
        ("zeros.tsv", b"\x00" * 100, "is not plain text"),
        ("large.csv", b"a,b\n" * 600_000, "is larger than"),
    ],
    ids=["latin-1", "picture", "zeros", "large"],
)
def test_files_that_are_no_pairs_are_a_sentence(name, data, sentence):
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    app.file_uploader(key="train_upload").upload(name, data, "text/plain").run()
    assert any(sentence in text for text in texts(app))
    assert app.button(key="train_start").disabled


@pytest.mark.proof
def test_a_text_too_long_to_be_pasted_is_said_to_be_so_and_nothing_of_it_is_lost():
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    # Beyond a field's own limit the browser takes nothing and says nothing, and beyond the server's the connection
    # is closed; what is asked for says how much can be pasted.
    options = dict(pairwise(command(Limits())))
    most = app.text_area(key="train_paste").proto.max_chars
    assert (
        4 * MOST_PASTED < most < 10**6 * int(options["--server.maxWidgetStateSize"]) / 4
    )  # bytes of a character
    assert f"Bring a file of pairs, or paste some, up to {MOST_PASTED:,} characters." in texts(app)
    text = PAIRS_TEXT + "\n" + "a word more\tein Wort mehr\n" * (MOST_PASTED // 25)
    app.text_area(key="train_paste").set_value(text).run()
    (said,) = [text for text in texts(app) if "can be pasted at most" in text]
    assert f"The pasted text has {len(text):,} characters, and {MOST_PASTED:,} can be pasted" in said
    assert NO_PAIRS not in texts(app)
    assert app.button(key="train_start").disabled
    assert app.text_area(key="train_paste").value == text
    app.text_area(key="train_paste").set_value(PAIRS_TEXT).run()
    assert not app.button(key="train_start").disabled


def test_no_room_is_a_sentence(engine, monkeypatch):
    monkeypatch.setattr(engine._room, "limits", Limits(most_runs=0))
    app = open_page(PAGE)
    app.button(key="train_start").click().run()
    assert any("which is the most" in text for text in texts(app))
    assert engine.statuses() == []


def test_a_click_that_came_twice_begins_one_run(engine, nothing_starts):
    app = open_page(PAGE)
    # As it is when the second click ended the first one's run of the page after the training had begun.
    run_id = begun(engine)
    app.session_state["train_begun"] = [run_id]
    app.button(key="train_start").click().run()
    assert run_of(app) == run_id
    assert len(engine.statuses()) == 1


def test_own_pairs_are_pasted_reported_on_and_become_a_run(engine, nothing_starts):
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    assert NO_PAIRS in texts(app)
    assert app.button(key="train_start").disabled
    app.text_area(key="train_paste").set_value(PAIRS_TEXT + "\nlost\t").run()
    assert any("The pasted text has 100 pairs" in text for text in texts(app))
    assert any("1 without a target (line 101)" in text for text in texts(app))
    for name, value in (TINY | {"warmup_steps": 2, "steps": 10, "batch_size": 8}).items():
        app.number_input(key=f"train_{PAIRS}_{name}").set_value(value)
    app.run()
    app.button(key="train_start").click().run()
    run_id = run_of(app)
    assert words(app) == "Waiting, next in the queue: 0 of at most 10 updates"
    assert header_of(app, THEATRE)["unit"] == "word"
    assert (engine.run_folder(run_id) / PAIRS_FILE).read_text().count("\n") == 103
    assert engine.status(run_id).task == PAIRS
    # The pairs are folded away above the training, and what was pasted is kept.
    assert app.session_state["train_pairs_unfolded"] is False
    app.button(key="train_fold_pairs").click().run()
    assert app.session_state["train_pairs_unfolded"] is True
    app.button(key="train_fold_pairs").click().run()
    assert any("The pasted text has 100 pairs" in text for text in texts(app))
    app.text_area(key="train_paste").set_value("").run()
    assert not any(button.key == "train_fold_pairs" for button in app.button), "there is nothing to fold"
    app.text_area(key="train_paste").set_value(PAIRS_TEXT).run()
    assert app.session_state["train_pairs_unfolded"] is None, "other pairs are in sight"


def test_columns_and_header_of_own_pairs_are_a_choice(engine):
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    rows = "".join(f"the {n} house\tlevel {n}\tdas {n} Haus\n" for n in range(30))
    app.text_area(key="train_paste").set_value(f"english\tlevel\tgerman\n{rows}").run()
    assert any("30 pairs" in text for text in texts(app))
    assert any("columns 1 (english) and 3 (german) of 3" in text for text in texts(app))
    (target,) = [box for box in app.selectbox if box.label == "Target column"]
    assert target.options == ["1 · english", "2 · level", "3 · german"]
    target.set_value(2).run()
    assert any("columns 1 (english) and 2 (level) of 3" in text for text in texts(app))
    assert not app.button(key="train_start").disabled
    (header,) = [box for box in app.checkbox if box.label == "First line names the columns"]
    header.uncheck().run()
    assert any("31 pairs" in text for text in texts(app))
    # The other column with the same number is no target.
    (target,) = [box for box in app.selectbox if box.label == "Target column"]
    target.set_value(1).run()
    assert any("Source and target are the same column" in text for text in texts(app))
    assert app.button(key="train_start").disabled


@pytest.mark.proof
def test_columns_stay_when_the_header_is_taken_for_a_pair(engine):
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    rows = "".join(f"das {n} Haus\tthe {n} house\n" for n in range(30))
    app.text_area(key="train_paste").set_value(f"target\tsource\n{rows}").run()
    (header,) = [box for box in app.checkbox if box.label == "First line names the columns"]
    header.uncheck().run()
    assert any("uses columns 2 and 1 of 2" in text for text in texts(app))


@pytest.mark.proof
def test_unchanged_pairs_are_kept_until_they_are_dropped(engine):
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    rows = "".join(f"word{n} a\tword{n} {'a' if n % 3 else 'b'}\n" for n in range(30))
    app.text_area(key="train_paste").set_value(rows).run()
    assert any("20 pairs have a target equal to its source" in text for text in texts(app))
    (drop,) = [box for box in app.checkbox if box.label == "Drop unchanged pairs (20)"]
    drop.check().run()
    assert any("10 pairs" in text for text in texts(app))
    assert any("20 with a target equal to its source" in text for text in texts(app))


@pytest.mark.proof
def test_columns_without_text_are_chosen_by_the_user(engine):
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    rows = "".join(f"{n}\t{n + 7}\t{2 * n + 7}\n" for n in range(40))
    app.file_uploader(key="train_upload").set_value([("sums.tsv", rows.encode(), "text/plain")]).run()

    def boxes() -> list[Selectbox]:
        return [box for box in app.selectbox if box.label in ("Source column", "Target column")]

    assert [box.value for box in boxes()] == [None, None]
    assert any("has no two columns of text" in text for text in texts(app))
    assert app.button(key="train_start").disabled
    source, target = boxes()
    assert source.options == ["1 · “0”", "2 · “7”", "3 · “7”"]
    source.set_value(1)
    target.set_value(3).run()
    assert any("uses columns 1 and 3 of 3" in text for text in texts(app))
    assert not app.button(key="train_start").disabled


@pytest.mark.proof
def test_two_files_of_own_pairs_can_be_turned_round(engine):
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    english, german = ("".join(f"{word} {n}\n" for n in range(20)).encode() for word in ("house", "Haus"))
    app.file_uploader(key="train_upload").set_value(
        [("words.en", english, "text/plain"), ("words.de", german, "text/plain")]
    ).run()
    assert any("words.en with words.de has 20 pairs" in text for text in texts(app))
    source, target = (
        next(box for box in app.selectbox if box.label == label)
        for label in ("Source column", "Target column")
    )
    assert source.options == ["1 · words.en", "2 · words.de"]
    source.set_value(2)
    target.set_value(1).run()
    assert any("columns 2 and 1 of 2" in text for text in texts(app))


@pytest.mark.proof
def test_a_finished_run_is_trained_on_as_a_new_one_that_knows_it(engine, nothing_starts, monkeypatch):
    folder = train_pairs(engine.folder, "ownpairs")
    app = open_page(PAGE, run="ownpairs")
    app.button(key="train_on").click().run()
    assert "Train on from “Own pairs (ownpairs)”" in texts(app)
    app.number_input(key="train_on_steps").set_value(400).run()
    app.button(key="train_start").click().run()
    run_id = run_of(app)
    child = read_description(engine.run_folder(run_id))
    assert (unwrap(child.parent).name, child.train_config.steps) == ("ownpairs", 400)
    assert unwrap(child.parent).fingerprint == load_run(folder).fingerprint
    assert any(each.startswith("It began with the weights of “Own pairs (ownpairs)”") for each in texts(app))
    assert (engine.run_folder(run_id) / PAIRS_FILE).read_bytes() == (folder / PAIRS_FILE).read_bytes()
    # Other pairs, of which it cannot read all.
    app = open_page(PAGE, run="ownpairs")
    app.button(key="train_on").click().run()
    app.segmented_control(key="train_pairs_on").set_value("Others").run()
    text = "\n".join(f"{a} word {n}\tone {a} more" for a in "abcdefgh" for n in range(4))
    app.text_area(key="train_paste").set_value(text + "\na whale\tone more").run()
    assert any("1 with tokens that the initial model does not know" in each for each in texts(app))
    app.button(key="train_on_leave").click().run()
    assert not app.selectbox(key="train_task").disabled


@pytest.mark.proof
def test_pairs_are_read_once_however_often_the_page_is_drawn(monkeypatch):
    from explorer.views.training import own_pairs_controls
    from explorer.views.training.own_pairs import read_uploaded

    read = []

    def counted(uploaded, *how):
        read.append(uploaded)
        return read_uploaded(uploaded, *how)

    monkeypatch.setattr(own_pairs_controls, "read_uploaded", counted)
    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    read.clear()
    app.text_area(key="train_paste").set_value(PAIRS_TEXT).run()
    app.number_input(key=f"train_{PAIRS}_batch_size").set_value(9).run()
    assert len(read) == 1


@pytest.mark.proof
def test_of_pairs_that_cannot_be_learnt_only_the_sentence_is_kept():
    from explorer.views.training.own_pairs_controls import RECOGNISED

    app = open_page(PAGE)
    app.selectbox(key="train_task").set_value(PAIRS).run()
    app.text_area(key="train_paste").set_value("no tab here\n").run()
    (sentence,) = [text for text in texts(app) if "tab" in text]
    for size in (9, 10):
        app.number_input(key=f"train_{PAIRS}_batch_size").set_value(size).run()
        # An error that is raised at every rerun would keep the bytes of every one of them.
        assert app.session_state[RECOGNISED.key][1] == sentence
        assert sentence in texts(app)


def test_runs_are_nowhere_but_in_the_folder_of_the_test(engine):
    assert os.environ["EXPLORER_RUNS"] == str(engine.folder)


@pytest.mark.proof
def test_a_run_that_is_called_as_a_shipped_one_shows_its_own_moments(engine):
    train_tiny(engine.folder, "reverse")
    app = open_page(PAGE, run="reverse")
    header = header_of(app, THEATRE)
    assert header["all"] == [0, 5, 10, 15, 20]
    assert not header["opens"]


@pytest.mark.proof
def test_any_tensor_is_drawn_from_each_kept_moment_in_place_of_the_attention(engine):
    folder = train_tiny(engine.folder, "tiny0001")
    app = open_page(PAGE, run="tiny0001")
    offered = header_of(app, THEATRE)["pickable"]
    assert "encoder.output" in offered["values"]
    assert "decoder.layers.0.cross_attn.w_q" in offered["parameters"]
    loaded = load_run_at(folder, 5)
    found = trace(loaded.model, loaded.encode_source("banana"), loaded.encode_target("banana"))
    query = "decoder.layers.0.cross_attn"
    expected = {
        "decoder.layers.0.self_attn.v": found.activations["decoder.layers.0.self_attn.v"][0],
        "encoder.output": found.activations["encoder.output"][0][None],
        f"{query}.w_q": unwrap(find_parameter(loaded.model, f"{query}.w_q"))[None],
        f"{query}.b_q": unwrap(find_parameter(loaded.model, f"{query}.b_q"))[None, None],
    }
    for name, tensor in expected.items():
        app = report(app, "pick", name=name, probe=2)
        header = header_of(app, THEATRE)
        assert (header["picked"]["name"], header["picked"]["updates"]) == (name, [0, 5, 10])
        arrays = arrays_of(message_of(app, THEATRE))
        low, high = arrays["picked.limits"][1]
        codes = np.frombuffer(arrays["picked.numbers"][1].tobytes(), "<u2").astype(float)
        drawn = low + codes / 65_535 * (high - low)
        assert np.abs(drawn - tensor.numpy()[:8, :64, :64].ravel()).max() <= (high - low) / 65_535, name
        # The others come when the browser has these.
        app = report(app, "have", have=3)
        assert header_of(app, THEATRE)["picked"]["updates"] == [15, 20]
    for wrong in ("no.such", 7, None, "decoder.layers.0.cross_attn.b_q' OR 1"):
        app = report(app, "pick", name=wrong, probe=2)
        assert header_of(app, THEATRE)["picked"]["name"] == "decoder.layers.0.cross_attn.b_q", wrong
    app = report(app, "pick", name="", probe=2)
    assert header_of(app, THEATRE)["picked"] is None


def chosen_base(app: AppTest) -> AppTest:
    app = copying(app)
    app.segmented_control(key="train_copy_size").set_value("The paper's base model").run()
    assert not app.exception
    return app


@pytest.mark.proof
def test_the_papers_base_model_is_offered_with_what_it_takes_here(engine, monkeypatch):
    monkeypatch.setattr("core.training.least_time.rate", lambda: 2e9)
    app = chosen_base(open_page(PAGE))
    vocabulary = len(get_task("copy").tokenizers()[0].vocabulary)
    base = TransformerConfig.base(src_vocab_size=vocabulary, tgt_vocab_size=vocabulary)
    count = expected_parameters(base)
    assert count > 40_000_000
    said = "\n".join([*texts(app), *(each.value for each in app.caption)])
    assert f"{count:,} weights, more than" in said
    assert f"{16 * count / 2**20:,.1f} MiB of memory, of the" in said
    assert "the matrix products alone of its 225 updates take" in said
    assert "known to learn" not in said
    shown = {
        name: app.number_input(key=f"train_copy_base_{name}").value for name in ("d_model", "n_heads", "d_ff")
    }
    assert shown == {"d_model": base.d_model, "n_heads": base.n_heads, "d_ff": base.d_ff}
    assert not app.button(key="train_start").disabled
    app.segmented_control(key="train_copy_size").set_value("As the task needs it").run()
    assert any(each.startswith("118,656 weights, known to learn it") for each in texts(app))


@pytest.mark.proof
def test_a_base_model_that_does_not_fit_is_refused_before_it_begins(engine, monkeypatch):
    monkeypatch.setattr("core.training.new_run.memory_of", lambda device: 2**29)
    app = chosen_base(open_page(PAGE))
    assert any("GiB at least, but cpu has" in each for each in texts(app))
    assert app.button(key="train_start").disabled


def test_recorded_run_is_drawn_before_a_training_is_measured(monkeypatch):
    """On a new server the measurement takes seconds, in which the page would be empty."""
    drawn, measure = [], TrainingEngine.part_times

    def measured(engine, *given):
        drawn.append(is_drawn(THEATRE))
        return measure(engine, *given)

    monkeypatch.setattr(TrainingEngine, "part_times", measured)
    app = open_page(PAGE)
    assert header_of(app, THEATRE)["key"].startswith("reverse-recorded")
    assert drawn == [True]
