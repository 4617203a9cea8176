// How the norms of a random value matrix grow with the number of tokens.
#include <cmath>

#include "kernels/quantity/law_parameter.hpp"
#include "kernels/quantity/lipschitz_variance.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/streams/random_matrix_norms.hpp"

namespace attest::quantities {
namespace {

statistics::LawClass below(double variance) {
  return std::isfinite(variance) ? statistics::LawClass::variance_below(variance) : statistics::LawClass::asymptotic();
}

/// Norms are convex functions of the entries with Lipschitz constant 1.
statistics::LawClass known_norm(const Arguments& at) {
  return below(lipschitz_variance(random::law_from_name(at.word("law"))));
}

/// Also Var F <= E (F - sqrt(N d))^2 <= E (F^2 - N d)^2/(N d) = E X^4 - 1.
statistics::LawClass known_frobenius(const Arguments& at) {
  const random::Law law = random::law_from_name(at.word("law"));
  return below(std::fmin(lipschitz_variance(law), random::fourth_moment(law) - 1));
}

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  const auto n = static_cast<std::uint64_t>(at.integer("N")), d = static_cast<std::uint64_t>(at.integer("d"));
  const streams::Noise entries{random::law_from_name(at.word("law")), 1, execution.seed,
                               random::stream_key("random_matrix_norm")};
  statistics::Welford spectral, frobenius, row;
  for (std::uint64_t sample = 0; sample < execution.samples; ++sample) {
    const streams::MatrixNorms norms = execution.on_cuda
                                           ? norms_of(streams::gram_of_random_rows_on_cuda(n, d, entries, sample))
                                           : random_matrix_norms(n, d, entries, sample, execution.threads);
    spectral.add(norms.spectral);
    frobenius.add(norms.frobenius);
    row.add(norms.largest_row);
  }
  const double root_n = std::sqrt(at.real("N")), root_d = std::sqrt(at.real("d"));
  return {{"spectral", mean_outcome(spectral, known_norm(at))},
          {"frobenius", mean_outcome(frobenius, known_frobenius(at))},
          {"largest_row", mean_outcome(row, known_norm(at))},
          {"edge", Outcome::exact(root_n + root_d)},
          {"printed", Outcome::exact(root_n * root_d)}};
}

}  // namespace

namespace definitions {

Quantity random_matrix_norm() {
  Quantity q;
  q.name = "random_matrix_norm";
  q.title = "Norms of a random value matrix over the number of tokens";
  q.formula = R"(\|V\|_{op},\ \|V\|_F,\ \max_i \|V_{i\cdot}\|,\quad V \in \mathbb{R}^{N \times d})";
  q.source =
      "Revisiting Transformers with Insights from Image Filtering and Boosting, Corollary 3.2; the edge is Z. D. Bai "
      "and Y. Q. Yin, Limit of the smallest eigenvalue of a large dimensional sample covariance matrix (1993), whose "
      "limit law is Marchenko's and Pastur's. Each norm by the streamed Gram matrix, to a relative d 2^-50";
  q.version = 2;
  q.parameters = {
      Parameter::integer("N", 256, 1, 100'000'000, "tokens, the rows of V; nothing of this size is stored"),
      Parameter::integer("d", 16, 1, 2048, "features, the columns of V"),
      law_parameter("law", "gaussian", "law of the entries, independent, mean 0 and variance 1"),
  };
  q.results = {
      {"spectral", "mean operator norm", Role::estimate, known_norm},
      {"frobenius", "mean Frobenius norm", Role::estimate, known_frobenius},
      {"largest_row", "mean largest norm of a row", Role::estimate, known_norm},
      {"edge", "sqrt N + sqrt d, which the operator norm approaches for laws with a fourth moment", Role::reference},
      {"printed", "sqrt(d N), printed as the growth of the operator norm", Role::reference},
  };
  q.default_samples = 32;
  q.sample_unit = "matrices";
  q.runs_on_cuda = true;
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
