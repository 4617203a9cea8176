// A Python function as a target.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// The program that runs the function: python_calls.py and python_runner.py.
std::string_view python_runner();

struct PythonFunction {
  std::string module;    ///< a module's name, looked for in the current folder first, or the path of a .py file
  std::string function;  ///< its name in the module; dots lead into objects
  std::string python;    ///< the interpreter; empty: python3 or /usr/bin/python3, the first that has NumPy
  bool torch = false;    ///< hand over tensors
  double limit_seconds = 10;
};

/// "python:module:function". Errors: std::invalid_argument unless there are both names.
PythonFunction parse_python_target(const std::string& text);

/// Errors, when called: std::invalid_argument in one sentence when there is no such file, no interpreter has NumPy, or
/// the function cannot be loaded.
TargetMaker python_target(const PythonFunction& function);

}  // namespace attest::judge
