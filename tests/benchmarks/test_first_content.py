"""The times of a page's first content are read from its messages; `benchmarks.ui` measures them."""

from benchmarks.ui.first_content import PageTimes, times_of


def test_time_without_content_or_skeleton_is_measured():
    arrivals = [
        (0.5, (0, 3, 0), "heading", ""),
        (0.75, (0, 3, 1), "skeleton", ""),
        (5.0, (0, 3, 1), "empty", ""),
        (5.25, (0, 3, 2), "text", ""),
        (9.0, (0, 3, 3), "skeleton", ""),
        (12.0, (0, 3, 4), "bidi_component", "train_theatre"),
    ]
    times = times_of(arrivals)
    assert times == PageTimes(title=0.5, empty=4.0, content=12.0)
