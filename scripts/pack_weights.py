#!/usr/bin/env python3
"""Compresses a weights file as well as deflate can, for embedding in the program.

    scripts/pack_weights.py IN.weights OUT.weights

The network stays the same. Each of the two planes of bytes (see src/weights/file.rs) is compressed with the
strategy that suits it: many low bytes are best coded without looking for repetitions.
"""

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


def main():
    """Writes the smaller file."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        header, planes = sections(file.read())
    half = len(planes) // 2
    numbers = compressed(planes[:half], zlib.Z_SYNC_FLUSH) + compressed(planes[half:], zlib.Z_FINISH)
    assert zlib.decompress(numbers, -15) == planes
    packed = header + struct.pack("<I", len(numbers)) + numbers
    with open(sys.argv[2], "wb") as file:
        file.write(packed + struct.pack("<I", zlib.crc32(packed)))


if __name__ == "__main__":
    main()
