#!/usr/bin/env python3
"""Compresses a weights file as well as deflate can, for embedding in the program.

    scripts/pack_weights.py IN.weights OUT.weights [BASE.weights]

The network stays the same, except that a network stored as differences from another one has them added to BASE instead,
if that is given: after the network of international draughts has been replaced, killer and breakthrough can keep theirs.

Each of the two planes of bytes (see src/weights/file.rs) is compressed with the strategy that suits it: many low bytes
are best coded without looking for repetitions.
"""

import re
import struct
import sys
import zlib

MAGIC = b"Manoury\x1e"
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE)


def sections(file):
    """The header with the text, and the numbers; checks the checksum."""
    body, checksum = file[:-4], struct.unpack("<I", file[-4:])[0]
    if not file.startswith(MAGIC) or zlib.crc32(body) != checksum:
        sys.exit(f"{sys.argv[1]}: not a Manoury weights file, or damaged")
    text_end = 16 + struct.unpack("<I", body[12:16])[0]
    return body[:text_end], zlib.decompress(body[text_end + 4 :], -15)


def compressed(plane, mode):
    """The smallest form of a plane, as blocks of a raw deflate stream."""
    candidates = []
    for strategy in STRATEGIES:
        stream = zlib.compressobj(9, zlib.DEFLATED, -15, 9, strategy)
        candidates.append(stream.compress(plane) + stream.flush(mode))
    return min(candidates, key=len)


def with_base(header, base):
    """The header with the checksum of another base network."""
    checksum = struct.unpack("<I", base[-4:])[0]
    text, count = re.subn(rb'"base":\d+', b'"base":%d' % checksum, header[16:])
    if count != 1:
        sys.exit(f"{sys.argv[1]}: not stored as differences from another network")
    return header[:12] + struct.pack("<I", len(text)) + text


def main():
    """Writes the smaller file."""
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        header, planes = sections(file.read())
    if len(sys.argv) == 4:
        with open(sys.argv[3], "rb") as file:
            header = with_base(header, file.read())
    half = len(planes) // 2
    numbers = compressed(planes[:half], zlib.Z_SYNC_FLUSH) + compressed(planes[half:], zlib.Z_FINISH)
    assert zlib.decompress(numbers, -15) == planes
    packed = header + struct.pack("<I", len(numbers)) + numbers
    with open(sys.argv[2], "wb") as file:
        file.write(packed + struct.pack("<I", zlib.crc32(packed)))


if __name__ == "__main__":
    main()
