#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/language/read.hpp"
#include "theorems/referee/protocols/protocols.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/trials/probes.hpp"

namespace attest::referee {
namespace {

/// All of them where they are few, else the first, the last and how many.
std::string values_words(const std::vector<double>& values) {
  constexpr std::size_t few = 24, shown = 6;
  if (values.size() <= few) return fmt::format("{}", fmt::join(values, ", "));
  return fmt::format("{}, ..., {} ({} values)", fmt::join(values.begin(), values.begin() + shown, ", "), values.back(),
                     values.size());
}

std::string extent_words(const Extent& extent) {
  if (!extent.range) return fmt::format("{} in {{{}}}", extent.name, fmt::join(extent.tried, ", "));
  std::string tried;
  const bool all = static_cast<double>(extent.tried.size()) == extent.upper - extent.lower + 1;
  if (all && extent.tried.size() > 2) {
    tried = fmt::format("all {} from {} to {}", extent.name, extent.lower, extent.upper);
  } else {
    tried = fmt::format("{} = {}", extent.name, values_words(extent.tried));
    if (!all) tried += fmt::format(" of {}..{}", extent.lower, extent.upper);
  }
  return tried;
}

std::string count_words(std::int64_t count) {
  if (count < 10000) return fmt::format("{}", count);
  constexpr std::int64_t million = 1000000;
  if (count < million) return fmt::format("{} thousand", count / 1000);
  if (count >= 10 * million) return fmt::format("{} million", count / million);
  return fmt::format("{}.{} million", count / million, count % million * 10 / million);
}

}  // namespace

std::string domain_sentence(const Sizes& sizes, const std::vector<Trial>& trials) {
  std::vector<std::string> parts;
  for (const Extent& extent : sizes.extents) parts.push_back(extent_words(extent));
  bool unbounded = false, any = false, open = false;
  std::int64_t largest = 0;
  for (const Trial& trial : trials) {
    for (const language::RawInput& input : trial.program->inputs()) {
      if (input.random) continue;
      any = true;
      largest = std::max(largest, input.raw.size());
      for (std::size_t k = 0; k < input.lower.size(); ++k)
        unbounded |= !std::isfinite(input.lower[k]) || !std::isfinite(input.upper[k]);
      open |= !input.whole && ((input.lower_open && !input.lower.empty() && std::isfinite(input.lower[0])) ||
                               (input.upper_open && !input.upper.empty() && std::isfinite(input.upper[0])));
    }
  }
  const bool far = std::any_of(trials.begin(), trials.end(), [](const Trial& t) { return t.harvest.looked_far; });
  if (unbounded)
    parts.push_back(fmt::format("unbounded numbers at magnitudes from 1e-6 to 1e4 and at 0, followed to 1e6{}",
                                far ? ", and sparsely from 1e-60 to 1e120" : ""));
  const bool to_ends = std::all_of(trials.begin(), trials.end(), [](const Trial& t) { return t.went_to_ends; });
  if (open)
    parts.push_back(
        fmt::format("open ends to within 1e-9{}",
                    to_ends ? fmt::format(", and sparsely to the next double ({:g} at 0)", nearest_to_zero) : ""));
  std::string text;
  if (any) {
    text = count_words(evaluations_of(trials)) + " points";
    if (trials.size() > 1 || sizes.glanced_at > 0)
      text += fmt::format(" in {} {} of sizes", trials.size(), trials.size() == 1 ? "choice" : "choices");
    const std::int64_t met = admissible_of(trials);
    const bool conditions =
        std::any_of(trials.begin(), trials.end(), [](const Trial& t) { return !t.program->conditions().empty(); });
    if (conditions) text += fmt::format(", of which {} met the conditions", count_words(met));
  } else {
    text = fmt::format("{} {}", trials.size(), trials.size() == 1 ? "case" : "cases");
    if (!sizes.cases.empty())
      text =
          fmt::format("{} cases were evaluated in doubles, and {} that come nearest to a violation looked at closely",
                      sizes.cases.size(), trials.size());
  }
  if (sizes.glanced_at > 0)
    parts.push_back(fmt::format("and {} more {}, with a few points each", sizes.glanced_at,
                                sizes.glanced_at == 1 ? "choice" : "choices"));
  if (!parts.empty()) text += fmt::format(": {}", fmt::join(parts, "; "));
  if (!sizes.left_out.empty()) text += fmt::format(". Left out: sizes such as {}", sizes.left_out);
  return text + ".";
}

}  // namespace attest::referee
