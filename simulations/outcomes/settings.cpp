#include "simulations/outcomes/settings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"

namespace attest::outcomes {

using attention::Index;
namespace {

using nlohmann::ordered_json;

double loss_of(const journal::Results& run) {
  const auto found = run.find("validation_loss");
  return found == run.end() ? std::numeric_limits<double>::infinity() : found->second;
}

/// The setting with the lowest validation loss; none where all diverged.
const Setting* best_of(const Experiment& e, const AllResults& all, const VariantSpec& variant, std::uint64_t seed) {
  const Setting* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Setting& setting : e.settings) {
    const double loss = loss_of(all.at({run_name(variant, &setting), seed}));
    if (!(loss < least)) continue;
    least = loss;
    best = &setting;
  }
  return best;
}

std::uint64_t seed_of(const Experiment& e, Index number) { return e.seed + static_cast<std::uint64_t>(number); }

}  // namespace

std::string run_name(const VariantSpec& variant, const Setting* setting) {
  return setting == nullptr ? variant.name : variant.name + "@" + setting->name;  // no variant's name has an @
}

std::vector<std::string> run_names(const Experiment& e) {
  std::vector<std::string> names;
  for (const VariantSpec& variant : e.variants) {
    if (e.settings.empty()) names.push_back(variant.name);
    for (const Setting& setting : e.settings) names.push_back(run_name(variant, &setting));
  }
  return names;
}

AllResults at_their_best(const Experiment& e, const AllResults& all) {
  if (e.settings.empty()) return all;
  AllResults best;
  for (Index s = 0; s < e.seeds; ++s)
    for (const VariantSpec& variant : e.variants) {
      const std::uint64_t seed = seed_of(e, s);
      const Setting* setting = best_of(e, all, variant, seed);
      if (setting == nullptr)
        throw std::runtime_error(
            fmt::format("{}, seed {}: training diverged under all {} settings; give [axes] a lower "
                        "training.learning_rate, or training.clip",
                        variant.name, seed, e.settings.size()));
      journal::Results& run = best[{variant.name, seed}];
      run = all.at({run_name(variant, setting), seed});
      for (std::size_t a = 0; a < e.axes.size(); ++a) run["chosen_" + e.axes[a].key] = setting->values[a];
    }
  return best;
}

std::vector<journal::RunMeasurement> curves_of_best(const Experiment& e, const AllResults& all,
                                                    const std::vector<journal::RunMeasurement>& curves) {
  if (e.settings.empty()) return curves;
  std::map<std::pair<std::string, std::uint64_t>, std::string> chosen;  // run to variant
  for (Index s = 0; s < e.seeds; ++s)
    for (const VariantSpec& variant : e.variants)
      if (const Setting* setting = best_of(e, all, variant, seed_of(e, s)); setting != nullptr)
        chosen[{run_name(variant, setting), seed_of(e, s)}] = variant.name;
  std::vector<journal::RunMeasurement> kept;
  for (const journal::RunMeasurement& one : curves)
    if (const auto run = chosen.find({one.variant, one.seed}); run != chosen.end())
      kept.push_back({run->second, one.seed, one.measurement});
  return kept;
}

ordered_json settings_summary(const Experiment& e, const AllResults& all) {
  ordered_json settings = ordered_json::array();
  for (const VariantSpec& variant : e.variants)
    for (const Setting& setting : e.settings) {
      double sum = 0;
      Index chosen = 0, diverged = 0;
      for (Index s = 0; s < e.seeds; ++s) {
        const double loss = loss_of(all.at({run_name(variant, &setting), seed_of(e, s)}));
        if (std::isfinite(loss))
          sum += loss;
        else
          ++diverged;
        chosen += best_of(e, all, variant, seed_of(e, s)) == &setting ? 1 : 0;
      }
      const Index came_through = e.seeds - diverged;
      settings.push_back({{"variant", variant.name},
                          {"setting", setting.name},
                          {"validation_loss", came_through > 0 ? ordered_json(sum / static_cast<double>(came_through))
                                                               : ordered_json(nullptr)},
                          {"chosen", chosen},
                          {"diverged", diverged}});
    }
  return settings;
}

ordered_json settings_table(const ordered_json& settings) {
  ordered_json rows = ordered_json::array();
  for (const ordered_json& one : settings) {
    const ordered_json& loss = one["validation_loss"];
    rows.push_back({one["variant"], one["setting"], loss.is_null() ? "" : fmt::format("{:.4f}", loss.get<double>()),
                    fmt::format("{}", one["chosen"].get<Index>()), fmt::format("{}", one["diverged"].get<Index>())});
  }
  return {{"caption",
           "Every variant trains with every seed under each of these settings, and a pair compares each variant at its "
           "lowest validation loss with that seed. The choice uses no number that judges. Validation loss: the mean "
           "over the seeds that did not diverge; chosen and diverged count seeds."},
          {"columns", {"Variant", "Setting", "Validation loss", "Chosen", "Diverged"}},
          {"rows", rows}};
}

std::vector<std::string> axes_too_short(const Experiment& e, const AllResults& best) {
  std::vector<std::string> sentences;
  for (std::size_t a = 0; a < e.axes.size(); ++a)
    for (const VariantSpec& variant : e.variants) {
      const auto [least, most] = std::minmax_element(e.axes[a].values.begin(), e.axes[a].values.end());
      for (const double end : {*least, *most}) {
        Index chosen = 0;
        for (Index s = 0; s < e.seeds; ++s)
          chosen += best.at({variant.name, seed_of(e, s)}).at("chosen_" + e.axes[a].key) == end ? 1 : 0;
        if (2 * chosen <= e.seeds || end == 0) continue;  // nothing lies beyond "none"
        sentences.push_back(
            fmt::format("{} is best at the end of its axis, {} = {}, with {} of {}: a better value may "
                        "lie beyond it",
                        variant.name, e.axes[a].key, end, chosen, reports::counted(e.seeds, "seed")));
      }
    }
  return sentences;
}

}  // namespace attest::outcomes
