// How far tokens stay apart under many attention layers, plain and twiced.
#include <cmath>

#include "kernels/quantity/attention_family.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/spectra/matrix_polynomial.hpp"

namespace attest::quantities {
namespace {

constexpr int features = 4;  // columns of V; more of them only average more

/// log10 of |B^n V - mean| / |V - mean| for B = A or 2A - A^2.
double log_distance(const Arguments& at, bool twiced, std::uint64_t seed, std::uint64_t sample) {
  const Eigen::MatrixXd a = sampled_attention(at, seed, sample);
  const Eigen::MatrixXd v = spectra::random_normal_matrix(static_cast<int>(a.rows()), features, seed,
                                                          random::stream_key("tokens to be smoothed"), sample);
  const int n = static_cast<int>(at.integer("n"));
  const Eigen::MatrixXd end = twiced ? spectra::apply_twicing_power(a, n, v) : spectra::apply_power(a, n, v);
  // What is below the rounding of the mean cannot be seen: the distance stops there.
  const double floor = 1e-16 * end.norm();
  return std::log10(std::max(spectra::distance_to_consensus(end), floor) / spectra::distance_to_consensus(v));
}

}  // namespace

namespace definitions {

Quantity consensus_distance() {
  Quantity q;
  q.name = "consensus_distance";
  q.version = 3;
  q.title = "Distance of the tokens from their mean after n smoothing layers";
  q.formula = R"(\log_{10}\frac{\|(I - \frac1N 11^\top) B^n V\|}{\|(I - \frac1N 11^\top) V\|},\quad B = A,\ 2A - A^2)";
  q.source = "Transformer Meets Twicing, Eqs 12, 18 and 19";
  q.parameters = attention_parameters(32, 2048);
  q.parameters.push_back(Parameter::integer("n", 4, 1, 4096, "layers, all with the same attention matrix"));
  q.results = {
      {"plain", "mean decimal logarithm of the distance under A^n"},
      {"twiced", "the same under (2A - A^2)^n; above 0 tokens move apart"},
  };
  q.default_samples = 32;
  q.sample_unit = "matrices";
  q.evaluate = [](const Arguments& at, const Execution& execution) {
    const auto mean = [&](bool twiced) {
      return mean_outcome(
          sampled_moments(execution,
                          [&](std::uint64_t sample) { return log_distance(at, twiced, execution.seed, sample); }),
          statistics::LawClass::asymptotic());
    };
    return Outcomes{{"plain", mean(false)}, {"twiced", mean(true)}};
  };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
