#include <algorithm>

#include <fmt/core.h>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/regression.hpp"
#include "simulations/measure/cross_terms.hpp"
#include "simulations/tokens/positions.hpp"

namespace attest::simulations {
namespace {

constexpr std::size_t rows_per_unit = 8;  // queries looked at in each sequence
constexpr std::uint32_t row_key = random::claim_key("measure/rows");

// Means over the rows of one unit.
CrossTerms look_at_unit(const Sequences& sequences, const Plan& plan, const Eigen::MatrixXd& positions,
                        std::uint64_t unit) {
  const auto length = static_cast<std::size_t>(positions.rows());
  const Eigen::MatrixXd tokens = sequences.draw(unit, length);
  random::Stream stream(plan.seed, row_key, unit);
  CrossTerms mean;
  for (std::size_t i = 0; i < rows_per_unit; ++i) {
    const auto query = static_cast<Eigen::Index>(stream.integer(length));
    const CrossTerms row = cross_terms(logit_row(tokens, positions, query), plan.seed, unit * rows_per_unit + i);
    for (const auto member :
         {&CrossTerms::sigma, &CrossTerms::offset, &CrossTerms::autocorrelation, &CrossTerms::dependence,
          &CrossTerms::perturbation, &CrossTerms::shuffled, &CrossTerms::bound, &CrossTerms::local_bound}) {
      mean.*member += row.*member / rows_per_unit;
    }
  }
  return mean;
}

// Estimates at one sequence length.
struct AtLength {
  Estimate sigma, offset, neighbours, dependence, perturbation, shuffled, bound, local_bound, share;
};

AtLength summarise(const std::vector<CrossTerms>& units) {
  const auto values = [&](double CrossTerms::*member) {
    return column(units, [member](const CrossTerms& unit) { return unit.*member; });
  };
  const auto mean = [&](double CrossTerms::*member) { return mean_estimate(values(member)); };
  return {mean(&CrossTerms::sigma),
          mean(&CrossTerms::offset),
          mean(&CrossTerms::autocorrelation),
          mean(&CrossTerms::dependence),
          mean(&CrossTerms::perturbation),
          mean(&CrossTerms::shuffled),
          mean(&CrossTerms::bound),
          mean(&CrossTerms::local_bound),
          ratio_estimate(values(&CrossTerms::perturbation), values(&CrossTerms::bound))};
}

}  // namespace

Measurement measure_cross_terms(const Sequences& sequences, const Plan& plan) {
  const std::string& unit = sequences.unit;
  Measurement result;
  result.id = "cross-terms/" + sequences.name;
  result.title = "What token-position cross terms do to the weights (" + sequences.name + ")";
  Table table{.columns = {"N"}};
  Figure figure{.name = "cross-terms-" + sequences.stem(),
                .title = "Softmax perturbation by real cross terms",
                .x_label = "N",
                .y_label = "mean norm",
                .x_log = true,
                .y_log = true};
  Series real{"real cross terms", "linespoints"};
  Series shuffled{"the same, shuffled", "linespoints"};
  Series bound{"$\\frac{\\sigma}{2}\\sqrt{N}$", "line"};
  Series local{"norm of the Jacobian at $c$ times $|\\eta|$", "line"};
  std::vector<statistics::RatePoint> growth;
  std::vector<AtLength> all;
  for (const std::size_t length : sequences.lengths) {
    const Eigen::MatrixXd positions =
        sinusoidal_positions(static_cast<Eigen::Index>(length), static_cast<Eigen::Index>(sequences.features));
    const AtLength at = summarise(
        for_each_unit(plan, [&](std::uint64_t sample) { return look_at_unit(sequences, plan, positions, sample); }));
    add_row(result, table, {fmt::format("{}", length)},
            {{"σ", at.sigma},
             {"|mean|/σ", at.offset},
             {"correlation of neighbours", at.neighbours},
             {"correlation with c", at.dependence},
             {"perturbation", at.perturbation},
             {"perturbation, shuffled", at.shuffled},
             {"σ√N/2", at.bound},
             {"perturbation / bound", at.share}});
    const auto n = static_cast<double>(length);
    growth.push_back({n, {at.perturbation.lower, at.perturbation.upper}});
    real.add(n, at.perturbation);
    shuffled.add(n, at.shuffled);
    bound.add(n, at.bound);
    local.add(n, at.local_bound);
    all.push_back(at);
  }
  std::string trend;
  // Few units can give an interval that reaches 0, where a power law has no logarithm.
  const bool positive = std::all_of(growth.begin(), growth.end(), [](const auto& point) { return point.y.lower > 0; });
  if (growth.size() >= 2 && positive) {
    const statistics::PowerLaw fit = statistics::fit_power_law(growth);
    trend =
        fmt::format(" Fitted over N, the perturbation goes like N^{:.2f} [{:.2f}, {:.2f}]; the bound goes like N^0.5.",
                    fit.exponent, fit.exponent_interval.lower, fit.exponent_interval.upper);
  }
  const AtLength& first = all.front();
  const AtLength& last = all.back();
  result.text = fmt::format(
      "Boosting, Section 3.3 and Thm 3.2. Sinusoidal positions are added to the tokens. For a query, c holds the "
      "logits of"
      " content with content and position with position, η the cross terms (W_Q = W_K = I, over √d), and σ is the root "
      "mean"
      " square of η over the keys, so that σ√N = |η|. The bound σ√N/2 is the theorem's with the sharp Lipschitz "
      "constant"
      " 1/2.\n\n"
      "The perturbation |softmax(c + η) − softmax(c)| is {} of the bound at N = {} and {} at N = {}.{} The theorem "
      "takes η"
      " for independent noise of mean 0: at N = {} neighbouring cross terms have correlation {}, and |mean|/σ is {}; "
      "the"
      " same values in random order perturb {:.2f} times as much as the real ones.",
      to_percent(first.share), sequences.lengths.front(), to_percent(last.share), sequences.lengths.back(), trend,
      sequences.lengths.back(), to_text(last.neighbours), to_text(last.offset),
      last.shuffled.value / last.perturbation.value);
  table.caption = fmt::format(
      "Means over {} {}s with {} random queries each, {:.0f} % Student intervals over {}s; the last column is a ratio "
      "of means.",
      plan.units, unit, rows_per_unit, 100 * confidence_level, unit);
  figure.caption = "Shuffling keeps the values of the cross terms and removes their order over the keys.";
  figure.series = {std::move(real), std::move(shuffled), std::move(bound), std::move(local)};
  result.tables.push_back(std::move(table));
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace attest::simulations
