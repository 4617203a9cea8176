// How far any number of smoothing steps leaves tokens from consensus, by the extreme eigenpairs of a large kernel.
#include <cmath>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/kernel_powers.hpp"

namespace attest::quantities {
namespace {

constexpr int features = 4;  // columns of V
constexpr std::int64_t kept_matrices = 64;

struct Decays {
  spectra::KernelPowers::Decay plain, twiced;
  double second = 0;
};

Decays decays_of(const Arguments& at, std::uint64_t seed, std::uint64_t sample) {
  const int n = static_cast<int>(at.integer("N")), d = static_cast<int>(at.integer("D"));
  random::Stream stream(seed, random::stream_key("tokens of a kernel"), sample);
  Eigen::MatrixXd tokens(n, d);
  for (double& x : tokens.reshaped()) x = stream.uniform();
  const Eigen::MatrixXd kernel = spectra::gaussian_kernel(tokens, at.real("bandwidth"));
  const int count = static_cast<int>(std::min<std::int64_t>(at.integer("eigenvalues"), at.integer("N") - 2));
  const spectra::KernelPowers powers(
      kernel, spectra::random_normal_matrix(n, features, seed, random::stream_key("what a kernel smooths"), sample),
      count);
  return {powers.plain(at.real("n")), powers.twiced(at.real("n")), powers.eigenvalues().front()};
}

/// The mean, and the sampling interval widened by what the eigenpairs leave open.
struct Enclosed {
  statistics::Welford value, lower, upper;

  void add(const spectra::KernelPowers::Decay& decay) {
    value.add(-decay.value);
    lower.add(-decay.interval.upper);
    upper.add(-decay.interval.lower);
  }
  Outcome outcome() const {
    const statistics::LawClass nothing = statistics::LawClass::asymptotic();
    return {value.mean(), {mean_outcome(lower, nothing).interval.lower, mean_outcome(upper, nothing).interval.upper}};
  }
};

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  Enclosed plain, twiced;
  statistics::Welford second;
  parallel::fold_blocks<Decays>(
      static_cast<std::int64_t>(execution.samples), execution.threads, kept_matrices,
      [&](std::int64_t i) { return decays_of(at, execution.seed, static_cast<std::uint64_t>(i)); },
      [&](const Decays& decays) {
        plain.add(decays.plain);
        twiced.add(decays.twiced);
        second.add(decays.second);
      });
  return {
      {"plain", plain.outcome()}, {"twiced", twiced.outcome()}, {"second", mean_outcome(second, bounded(at, 0, 1))}};
}

}  // namespace

namespace definitions {

Quantity kernel_consensus() {
  Quantity q;
  q.name = "kernel_consensus";
  q.title = "Distance of the tokens from consensus after up to 10^12 smoothing steps";
  q.formula = R"(\log_{10}\frac{\|V - \bar V\|_D}{\|B^n V - \bar V\|_D},\quad B = A,\ 2A - A^2,\quad A = D^{-1} W)";
  q.source =
      "Transformer Meets Twicing, Eqs 11, 12, 18 and 19 and Section 3.2. By the largest eigenpairs of a gaussian "
      "kernel; the interval holds the rest of its spectrum and the residuals of the eigenvalues, not those of the "
      "eigenvectors";
  q.version = 2;
  q.parameters = {
      Parameter::integer("N", 200, 3, 8192, "tokens; a matrix of N x N is stored"),
      Parameter::integer("D", 1, 1, 64, "features of a token, uniform on [0, 1]"),
      Parameter::real("bandwidth", 0.1, 1e-3, 1e3, "of the gaussian kernel"),
      Parameter::real("n", 1000, 1, 1e12, "steps"),
      Parameter::integer("eigenvalues", 20, 1, 200, "how many of the largest are computed"),
      interval_parameter(),
  };
  q.results = {
      {"plain", "mean decimal digits by which A^n shrinks the distance"},
      {"twiced", "the same under (2A - A^2)^n"},
      {"second", "mean second largest eigenvalue of A, which is in [0, 1]", Role::estimate, bounded_within(0, 1)},
  };
  q.default_samples = 16;
  q.sample_unit = "matrices";
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
