"""The admin: for looking. Rows are written by slices and services only, so that pages are told of everything."""

from __future__ import annotations

from django.contrib import admin

from playground.clusters.admin import ReadOnlyAdmin
from playground.scheduling.models import (
    Binding,
    ClusterScheduler,
    Decision,
    Profile,
    QueuedPod,
    SchedulerConfiguration,
    SchedulerLease,
    SchedulerState,
)


@admin.register(ClusterScheduler)
class ClusterSchedulerAdmin(ReadOnlyAdmin):
    list_display = ("name", "cluster", "leader", "standing_by")
    list_filter = ("cluster",)


@admin.register(SchedulerLease)
class SchedulerLeaseAdmin(ReadOnlyAdmin):
    list_display = ("scheduler", "generation", "holder", "expires_at")


@admin.register(SchedulerState)
class SchedulerStateAdmin(ReadOnlyAdmin):
    list_display = ("scheduler", "feed_version", "last_sequence", "next_wakeup", "has_work")


@admin.register(QueuedPod)
class QueuedPodAdmin(ReadOnlyAdmin):
    list_display = ("namespace", "name", "cluster", "scheduler", "queue", "attempts", "priority", "message")
    list_filter = ("cluster", "queue")
    search_fields = ("name", "pod_uid")


@admin.register(Binding)
class BindingAdmin(ReadOnlyAdmin):
    list_display = ("namespace", "name", "cluster", "scheduler", "node", "phase", "sequence", "generation")
    list_filter = ("cluster", "phase")
    search_fields = ("name", "pod_uid")


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    list_display = ("sequence", "cluster", "scheduler", "namespace", "name", "attempt", "outcome", "node")
    list_filter = ("cluster", "outcome")
    search_fields = ("name", "pod_uid")
    exclude = ("summary", "report")


@admin.register(SchedulerConfiguration)
class SchedulerConfigurationAdmin(ReadOnlyAdmin):
    list_display = ("scheduler", "revision", "feature_gates")


@admin.register(Profile)
class ProfileAdmin(ReadOnlyAdmin):
    list_display = ("scheduler_name", "configuration", "position")
