#include "theorems/twicing/family_figures.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/dense_spectrum.hpp"
#include "theorems/engine/protocols/sequence.hpp"
#include "theorems/twicing/capacity_integrals.hpp"

namespace attest::twicing {

using namespace engine;
using rigor::Ball;
using spectra::AttentionFamily;

namespace {

constexpr int family_features = 4;

}  // namespace

std::vector<Figure> spectra_of_families() {
  Figure figure{.name = "twicing_spectra",
                .title = "Eigenvalues of attention, and the edge of stability",
                .x_label = "Re",
                .y_label = "Im",
                .series = {},
                .caption = "Inside the lemniscate |1 - (1 - z)^2| <= 1 powers of 2A - A^2 stay bounded."};
  Series edge{.name = "|2z - z^2| = 1", .x = {}, .y = {}};
  constexpr int places = 361;
  for (int i = 0; i < places; ++i) {
    // r^2 = 2 cos(2 angle) about the point 1, one loop of a lemniscate of Bernoulli.
    const double angle = (static_cast<double>(i) / (places - 1) - 0.5) * std::acos(0.0);
    const double r = std::sqrt(std::max(0.0, 2 * std::cos(2 * angle)));
    edge.x.push_back(1 - r * std::cos(angle));
    edge.y.push_back(r * std::sin(angle));
  }
  figure.series.push_back(edge);
  for (const AttentionFamily family : {AttentionFamily::shared_projection, AttentionFamily::asymmetric,
                                       AttentionFamily::causal, AttentionFamily::peaked}) {
    constexpr int tokens = 32;
    Series values{.name = spectra::name(family), .x = {}, .y = {}};
    for (std::uint64_t sample = 0; sample < 4; ++sample) {
      for (const std::complex<double> value :
           spectra::eigenvalues(spectra::random_attention(family, tokens, family_features, 0, 0, sample))) {
        values.x.push_back(value.real());
        values.y.push_back(value.imag());
      }
    }
    figure.series.push_back(values);
  }
  return {figure};
}

std::vector<Figure> capacity_of_families() {
  Figure figure{.name = "twicing_capacity_of_attention",
                .title = "Mean eigenvalue modulus against the eigencapacity",
                .x_label = "n",
                .y_label = "mean of |p(lambda)|^n",
                .x_log = true,
                .y_log = true,
                .series = {},
                .caption =
                    "One random matrix of 64 tokens a family; the peaked one grows without bound under twicing "
                    "(drawn up to 10)."};
  const std::vector<double> steps = geometric_grid(1, 2, 11);
  for (const bool twicing : {false, true}) {
    Series curve{.name = twicing ? "kappa_n(2x - x^2)" : "kappa_n(x)", .x = steps, .y = {}};
    for (const double n : steps) {
      curve.y.push_back((twicing ? capacity_of_twicing(Ball(n)) : capacity_of_identity(Ball(n))).mid());
    }
    figure.series.push_back(curve);
  }
  for (const AttentionFamily family : {AttentionFamily::shared_projection, AttentionFamily::peaked}) {
    const std::vector<std::complex<double>> values =
        spectra::eigenvalues(spectra::random_attention(family, 64, family_features, 0, 0, 0));
    for (const bool twicing : {false, true}) {
      Series curve{.name = std::string(spectra::name(family)) + (twicing ? ", 2A - A^2" : ", A"), .x = {}, .y = {}};
      for (const double n : steps) {
        double mean = 0;
        for (const std::complex<double> value : values) {
          mean +=
              std::pow(std::abs(twicing ? 2.0 * value - value * value : value), n) / static_cast<double>(values.size());
        }
        constexpr double top_of_the_figure = 10;
        if (!(mean <= top_of_the_figure)) break;
        curve.x.push_back(n);
        curve.y.push_back(mean);
      }
      figure.series.push_back(curve);
    }
  }
  return {figure};
}

}  // namespace attest::twicing
