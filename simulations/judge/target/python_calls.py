# Calls a Python function with the arrays and options of a case. Both programs that do so begin with this file: the one that
# a judgement starts (python_runner.py) and the script that answers cases elsewhere (python_answers.py).
import importlib
import importlib.util
import inspect
import keyword
import mmap
import os
import sys
import traceback


class FarMemory:
    """Address space for arrays whose heads, or a row and the second after it, are more than 2^31 entries apart, of which only
    what is written to takes memory."""

    stride = 2 ** 31 + 64      # entries between two heads
    of_rows = 2 ** 30 + 64     # or between two rows
    private_and_not_reserved = 0x02 | 0x20 | 0x4000  # MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE, as Linux numbers them
    most_bytes = 12 * of_rows * 8  # an array of the cases that are judged has at most four heads or twelve rows of float64

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
    def spread(cls, numpy, a, rows):
        """The entries of an array [B][H][N][D] in such memory, with rows instead of heads apart if so wanted."""
        batch, heads, tokens, width = a.shape
        strides = (tokens * cls.of_rows, width, cls.of_rows, 1) if rows else (heads * cls.stride, cls.stride, width, 1)
        last = sum((extent - 1) * stride for extent, stride in zip(a.shape, strides)) + 1
        far = numpy.ndarray(a.shape, a.dtype, buffer=cls.mapped(last * a.itemsize),
                            strides=tuple(stride * a.itemsize for stride in strides))
        far[...] = a
        return far


def load(module, function):
    os.environ["ATTEST_JUDGED"] = module  # a file that calls the judge as it is imported is told so, by attest judge
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


def parameters_of(function):
    """Those of a torch.nn.Module are its forward's, for its call takes anything; a function of TorchScript has a schema."""
    if hasattr(function, "schema"):
        kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
        return [inspect.Parameter(argument.name, kind, default=argument.default_value if argument.has_default_value() else empty)
                for argument in function.schema.arguments]
    forward = None if inspect.isroutine(function) else getattr(function, "forward", None)
    return list(inspect.signature(forward or function).parameters.values())


def place_of(function):
    """The file and line in which it is written, where that is known: of what decorates a function the function's."""
    try:
        inner = inspect.unwrap(function if inspect.isroutine(function) else getattr(function, "forward", type(function)))
        return {"file": os.path.abspath(inspect.getsourcefile(inner)), "line": max(1, inspect.getsourcelines(inner)[1])}
    except (TypeError, OSError, ValueError):
        return {}


def greeting(function, bfloat16, torch):
    header = {"parameters": [], "required": [], "any": False, "bfloat16": bfloat16, "causal_by_default": False}
    try:
        parameters = parameters_of(function)
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
            # An option whose name Python keeps for itself is a parameter with an underscore: lambda_.
            name = parameter.name.removesuffix("_") if keyword.iskeyword(parameter.name.removesuffix("_")) else parameter.name
            header["parameters"].append(name)
            if parameter.default is parameter.empty:
                header["required"].append(name)
            elif parameter.name == "causal":
                header["causal_by_default"] = parameter.default is True
    if parameters and positional < 3:
        header["error"] = "the function takes %d positional arguments; it is called as f(q, k, v, **options)" % positional
    header["shares_memory"] = True
    header["far"] = FarMemory.there_is()
    header["differentiates"] = torch and "dout" not in header["parameters"]
    header.update(place_of(function))
    return header


class NumpyArrays:
    def __init__(self, numpy):
        self.numpy = numpy
        self.layouts = {"packed": None, "tokens first": self.tokens_first, "features first": self.features_first}
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

    def within(self, a):
        """The same entries as a view into memory that begins an entry earlier, with three more between rows, all NaN."""
        room = self.numpy.empty((*a.shape[:3], a.shape[3] + 3), a.dtype)
        room[...] = self.numpy.nan
        view = room[..., 1:1 + a.shape[3]]
        view[...] = a
        return view

    def laid_out(self, a, axis):
        """The same entries, in memory with `axis` and the one before it exchanged."""
        return self.within(a.swapaxes(axis - 1, axis)).swapaxes(axis - 1, axis)

    def tokens_first(self, a):
        return self.laid_out(a, 2)

    def features_first(self, a):
        return self.laid_out(a, 3)

    def far(self, a, rows):
        return FarMemory.spread(self.numpy, a, rows)

    def same(self, a, b):
        return a.tobytes() == b.tobytes()

    def copy(self, a):
        return a.copy()


class TorchArrays(NumpyArrays):
    def __init__(self, numpy, torch, device="cpu"):
        super().__init__(numpy)
        self.torch = torch
        self.device = device

    def given(self, data, dtype, shape):
        if dtype == "bfloat16":
            raw = self.numpy.frombuffer(data, dtype="int16").reshape(shape).copy()
            return self.torch.from_numpy(raw).view(self.torch.bfloat16).to(self.device)
        return self.torch.from_numpy(self.numpy.frombuffer(data, dtype=dtype).reshape(shape).copy()).to(self.device)

    def within(self, a):
        room = self.torch.full((*a.shape[:3], a.shape[3] + 3), float("nan"), dtype=a.dtype, device=a.device)
        view = room[..., 1:1 + a.shape[3]]
        view.copy_(a)
        return view

    def far(self, a, rows):
        if a.dtype == self.torch.bfloat16:
            return self.torch.from_numpy(FarMemory.spread(self.numpy, a.view(self.torch.int16).numpy(), rows)).view(a.dtype)
        return self.torch.from_numpy(FarMemory.spread(self.numpy, a.numpy(), rows))

    def same(self, a, b):
        a, b = a.detach().contiguous().cpu(), b.detach().contiguous().cpu()
        if a.dtype == self.torch.bfloat16:
            a, b = a.view(self.torch.int16), b.view(self.torch.int16)
        return a.numpy().tobytes() == b.numpy().tobytes()

    def copy(self, a):
        return a.detach().clone()


def complete(arrays, options, hello):
    """Says that a call is not causal to a function that is causal unless told otherwise, and writes lambda as lambda_ where the
    parameter is called so."""
    if hello["causal_by_default"]:
        options.setdefault("causal", False)
    for given in (arrays, options):
        for name in [name for name in given if keyword.iskeyword(name) and name in hello["parameters"]]:
            given[name + "_"] = given.pop(name)


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
    if loss.requires_grad:
        loss.backward()  # which torch.utils.checkpoint allows, unlike torch.autograd.grad
    for name, value in inputs.items():
        gradient = value.grad
        if gradient is not None or name != "bias":  # who does not differentiate to the bias returns no gradient of it
            results["d" + name] = torch.zeros_like(value) if gradient is None else gradient
    return results


def one_line(error):
    """What it says and where; the frames of this file and of the importing machinery tell a user nothing."""
    said = " ".join(str(error).split())
    text = type(error).__name__ + (": " + said if said else "")
    machinery = (one_line.__code__.co_filename, importlib.__file__)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename not in machinery and not frame.filename.startswith("<")]
    if frames:
        text += " (%s, line %d)" % (os.path.basename(frames[-1].filename), frames[-1].lineno)
    return text[:400]


def answered(kit, function, differentiates, arrays, options):
    """(the reply, the bytes of its arrays one after the other) of one call; arrays by their names in the contract."""
    before = {name: kit.copy(value) for name, value in arrays.items()}
    inputs = dict(arrays)
    reply, payload = {"status": "answered", "arrays": [], "unusable": {}, "changed": []}, []
    try:
        if "dout" in arrays and differentiates:
            results = differentiated(kit.torch, function, arrays, options)
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
    except NotImplementedError as error:
        reply, payload = {"status": "absent", "message": "the target does not take it: " + one_line(error), "arrays": []}, []
    except (Exception, SystemExit) as error:
        reply, payload = {"status": "raised", "message": one_line(error), "arrays": []}, []
    return reply, payload


def placed(arrays, how):
    """The arrays of four axes laid out in memory by `how`; None leaves them as they are."""
    return arrays if how is None else {name: how(value) if value.ndim == 4 else value for name, value in arrays.items()}
