"""A pandoc that stays: one process converts document after document, where many are read in a row.

Starting pandoc costs more than converting a page. Knows the process, its time and its memory. Does not know what is
converted, nor how faults are told (`fabai.formats.pandoc`). The conversions run in pandoc's sandbox, as those of a
process of their own do.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import tempfile
import time
from pathlib import Path

_SCRIPT = """
-- frames: "reader writer bytes\\n" and the bytes; answers: "ok log out\\n" or "no bytes\\n" and the bytes
local options = pandoc.WriterOptions{wrap_text = 'none', reference_location = 'block', setext_headers = false}
io.stdout:setvbuf('full')
local function convert(text, reader, writer)
  local doc
  local messages = pandoc.log.silence(function() doc = pandoc.read(text, reader, nil, {}) end)
  local log = pandoc.List()
  for index = #messages, 1, -1 do log:insert(pandoc.json.encode(messages[index])) end
  local out = writer == 'json' and pandoc.write(doc, 'json') or pandoc.write(doc, writer, options)
  return '[' .. table.concat(log, ',') .. ']', out
end
while true do
  local head = io.read('l')
  if head == nil then break end
  local reader, writer, size = head:match('^(%S+) (%S+) (%d+)$')
  -- reading no bytes would wait for the next frame
  local text = size == '0' and '' or io.read(tonumber(size)) or ''
  local ok, log, out = pcall(convert, text, reader, writer)
  if ok then
    io.write('ok ', #log, ' ', #out, '\\n', log, out)
  else
    local said = tostring(log)
    io.write('no ', #said, '\\n', said)
  end
  io.flush()
end
"""

_MOST = 400
"""Conversions after which the process is replaced, so that its memory does not grow for ever."""
_CHUNK = 2**16


class Died(Exception):
    """The process ended over a conversion; it had no memory left, or met a fault of its own."""


class Late(Exception):
    """The conversion took longer than it may."""


class Failed(Exception):
    """pandoc's own words on why it does not convert."""


class Kept:
    """The process. Close it, or let it end with this one."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._heap = 0
        self._count = 0
        self._folder = tempfile.TemporaryDirectory(prefix="fabai-pandoc-", ignore_cleanup_errors=True)
        Path(self._folder.name, "loop.lua").write_text(_SCRIPT, encoding="utf-8")

    def convert(self, data: bytes, reader: str, writer: str, heap_mib: int, seconds: float) -> tuple[bytes, bytes]:
        """What pandoc makes of the data, and its messages as JSON. Died, Late or Failed where it makes nothing."""
        process = self._running(heap_mib)
        deadline = time.monotonic() + seconds
        try:
            assert process.stdin is not None
            process.stdin.write(f"{reader} {writer} {len(data)}\n".encode())
            process.stdin.write(data)
            process.stdin.flush()
            answer = _Answer(process, deadline)
            verdict, *sizes = answer.line().split()
            parts = [answer.bytes(int(size)) for size in sizes]
        except (BrokenPipeError, ConnectionError, ValueError):
            self.close_process()
            raise Died from None
        except (Late, Died, KeyboardInterrupt):
            self.close_process()
            raise
        if verdict == b"no":
            raise Failed(parts[0].decode("utf-8", "replace"))
        return parts[1], parts[0]

    def _running(self, heap_mib: int) -> subprocess.Popen[bytes]:
        self._count += 1
        if self._process is not None and (
            self._heap != heap_mib or self._count > _MOST or self._process.poll() is not None
        ):
            self.close_process()
        if self._process is None:
            folder = self._folder.name
            environment = {"HOME": folder, "XDG_DATA_HOME": folder, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
            command = [self._program, "lua", "loop.lua", "+RTS", f"-M{heap_mib}m", "-RTS"]
            self._process = subprocess.Popen(  # noqa: S603 - our own argument list, no shell
                command, cwd=folder, env=environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            self._heap, self._count = heap_mib, 1
        return self._process

    def close_process(self) -> None:
        """End the process; the next conversion starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def close(self) -> None:
        """End the process and take its folder away."""
        self.close_process()
        self._folder.cleanup()


class _Answer:
    """Bytes of the process's answer as they come, until the deadline."""

    def __init__(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        assert process.stdout is not None
        self._stream = process.stdout
        self._deadline = deadline
        self._held = bytearray()

    def line(self) -> bytes:
        while (end := self._held.find(b"\n")) < 0:
            self._more()
        found = bytes(self._held[:end])
        del self._held[: end + 1]
        return found

    def bytes(self, size: int) -> bytes:
        while len(self._held) < size:
            self._more()
        found = bytes(self._held[:size])
        del self._held[:size]
        return found

    def _more(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._stream, selectors.EVENT_READ)
            if not selector.select(max(self._deadline - time.monotonic(), 0)):
                raise Late
        found = os.read(self._stream.fileno(), _CHUNK)
        if not found:
            raise Died
        self._held += found
