# Runs one Python function for the judge: greets with its signature, then answers one call after the other (message.hpp).
# python_calls.py stands before this. Arguments: MODULE FUNCTION numpy|torch
import json
import socket
import struct


def send(stream, header):
    text = json.dumps(header).encode()
    stream.write(struct.pack("<Q", len(text)) + text)
    stream.flush()


class SharedMemory:
    """What both sides read arrays from and write them to, from its start on."""

    descriptor = 4

    def __init__(self):
        os.set_inheritable(self.descriptor, False)
        self.bytes = b""

    def of_size(self, count):
        there = os.fstat(self.descriptor).st_size
        if there < count:
            os.ftruncate(self.descriptor, count)
        if len(self.bytes) < count:
            self.bytes = mmap.mmap(self.descriptor, max(there, count))
        return self.bytes

    def read(self, lengths):
        """Views of that many bytes each, one after the other."""
        view, start = memoryview(self.of_size(sum(lengths))), 0
        for length in lengths:
            yield view[start:start + length]
            start += length

    def write(self, parts):
        to, start = self.of_size(sum(map(len, parts))), 0
        for part in parts:
            to[start:start + len(part)] = part
            start += len(part)


def read_exactly(stream, count):
    data = stream.read(count)
    if len(data) != count:
        os._exit(0)
    return data


def started(outgoing):
    """(kit, function, its greeting); None where it cannot be judged, which was said."""
    module, function_name, wants_torch = sys.argv[1], sys.argv[2], sys.argv[3] == "torch"
    torch = None
    try:
        import numpy
    except ImportError:
        send(outgoing, {"error": "the interpreter %s has no NumPy; name another by --python PATH" % sys.executable,
                        "other_interpreter": True})
        return None
    try:
        if wants_torch:
            import torch
        function = load(module, function_name)
    except BaseException as error:
        # Another interpreter may have the package that this one lacks.
        lacking = isinstance(error, ImportError) or (wants_torch and torch is None)
        send(outgoing, {"error": one_line(error), "other_interpreter": lacking, "looked_for_function": True})
        return None
    kit = TorchArrays(numpy, torch) if torch else NumpyArrays(numpy)
    hello = greeting(function, bool(torch) or kit.bfloat16 is not None, bool(torch))
    send(outgoing, hello)
    numpy.seterr(all="ignore")
    return kit, function, hello


def main():
    link = socket.socket(fileno=3)
    incoming, outgoing = link.makefile("rb"), link.makefile("wb")
    os.set_inheritable(3, False)
    memory = SharedMemory()
    ready = started(outgoing)
    if ready is None:
        return
    kit, function, hello = ready
    while True:
        prefix = incoming.read(8)
        if len(prefix) < 8:
            os._exit(0)
        header = json.loads(read_exactly(incoming, struct.unpack("<Q", prefix)[0]))
        parts = memory.read([entry["bytes"] for entry in header["arrays"]])
        arrays = {entry["name"]: kit.given(part, entry["dtype"], entry["shape"])
                  for entry, part in zip(header["arrays"], parts)}
        options = {name: tuple(value) if isinstance(value, list) else value for name, value in header["options"].items()}
        complete(arrays, options, hello)
        try:
            rows = header["layout"] == "tokens first"
            arrays = placed(arrays, (lambda a: kit.far(a, rows)) if header.get("far") else kit.layouts[header["layout"]])
        except (OSError, MemoryError) as error:
            send(outgoing, {"status": "absent", "message": "no memory for such arrays: %s" % error, "arrays": []})
            continue
        reply, payload = answered(kit, function, hello["differentiates"], arrays, options)
        memory.write(payload)
        send(outgoing, reply)


main()
