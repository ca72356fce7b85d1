from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from playground.clusters import api, history_api, nodes_api, outline_api

urlpatterns: list[URLPattern | URLResolver] = [
    path("clusters/", api.ClusterList.as_view()),
    path("clusters/<slug:slug>/", api.ClusterDetail.as_view()),
    path("clusters/<slug:slug>/apply/", api.ClusterApply.as_view()),
    path("clusters/<slug:slug>/fork/", history_api.ForkView.as_view()),
    path("clusters/<slug:slug>/history/", history_api.HistoryView.as_view()),
    path("clusters/<slug:slug>/history/<int:version>/snapshot/", history_api.PastSnapshotView.as_view()),
    path("clusters/<slug:slug>/history/<int:version>/messages/", history_api.PastMessagesView.as_view()),
    path("clusters/<slug:slug>/nodes/batch-patch/", nodes_api.NodeBatchPatchView.as_view()),
    path("clusters/<slug:slug>/nodes/batch-create/", nodes_api.NodesFromTemplateView.as_view()),
    path("clusters/<slug:slug>/objects/batch-delete/", nodes_api.BatchDeleteView.as_view()),
    path("clusters/<slug:slug>/nodes/<str:name>/cordon/", nodes_api.CordonView.as_view()),
    path("clusters/<slug:slug>/nodes/<str:name>/uncordon/", nodes_api.UncordonView.as_view()),
    path("clusters/<slug:slug>/nodes/<str:name>/drain/", nodes_api.DrainView.as_view()),
    path("clusters/<slug:slug>/nodes/<str:name>/fail/", nodes_api.FailView.as_view()),
    path("clusters/<slug:slug>/nodes/<str:name>/recover/", nodes_api.RecoverView.as_view()),
    path("clusters/<slug:slug>/pods/<str:namespace>/<str:name>/move/", nodes_api.MoveView.as_view()),
    path("kinds/", outline_api.KindsView.as_view()),
    path("kinds/<str:kind>/outline/", outline_api.OutlineView.as_view()),
    path("presets/", api.PresetList.as_view()),
    path("templates/", api.TemplateList.as_view()),
]
