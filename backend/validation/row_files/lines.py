"""Whole lines of a stream, in blocks of bounded size."""

from collections.abc import Iterator

from backend.validation.row_files.compression import LimitedStream
from backend.validation.row_files.faults import FileRefused, RowFault, RowFaultList
from backend.validation.row_files.limits import ReadLimits

UTF8_BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def read_blocks(stream: LimitedStream, limits: ReadLimits) -> Iterator[bytes]:
    """The content without a byte order mark. Raises FileRefused for an empty file or UTF-16."""
    size = max(min(limits.block_bytes, limits.row_bytes), 16)
    block = stream.read(size)
    if block.startswith(UTF16_BOMS):
        raise FileRefused("not_utf8", "This file is UTF-16.", "UTF-8 text", 1)
    block = block.removeprefix(UTF8_BOM)
    if not block.strip():
        rest = stream.read(size)
        if not rest:
            raise FileRefused("empty_file", "This file is empty.", "at least one row")
        block += rest
    while block:
        yield block
        block = stream.read(size)


def line_blocks(
    stream: LimitedStream, limits: ReadLimits, faults: RowFaultList
) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines, each with the number of its first line.

    Lines end in LF or CRLF; CR is removed. A line that is too long is a fault and comes empty.
    """
    rest, line, skips = b"", 1, False
    for block in read_blocks(stream, limits):
        if skips:
            end = block.find(b"\n")
            if end < 0:
                continue
            block, skips = block[end:], False
        data = rest + block
        end = data.rfind(b"\n") + 1
        if end:
            yield line, data[:end].replace(b"\r\n", b"\n")
            line += data.count(b"\n", 0, end)
        rest = data[end:]
        if len(rest) > limits.row_bytes:
            faults.add(too_long(line, limits))
            rest, skips = b"", True
    if rest:
        yield line, rest.removesuffix(b"\r")


def too_long(line: int, limits: ReadLimits) -> RowFault:
    expected = f"at most {limits.row_bytes:,} bytes"
    return RowFault(line, "", "too_long", "This row is too long.", expected)
