"""The words of all views by their keys, for the tests that ask the same of each."""

from explorer.app import REGISTRY
from explorer.explaining import chosen
from explorer.explaining.code import read_source

WORDS = {key: words for key, view in REGISTRY.items() if (words := view.contents.words) is not None}
IDEAS = {key: words.IDEA for key, words in WORDS.items()}


def numbers_of(key, scene):
    return chosen.numbers_of(WORDS[key], scene)


def formula_of(key, sizes):
    return WORDS[key].formula(sizes)


def functions_of(key, config):
    return WORDS[key].functions(config)


def sources_of(key, config):
    return tuple(map(read_source, functions_of(key, config)))
