"""The page, the health check, and the headers that protect both."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings


@pytest.fixture
def built(tmp_path: Path, settings: Settings) -> Path:
    (tmp_path / "index.html").write_text("<!doctype html><title>page</title>")
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@pytest.mark.parametrize("address", ["/", "/clusters/demo", "/clusters/demo/"])
def test_the_page_answers_at_the_start_and_at_each_cluster(client: Client, built: Path, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert b"<title>page</title>" in answer.content
    assert answer["Cache-Control"] == "no-cache"


def test_a_person_at_an_address_that_is_none_gets_the_page(client: Client, built: Path) -> None:
    answer = client.get("/nowhere", headers={"accept": "text/html,*/*;q=0.8"})
    assert answer.status_code == 404
    assert b"<title>page</title>" in answer.content


@pytest.mark.parametrize(("address", "accept"), [("/nowhere", "application/json"), ("/api/nowhere/", "text/html")])
def test_a_program_at_an_address_that_is_none_gets_an_error(
    client: Client, built: Path, address: str, accept: str
) -> None:
    answer = client.get(address, headers={"accept": accept})
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "NotFound"


def test_a_page_that_is_not_built_says_how_to_build_it(client: Client, tmp_path: Path, settings: Settings) -> None:
    settings.FRONTEND_DIST = tmp_path
    answer = client.get("/")
    assert answer.status_code == 503
    assert b"./dev up" in answer.content


def test_no_inline_script_and_no_foreign_one_may_run(client: Client, built: Path) -> None:
    policy = dict(part.split(" ", 1) for part in client.get("/")["Content-Security-Policy"].split("; "))
    assert policy["script-src"] == policy["connect-src"] == policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"


def test_answers_are_not_sniffed_and_not_framed(client: Client, built: Path) -> None:
    answer = client.get("/")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"


def test_a_foreign_host_name_is_not_served(client: Client, built: Path) -> None:
    assert client.get("/api/clusters/", headers={"host": "rebound.example.org"}).status_code == 400


@pytest.mark.django_db
def test_the_health_check_asks_the_database(client: Client, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert client.get("/healthz").json() == {"status": "ok"}


def test_the_api_docs_work_without_the_internet(client: Client) -> None:
    text = client.get("/api/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/" in text
    assert "https://" not in text
