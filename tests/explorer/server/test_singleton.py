"""Singletons of a server are made once, and Streamlit's caches do not hold them."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import streamlit as st

from explorer.models import held_out, server, shared_cache
from explorer.server import shared
from explorer.server.singleton import Singleton
from explorer.views.update import cached as update
from explorer.views.worth import cached as worth


def test_several_threads_get_one_value():
    together = Barrier(8)
    value = Singleton(lambda: object())

    def ask(_: int) -> object:
        together.wait(60)
        return value()

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ask, range(8)))) == 1


def test_each_argument_has_its_value_and_a_failure_is_not_kept():
    asked = []

    @Singleton
    def double(number: int) -> list[int]:
        asked.append(number)
        if number < 0 or len(asked) == 1:
            raise ValueError("negative")
        return [2 * number]

    with pytest.raises(ValueError, match="negative"):
        double(3)
    assert double(3) == [6]
    assert double(3) is double(3)
    assert double(4) == [8]
    double.clear()
    assert double(3) == [6]
    assert asked == [3, 3, 4, 3]


def test_singletons_survive_clearing_of_streamlits_caches(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path))

    def held() -> list[object]:
        return [
            shared.turns(),
            shared.server_limits(),
            shared.admin_gate(),
            server.training_engine(),
            held_out._EVALUATIONS,
            worth.measurements(),
            update._replaying(),
            shared_cache._held_by_the_server(),
        ]

    before = held()
    st.cache_resource.clear()
    st.cache_data.clear()
    assert all(one is other for one, other in zip(before, held(), strict=True))
    server.training_engine().close()
