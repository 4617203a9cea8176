#include "simulations/judge/target/python_target.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "simulations/judge/target/child_process.hpp"

namespace attest::judge {
namespace {

std::unique_ptr<Target> started(const PythonFunction& function, const std::string& python) {
  return std::make_unique<ChildProcess>(
      std::vector<std::string>{python, "-c", std::string(python_runner()), function.module, function.function,
                               function.torch ? "torch" : "numpy"},
      fmt::format("python:{}:{}", function.module, function.function), function.limit_seconds);
}

}  // namespace

PythonFunction parse_python_target(const std::string& text) {
  const std::string names = text.substr(std::string_view("python:").size());
  const std::size_t colon = names.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == names.size())
    throw std::invalid_argument(fmt::format("{}: write it as python:MODULE:FUNCTION or python:FILE.py:FUNCTION", text));
  PythonFunction function;
  function.module = names.substr(0, colon);
  function.function = names.substr(colon + 1);
  return function;
}

TargetMaker python_target(const PythonFunction& function) {
  return [function] {
    if (function.module.ends_with(".py") && !std::filesystem::is_regular_file(function.module))
      throw std::invalid_argument(
          fmt::format("python:{0}:{1}: {0} does not exist; give its path from the current folder", function.module,
                      function.function));
    if (!function.python.empty()) return started(function, function.python);
    try {
      return started(function, "python3");
    } catch (const UnfitProgram& error) {
      // The system's own interpreter is the one that Debian's NumPy and PyTorch belong to.
      try {
        return started(function, "/usr/bin/python3");
      } catch (const UnfitProgram& other) {
        // Which of the two came further knows the true cause.
        throw other.looked_for_function ? other : error;
      }
    }
  };
}

}  // namespace attest::judge
