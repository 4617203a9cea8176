// The spectra of random attention matrices before and after twicing.
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/quantity/attention_family.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/spectra/dense_spectrum.hpp"

namespace attest::quantities {
namespace {

/// Rounding moves an eigenvalue of modulus 1 above it; a defective one by its root. Growth by less than this per step
/// is not called unstable.
constexpr double growth_resolution = 1e-6;

/// No eigenvalue of a matrix of weights is above 1 in modulus, up to its rounding, and |2 l - l^2| <= 2 |l| + |l|^2.
constexpr double most_second = 1 + growth_resolution, most_twiced = 2 * most_second + most_second * most_second;

constexpr std::int64_t kept_matrices = 256;

struct Moduli {
  double second = 0, twiced = 0;
};

/// The largest moduli of lambda and 2 lambda - lambda^2 over all eigenvalues but the 1 of the constant vector.
Moduli moduli_of(const Eigen::MatrixXd& attention) {
  std::vector<std::complex<double>> values = spectra::eigenvalues(attention);
  const auto distance = [](std::complex<double> a) { return std::abs(a - 1.0); };
  values.erase(
      std::min_element(values.begin(), values.end(), [&](auto a, auto b) { return distance(a) < distance(b); }));
  Moduli moduli;
  for (const auto& value : values) {
    moduli.second = std::max(moduli.second, std::abs(value));
    moduli.twiced = std::max(moduli.twiced, std::abs(value * (2.0 - value)));
  }
  return moduli;
}

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  statistics::Welford second, twiced;
  std::uint64_t unstable = 0;
  parallel::fold_blocks<Moduli>(
      static_cast<std::int64_t>(execution.samples), execution.threads, kept_matrices,
      [&](std::int64_t i) { return moduli_of(sampled_attention(at, execution.seed, static_cast<std::uint64_t>(i))); },
      [&](const Moduli& moduli) {
        second.add(moduli.second);
        twiced.add(moduli.twiced);
        unstable += moduli.twiced > 1 + growth_resolution ? 1 : 0;
      });
  return {{"second", mean_outcome(second, bounded(at, 0, most_second))},
          {"twiced", mean_outcome(twiced, bounded(at, 0, most_twiced))},
          {"unstable", share_outcome(unstable, execution.samples)}};
}

}  // namespace

namespace definitions {

Quantity twicing_spectrum() {
  Quantity q;
  q.name = "twicing_spectrum";
  q.version = 3;
  q.title = "Second largest eigenvalue of random attention, plain and twiced";
  q.formula = R"(\max_{\lambda \ne \lambda_1}|\lambda|,\quad \max_{\lambda \ne \lambda_1}|2\lambda - \lambda^2|)";
  q.source = "Transformer Meets Twicing, Sections 3.1 and 3.2; attention with independent queries and keys is ours";
  q.parameters = attention_parameters(32, 2048);
  q.parameters.push_back(interval_parameter());
  q.results = {
      {"second", "mean modulus of the second largest eigenvalue of A", Role::estimate, bounded_within(0, most_second)},
      {"twiced", "mean largest modulus for 2A - A^2 beside the constant vector", Role::estimate,
       bounded_within(0, most_twiced)},
      {"unstable", "share of matrices for which powers of 2A - A^2 grow without bound", Role::estimate, shares()},
  };
  q.default_samples = 32;
  q.sample_unit = "matrices";
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
