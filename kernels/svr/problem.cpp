#include "kernels/svr/problem.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

namespace attest::svr {

void validate(const Problem& problem) {
  if (problem.targets.empty()) throw std::invalid_argument("svr::Problem: targets is empty; give at least one sample");
  if (problem.targets.size() != problem.gram.size()) {
    throw std::invalid_argument(
        fmt::format("svr::Problem: {} targets for a kernel matrix of size {}; the counts must agree",
                    problem.targets.size(), problem.gram.size()));
  }
  for (std::size_t i = 0; i < problem.targets.size(); ++i) {
    if (!std::isfinite(problem.targets[i])) {
      throw std::invalid_argument(
          fmt::format("svr::Problem: target {} is {}; targets must be finite", i, problem.targets[i]));
    }
  }
  if (!(std::isfinite(problem.epsilon) && problem.epsilon >= 0)) {
    throw std::invalid_argument(
        fmt::format("svr::Problem: epsilon is {}; it must be finite and >= 0", problem.epsilon));
  }
  if (!(problem.box > 0)) {
    throw std::invalid_argument(
        fmt::format("svr::Problem: box (C) is {}; it must be > 0 or svr::hard_margin", problem.box));
  }
}

}  // namespace attest::svr
