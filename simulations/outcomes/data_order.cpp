#include "simulations/outcomes/data_order.hpp"

#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace attest::outcomes {

using attention::Index;
using experiment::VariantSpec;

void require_equal_order(const Experiment& experiment, const AllResults& results) {
  for (Index s = 0; s < experiment.seeds; ++s) {
    const std::uint64_t seed = experiment.seed + static_cast<std::uint64_t>(s);
    std::map<std::uint64_t, std::pair<std::string, double>> seen;  // by offset
    for (const VariantSpec& variant : experiment.variants) {
      const journal::Results& run = results.at({variant.name, seed});
      const auto order = run.find("data_order"), steps = run.find("steps");
      const bool whole = steps == run.end() || steps->second == static_cast<double>(experiment.training.steps);
      if (order == run.end() || !whole) continue;
      const auto [first, fresh] = seen.try_emplace(variant.seed_offset, variant.name, order->second);
      if (!fresh && first->second.second != order->second)
        throw std::invalid_argument(
            fmt::format("{} and {} with seed {} were trained on other batches (their digests differ), so they are not "
                        "a pair; train both again",
                        first->second.first, variant.name, seed));
    }
  }
}

}  // namespace attest::outcomes
