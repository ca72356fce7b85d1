"""One instance per data folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from playground.supervisor.instance_lock import AlreadyRunning, InstanceLock


def test_a_second_instance_is_told_who_is_there(tmp_path: Path) -> None:
    first = InstanceLock(tmp_path)
    first.acquire()
    first.describe("process 7, http://127.0.0.1:8000/")
    with pytest.raises(AlreadyRunning, match=r"process 7, http://127\.0\.0\.1:8000/.*PLAYGROUND_DATA"):
        InstanceLock(tmp_path).acquire()
    first.release()


def test_the_folder_is_free_again_afterwards(tmp_path: Path) -> None:
    for _ in range(2):
        lock = InstanceLock(tmp_path)
        lock.acquire()
        lock.release()


def test_two_folders_do_not_disturb_each_other(tmp_path: Path) -> None:
    locks = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        locks.append(InstanceLock(tmp_path / name))
    for lock in locks:
        lock.acquire()
    for lock in locks:
        lock.release()
