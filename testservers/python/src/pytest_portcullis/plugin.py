"""Fixtures. A test that uses one of them gets an API server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .server import ApiServer


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("portcullis_load", "files or folders with objects that are there in every test", type="paths", default=[])
    parser.addini("portcullis_args", "more flags of `portcullis serve`", type="args", default=[])


@pytest.fixture(scope="session")
def portcullis_session(request: pytest.FixtureRequest) -> Iterator[ApiServer]:
    """One server for the whole run. Tests see each other's objects."""
    config = request.config
    with ApiServer(load=list(config.getini("portcullis_load")), args=list(config.getini("portcullis_args"))) as server:
        yield server


@pytest.fixture
def portcullis(portcullis_session: ApiServer, request: pytest.FixtureRequest) -> Iterator[ApiServer]:
    """The server, with nothing of earlier tests in it."""
    if getattr(portcullis_session, "_used", False):
        portcullis_session.reset()
    portcullis_session._used = True  # type: ignore[attr-defined]
    yield portcullis_session


@pytest.fixture
def kubeconfig(portcullis: ApiServer) -> Path:
    """The path of a kubeconfig for an administrator."""
    return portcullis.kubeconfig


@pytest.fixture
def kubernetes_client(portcullis: ApiServer):
    """An ApiClient of the package `kubernetes`, for an administrator."""
    with portcullis.api_client() as client:
        yield client


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """Shows what the server has printed beside a failure."""
    outcome = yield
    report = outcome.get_result()
    server = getattr(item, "funcargs", {}).get("portcullis")
    if report.failed and isinstance(server, ApiServer):
        report.sections.append(("output of the API server", server.output()))
