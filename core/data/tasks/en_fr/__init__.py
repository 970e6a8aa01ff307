"""The English to French task: a small grammar that knows the source words behind every target word."""

from core.data.tasks.en_fr.rules import RULES, Rule
from core.data.tasks.en_fr.task import EnglishToFrench

__all__ = ["RULES", "EnglishToFrench", "Rule"]
