"""The page One update through the entry script: real updates of an own run, chosen, explained, and what cannot be."""

import json
import re
import shutil
from contextlib import closing

import pytest

from core.errors import InputError
from core.explanation.update_sites import update_values
from core.run import load_run
from core.training.replay import first_batches
from core.training.run_store import RunStore
from explorer.models.known import CHECKPOINTS, run_folder
from explorer.server.limits import limits_from
from explorer.views.update.cached import known_update, update_of
from explorer.views.update.choices import UpdateChoice
from explorer.views.update.process import make_update_again
from tests.explorer.own_runs import train_pairs, train_tiny
from tests.explorer.updates_here import make_updates_here
from tests.optional import unwrap
from tests.pages.opening import header_of, note_beside, open_page, said, title_of

PAGE, VIEW, STORY = "pages/training/one_update.py", "one_update", "update_story"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Twelve of twenty updates: checkpoints after 10 and 12, weights kept after 0, 5 and 10."""
    return train_tiny(tmp_path_factory.mktemp("runs"), stop_after=12)


@pytest.fixture(autouse=True)
def _runs(folder, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(folder.parent))


@pytest.fixture
def replayed_here(monkeypatch) -> list[int]:
    """How many batches each order brought."""
    return make_updates_here(monkeypatch)


def opened(**query: str):
    app = open_page(PAGE, model="tiny0001", **query)
    assert not app.exception
    return app


def words(app) -> str:
    return "\n".join(each.value for each in app.markdown)


def tell(app, **what):
    key = header_of(app, VIEW)["key"]
    app.session_state[VIEW] = {name: {"key": key, **value} for name, value in what.items()}
    return app.run()


@pytest.mark.proof
def test_an_update_is_made_again_shown_and_proven_by_figures_and_kept_weights():
    app = opened(update="seed-4")
    header = header_of(app, VIEW)
    assert title_of(app) == "One update"
    assert [stage["key"] for stage in header["stages"]][:4] == ["loss", "labels", "logits", "gradient"]
    assert "are, to the last bit, what the training wrote down" in words(app)
    assert "weights after it, rounded to half precision, are the weights" in words(app)
    choice = app.segmented_control(key="one_update_choice")
    assert choice.value == "seed-4"
    assert choice.options == [
        "0",
        "1",
        "2",
        "4",
        "5",
        "9",
        "10",
        "10, after a checkpoint",
        "12, after a checkpoint",
    ]
    assert not app.error


@pytest.mark.proof
@pytest.mark.usefixtures("replayed_here")
def test_the_update_after_the_newest_checkpoint_is_the_one_to_come():
    app = opened(update="checkpoint-12")
    assert "follows the training checkpoint after 12 updates" in words(app)
    assert "it is the one that it will make next" in words(app)
    app.segmented_control(key="one_update_choice").set_value("seed-4").run()
    assert app.query_params["update"] in ("seed-4", ["seed-4"])
    assert "to the last bit" in words(app)


@pytest.mark.proof
def test_the_numbers_of_the_update_and_the_cells_of_the_view_are_explained_and_followed():
    app = opened(update="seed-4", stage="weights")
    app.get_by_key("explain_update.clip_factor").click().run()
    panel = json.loads(app.get_by_key("explain_panel").proto.bytes)
    assert panel["site"] == "update.clip_factor"
    assert panel["agrees"]
    names = header_of(app, VIEW)["choosers"][1]["options"]
    asked = {"tensor": "weight", "layer": None, "index": [1, 2], "report": 1}
    app = tell(app, ask=asked)
    panel = json.loads(app.get_by_key("explain_panel").proto.bytes)
    assert panel["site"] == f"update.weight.{names[header_of(app, VIEW)['choosers'][1]['value']]}"
    link = next(
        number[4] for term in panel["terms"] for number in term[2] if number[4] and "change" in number[4][0]
    )
    follow = {"key": panel["key"], "report": 1, "kind": "follow", "site": link[0], "index": link[1:]}
    app.session_state["explain_panel"] = {"report": follow}
    app.run()
    panel = json.loads(app.get_by_key("explain_panel").proto.bytes)
    assert panel["site"].startswith("update.change.")
    assert panel["agrees"]
    assert '<mover accent="true"><mrow><mi>m</mi>' in panel["formula"]


@pytest.mark.proof
def test_the_story_is_that_of_the_update_the_pair_and_the_explained_weight():
    app = opened(update="seed-4")
    story, data = header_of(app, STORY), unwrap(known_update("tiny0001", UpdateChoice(4))).update
    losses = update_values(data, "update.token_loss")
    for row in story["rows"]:
        assert row["losses"] == pytest.approx(losses[row["pair"]][: len(row["labels"])].tolist())
    shares = [term["value"] for term in story["terms"]]
    assert sum(shares) + story["rest"]["value"] == pytest.approx(story["gradient"], abs=1e-7)
    name, index = unwrap(re.fullmatch(r"[^/]+/seed-4/([\w.]+)/([\d,]+)", story["key"])).groups()
    gradient = data.of("gradient", name)
    place = tuple(map(int, index.split(",")))
    assert float(gradient[place]) == story["gradient"]
    assert abs(story["gradient"]) == float(gradient.abs().max())
    # The weight that is explained is the one of the pictures.
    other = (place[0], (place[1] + 1) % gradient.shape[1])
    app = opened(update="seed-4", explain=f"update.change.{name}-{other[0]}-{other[1]}", site=name)
    story = header_of(app, STORY)
    assert story["gradient"] == float(gradient[other])
    asked = {"key": story["key"], "report": 2**51, "part": "gradient"}
    app.session_state[STORY] = {"ask": asked}
    panel = json.loads(app.run().get_by_key("explain_panel").proto.bytes)
    assert panel["site"] == f"update.gradient.{name}"
    wrong: tuple[dict[str, object], ...] = (
        {"part": "x"},
        {"pair": 99, "position": 0},
        {"pair": 0, "position": 99},
    )
    for number, nonsense in enumerate(wrong, 1):
        app.session_state[STORY] = {"ask": {"key": story["key"], "report": 2**51 + number, **nonsense}}
        again = json.loads(app.run().get_by_key("explain_panel").proto.bytes)
        assert again["site"] == panel["site"]


@pytest.mark.proof
def test_another_pair_and_parameter_are_kept_in_the_address():
    app = opened(update="seed-4")
    names = header_of(app, VIEW)["choosers"][1]["options"]
    look = {
        "stage": "change",
        "choices": {"pair": 2, "parameter": names.index("src_embed.weight")},
        "report": 1,
    }
    app = tell(app, view=look)
    held = {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}
    assert (held["pair"], held["site"], held["stage"]) == ("2", "src_embed.weight", "change")
    assert "Pair 2 of 8" in "\n".join(each.value for each in app.text)


@pytest.mark.parametrize("depth", ["idea", "numbers", "formula", "code"])
def test_every_depth_has_a_card(depth):
    app = opened(update="seed-4", depth=depth)
    note = note_beside(app)
    assert note["depth"] == depth
    assert note["said"]["kind"] == (depth if depth in ("formula", "code") else "sentences")
    assert not app.error


@pytest.mark.usefixtures("replayed_here")
def test_a_link_with_an_impossible_update_falls_back_with_a_sentence():
    app = opened(update="../etc", pair="x")
    assert "The link's update cannot be used here; it was left out." in said(app)
    assert app.segmented_control(key="one_update_choice").value == "seed-0"


def test_a_number_of_an_update_that_is_not_there_is_said_so():
    app = opened(update="seed-4", explain="update.gradient.nothing-1")
    panel = json.loads(app.get_by_key("explain_panel").proto.bytes)
    assert panel["problem"]
    app = open_page("pages/model/output.py", model="tiny0001", update="seed-9", explain="update.loss")
    panel = json.loads(app.get_by_key("explain_panel").proto.bytes)
    assert "open the page One update" in panel["problem"]


@pytest.mark.usefixtures("replayed_here")
def test_a_damaged_checkpoint_is_one_sentence(folder):
    damaged = shutil.copytree(folder, folder.parent / "tiny0002")
    (damaged / "checkpoints" / "000000012.safetensors").write_bytes(b"nothing")
    app = open_page(PAGE, model="tiny0002", update="checkpoint-12")
    assert not app.exception
    (problem,) = said(app, "error")
    assert "000000012.safetensors is damaged" in problem
    assert app.segmented_control(key="one_update_choice").value == "checkpoint-12", (
        "another update can be chosen"
    )


def test_an_update_is_made_once_for_all_visitors(folder):
    choice = UpdateChoice(4)
    made = update_of("tiny0001", choice)
    told: list[str] = []
    assert update_of("tiny0001", choice, lambda share, doing: told.append(doing)) is made
    assert told == []


@pytest.mark.usefixtures("replayed_here")
def test_update_of_too_large_model_is_refused(monkeypatch):
    limits = limits_from({"EXPLORER_UPDATE_PARAMETERS": "1000"})
    monkeypatch.setattr("explorer.views.update.cached.server_limits", lambda: limits)
    with pytest.raises(InputError, match="models of at most 1,000 parameters"):
        update_of("tiny0001", UpdateChoice(3))


def losses(name: str, choice: UpdateChoice) -> tuple[float, float]:
    """Of an update made again, and of the same update as the training told it."""
    with closing(RunStore.read(run_folder(name))) as store:
        return update_of(name, choice).update.step.loss, store.steps()[choice.update].loss


@pytest.mark.proof
def test_another_training_in_the_same_folder_has_updates_of_its_own(tmp_path, monkeypatch, replayed_here):
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    told = []
    # Other pairs that are as many and have as many words: every setting is the same.
    for letters in ("abcdefghijklmnop", "qrstuvwxyzabcdef"):
        train_pairs(tmp_path, "mine", letters)
        again, loss = losses("mine", UpdateChoice(0))
        assert again == loss
        told.append(loss)
        update_of("mine", UpdateChoice(1))
    assert told[0] != told[1]
    assert replayed_here == [0, 5, 0, 5]


@pytest.mark.usefixtures("replayed_here")
def test_the_update_after_a_checkpoint_is_that_of_the_checkpoint_as_it_is_now(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))
    shutil.copytree(folder, tmp_path / "tiny0001")
    choice = UpdateChoice(10, 10)
    before = update_of("tiny0001", choice)
    assert update_of("tiny0001", choice) is before
    (tmp_path / "tiny0001" / "checkpoints" / "000000010.safetensors").touch()
    assert known_update("tiny0001", choice) is None


@pytest.mark.proof
def test_a_visitor_who_leaves_ends_the_process(folder):
    class Left(Exception):
        pass

    def leave(share: float, doing: str) -> None:
        if doing != "Starting":
            raise Left

    with pytest.raises(Left):
        make_update_again(folder, None, 4, on_progress=leave)


@pytest.mark.proof
def test_pairs_of_the_batch_are_shown_before_the_update_is_made(monkeypatch):
    """The process that makes an update imports torch first, which takes seconds."""

    def refuse(*given):
        raise InputError("the update is not made yet")

    monkeypatch.setattr("explorer.views.update.cached.update_of", refuse)
    (table,) = open_page(PAGE, model="copy").dataframe
    run = load_run(CHECKPOINTS / "copy")
    batch, *_ = first_batches(CHECKPOINTS / "copy", run)
    sources = [run.src_tokenizer.decode(row) for row in batch.src.tolist()]
    assert table.value["source"].tolist() == sources
