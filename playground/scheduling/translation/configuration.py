"""A KubeSchedulerConfiguration document as rows, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.scheduling.models import Profile, SchedulerConfiguration

API_VERSION = "kubescheduler.config.k8s.io/v1"
KIND = "KubeSchedulerConfiguration"
DEFAULT_SCHEDULER = "default-scheduler"

Document = dict[str, Any]

# What `Profile` has columns for.
_PROFILE_COLUMNS = ("schedulerName", "plugins", "pluginConfig")


def document_of(configuration: SchedulerConfiguration) -> Document:
    """The whole document, with its profiles in order."""
    profiles = [_profile_document(profile) for profile in configuration.profiles.all()]
    return {**configuration.document, "profiles": profiles} if profiles else dict(configuration.document)


def default_document() -> Document:
    """What a cluster runs that nobody configured: the defaults, with nothing spelled out."""
    return {"apiVersion": API_VERSION, "kind": KIND, "profiles": [{"schedulerName": DEFAULT_SCHEDULER}]}


def rows_of(document: Mapping[str, Any]) -> tuple[Document, list[Profile]]:
    """The document without its profiles, and the rows of those (not saved). `document` is a valid one."""
    profiles = document.get("profiles") or []
    rest = {key: value for key, value in document.items() if key != "profiles"}
    return rest, [_profile_row(position, profile) for position, profile in enumerate(profiles)]


def _profile_row(position: int, profile: Mapping[str, Any]) -> Profile:
    return Profile(
        position=position,
        scheduler_name=profile.get("schedulerName") or DEFAULT_SCHEDULER,
        plugins=profile.get("plugins") or {},
        plugin_config=profile.get("pluginConfig") or [],
        other={key: value for key, value in profile.items() if key not in _PROFILE_COLUMNS},
    )


def _profile_document(profile: Profile) -> Document:
    document: Document = {"schedulerName": profile.scheduler_name, **profile.other}
    if profile.plugins:
        document["plugins"] = profile.plugins
    if profile.plugin_config:
        document["pluginConfig"] = profile.plugin_config
    return document
