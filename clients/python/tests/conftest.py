"""A real server on a database of its own, and a proxy before it that fails as it is told."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Iterator

import httpx
import pytest

from proxy import Proxy

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 300


def free_port() -> int:
    """Below those that the system takes for connections, one of which would keep a server from listening."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


class Server:
    """The built server, as an operator runs it. Started again it has the same address and data."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()
        self.key: str = json.loads((self._data / "first-run.json").read_text())["keys"]["test"]

    def start(self) -> None:
        env = {
            "PATH": os.environ["PATH"],
            "PORT": str(self.port),
            "PARLEY_DATA_DIR": str(self._data),
            "LOG_LEVEL": "error",
            "LOG_REQUESTS": "none",
        }
        main = ROOT / "packages/server/dist/main.js"
        self._process = subprocess.Popen(["node", str(main), "serve"], env=env, stdout=subprocess.DEVNULL)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            try:
                if httpx.get(f"{self.url}/readyz").is_success:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError("The server did not start")

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(120)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="parley-python-") as folder:
        # As root the database runs as another user, who must be able to enter.
        os.chmod(folder, 0o755)
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(autouse=True)
def environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients are made without arguments, as most programs make them."""
    monkeypatch.setenv("PARLEY_API_KEY", server.key)
    monkeypatch.setenv("PARLEY_BASE_URL", server.url)


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server.url)
    try:
        yield proxy
    finally:
        proxy.stop()
