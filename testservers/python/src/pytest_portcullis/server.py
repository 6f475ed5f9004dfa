"""Starts and stops the API server as a child process."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

READY = re.compile(r"listens on (https?://\S+)")
LAST_LINES = 40


class ServerFailed(RuntimeError):
    """The server did not start, or has ended. The message has its last lines."""


class ApiServer:
    """An API server in memory, on a free port. Use it as a context manager, or call start() and stop()."""

    def __init__(self, load: list[str | Path] | None = None, args: list[str] | None = None, timeout: float = 30):
        """load: files or folders with objects that are there from the start; args: more flags of `portcullis serve`."""
        self._load = [str(path) for path in load or []]
        self._args = list(args or [])
        self._timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lines: list[str] = []
        self._ready = threading.Event()
        self.url = ""

    @property
    def kubeconfig(self) -> Path:
        """The path of a kubeconfig for an administrator."""
        if self._folder is None:
            raise ServerFailed("the server is not running")
        return Path(self._folder.name) / "kubeconfig"

    def start(self) -> "ApiServer":
        self._folder = tempfile.TemporaryDirectory(prefix="portcullis-")
        command = [*_command(), "serve", "--in-memory", "--secure-port", "0", "--kubeconfig-out", str(self.kubeconfig)]
        for path in self._load:
            command += ["--load", path]
        self._lines.clear()
        self._ready.clear()
        self._process = subprocess.Popen(
            command + self._args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL
        )
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        deadline = time.monotonic() + self._timeout
        while not self._ready.wait(0.05):
            if self._process.poll() is not None:
                time.sleep(0.1)  # the reader gets the last lines
                raise ServerFailed(f"the server ended with {self._process.returncode}\n{self.output()}")
            if time.monotonic() > deadline:
                self.stop()
                raise ServerFailed(f"the server was not ready after {self._timeout} s\n{self.output()}")
        return self

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def reset(self) -> None:
        """Back to the state after start(): the objects of `load` and nothing else. The address changes."""
        self.stop()
        self.start()

    def output(self) -> str:
        """The last lines the server has printed."""
        return "\n".join(self._lines[-LAST_LINES:])

    def api_client(self):
        """A client of the package `kubernetes`."""
        from kubernetes import config

        return config.new_client_from_config(str(self.kubeconfig))

    def __enter__(self) -> "ApiServer":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self._lines.append(line.rstrip("\n"))
            del self._lines[:-LAST_LINES]
            found = READY.search(line)
            if found:
                self.url = found.group(1)
                self._ready.set()


def _command() -> list[str]:
    """$PORTCULLIS, else `portcullis` on the path, else npx."""
    given = os.environ.get("PORTCULLIS", "")
    if given:
        return shlex.split(given)
    for name in ("portcullis", "npx"):
        found = shutil.which(name)
        if found:
            return [found] if name == "portcullis" else [found, "--yes", "portcullis"]
    raise ServerFailed("portcullis was not found: install it, or set PORTCULLIS to its path")
