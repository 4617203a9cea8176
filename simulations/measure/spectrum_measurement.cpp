#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "simulations/measure/spectrum.hpp"

namespace attest::simulations {
namespace {

constexpr std::uint32_t projection_key = random::claim_key("measure/projections");
constexpr int steps[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
constexpr int table_steps[] = {1, 4, 16, 64};
constexpr std::size_t drawn_units = 4;  // units whose eigenvalues are drawn one by one
// From here on an eigenvalue counts as negative or complex: far above the rounding of the eigensolver, which is about
// N 2^-52 times the condition number of the eigenvalue.
constexpr double visible = 1e-6;
constexpr double tiny = 0.01;
// |2 lambda - lambda^2| above 1 by this much: the powers of twicing attention then grow without bound.
constexpr double grows = 1 + visible;

struct UnitSpectrum {
  std::vector<std::complex<double>> values;
  double negative = 0;        // share of eigenvalues that are real and below -visible
  double complex = 0;         // share with an imaginary part beyond visible
  double tiny = 0;            // share of modulus below `tiny`
  double second = 0;          // second largest modulus
  double least = 0;           // least real part
  double largest_twiced = 0;  // largest |2 lambda - lambda^2|
};

UnitSpectrum look(std::vector<std::complex<double>> values) {
  UnitSpectrum result;
  const double share = 1 / static_cast<double>(values.size());
  result.least = 1;
  for (const auto& value : values) {
    if (std::abs(value.imag()) > visible) {
      result.complex += share;
    } else if (value.real() < -visible) {
      result.negative += share;
    }
    if (std::abs(value) < tiny) result.tiny += share;
    result.least = std::min(result.least, value.real());
    result.largest_twiced = std::max(result.largest_twiced, std::abs(value * (2.0 - value)));
  }
  result.second = std::abs(values.at(1));
  result.values = std::move(values);
  return result;
}

std::vector<UnitSpectrum> spectra_of(const Sequences& sequences, const Plan& plan, Projection projection) {
  return for_each_unit(plan, [&](std::uint64_t unit) {
    const Eigen::MatrixXd tokens = sequences.draw(unit, sequences.usual_length);
    random::Stream stream(plan.seed, projection_key, unit);
    const Eigen::MatrixXd form = bilinear_form(projection, tokens.cols(), stream);
    return look(attention_eigenvalues(tokens, form, projection != Projection::independent));
  });
}

Estimate power(const std::vector<UnitSpectrum>& units, int n, bool twicing, bool skip_first) {
  return median_estimate(
      column(units, [&](const UnitSpectrum& unit) { return mean_power(unit.values, n, twicing, skip_first); }));
}

const char* polynomial(bool twicing) { return twicing ? "2A - A^2" : "A"; }

// All eigenvalues of the first few units.
Series in_the_plane(const std::vector<UnitSpectrum>& units, Projection projection) {
  Series points{name(projection), "points", {}, {}, {}, {}};
  for (std::size_t i = 0; i < std::min(drawn_units, units.size()); ++i) {
    for (const auto& value : units[i].values) {
      points.x.push_back(value.real());
      points.y.push_back(value.imag());
    }
  }
  return points;
}

// A curve of n over the steps.
template <typename Function>
Series curve(const char* label, Function function) {
  Series series{label, "line", {}, {}, {}, {}};
  for (const int n : steps) {
    series.x.push_back(n);
    series.y.push_back(function(n));
  }
  return series;
}

}  // namespace

Measurement measure_spectrum(const Sequences& sequences, const Plan& plan) {
  const std::string& unit = sequences.unit;
  Measurement result;
  result.id = "spectrum/" + sequences.name;
  result.title = "Eigenvalues of attention and of twicing attention (" + sequences.name + ")";
  Table kinds;
  kinds.columns = {"projections"};
  Table decay;
  decay.columns = {"projections", "polynomial"};
  Figure plane{"eigenvalues-" + sequences.stem(),
               "Eigenvalues of A in the complex plane",
               "real part",
               "imaginary part",
               false,
               false,
               {},
               {},
               ""};
  Figure curves{"eigencapacity-" + sequences.stem(),
                "What n steps leave, against eigencapacity",
                "n",
                "mean of $|p(\\lambda)|^n$",
                true,
                true,
                {},
                {},
                ""};
  std::string findings;
  for (const Projection projection : projections) {
    const auto units = spectra_of(sequences, plan, projection);
    const auto mean = [&](auto member) { return mean_estimate(column(units, member)); };
    const Estimate negative = mean([](const UnitSpectrum& u) { return u.negative; });
    const Estimate complex = mean([](const UnitSpectrum& u) { return u.complex; });
    const Estimate small = mean([](const UnitSpectrum& u) { return u.tiny; });
    const Estimate growing = share_estimate(
        std::count_if(units.begin(), units.end(), [](const UnitSpectrum& u) { return u.largest_twiced > grows; }),
        plan.units);
    add_row(result, kinds, {name(projection)},
            {{"negative", negative},
             {"complex", complex},
             {"least real part", mean([](const UnitSpectrum& u) { return u.least; })},
             {"second modulus", mean([](const UnitSpectrum& u) { return u.second; })},
             {fmt::format("modulus below {}", tiny), small},
             {"largest |2 lambda - lambda^2|", mean([](const UnitSpectrum& u) { return u.largest_twiced; })},
             {fmt::format("{}s on which (2A - A^2)^n grows", unit), growing}});
    plane.series.push_back(in_the_plane(units, projection));
    for (const bool twicing : {false, true}) {
      std::vector<Number> numbers;
      for (const int n : table_steps) numbers.push_back({fmt::format("n = {}", n), power(units, n, twicing, false)});
      add_row(result, decay, {name(projection), polynomial(twicing)}, numbers);
      if (projection != Projection::identity && projection != Projection::independent) continue;
      Series series{fmt::format("{}, {}", polynomial(twicing), name(projection)), "linespoints", {}, {}, {}, {}};
      for (const int n : steps) series.add(n, power(units, n, twicing, true));
      curves.series.push_back(std::move(series));
    }
    findings += fmt::format(
        " {}: {:.1f} % of the eigenvalues are negative, {:.1f} % complex, {:.1f} % of modulus below {}; (2A - A^2)^n "
        "grows "
        "without bound on {} of the {}s; at n = 16 the mean of |lambda|^n is {:.3f} for A and {:.3f} for 2A - A^2.",
        name(projection), 100 * negative.value, 100 * complex.value, 100 * small.value, tiny, to_percent(growing), unit,
        power(units, 16, false, false).value, power(units, 16, true, false).value);
  }
  for (const bool twicing : {false, true}) {
    std::vector<std::string> row = {"spread evenly over [0, 1]", polynomial(twicing)};
    for (const int n : table_steps) row.push_back(fmt::format("{:.4f}", eigencapacity(n, twicing)));
    decay.rows.push_back(std::move(row));
    curves.references.push_back(curve(twicing ? "eigencapacity of 2x - x^2" : "eigencapacity of x, 1/(n+1)",
                                      [&](int n) { return eigencapacity(n, twicing); }));
  }
  curves.references.push_back(
      curve("$\\sqrt{\\pi}/(2\\sqrt{n})$", [](int n) { return std::sqrt(std::numbers::pi / n) / 2; }));
  kinds.caption = fmt::format(
      "Means over {} {}s of {} tokens with {:.0f} % Student intervals (the last column by Clopper and Pearson). Shares "
      "of "
      "eigenvalues; they count as negative or complex beyond {}.",
      plan.units, unit, sequences.usual_length, 100 * confidence_level, visible);
  decay.caption = fmt::format(
      "(1/N) sum |p(lambda_i)|^n over all N eigenvalues, of which the eigenvalue 1 alone makes {:.4f}: median over the "
      "{}s "
      "with its distribution-free {:.0f} % interval. Last rows: the eigencapacities.",
      1 / static_cast<double>(sequences.usual_length), unit, 100 * confidence_level);
  plane.caption = fmt::format("All eigenvalues for {} {}s.",
                              std::min<std::size_t>(drawn_units, static_cast<std::size_t>(plan.units)), unit);
  curves.caption = fmt::format("Mean over the eigenvalues other than 1, median over the {}s.", unit);
  result.text = fmt::format(
      "Twicing, Section 3 and Prop 1: A is taken to have eigenvalues in (0, 1], and what n steps keep is measured by "
      "the "
      "eigencapacity, as if they lay evenly over [0, 1]: at n = 16, {:.3f} for A and {:.3f} for 2A - A^2. Measured on "
      "A = "
      "softmax(X M X^T / sqrt d), M = W_Q^T W_K.{}",
      eigencapacity(16, false), eigencapacity(16, true), findings);
  result.tables.push_back(std::move(kinds));
  result.tables.push_back(std::move(decay));
  result.figures.push_back(std::move(plane));
  result.figures.push_back(std::move(curves));
  return result;
}

}  // namespace attest::simulations
