"""Reads TensorBoard event files with the standard library alone, from the published formats: TFRecord framing with
masked CRC-32C, and the protocol buffers Event and Summary. Prints "step tag value" for every scalar.

Usage: read_events.py FILE..."""
import struct
import sys


def crc32c(data):
    """Bit by bit, so that it shares nothing with a table."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def records(content):
    at = 0
    while at < len(content):
        header, (length,) = content[at:at + 8], struct.unpack_from("<Q", content, at)
        (checksum,) = struct.unpack_from("<I", content, at + 8)
        assert checksum == masked(header), f"the length's checksum at byte {at} is wrong"
        data = content[at + 12:at + 12 + length]
        (checksum,) = struct.unpack_from("<I", content, at + 12 + length)
        assert checksum == masked(data), f"the data's checksum at byte {at} is wrong"
        yield data
        at += 16 + length


def fields(message):
    """(number, value) of every field; values of length-delimited fields as bytes."""

    def varint(at):
        value = shift = 0
        while True:
            value |= (message[at] & 0x7F) << shift
            shift += 7
            at += 1
            if message[at - 1] < 0x80:
                return value, at

    at = 0
    while at < len(message):
        key, at = varint(at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = varint(at)
        elif kind == 1:
            (value,), at = struct.unpack_from("<d", message, at), at + 8
        elif kind == 5:
            (value,), at = struct.unpack_from("<f", message, at), at + 4
        else:
            assert kind == 2, f"wire type {kind}"
            size, at = varint(at)
            value, at = message[at:at + size], at + size
        yield number, value


for name in sys.argv[1:]:
    events = list(records(open(name, "rb").read()))
    assert dict(fields(events[0]))[3] == b"brain.Event:2", "the first event names no version"
    for event in events[1:]:
        content = dict(fields(event))
        for number, value in fields(content[5]):
            assert number == 1
            scalar = dict(fields(value))
            print(content[2], scalar[1].decode(), scalar[2])
