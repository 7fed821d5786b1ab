"""A proxy that fails as it is told, once for each fault in its list."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx


class Proxy:
    """`faults`: a status is answered instead of asking the service; `lose` asks it and loses the answer; `drop` does
    not ask. With an empty list it only passes on. `seen` has method, path and idempotency key of every attempt."""

    def __init__(self, target: str) -> None:
        self.faults: list[int | str] = []
        self.seen: list[tuple[str, str, str | None]] = []
        self.headers: dict[str, str] = {"retry-after": "0"}
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                proxy.seen.append((self.command, self.path, self.headers.get("idempotency-key")))
                fault = proxy.faults.pop(0) if proxy.faults else None
                if fault == "drop":
                    return self.cut()
                if isinstance(fault, int):
                    return self.write(fault, proxy.headers, b'{"error":{"code":"made_up","message":"Made up"}}')
                passed = {name: value for name, value in self.headers.items() if name.lower() != "host"}
                got = httpx.request(self.command, target + self.path, headers=passed, content=body)
                if fault == "lose":
                    return self.cut()
                kept = {k: v for k, v in got.headers.items() if k.startswith(("x-", "content-type", "location"))}
                self.write(got.status_code, kept, got.content)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

            def cut(self) -> None:
                self.close_connection = True
                self.connection.close()

            def write(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
