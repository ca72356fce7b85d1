"""Under /samples/."""

from __future__ import annotations

from django.urls import path

from playground.samples import gpu_share, licence_extender, slow_extender

urlpatterns = [
    path("extender/filter", licence_extender.licence_filter),
    path("extender/prioritize", licence_extender.power_prioritize),
    path("slow-extender/filter", slow_extender.slow_filter),
    path("gpu-share/mutate", gpu_share.mutate),
    path("gpu-share/<slug:slug>/filter", gpu_share.filter_nodes),
    path("gpu-share/<slug:slug>/prioritize", gpu_share.prioritize),
    path("gpu-share/<slug:slug>/bind", gpu_share.bind),
]
