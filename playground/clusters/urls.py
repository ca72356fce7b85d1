from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from playground.clusters import api, history_api

urlpatterns: list[URLPattern | URLResolver] = [
    path("clusters/", api.ClusterList.as_view()),
    path("clusters/<slug:slug>/", api.ClusterDetail.as_view()),
    path("clusters/<slug:slug>/apply/", api.ClusterApply.as_view()),
    path("clusters/<slug:slug>/fork/", history_api.ForkView.as_view()),
    path("clusters/<slug:slug>/history/", history_api.HistoryView.as_view()),
    path("clusters/<slug:slug>/history/<int:version>/snapshot/", history_api.PastSnapshotView.as_view()),
    path("clusters/<slug:slug>/history/<int:version>/messages/", history_api.PastMessagesView.as_view()),
    path("presets/", api.PresetList.as_view()),
    path("templates/", api.TemplateList.as_view()),
]
