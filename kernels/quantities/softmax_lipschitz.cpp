// The local Lipschitz constant of softmax at random logits.
#include <span>
#include <vector>

#include "kernels/quantity/law_parameter.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/law_words.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/softmax/jacobian_norm_cuda.hpp"
#include "kernels/softmax/softmax.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"

namespace attest::quantities {
namespace {

/// The mean over points of a design, for few logits.
Outcome designed(const random::Law& law, double scale, std::size_t n, const Execution& execution) {
  const auto words = static_cast<std::size_t>(words_per_draw(law));
  return designed_mean(execution, "quasi", n * words, random::stream_key("softmax_lipschitz points"),
                       [&](std::span<const std::uint64_t> point) {
                         thread_local std::vector<double> c;
                         c.resize(n);
                         for (std::size_t i = 0; i < n; ++i)
                           c[i] = scale * draw_from_words(law, point[i * words], point[i * words + words - 1]);
                         softmax::softmax(c, c);
                         return softmax::jacobian_norm(c);
                       });
}

/// A norm is at most 1/2; means of designed points are compared with each other alone.
statistics::LawClass known(const Arguments& at) {
  return at.word("sampling") == "plain" ? bounded(at, 0, 0.5) : statistics::LawClass::asymptotic();
}

Outcome mean_norm(const Arguments& at, const Execution& execution) {
  const auto n = static_cast<std::uint64_t>(at.integer("N"));
  const random::Law law = random::law_from_name(at.word("law"));
  if (at.word("sampling") == "quasi") return designed(law, at.real("scale"), n, execution);
  const ThreadShare share(execution, n);
  const streams::Noise logits{law, at.real("scale"), execution.seed, random::stream_key("softmax_lipschitz")};
  if (execution.on_cuda)
    return mean_outcome(
        sampled_moments(share.outer(execution),
                        [&](std::uint64_t sample) { return softmax::jacobian_norm_on_cuda(n, logits, sample); }),
        known(at));
  // The logits are what the streamed kernel calls noise, upon equal logits.
  const softmax::StreamedPerturbation<double> equal(n, {random::Law::rademacher(), 0}, execution.threads);
  return mean_outcome(
      sampled_moments(share.outer(execution),
                      [&](std::uint64_t sample) { return equal.jacobian_norm(logits, sample, share.inner); }),
      known(at));
}

}  // namespace

namespace definitions {

Quantity softmax_lipschitz() {
  Quantity q;
  q.name = "softmax_lipschitz";
  q.title = "Mean local Lipschitz constant of softmax at random logits";
  q.formula = R"(\mathbb{E}\|\mathrm{diag}(p) - p p^\top\|_{op},\quad p = \mathrm{softmax}(c))";
  q.source =
      "Revisiting Transformers with Insights from Image Filtering and Boosting, Remark 3.5 and Figure 2 (left); each "
      "norm to a relative 1e-13 by the secular equation";
  q.version = 5;
  q.parameters = {
      Parameter::integer("N", 100, 2, 1'000'000'000, "logits; nothing of this size is stored"),
      law_parameter("law", "gaussian", "law of the logits c, independent, mean 0 and variance 1"),
      Parameter::real("scale", 1, 0, 1e3, "factor of the logits"),
      sampling_parameter({"quasi"}, "plain; quasi: shifted Sobol points, for few logits"),
      interval_parameter(),
  };
  q.results = {
      {"mean", "mean norm of the Jacobian", Role::estimate, known},
      {"global_constant", "1/2, the Lipschitz constant on all of R^N for every N", Role::reference},
      {"uniform_logits", "1/N, the constant where all logits are equal: the least there is", Role::reference},
  };
  q.default_samples = 400;
  q.sample_unit = "samples";
  q.runs_on_cuda = true;
  q.evaluate = [](const Arguments& at, const Execution& execution) {
    return Outcomes{{"mean", mean_norm(at, execution)},
                    {"global_constant", Outcome::exact(0.5)},
                    {"uniform_logits", Outcome::exact(1 / at.real("N"))}};
  };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
