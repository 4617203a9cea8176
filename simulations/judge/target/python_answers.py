# Answers the cases of this folder by a Python function; then, where Attest is: attest judge recorded:DIR
# Arguments: MODULE:FUNCTION [--torch] [--device cuda]; MODULE may be a .py file. python_calls.py stands before this.
import argparse
import json
import pathlib
import struct
import sys

try:
    import numpy
except ImportError:
    sys.exit("%s: the interpreter %s has no NumPy; run it with another" % (sys.argv[0], sys.executable))

HERE = pathlib.Path(sys.argv[0]).resolve().parent
# What `**options` promises.
PROMISED = ("mask", "causal", "scale", "window", "softcap", "cu_seqlens", "bias", "dropout_mask", "dout")
# What a mechanism other than softmax takes besides are inputs of its own: it cannot do without.
OPTIONS = (*PROMISED, "alignment", "cu_seqlens_k", "alibi_slopes", "sinks", "dlse")
TYPES = {"BOOL": "bool", "I32": "int32", "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64"}


def read_safetensors(path):
    data = path.read_bytes()
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    for name, entry in header.items():
        if name != "__metadata__":
            start, end = (8 + length + at for at in entry["data_offsets"])
            yield name, TYPES[entry["dtype"]], entry["shape"], data[start:end]


def write_safetensors(path, arrays, payload):
    names = {mine: theirs for theirs, mine in TYPES.items()}
    header, start = {}, 0
    for entry, part in zip(arrays, payload):
        header[entry["name"]] = {"dtype": names[entry["dtype"]], "shape": entry["shape"], "data_offsets": [start, start + len(part)]}
        start += len(part)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(payload))


class Fitted:
    """The options of a case as this function takes them."""

    def __init__(self, hello, settings):
        self.hello, self.settings, self.number_for_window = hello, settings, False

    def takes(self, name):
        return name in self.hello["parameters"] or (self.hello["any"] and name in PROMISED)

    def lacking(self, names):
        """The first option that the function does not have; None where it takes all."""
        for name in names:
            known = self.takes(name) or name not in OPTIONS or (name in ("dout", "dlse") and self.hello["differentiates"])
            if not known and name != "alignment":
                return name
        return None

    def options(self, arrays, options):
        """Changes both so that the function can be called; the option that it lacks, or None."""
        if self.settings["causal_always"] and not self.takes("causal"):
            options.pop("causal", None)
        lacking = self.lacking([*arrays, *options])
        if lacking is None and "alignment" in options and not self.takes("alignment"):
            axis = self.settings["tokens_axis"]
            square = arrays["q"].shape[axis] == arrays["k"].shape[axis] and "cu_seqlens_k" not in arrays
            if options.pop("alignment") != self.settings["alignment"] and not square:
                lacking = "alignment"
        rate = next((name for name in ("dropout_rate", "dropout_p") if name in self.hello["parameters"]), None)
        if rate and "dropout_mask" in arrays:  # with a rate the mask is boolean, true where kept
            factors = arrays["dropout_mask"]
            arrays["dropout_mask"], options[rate] = factors > 0, 1 - 1 / float(factors.max())
        neutral = {"scale": arrays["q"].shape[3] ** -0.5, "causal": False, "alignment": "bottom_right", rate: 0.0}
        for name in self.hello["required"]:
            if name not in arrays and name not in options:
                options[name] = neutral.get(name)
        complete(arrays, options, self.hello)
        return lacking

    def with_number(self, options):
        """The window as one number where the function takes no pair; False where one number cannot say it."""
        before, after = options["window"]
        options["window"] = before + (1 if self.settings["window_counts_self"] else 0)
        return after == 0 and before >= 0 and options.get("causal", False)


def read_case(case, kit):
    """{name: array of the kit}; None where the kit cannot hold its type."""
    path = HERE / (case["name"] + ".npz")
    if path.exists():
        given = [(name, a.dtype.name, a.shape, a.tobytes()) for name, a in numpy.load(path).items()]
    else:
        given = list(read_safetensors(path.with_suffix(".safetensors")))
    if "bfloat16" in {dtype for _, dtype, _, _ in given} and kit.bfloat16 is None and not hasattr(kit, "torch"):
        return None
    arrays = {name: kit.given(data, dtype, shape) for name, dtype, shape, data in given}
    return placed(arrays, kit.layouts[case["layout"]])


def answer(case, kit, function, fitted):
    """(reply, payload), or why this case is not asked of the function."""
    arrays = read_case(case, kit)
    if arrays is None:
        return "bfloat16 (it takes --torch or ml_dtypes)"
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in case["options"].items()}
    lacking = fitted.options(arrays, options)
    if lacking is not None:
        return lacking
    if "window" in options and fitted.number_for_window and not fitted.with_number(options):
        return "window (before, after)"
    reply, payload = answered(kit, function, fitted.hello["differentiates"], dict(arrays), options)
    if reply["status"] == "absent":
        return reply["message"].partition(": ")[2]
    if reply["status"] == "raised" and "window" in options and not fitted.number_for_window:
        again = dict(options)
        if fitted.with_number(again):
            other = answered(kit, function, fitted.hello["differentiates"], dict(arrays), again)
            if other[0]["status"] == "answered":
                fitted.number_for_window = True
                return other
    return reply, payload


def write(name, reply, payload):
    folder = HERE / "answers"
    if reply["status"] == "raised":
        (folder / (name + ".error")).write_text(reply["message"])
        return
    if any(entry["dtype"] == "bfloat16" for entry in reply["arrays"]):
        write_safetensors(folder / (name + ".safetensors"), reply["arrays"], payload)
    else:
        numpy.savez(folder / (name + ".npz"), **{entry["name"]: numpy.frombuffer(part, entry["dtype"]).reshape(entry["shape"])
                                                 for entry, part in zip(reply["arrays"], payload)})
    if reply["unusable"] or reply["changed"]:
        (folder / (name + ".json")).write_text(json.dumps({key: reply[key] for key in ("unusable", "changed")}))


def main():
    parser = argparse.ArgumentParser(description="Answers the cases of this folder; then: attest judge recorded:DIR")
    parser.add_argument("function", metavar="MODULE:FUNCTION")
    parser.add_argument("--torch", action="store_true", help="hand over tensors, and differentiate by autograd unless dout is taken")
    parser.add_argument("--device", default="cpu", help="of the tensors, such as cuda")
    given = parser.parse_args()
    module, _, name = given.function.rpartition(":")
    if not module:
        parser.error("write the function as MODULE:FUNCTION or FILE.py:FUNCTION")
    torch = importlib.import_module("torch") if given.torch else None
    try:
        function = load(module, name)
    except Exception as error:
        parser.error(one_line(error))
    kit = TorchArrays(numpy, torch, given.device) if torch else NumpyArrays(numpy)
    hello = greeting(function, True, given.torch)
    if "error" in hello:
        parser.error(hello["error"])
    settings = json.loads((HERE / "settings.json").read_text())
    unknown = sorted(set(hello["required"]) - set(settings["known"]))
    if unknown:
        parser.error("the function cannot be called without %s, which no case holds: give it a default" % ", ".join(unknown))
    numpy.seterr(all="ignore")
    fitted = Fitted(hello, settings)
    (HERE / "answers").mkdir(exist_ok=True)
    count, skipped = 0, {}
    for line in (HERE / "cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        found = answer(case, kit, function, fitted)
        if isinstance(found, str):
            skipped[found] = skipped.get(found, 0) + 1
            continue
        write(case["name"], *found)
        count += 1
    (HERE / "answers" / "skipped.json").write_text(json.dumps(sorted(skipped)))
    print("%d calls answered" % count + "".join("\nnot asked: %d with %s" % (n, what) for what, n in sorted(skipped.items())))


main()
