"""The admin shows every table and changes none."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.playground.builders import a_cluster, a_deployment, a_node, a_pod, created


@pytest.mark.django_db
@pytest.mark.parametrize("model", ["cluster", "pod", "node", "kubernetesobject", "change"])
def test_every_table_can_be_looked_at_and_not_changed(admin_client: Client, model: str) -> None:
    created(a_cluster(), a_pod(), a_node(), a_deployment())
    assert admin_client.get(f"/admin/clusters/{model}/").status_code == 200
    assert admin_client.get(f"/admin/clusters/{model}/add/").status_code == 403
