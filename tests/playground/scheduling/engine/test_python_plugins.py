"""Plugins in Python: found by entry point or setting, and refused at start with a sentence that says where."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground.scheduling.engine.python_plugins import PluginProblem, python_plugins
from scheduler_core.plugins import DEFAULT_REGISTRY

PROJECT = Path(__file__).parents[4]
SKELETON = PROJECT / "docs" / "examples" / "plugin_skeleton"
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for module in set(sys.modules) - before:
        del sys.modules[module]


def install(folder: Path, name: str, entry_points: str) -> None:
    """What pip leaves of a package's metadata."""
    info = folder / f"{name.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA.format(name=name))
    (info / "entry_points.txt").write_text(f"[scheduling_playground.plugins]\n{entry_points}\n")


def test_a_package_announces_its_plugin_by_an_entry_point(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SKELETON / "src"))
    install(installed, "cool-nodes", "CoolNodes = cool_nodes:CoolNodes")

    found = python_plugins(DEFAULT_REGISTRY, [])

    assert list(found) == ["CoolNodes"]
    assert found["CoolNodes"].args().max_temperature == 60  # type: ignore[attr-defined]


def test_the_skeleton_says_the_same_in_its_project_file() -> None:
    text = (SKELETON / "pyproject.toml").read_text()

    assert '[project.entry-points."scheduling_playground.plugins"]\nCoolNodes = "cool_nodes:CoolNodes"' in text


def test_a_setting_names_a_class(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SKELETON / "src"))

    assert list(python_plugins(DEFAULT_REGISTRY, ["cool_nodes:CoolNodes"])) == ["CoolNodes"]


def test_a_plugin_that_is_announced_and_named_is_one(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SKELETON / "src"))
    install(installed, "cool-nodes", "CoolNodes = cool_nodes:CoolNodes")

    assert list(python_plugins(DEFAULT_REGISTRY, ["cool_nodes:CoolNodes"])) == ["CoolNodes"]


MODULE = """
from scheduler_core.framework.interface import PerNodePlugin, Plugin
import msgspec

class Fine(PerNodePlugin):
    name = "Fine"
    def score_node(self, pod, node): return 1

class SameName(PerNodePlugin):
    name = "Fine"
    def score_node(self, pod, node): return 2

class NodeName(PerNodePlugin):
    name = "NodeName"
    def score_node(self, pod, node): return 1

class Idle(Plugin):
    name = "Idle"

class Nameless(Plugin):
    def score(self, *args): return None

class NeedsArgs(msgspec.Struct):
    must: int

class Demanding(PerNodePlugin):
    name = "Demanding"
    args_type = NeedsArgs
    def score_node(self, pod, node): return 1

def function(): pass
"""

REFUSED = [
    ("no colon", ["own_plugins"], "PLAYGROUND_PLUGINS: own_plugins is not of the form module:Class"),
    ("no module", ["nowhere:Fine"], "PLAYGROUND_PLUGINS: nowhere:Fine: the module cannot be imported (ModuleNotFound"),
    ("a broken module", ["broken_plugins:Fine"], "cannot be imported (ZeroDivisionError: division by zero)"),
    ("no class", ["own_plugins:Missing"], "the module own_plugins has no class Missing"),
    ("a function", ["own_plugins:function"], "is not a subclass of scheduler_core.framework.interface.Plugin"),
    ("a name that is taken", ["own_plugins:NodeName"], 'there is a plugin "NodeName" already; give yours another name'),
    ("one name twice", ["own_plugins:Fine", "own_plugins:SameName"], '"Fine" is also the name of own_plugins.Fine'),
    ("no name", ["own_plugins:Nameless"], 'Nameless has no name; write name = "Nameless" in the class'),
    ("nothing to do", ["own_plugins:Idle"], 'plugin "Idle" has no method of any extension point'),
    ("arguments without defaults", ["own_plugins:Demanding"], "NeedsArgs() fails, every argument needs a default"),
]


@pytest.mark.parametrize(("named", "told"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_refused(installed: Path, named: list[str], told: str) -> None:
    (installed / "own_plugins.py").write_text(MODULE)
    (installed / "broken_plugins.py").write_text("1 / 0\n")

    with pytest.raises(PluginProblem) as refused:
        python_plugins(DEFAULT_REGISTRY, named)

    assert told in str(refused.value)


def test_a_package_that_cannot_be_imported_is_named(installed: Path) -> None:
    install(installed, "half-a-package", "Missing = half_a_package:Missing")

    with pytest.raises(PluginProblem) as refused:
        python_plugins(DEFAULT_REGISTRY, [])

    assert "entry point Missing = half_a_package:Missing of half-a-package" in str(refused.value)
    assert "pip uninstall half-a-package" in str(refused.value)


def test_a_process_does_not_start_with_a_plugin_that_cannot_be_used(tmp_path: Path) -> None:
    environ = {**os.environ, "PLAYGROUND_PLUGINS": "nowhere:Plugin", "PLAYGROUND_DATA": str(tmp_path)}
    environ.pop("DJANGO_SETTINGS_MODULE", None)

    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=PROJECT, env=environ, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 1
    assert done.stderr.startswith("error: PLAYGROUND_PLUGINS: nowhere:Plugin: the module cannot be imported")
    assert "Traceback" not in done.stderr


def test_the_skeleton_passes_its_own_tests() -> None:
    environ = {**os.environ, "PYTHONPATH": f"{SKELETON / 'src'}{os.pathsep}{PROJECT}"}

    options = ("-q", "-c", "/dev/null", "-p", "no:cacheprovider", "-p", "no:django")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--rootdir", str(SKELETON), str(SKELETON / "tests")],
        cwd=SKELETON,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout
