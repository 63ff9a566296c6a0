"""A web server of the test's own, that answers well or badly."""

from __future__ import annotations

import gzip
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

Answer = Callable[[BaseHTTPRequestHandler], None]


class Archive:
    """What the server has: an answer for each path, and the paths that were asked for."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.over = Event()


@contextmanager
def served() -> Iterator[Archive]:
    """A server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            archive.asked.append(self.path)
            answer = archive.answers.get(self.path)
            answer(self) if answer else self.send_error(404)

        def log_message(self, *said: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    archive = Archive(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield archive
    finally:
        archive.over.set()
        server.shutdown()
        server.server_close()
        thread.join(10)


def gives(body: bytes, length: int | None = None, **headers: str) -> Answer:
    """Answers with a body, and says that it is `length` long; then the connection is closed."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        for name, text in headers.items():
            handler.send_header(name.replace("_", "-"), text)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def redirects(url: str) -> Answer:
    """Sends to another address."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def _send_half(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """Announce the whole body, and send the half of it."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()


def stalls(body: bytes, over: Event) -> Answer:
    """Answers with the half of a body, and is silent until the test is over."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        _send_half(handler, body)
        over.wait(30)

    return answer


def breaks(body: bytes) -> Answer:
    """Answers with the half of a body, and then resets the connection."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        _send_half(handler, body)
        at_once = struct.pack("ii", 1, 0)
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        handler.connection.close()

    return answer


def trickles(body: bytes, over: Event) -> Answer:
    """Answers byte after byte, never silent for long, until the test is over."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        for place in range(len(body)):
            try:
                handler.wfile.write(body[place : place + 1])
                handler.wfile.flush()
            except OSError:
                return
            if over.wait(0.02):
                return

    return answer


HEADER = "; Version: 2.2\n; Acknowledge: Ada Lovelace\n; Note: hand-made\n;   and continued\n"


def packed_log(jobs: int = 3, header: str = HEADER) -> bytes:
    """A small packed log."""
    lines = (f"{n} {n * 10} 1 {n + 1} 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1" for n in range(jobs))
    return gzip.compress((header + "\n".join(lines) + "\n").encode(), mtime=0)
