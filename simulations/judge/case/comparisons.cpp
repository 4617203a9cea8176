#include "simulations/judge/case/comparisons.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/attention/mechanism/symmetries.hpp"

namespace attest::judge {
namespace {

using attention::Mechanism;
using attention::Settings;
using attention::Shift;

std::string no_order(const Mechanism& m, const Settings& settings) {
  return depends_on_order(m, settings) ? fmt::format("the order of the tokens matters to {}", m.name) : "";
}

std::string no_shift(const Mechanism& m, const Settings& settings) {
  if (m.shift == Shift::none) return fmt::format("a vector added to all keys changes what {} gives", m.name);
  if (shift_of(m, settings, attention::Arrays<double>{}) == Shift::none)
    return "with these settings a vector added to all keys changes the output";
  return "";
}

std::string no_causal_form(const Mechanism& m) {
  const bool has =
      std::any_of(m.options.begin(), m.options.end(), [](const auto& option) { return option.name == "causal"; });
  return has ? "" : fmt::format("{} has no causal form", m.name);
}

std::string no_option(const Mechanism& m) {
  const bool any = declares(m, "causal") || m.takes_mask || m.takes_key_lengths;
  return any ? "" : fmt::format("{} takes no causal, mask or key_lengths", m.name);
}

std::string joined(const Mechanism& m, const Settings& settings) {
  return joins_heads_and_sequences(m, settings) ? "with these settings heads and sequences depend on each other" : "";
}

}  // namespace

std::vector<Comparison> comparisons_of(const Mechanism& m, const Settings& settings) {
  const std::string of_softmax = "judged of softmax alone";
  return {{Property::permutation, no_order(m, settings)},
          {Property::shift, no_shift(m, settings)},
          {Property::linearity, ""},
          {Property::heads, joined(m, settings)},
          {Property::sequences, joined(m, settings)},
          {Property::mates, joined(m, settings)},
          {Property::alone, joined(m, settings)},
          {Property::repeat, ""},
          {Property::other_options, no_option(m)},
          {Property::leak, no_causal_form(m)},
          {Property::causality, no_causal_form(m)},
          {Property::padding, m.takes_key_lengths ? "" : fmt::format("{} takes no key_lengths", m.name)},
          {Property::own_differences, ""},
          {Property::rounding_bias, of_softmax},
          {Property::drawn_dropout, of_softmax}};
}

}  // namespace attest::judge
