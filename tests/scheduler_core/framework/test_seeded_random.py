"""Chance that follows from the seed and the cycle."""

from __future__ import annotations

from collections import Counter

from scheduler_core.framework.seeded_random import SeededRandom


def drawn(seed: int, sequence: int, count: int = 5) -> list[int]:
    random = SeededRandom(seed)
    random.begin(sequence)
    return [random.randrange(1000) for _ in range(count)]


def test_the_same_cycle_draws_the_same_whatever_came_before() -> None:
    random = SeededRandom(7)
    for sequence in (1, 2, 3):
        random.begin(sequence)
        random.random()
    random.begin(9)
    assert [random.randrange(1000) for _ in range(5)] == drawn(7, 9)


def test_cycles_and_seeds_draw_differently() -> None:
    assert len({tuple(drawn(seed, sequence)) for seed in range(5) for sequence in range(5)}) == 25


def test_every_tied_node_has_the_same_chance() -> None:
    random = SeededRandom(1)
    counted: Counter[str] = Counter()
    for sequence in range(6000):
        random.begin(sequence)
        counted[random.choice("abc")] += 1
    assert all(abs(count - 2000) < 200 for count in counted.values())


def test_numbers_of_any_size_can_be_drawn() -> None:
    random = SeededRandom(3)
    assert random.getrandbits(200).bit_length() > 150
    assert all(0 <= random.random() < 1 for _ in range(100))
