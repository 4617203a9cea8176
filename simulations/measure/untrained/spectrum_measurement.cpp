#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "simulations/measure/untrained/spectrum.hpp"

namespace attest::measure {
namespace {

constexpr std::uint32_t projection_key = random::stream_key("measure/projections");
constexpr int steps[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
constexpr int table_steps[] = {1, 4, 16, 64};
constexpr int shown_step = 16;          // the n of the text
constexpr std::size_t drawn_units = 4;  // units whose eigenvalues are drawn one by one
// From here on an eigenvalue counts as negative or complex. Far above the eigensolver's rounding: the same tokens in
// reverse order, which have the same eigenvalues, move none by more than 1e-13.
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

Estimate power(const std::vector<UnitSpectrum>& units, int n, bool twicing) {
  return median_estimate(column(units, [&](const UnitSpectrum& unit) { return mean_power(unit.values, n, twicing); }));
}

const char* polynomial(bool twicing) { return twicing ? "2A − A²" : "A"; }

// All eigenvalues of the first few units.
Series in_the_plane(const std::vector<UnitSpectrum>& units, Projection projection) {
  Series points{name(projection), "points"};
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
  Series series{label, "line"};
  for (const int n : steps) {
    series.x.push_back(n);
    series.y.push_back(function(n));
  }
  return series;
}

// The figure of decay, with the curves that the paper expects.
Figure decay_figure(const Sequences& sequences) {
  Figure figure{.name = "eigencapacity-" + sequences.stem(),
                .title = "What n steps leave, against eigencapacity",
                .x_label = "n",
                .y_label = "mean of $|p(\\lambda)|^n$",
                .x_log = true,
                .y_log = true};
  const double floor = 1 / static_cast<double>(sequences.usual_length);
  figure.references = {curve("eigencapacity of x, 1/(n+1)", [](int n) { return eigencapacity(n, false); }),
                       curve("eigencapacity of 2x − x²", [](int n) { return eigencapacity(n, true); }),
                       curve("$\\sqrt{\\pi}/(2\\sqrt{n})$", [](int n) { return std::sqrt(std::numbers::pi / n) / 2; }),
                       curve("1/N: the eigenvalue 1 alone", [floor](int) { return floor; })};
  figure.caption = fmt::format("Mean over all eigenvalues, median over the {}s.", sequences.unit);
  return figure;
}

// The eigencapacities as last rows of the table of decay.
void add_eigencapacities(Table& table) {
  for (const bool twicing : {false, true}) {
    std::vector<std::string> row = {"spread evenly over [0, 1]", polynomial(twicing)};
    for (const int n : table_steps) row.push_back(fmt::format("{:.4f}", eigencapacity(n, twicing)));
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

Measurement measure_spectrum(const Sequences& sequences, const Plan& plan) {
  const std::string& unit = sequences.unit;
  Measurement result;
  result.id = "spectrum/" + sequences.name;
  result.title = "Eigenvalues of attention and of twicing attention (" + sequences.name + ")";
  Table kinds{.columns = {"projections"}};
  Table decay{.columns = {"projections", "polynomial"}};
  Figure plane{.name = "eigenvalues-" + sequences.stem(),
               .title = "Eigenvalues of A in the complex plane",
               .x_label = "real part",
               .y_label = "imaginary part"};
  Figure curves = decay_figure(sequences);
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
             {fmt::format("modulus < {}", tiny), small},
             {"second modulus", mean([](const UnitSpectrum& u) { return u.second; })},
             {"least real part", mean([](const UnitSpectrum& u) { return u.least; })},
             {"largest |2λ − λ²|", mean([](const UnitSpectrum& u) { return u.largest_twiced; })},
             {fmt::format("(2A − A²)ⁿ grows, {}s", unit), growing}});
    plane.series.push_back(in_the_plane(units, projection));
    for (const bool twicing : {false, true}) {
      std::vector<Number> numbers;
      for (const int n : table_steps) numbers.push_back({fmt::format("n = {}", n), power(units, n, twicing)});
      add_row(result, decay, {name(projection), polynomial(twicing)}, numbers);
      if (projection != Projection::identity && projection != Projection::independent) continue;
      Series series{fmt::format("{}, {}", polynomial(twicing), name(projection)), "linespoints"};
      for (const int n : steps) series.add(n, power(units, n, twicing));
      curves.series.push_back(std::move(series));
    }
    findings += fmt::format(
        " {}: {:.1f} % of the eigenvalues are negative, {:.1f} % complex and {:.1f} % of modulus below {};"
        " the mean of |λ|¹⁶ is {:.3f} for A and {:.3f} for 2A − A², whose powers grow without bound on {}"
        " of the {}s.",
        name(projection), 100 * negative.value, 100 * complex.value, 100 * small.value, tiny,
        power(units, shown_step, false).value, power(units, shown_step, true).value, to_percent(growing), unit);
  }
  add_eigencapacities(decay);
  const double level = 100 * confidence_level;
  kinds.caption = fmt::format(
      "Means over {} {}s of {} tokens with {:.0f} % asymptotic Student intervals, the last column a share with Clopper"
      " and Pearson's. The first three are shares of the eigenvalues, which count as negative or complex"
      " beyond {}.",
      plan.units, unit, sequences.usual_length, level, visible);
  decay.caption = fmt::format(
      "(1/N) Σ |p(λᵢ)|ⁿ over all N eigenvalues, of which the eigenvalue 1 alone makes {:.4f}: median over"
      " the {}s with its distribution-free {:.0f} % interval. Last rows: the eigencapacities.",
      1 / static_cast<double>(sequences.usual_length), unit, level);
  plane.caption = fmt::format("All eigenvalues for {} {}s.",
                              std::min<std::size_t>(drawn_units, static_cast<std::size_t>(plan.units)), unit);
  result.text = fmt::format(
      "Twicing, Section 3 and Prop 1. The paper takes the eigenvalues of A from (0, 1], and measures what n"
      " steps keep by the eigencapacity, as if they lay evenly over [0, 1]: at n = {}, {:.3f} for A and"
      " {:.3f} for 2A − A². Here A = softmax(X M Xᵀ/√d), M = W_Qᵀ W_K, over real tokens X.\n\n{}",
      shown_step, eigencapacity(shown_step, false), eigencapacity(shown_step, true), findings.substr(1));
  result.tables = {std::move(kinds), std::move(decay)};
  result.figures = {std::move(plane), std::move(curves)};
  return result;
}

}  // namespace attest::measure
