#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/random/stream.hpp"
#include "simulations/measure/untrained/snr.hpp"

namespace attest::measure {
namespace {

constexpr double noise_levels[] = {0.1, 0.25, 0.5, 1.0, 2.0};
constexpr double shown_level = 0.5;  // the level that the text and the scatter of bound against ratio show
constexpr std::uint32_t noise_key = random::stream_key("measure/noise");

// What one unit shows under one noise level and reading.
struct UnitResult {
  SnrTerms whole;             // the sequence as one vector, as an image is
  double tokens = 0;          // tokens that have a ratio
  double holding = 0;         // tokens for which the hypothesis holds
  double rising = 0;          // tokens whose ratio exceeds 1
  double rising_without = 0;  // tokens whose ratio exceeds 1 although the hypothesis fails
  double least_slack = 0;     // over the tokens and the whole
};

UnitResult look(const SnrParts& parts) {
  UnitResult result;
  const auto whole = snr_terms(parts.u, parts.eta, parts.u_hat, parts.eta_hat);
  if (!whole) throw std::invalid_argument("a sequence has no signal: its tokens are all 0; leave it out of the data");
  result.whole = *whole;
  result.least_slack = result.whole.slack();
  for (Eigen::Index i = 0; i < parts.u.rows(); ++i) {
    const auto terms = snr_terms(parts.u.row(i), parts.eta.row(i), parts.u_hat.row(i), parts.eta_hat.row(i));
    if (!terms) continue;
    const bool holds = terms->hypothesis_holds();
    const bool rises = terms->ratio > 1;
    result.tokens += 1;
    result.holding += holds ? 1 : 0;
    result.rising += rises ? 1 : 0;
    result.rising_without += rises && !holds ? 1 : 0;
    result.least_slack = std::min(result.least_slack, terms->slack());
  }
  return result;
}

// All levels and readings of one unit, reading by reading.
std::vector<UnitResult> look_at_unit(const Sequences& sequences, const Plan& plan, std::uint64_t unit) {
  const Eigen::MatrixXd clean = sequences.draw(unit, sequences.usual_length);
  random::Stream stream(plan.seed, noise_key, unit);
  Eigen::MatrixXd noise(clean.rows(), clean.cols());
  for (Eigen::Index i = 0; i < noise.rows(); ++i) {
    for (Eigen::Index j = 0; j < noise.cols(); ++j) noise(i, j) = stream.normal();
  }
  std::vector<UnitResult> results;
  for (const SnrReading reading : snr_readings) {
    for (const double level : noise_levels) results.push_back(look(snr_parts(clean, level * noise, reading)));
  }
  return results;
}

// Estimates over the units under one level and reading.
struct Condition {
  Estimate alpha, beta, gamma, enlarges, holds, rises, tokens_hold, tokens_rise, ratio, bound;
  std::optional<Estimate> rises_without;  // none where the hypothesis never fails
};

Condition summarise(const std::vector<UnitResult>& looks) {
  const auto mean = [&](auto member) { return mean_estimate(column(looks, member)); };
  const auto share = [&](auto has) {
    return share_estimate(std::count_if(looks.begin(), looks.end(), has), static_cast<std::int64_t>(looks.size()));
  };
  const auto tokens = column(looks, [](const UnitResult& u) { return u.tokens; });
  const auto failing = column(looks, [](const UnitResult& u) { return u.tokens - u.holding; });
  Condition result;
  result.alpha = mean([](const UnitResult& u) { return u.whole.alpha; });
  result.beta = mean([](const UnitResult& u) { return u.whole.beta; });
  result.gamma = mean([](const UnitResult& u) { return u.whole.gamma; });
  result.ratio = mean([](const UnitResult& u) { return u.whole.ratio; });
  result.bound = mean([](const UnitResult& u) { return u.whole.bound; });
  result.enlarges = share([](const UnitResult& u) { return u.whole.alpha > 1; });
  result.holds = share([](const UnitResult& u) { return u.whole.hypothesis_holds(); });
  result.rises = share([](const UnitResult& u) { return u.whole.ratio > 1; });
  result.tokens_hold = ratio_estimate(column(looks, [](const UnitResult& u) { return u.holding; }), tokens);
  result.tokens_rise = ratio_estimate(column(looks, [](const UnitResult& u) { return u.rising; }), tokens);
  if (std::any_of(failing.begin(), failing.end(), [](double count) { return count > 0; })) {
    result.rises_without = ratio_estimate(column(looks, [](const UnitResult& u) { return u.rising_without; }), failing);
  }
  return result;
}

std::string finding(const Condition& c, SnrReading reading, const std::string& unit) {
  const std::string without =
      c.rises_without ? fmt::format(" ({} of those for which the hypothesis fails)", to_percent(*c.rises_without)) : "";
  return fmt::format(
      " Reading \"{}\": the hypothesis holds for {} of the {}s and {} of the tokens; the SNR rises for {}"
      " of the {}s and for {} of the tokens{}.",
      name(reading), to_percent(c.holds), unit, to_percent(c.tokens_hold), to_percent(c.rises), unit,
      to_percent(c.tokens_rise), without);
}

// Bound against ratio, one point a unit.
Series scatter(const std::vector<UnitResult>& looks, SnrReading reading) {
  Series points{name(reading), "points"};
  for (const UnitResult& look : looks) {
    points.x.push_back(look.whole.bound);
    points.y.push_back(look.whole.ratio);
  }
  return points;
}

// The diagonal over the range of the points.
Series diagonal(const std::vector<Series>& clouds) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const Series& cloud : clouds) {
    low = std::min(low, *std::min_element(cloud.x.begin(), cloud.x.end()));
    high = std::max(high, *std::max_element(cloud.x.begin(), cloud.x.end()));
  }
  return {"ratio = bound", "line", {low, high}, {low, high}};
}

std::string description(double least_slack, double rounding, const std::string& findings) {
  return fmt::format(
      "Boosting, Prop 3.1. Normal noise of the stated size per coordinate is added to tokens of mean square"
      " 1, y = u + η, and one self-attention A(y) with W_Q = W_K = W_V = I and no positions is applied. α ="
      " |û|/|u|, β = cos(u, û) and γ = |η̂|/|η| are read off; the hypothesis is min(α, β) > γ with all"
      " three in [0, 1]. The paper does not say how the output A(y)y is parted into û and η̂. Three"
      " readings: \"same weights\", A(y)u and A(y)η; \"limit subtracted\", the same after the limit of"
      " A(y)ⁿ has been taken from both, which is the paper's \"without loss of generality\"; \"clean"
      " response\", A(u)u and the rest, so that what noise does to the weights counts as noise.\n\nAt noise"
      " {}:{}\n\nThe first inequality of Eq 3.4 {}: its least relative slack is {:.1e}, where rounding"
      " alone can make {:.1e}.",
      shown_level, findings, least_slack >= -rounding ? "holds everywhere" : "FAILS somewhere", least_slack, -rounding);
}

}  // namespace

Measurement measure_snr(const Sequences& sequences, const Plan& plan) {
  const auto units = for_each_unit(plan, [&](std::uint64_t unit) { return look_at_unit(sequences, plan, unit); });
  const std::string& unit = sequences.unit;
  Measurement result;
  result.id = "snr/" + sequences.name;
  result.title = "Does attention suppress noise more than signal? (" + sequences.name + ")";
  Table terms{.columns = {"reading", "noise"}};
  Table shares{.columns = {"reading", "noise"}};
  Figure curves{.name = "snr-" + sequences.stem(),
                .title = "Signal and noise that attention keeps",
                .x_label = "noise per coordinate of unit signal",
                .y_label = "share kept",
                .x_log = true};
  Figure cloud{.name = "snr-bound-" + sequences.stem(),
               .title = "SNR ratio against the bound of Eq 3.4",
               .x_label = "bound $\\sqrt{1+2\\alpha\\beta+\\alpha^2}/(1+\\gamma)$",
               .y_label = "$\\sigma(y+\\hat y)/\\sigma(y)$"};
  double least_slack = std::numeric_limits<double>::infinity();
  std::string findings;
  std::size_t condition = 0;
  for (const SnrReading reading : snr_readings) {
    Series alpha{fmt::format("α, {}", name(reading)), "linespoints"};
    Series gamma{fmt::format("γ, {}", name(reading)), "linespoints"};
    for (const double level : noise_levels) {
      std::vector<UnitResult> looks;
      for (const auto& all : units) looks.push_back(all[condition]);
      ++condition;
      const Condition c = summarise(looks);
      const std::vector<std::string> where = {name(reading), fmt::format("{}", level)};
      add_row(result, terms, where,
              {{"α", c.alpha}, {"β", c.beta}, {"γ", c.gamma}, {"SNR ratio", c.ratio}, {"bound of Eq 3.4", c.bound}});
      add_row(result, shares, where,
              {{fmt::format("α > 1, {}s", unit), c.enlarges},
               {fmt::format("hypothesis, {}s", unit), c.holds},
               {fmt::format("SNR rises, {}s", unit), c.rises},
               {"hypothesis, tokens", c.tokens_hold},
               {"SNR rises, tokens", c.tokens_rise},
               {"SNR rises, tokens without hypothesis", c.rises_without}});
      alpha.add(level, c.alpha);
      gamma.add(level, c.gamma);
      for (const UnitResult& look : looks) least_slack = std::min(least_slack, look.least_slack);
      if (level == shown_level) {
        cloud.series.push_back(scatter(looks, reading));
        findings += finding(c, reading, unit);
      }
    }
    curves.series.push_back(std::move(alpha));
    curves.series.push_back(std::move(gamma));
  }
  cloud.references.push_back(diagonal(cloud.series));
  const double level = 100 * confidence_level;
  terms.caption =
      fmt::format("Means over {} {}s of {} tokens, each taken whole, with {:.0f} % asymptotic Student intervals.",
                  plan.units, unit, sequences.usual_length, level);
  shares.caption = fmt::format(
      "Shares of {}s (Clopper and Pearson's {:.0f} % intervals) and of tokens (Student's, asymptotic, over {}s) that "
      "show it.",
      unit, level, unit);
  curves.caption = "The hypothesis asks that α = |û|/|u| exceed γ = |η̂|/|η|.";
  cloud.caption = fmt::format(
      "One point a {} at noise {}. The first inequality of Eq 3.4 puts points on or above the diagonal, its"
      " conclusion above 1.",
      unit, shown_level);
  // Norms of n terms are off by about n/2 roundings each; six of them make up ratio and bound.
  const double rounding = 3 * static_cast<double>(sequences.usual_length * sequences.features) * 0x1p-53;
  result.text = description(least_slack, rounding, findings);
  result.tables = {std::move(terms), std::move(shares)};
  result.figures = {std::move(curves), std::move(cloud)};
  return result;
}

}  // namespace attest::measure
