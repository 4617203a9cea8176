#include "simulations/judge/trial/empty_rows.hpp"

#include <algorithm>
#include <limits>

#include "simulations/judge/reference/visibility.hpp"

namespace attest::judge {
namespace {

/// The numbers of the rows [B][H][N_q] that see no key.
std::vector<std::size_t> empty_rows(const Problem& p) {
  const Visibility visibility(p);
  std::vector<std::size_t> rows;
  std::size_t row = 0;
  for (Index b = 0; b < p.batch; ++b)
    for (Index h = 0; h < p.heads; ++h)
      for (Index i = 0; i < p.queries; ++i, ++row) {
        bool sees_any = false;
        for (Index j = 0; j < p.keys && !sees_any; ++j) sees_any = visibility.sees(b, h, i, j);
        if (!sees_any) rows.push_back(row);
      }
  return rows;
}

}  // namespace

void accept_empty_rows(const Problem& problem, const Expected& expected, const TrialSettings& settings,
                       Outputs& outputs) {
  if (problem.sinks.empty() && !settings.any_empty_rows) return;
  const std::vector<std::size_t> rows = empty_rows(problem);
  if (const auto lse = outputs.find("lse"); lse != outputs.end())
    for (const std::size_t row : rows)
      if (settings.any_empty_rows || lse->second[row] == -std::numeric_limits<double>::infinity())
        lse->second[row] = expected.lse.values[row];
  if (const auto out = outputs.find("out"); out != outputs.end() && settings.any_empty_rows) {
    const auto width = static_cast<std::size_t>(problem.value_width);
    for (const std::size_t row : rows)
      std::copy_n(expected.out.values.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                  out->second.begin() + static_cast<std::ptrdiff_t>(row * width));
  }
}

void leave_out_empty_rows(Problem& problem) {
  const auto width = static_cast<std::ptrdiff_t>(problem.value_width);
  for (const std::size_t row : empty_rows(problem)) {
    if (!problem.dout.empty()) std::fill_n(problem.dout.begin() + static_cast<std::ptrdiff_t>(row) * width, width, 0.0);
    if (!problem.dlse.empty()) problem.dlse[row] = 0;
  }
}

}  // namespace attest::judge
