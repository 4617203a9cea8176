// The local Lipschitz constant of softmax at random logits.
#include <cmath>
#include <vector>

#include "kernels/attention/softmax.hpp"
#include "kernels/quantities/law_parameter.hpp"
#include "kernels/quantities/quantity.hpp"
#include "kernels/quantities/sampled_mean.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream.hpp"

namespace attest::quantities {
namespace definitions {

Quantity softmax_lipschitz() {
  Quantity q;
  q.name = "softmax_lipschitz";
  q.title = "Mean local Lipschitz constant of softmax at random logits";
  q.formula = R"(\mathbb{E}\|\mathrm{diag}(p) - p p^\top\|_{op},\quad p = \mathrm{softmax}(c))";
  q.source = "Revisiting Transformers with Insights from Image Filtering and Boosting, Remark 3.5 and Figure 2 (left)";
  q.parameters = {
      Parameter::integer("N", 100, 2, 1'000'000'000, "logits"),
      law_parameter("law", "gaussian", "law of the logits c, independent, mean 0 and variance 1"),
      Parameter::real("scale", 1, 0, 1e3, "factor of the logits"),
  };
  q.results = {
      {"mean", "mean norm of the Jacobian"},
      {"global_constant", "1/2, the Lipschitz constant on all of R^N for every N", Role::reference},
      {"uniform_logits", "1/N, the constant where all logits are equal: the least there is", Role::reference},
  };
  q.default_budget = 400;
  q.budget_unit = "samples";
  q.evaluate = [](const Arguments& at, const Effort& effort) {
    const random::Law law = random::law_from_name(at.word("law"));
    const double scale = at.real("scale");
    const auto n = static_cast<std::size_t>(at.integer("N"));
    const auto moments = sampled_moments(effort, [&](std::uint64_t sample) {
      random::Stream stream(effort.seed, random::claim_key("softmax_lipschitz"), sample);
      thread_local std::vector<double> c;
      c.resize(n);
      random::fill(law, stream, c);
      for (double& value : c) value *= scale;
      attention::softmax(c, c);
      return attention::jacobian_norm(c);
    });
    return std::vector<Outcome>{mean_outcome(moments), Outcome::exact(0.5), Outcome::exact(1 / at.real("N"))};
  };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
