"""The admin: for looking. Objects are written through services only, so that the feed stays whole."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from playground.clusters.models import Change, Cluster, KubernetesObject, Node, Pod


class ReadOnlyAdmin(admin.ModelAdmin):
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Cluster)
class ClusterAdmin(ReadOnlyAdmin):
    list_display = ("slug", "name", "resource_version", "clock_state", "clock_speed", "seed")


@admin.register(Pod)
class PodAdmin(ReadOnlyAdmin):
    list_display = ("namespace", "name", "cluster", "phase", "node_name", "scheduler_name", "priority")
    list_filter = ("cluster", "phase")
    search_fields = ("name", "uid")


@admin.register(Node)
class NodeAdmin(ReadOnlyAdmin):
    list_display = ("name", "cluster", "resource_version")
    list_filter = ("cluster",)
    search_fields = ("name",)


@admin.register(KubernetesObject)
class KubernetesObjectAdmin(ReadOnlyAdmin):
    list_display = ("kind", "namespace", "name", "cluster", "resource_version")
    list_filter = ("cluster", "kind")
    search_fields = ("name", "uid")


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    list_display = ("version", "cluster", "topic", "event", "kind", "namespace", "name")
    list_filter = ("cluster", "topic", "kind")
    search_fields = ("name", "uid")
