# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults that scripts/check fuzz puts into files: none stops at what another fault, or nothing, has left."""

import struct
import zlib

import pytest

from lope.scripts.suites.faults import Random, json_fault, lines_fault, picture_fault


def chunk(name: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))


PICTURE = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"") + chunk(b"IDAT", b"x") + chunk(b"IEND", b"")


@pytest.mark.parametrize("fault, data", [
    (json_fault, b'{"a": 1,'), (lines_fault, b'{"a": \n{"b": 2}\n{'), (picture_fault, PICTURE)])
def test_faults_on_faults(fault, data):
    found = {fault(data, Random(f"5 {number}")) for number in range(300)}
    assert len(found) > 20 and all(isinstance(one, bytes) for one in found)
