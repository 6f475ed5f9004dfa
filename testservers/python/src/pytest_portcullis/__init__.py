"""A Kubernetes API server for tests."""

from .server import ApiServer, ServerFailed

__all__ = ["ApiServer", "ServerFailed"]
