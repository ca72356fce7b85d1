"""What is wrong with a configuration, in Kubernetes' words.

A problem is a path and a message; several are printed as a list in brackets.
`hint` is ours: the way out, where the message does not say it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One thing wrong with one field."""

    # Like `profiles[0].schedulerName`; "" where it is about the whole document.
    path: str
    message: str
    # What to do about it.
    hint: str = ""
    # The place in the document, where Kubernetes' message has no path.
    at: str = ""

    @property
    def where(self) -> str:
        return self.path or self.at

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class ConfigurationError(ValueError):
    """A configuration that cannot be used."""

    def __init__(self, problems: Sequence[FieldProblem], prefix: str = "") -> None:
        # Without repetitions.
        self.problems = tuple(dict.fromkeys(problems))
        super().__init__(prefix + _listed(self.problems))

    @classmethod
    def because(cls, message: str, path: str = "", hint: str = "", at: str = "") -> ConfigurationError:
        return cls([FieldProblem(path, message, hint, at)])

    def problems_at(self, path: str) -> list[FieldProblem]:
        """With places that begin at the document, not at its part `path`."""
        return [replace(each, at=f"{path}.{each.at}" if each.at else path) for each in self.problems]


def _listed(problems: Sequence[FieldProblem]) -> str:
    texts = [str(problem) for problem in problems]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def printed(value: Any) -> str:
    """A value as Kubernetes prints it: strings quoted, the rest as JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def invalid(path: str, value: Any, why: str, hint: str = "") -> FieldProblem:
    return FieldProblem(path, f"Invalid value: {printed(value)}: {why}", hint)


def required(path: str, why: str = "", hint: str = "") -> FieldProblem:
    return FieldProblem(path, f"Required value: {why}" if why else "Required value", hint)


def duplicate(path: str, value: Any, hint: str = "") -> FieldProblem:
    return FieldProblem(path, f"Duplicate value: {printed(value)}", hint)


def forbidden(path: str, why: str) -> FieldProblem:
    return FieldProblem(path, f"Forbidden: {why}")


def unsupported(path: str, value: Any, supported: Iterable[str]) -> FieldProblem:
    listed = ", ".join(printed(each) for each in supported)
    return FieldProblem(path, f"Unsupported value: {printed(value)}: supported values: {listed}")
