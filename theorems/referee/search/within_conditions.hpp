// Local searches that follow the conditions of a statement, where several of them meet.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/search/local_optimiser.hpp"
#include "theorems/referee/search/landscape.hpp"

namespace attest::referee {

/// Sequential quadratic programming (NLopt's SLSQP) on the claim's margin, with the conditions as constraints and the
/// box of `problem` as bounds. `visit` is called with every point that it evaluates. Where it ends; empty where it
/// cannot run. Precondition: the landscape has gradients. Errors: those of `visit`.
std::vector<double> descend_within_conditions(Landscape& landscape, const search::Problem& problem,
                                              const std::vector<double>& start, std::int64_t evaluations,
                                              const std::function<void(const std::vector<double>&)>& visit);

}  // namespace attest::referee
