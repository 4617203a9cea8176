// Queries, keys and values of a language model that was trained here: what attention meets in practice.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::judge {

/// Arrays of one attention layer, each [heads][tokens][features].
struct Activations {
  attention::Index heads = 0, tokens = 0, features = 0;
  std::vector<double> q, k, v;

  /// Entry of one of the three arrays; every index wraps around its extent.
  double at(const std::vector<double>& array, attention::Index head, attention::Index token,
            attention::Index feature) const;
};

/// Layer 2 of the model of simulations/judge/activations/model.toml over 32 characters, 4 heads of width 8, four
/// digits each; extract.py beside it made the table.
const Activations& activations();

/// Reads the table: lines `array, head, token, features` between tabs, comments from #. Errors: std::invalid_argument
/// naming the line that does not fit.
Activations parse_activations(std::string_view table);

}  // namespace attest::judge
