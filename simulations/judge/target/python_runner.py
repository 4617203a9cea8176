# Runs one Python function for the judge: greets with its signature, then answers one call after the other (message.hpp).
# Arguments: MODULE FUNCTION PARENT_TAKES_TORCH
import importlib
import importlib.util
import inspect
import json
import mmap
import os
import socket
import struct
import sys
import traceback


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


class FarMemory:
    """Address space for arrays whose heads are more than 2^31 entries apart, of which only what is written to takes memory."""

    stride = 2 ** 31 + 64  # entries between two heads
    private_and_not_reserved = 0x02 | 0x20 | 0x4000  # MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE, as Linux numbers them
    most_bytes = 4 * stride * 8  # an array of the cases that are judged has at most four matrices of float64

    @classmethod
    def mapped(cls, size):
        return mmap.mmap(-1, size, flags=cls.private_and_not_reserved)

    @classmethod
    def there_is(cls):
        """Whether four arrays of that size can be there at a time."""
        try:
            for one in [cls.mapped(cls.most_bytes) for _ in range(4)]:
                one.close()
        except (OSError, ValueError, OverflowError, MemoryError):
            return False
        return True

    @classmethod
    def spread(cls, numpy, a):
        """The entries of an array [B][H][N][D] in such memory."""
        batch, heads, tokens, width = a.shape
        size = a.itemsize
        strides = (heads * cls.stride * size, cls.stride * size, width * size, size)
        last = (batch * heads - 1) * cls.stride + tokens * width
        far = numpy.ndarray(a.shape, a.dtype, buffer=cls.mapped(last * size), strides=strides)
        far[...] = a
        return far


def read_exactly(stream, count):
    data = stream.read(count)
    if len(data) != count:
        os._exit(0)
    return data


def load(module, function):
    sys.path.insert(0, os.getcwd())
    sys.argv = [module]
    if module.endswith(".py") or os.path.isfile(module):
        sys.path.insert(0, os.path.dirname(os.path.abspath(module)))
        name = os.path.splitext(os.path.basename(module))[0]
        spec = importlib.util.spec_from_file_location(name, module)
        if spec is None or not os.path.isfile(module):
            raise FileNotFoundError(module + " does not exist")
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[name] = loaded
        spec.loader.exec_module(loaded)
    else:
        loaded = importlib.import_module(module)
    for part in function.split("."):
        if not hasattr(loaded, part):
            raise AttributeError("%s has no function %s" % (module, function))
        loaded = getattr(loaded, part)
    if not callable(loaded):
        raise TypeError("%s of %s is not a function" % (function, module))
    return loaded


def greeting(function, bfloat16, torch):
    header = {"parameters": [], "required": [], "any": False, "bfloat16": bfloat16}
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    positional = 0
    for parameter in parameters:
        if parameter.kind == parameter.VAR_KEYWORD:
            header["any"] = True
        elif parameter.kind == parameter.VAR_POSITIONAL:
            positional = 3
        elif positional < 3 and parameter.kind != parameter.KEYWORD_ONLY:
            positional += 1
        else:
            header["parameters"].append(parameter.name)
            if parameter.default is parameter.empty:
                header["required"].append(parameter.name)
    if parameters and positional < 3:
        header["error"] = "the function takes %d positional arguments; it is called as f(q, k, v, **options)" % positional
    header["shares_memory"] = True
    header["far"] = FarMemory.there_is()
    header["differentiates"] = torch and "dout" not in header["parameters"]
    return header


class NumpyArrays:
    def __init__(self, numpy):
        self.numpy = numpy
        try:
            import ml_dtypes
            self.bfloat16 = numpy.dtype(ml_dtypes.bfloat16)
        except ImportError:
            self.bfloat16 = None

    def given(self, data, dtype, shape):
        numpy = self.numpy
        if dtype == "bfloat16":
            dtype = self.bfloat16
        # A copy: memory of its own, aligned as NumPy's arrays are, that the function may write into.
        return numpy.frombuffer(data, dtype=dtype).reshape(shape).copy()

    def returned(self, value):
        """(dtype, shape, bytes), or a sentence that says what it is instead."""
        numpy = self.numpy
        if value is None:
            return "None"
        if hasattr(value, "detach"):
            value = value.detach().cpu()
            if str(value.dtype) == "torch.bfloat16":
                value = value.contiguous()
                return "bfloat16", list(value.shape), value.view(__import__("torch").int16).numpy().tobytes()
            value = value.numpy()
        array = numpy.asarray(value)
        name = "bfloat16" if self.bfloat16 is not None and array.dtype == self.bfloat16 else array.dtype.name
        if name not in ("bool", "int32", "int64", "float16", "bfloat16", "float32", "float64"):
            return "an array of the type " + name
        return name, list(array.shape), numpy.ascontiguousarray(array).tobytes()

    def strided(self, a):
        """The same entries, in memory as [B][N][H][D]."""
        return self.numpy.ascontiguousarray(self.numpy.swapaxes(a, 1, 2)).swapaxes(1, 2)

    def far(self, a):
        return FarMemory.spread(self.numpy, a)

    def same(self, a, b):
        return a.tobytes() == b.tobytes()

    def copy(self, a):
        return a.copy()


class TorchArrays(NumpyArrays):
    def __init__(self, numpy, torch):
        super().__init__(numpy)
        self.torch = torch

    def given(self, data, dtype, shape):
        if dtype == "bfloat16":
            raw = self.numpy.frombuffer(data, dtype="int16").reshape(shape).copy()
            return self.torch.from_numpy(raw).view(self.torch.bfloat16)
        return self.torch.from_numpy(self.numpy.frombuffer(data, dtype=dtype).reshape(shape).copy())

    def strided(self, a):
        return a.transpose(1, 2).contiguous().transpose(1, 2)

    def far(self, a):
        if a.dtype == self.torch.bfloat16:
            return self.torch.from_numpy(FarMemory.spread(self.numpy, a.view(self.torch.int16).numpy())).view(a.dtype)
        return self.torch.from_numpy(FarMemory.spread(self.numpy, a.numpy()))

    def same(self, a, b):
        a, b = a.detach().contiguous(), b.detach().contiguous()
        if a.dtype == self.torch.bfloat16:
            a, b = a.view(self.torch.int16), b.view(self.torch.int16)
        return a.numpy().tobytes() == b.numpy().tobytes()

    def copy(self, a):
        return a.detach().clone()


def by_name(result):
    if isinstance(result, dict):
        return result
    if isinstance(result, (tuple, list)) and len(result) == 2 and hasattr(result[0], "shape"):
        return {"out": result[0], "lse": result[1]}
    return {"out": result}


def differentiated(torch, function, arrays, options):
    """The results, and the gradients by autograd of sum(out dout) + sum(lse dlse)."""
    dout, dlse = arrays.pop("dout"), arrays.pop("dlse", None)
    inputs = {name: arrays[name] for name in ("q", "k", "v", "bias") if name in arrays}
    for value in inputs.values():
        value.requires_grad_(True)
    q, k, v = (arrays.pop(name) for name in ("q", "k", "v"))
    results = dict(by_name(function(q, k, v, **arrays, **options)))
    loss = (results["out"] * dout.to(results["out"].dtype)).sum()
    if dlse is not None and "lse" in results and results["lse"].requires_grad:
        lse = results["lse"]
        # An empty row's lse is -infinity, whose product with a gradient is not a number.
        loss = loss + torch.where(torch.isinf(lse), torch.zeros_like(lse), lse * dlse.to(lse.dtype)).sum()
    gradients = torch.autograd.grad(loss, list(inputs.values()), allow_unused=True) if loss.requires_grad else \
        [None] * len(inputs)
    for (name, value), gradient in zip(inputs.items(), gradients):
        results["d" + name] = torch.zeros_like(value) if gradient is None else gradient
    return results


def one_line(error):
    text = "%s: %s" % (type(error).__name__, " ".join(str(error).split()))
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        text += " (%s, line %d)" % (os.path.basename(frames[-1].filename), frames[-1].lineno)
    return text[:400]


def main():
    module, function_name, wants_torch = sys.argv[1], sys.argv[2], sys.argv[3] == "torch"
    link = socket.socket(fileno=3)
    incoming, outgoing = link.makefile("rb"), link.makefile("wb")
    os.set_inheritable(3, False)
    memory = SharedMemory()
    torch = None
    try:
        import numpy
    except ImportError:
        send(outgoing, {"error": "the interpreter %s has no NumPy; name another by --python PATH" % sys.executable,
                        "other_interpreter": True})
        return
    try:
        if wants_torch:
            import torch
        function = load(module, function_name)
    except BaseException as error:
        # Another interpreter may have the package that this one lacks.
        lacking = isinstance(error, ImportError) or (wants_torch and torch is None)
        send(outgoing, {"error": one_line(error), "other_interpreter": lacking})
        return
    kit = TorchArrays(numpy, torch) if torch else NumpyArrays(numpy)
    hello = greeting(function, bool(torch) or kit.bfloat16 is not None, bool(torch))
    send(outgoing, hello)
    numpy.seterr(all="ignore")
    while True:
        prefix = incoming.read(8)
        if len(prefix) < 8:
            os._exit(0)
        header = json.loads(read_exactly(incoming, struct.unpack("<Q", prefix)[0]))
        parts = memory.read([entry["bytes"] for entry in header["arrays"]])
        arrays = {entry["name"]: kit.given(part, entry["dtype"], entry["shape"])
                  for entry, part in zip(header["arrays"], parts)}
        options = {name: tuple(value) if isinstance(value, list) else value for name, value in header["options"].items()}
        try:
            for wanted, placed in (("strided", kit.strided), ("far", kit.far)):
                if header.get(wanted):
                    arrays = {name: placed(value) if value.ndim == 4 and name not in ("mask", "dropout_mask") else value
                              for name, value in arrays.items()}
        except (OSError, MemoryError) as error:
            send(outgoing, {"status": "absent", "message": "no memory for such arrays: %s" % error, "arrays": []})
            continue
        before = {name: kit.copy(value) for name, value in arrays.items()}
        inputs = dict(arrays)
        reply, payload = {"status": "answered", "arrays": [], "unusable": {}, "changed": []}, []
        try:
            if "dout" in arrays and hello["differentiates"]:
                results = differentiated(torch, function, arrays, options)
            else:
                q, k, v = (arrays.pop(name) for name in ("q", "k", "v"))
                results = by_name(function(q, k, v, **arrays, **options))
            for name, value in results.items():
                found = kit.returned(value)
                if isinstance(found, str):
                    if value is not None or name == "out":
                        reply["unusable"][str(name)] = found
                    continue
                reply["arrays"].append({"name": str(name), "dtype": found[0], "shape": found[1], "bytes": len(found[2])})
                payload.append(found[2])
            reply["changed"] = [name for name, value in inputs.items() if not kit.same(value, before[name])]
        except (Exception, SystemExit) as error:
            reply, payload = {"status": "raised", "message": one_line(error), "arrays": []}, []
        memory.write(payload)
        send(outgoing, reply)


main()
