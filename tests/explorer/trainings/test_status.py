"""Status of a training, as the log tells it."""

from dataclasses import replace

from explorer.trainings.status import RunStatus, ending_of

STOPPED = RunStatus(
    "tiny0001", "My run", "copy", "stopped", 1200, 2000, 3.25, None, None, 1.7e9, "", True, True
)


def test_line_of_a_failed_training_has_its_reason():
    assert ending_of(STOPPED) == "tiny0001 “My run”: stopped after 1,200 of 2,000 updates"
    failed = replace(STOPPED, state="failed", reason="The loss is no longer finite.")
    assert ending_of(failed) == (
        "tiny0001 “My run”: failed after 1,200 of 2,000 updates (The loss is no longer finite.)"
    )
