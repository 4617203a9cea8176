"""Every bug of the museum as a function of its own, `bug_NAME`, whose signature holds the options that it takes; and the
right implementations beside them, `right_MECHANISM`."""
import functools
import types

import numpy as np

import mechanisms
from bugs import comparisons, conduct, gradients, held_out, later, numbers, rows, shapes, tiles, visibility
from bugs import mechanisms as of_mechanisms



def _in_type_of_queries(function):
    """The definitions compute in the type that they are given: float32 for float16. What is returned is of the type that came in."""
    def widened(a):
        return a.astype(np.float32) if isinstance(a, np.ndarray) and a.dtype == np.float16 else a

    @functools.wraps(function)
    def call(q, k, v, **options):
        results = function(widened(q), widened(k), widened(v), **{name: widened(a) for name, a in options.items()})
        if isinstance(results, dict):
            return {name: np.asarray(a).astype(q.dtype) for name, a in results.items()}
        return None if results is None else np.asarray(results).astype(q.dtype)
    return call


BUGS = {}
for _module in (visibility, rows, gradients, shapes, numbers, conduct, of_mechanisms, comparisons, tiles, *held_out.MODULES, later):
    for _name, _thing in vars(_module).items():
        # Helpers and what several bugs share begin with a capital letter or an underscore.
        if getattr(_thing, "__module__", None) == _module.__name__ and _name[0].islower() and isinstance(
                _thing, (type, types.FunctionType)):
            BUGS[_name] = _thing().__call__ if isinstance(_thing, type) else _in_type_of_queries(_thing)
globals().update({f"bug_{_name}": _function for _name, _function in BUGS.items()})

RIGHT = {name: _in_type_of_queries(getattr(mechanisms, name.replace("-", "_"))) for name in (
    "softmax", "twicing", "graph-diffusion", "alibi", "linear", "sparse", "nystromformer", "linformer", "bilateral",
    "attention-bn", "kernel-regression", "neutreno")}
globals().update({f"right_{_name.replace('-', '_')}": _function for _name, _function in RIGHT.items()})
