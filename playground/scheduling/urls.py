from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from playground.scheduling.api import (
    breakpoints,
    cel_plugins,
    clock,
    fidelity,
    life,
    profiles,
    queue,
    schedulers,
    settings,
    would_fit,
)

CLUSTER = "clusters/<slug:slug>"

urlpatterns: list[URLPattern | URLResolver] = [
    path("fidelity/", fidelity.FidelityView.as_view()),
    path(f"{CLUSTER}/pause/", clock.PauseView.as_view()),
    path(f"{CLUSTER}/resume/", clock.ResumeView.as_view()),
    path(f"{CLUSTER}/step/", clock.StepView.as_view()),
    path(f"{CLUSTER}/speed/", clock.SpeedView.as_view()),
    path(f"{CLUSTER}/run-until-idle/", clock.RunUntilIdleView.as_view()),
    path(f"{CLUSTER}/would-fit/", would_fit.WouldFitView.as_view()),
    path(f"{CLUSTER}/queue/", queue.QueueView.as_view()),
    path(f"{CLUSTER}/cluster-events/", life.ClusterEventsView.as_view()),
    path(f"{CLUSTER}/pods/<str:namespace>/<str:name>/life/", life.PodLifeView.as_view()),
    path(f"{CLUSTER}/decisions/", queue.DecisionsView.as_view()),
    path(f"{CLUSTER}/decisions/<int:sequence>/", queue.DecisionView.as_view()),
    path(f"{CLUSTER}/profiles/", profiles.ProfilesView.as_view()),
    path(f"{CLUSTER}/profiles/outline/", profiles.ProfilesOutlineView.as_view()),
    path(f"{CLUSTER}/schedulers/", schedulers.SchedulersView.as_view()),
    path(f"{CLUSTER}/schedulers/<str:name>/", schedulers.SchedulerView.as_view()),
    path(f"{CLUSTER}/schedulers/<str:name>/profiles/", schedulers.SchedulerProfilesView.as_view()),
    path(
        f"{CLUSTER}/schedulers/<str:name>/replicas/<int:number>/<str:action>/", schedulers.ReplicaActionView.as_view()
    ),
    path("cel-examples/", cel_plugins.CelExamplesView.as_view()),
    path(f"{CLUSTER}/cel-plugins/", cel_plugins.CelPluginsView.as_view()),
    path(f"{CLUSTER}/cel-plugins/check/", cel_plugins.CelCheckView.as_view()),
    path(f"{CLUSTER}/cel-plugins/<str:name>/", cel_plugins.CelPluginView.as_view()),
    path(f"{CLUSTER}/breakpoints/", breakpoints.BreakpointsView.as_view()),
    path(f"{CLUSTER}/breakpoints/<int:id>/", breakpoints.BreakpointView.as_view()),
    path(f"{CLUSTER}/settings/", settings.SettingsView.as_view()),
]
