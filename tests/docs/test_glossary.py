"""The glossary: one meaning a word, in an order in which it is found."""

from __future__ import annotations

import re
from pathlib import Path

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"


def words() -> list[str]:
    return re.findall(r"^\| \*\*(.+?)\*\*", GLOSSARY.read_text(), re.MULTILINE)


def test_every_word_has_one_row() -> None:
    assert len(words()) > 50
    assert sorted(words()) == sorted(set(words()))


def test_words_are_in_alphabetical_order() -> None:
    letters = [re.sub("[^a-z]", "", word.lower()) for word in words()]
    assert letters == sorted(letters)
