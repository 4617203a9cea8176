#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/regression.hpp"
#include "simulations/measure/untrained/correlation_maps.hpp"
#include "simulations/measure/untrained/cross_terms.hpp"
#include "simulations/measure/untrained/projections.hpp"
#include "simulations/tokens/positions.hpp"

namespace attest::measure {

using tokens::sinusoidal_positions;
namespace {

constexpr std::size_t rows_per_unit = 8;  // queries looked at in each sequence
constexpr std::uint32_t row_key = random::stream_key("measure/rows");
constexpr std::uint32_t projection_key = random::stream_key("measure/projections");

// Means over the rows of one unit.
CrossTerms look_at_unit(const Sequences& sequences, const Plan& plan, const Eigen::MatrixXd& positions,
                        Projection projection, std::uint64_t unit) {
  const auto length = static_cast<std::size_t>(positions.rows());
  const Eigen::MatrixXd tokens = sequences.draw(unit, length);
  random::Stream projection_stream(plan.seed, projection_key, unit);
  const Eigen::MatrixXd form = bilinear_form(projection, tokens.cols(), projection_stream);
  random::Stream rows(plan.seed, row_key, unit);
  CrossTerms mean;
  for (std::size_t i = 0; i < rows_per_unit; ++i) {
    const auto query = static_cast<Eigen::Index>(rows.integer(length));
    const LogitRow logits = logit_row(tokens, positions, form, query);
    const CrossTerms row = cross_terms(logits, plan.seed, unit * rows_per_unit + i);
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

// The estimates at every length.
std::vector<AtLength> over_lengths(const Sequences& sequences, const Plan& plan, Projection projection) {
  std::vector<AtLength> all;
  for (const std::size_t length : sequences.lengths) {
    const Eigen::MatrixXd positions =
        sinusoidal_positions(static_cast<Eigen::Index>(length), static_cast<Eigen::Index>(sequences.features));
    all.push_back(summarise(for_each_unit(
        plan, [&](std::uint64_t unit) { return look_at_unit(sequences, plan, positions, projection, unit); })));
  }
  return all;
}

Figure figure_over_lengths(const Sequences& sequences, const std::vector<AtLength>& all, Projection projection) {
  Figure figure{.name = fmt::format("cross-terms-{}-{}", projection == Projection::identity ? "identity" : "random",
                                    sequences.stem()),
                .title = fmt::format("Softmax perturbation by real cross terms, {}", name(projection)),
                .x_label = "N",
                .y_label = "mean norm",
                .x_log = true,
                .y_log = true};
  Series real{"real cross terms", "linespoints"};
  Series shuffled{"the same, shuffled", "linespoints"};
  Series bound{"$\\frac{\\sigma}{2}\\sqrt{N}$", "line"};
  Series local{"norm of the Jacobian at $c$ times $|\\eta|$", "line"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto n = static_cast<double>(sequences.lengths[i]);
    real.add(n, all[i].perturbation);
    shuffled.add(n, all[i].shuffled);
    bound.add(n, all[i].bound);
    local.add(n, all[i].local_bound);
  }
  figure.series = {std::move(real), std::move(shuffled), std::move(bound), std::move(local)};
  figure.caption = "Shuffling keeps the values of the cross terms and removes their order over the keys.";
  return figure;
}

// How the perturbation goes with N; nothing where a power law has no logarithm, as few units can give an interval that
// reaches 0.
std::string trend(const Sequences& sequences, const std::vector<AtLength>& all) {
  std::vector<statistics::RatePoint> points;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!(all[i].perturbation.lower > 0)) return "";
    points.push_back(
        {static_cast<double>(sequences.lengths[i]), {all[i].perturbation.lower, all[i].perturbation.upper}});
  }
  if (points.size() < 2) return "";
  const statistics::PowerLaw fit = statistics::fit_power_law(points);
  return fmt::format("; fitted over N it goes like N^{:.2f} [{:.2f}, {:.2f}], where the bound goes like N^0.5",
                     fit.exponent, fit.exponent_interval.lower, fit.exponent_interval.upper);
}

std::string finding(const Sequences& sequences, const std::vector<AtLength>& all, Projection projection) {
  const AtLength& first = all.front();
  const AtLength& last = all.back();
  const auto n = static_cast<double>(sequences.lengths.back());
  return fmt::format(
      "\n\n{}: the perturbation |softmax(c + η) − softmax(c)| is {} of the bound at N = {} and {} at N = {}{}."
      " At the largest N neighbouring cross terms have correlation {} and |mean|/σ is {}; independent normal noise"
      " of mean 0 would have about 0 and {:.3f}. The same values in random order perturb {:.2f} times as much as"
      " the real ones.",
      name(projection), to_percent(first.share), sequences.lengths.front(), to_percent(last.share),
      sequences.lengths.back(), trend(sequences, all), to_text(last.neighbours), to_text(last.offset),
      std::sqrt(2 / (std::numbers::pi * n)), last.shuffled.value / last.perturbation.value);
}

}  // namespace

Measurement measure_cross_terms(const Sequences& sequences, const Plan& plan) {
  Measurement result;
  result.id = "cross-terms/" + sequences.name;
  result.title = "What token-position cross terms do to the weights (" + sequences.name + ")";
  result.text =
      "Boosting, Section 3.3 and Thm 3.2. Sinusoidal positions are added to the tokens. For a query, c"
      " holds the logits of content with content and position with position, η the cross terms, and σ is"
      " the root mean square of η over the keys, so that σ√N = |η|. The theorem takes η for independent"
      " noise of mean 0; the bound σ√N/2 is the theorem's with the sharp Lipschitz constant 1/2. The map"
      " is Fig 1's on these tokens, which shows a trained network's: how far a token's logit with a position is without"
      " a pattern stands in its table.";
  Table table{.columns = {"projections", "N"}};
  for (const Projection projection : {Projection::identity, Projection::independent}) {
    const std::vector<AtLength> all = over_lengths(sequences, plan, projection);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const AtLength& at = all[i];
      add_row(result, table, {name(projection), fmt::format("{}", sequences.lengths[i])},
              {{"σ", at.sigma},
               {"|mean|/σ", at.offset},
               {"correlation of neighbours", at.neighbours},
               {"correlation with c", at.dependence},
               {"perturbation", at.perturbation},
               {"perturbation, shuffled", at.shuffled},
               {"σ√N/2", at.bound},
               {"perturbation / bound", at.share}});
    }
    result.text += finding(sequences, all, projection);
    result.figures.push_back(figure_over_lengths(sequences, all, projection));
  }
  table.caption = fmt::format(
      "Means over {} {}s with {} random queries each, {:.0f} % asymptotic Student intervals over {}s; the last column"
      " is a ratio of means.",
      plan.units, sequences.unit, rows_per_unit, 100 * confidence_level, sequences.unit);
  result.tables.push_back(std::move(table));
  add_correlation_maps(result, sequences, plan);
  return result;
}

}  // namespace attest::measure
