// Local Lipschitz constants of softmax by power iteration, and the global one by climbing from random logits.
#include <algorithm>
#include <vector>

#include "kernels/quantity/law_parameter.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/softmax/jacobian_iteration.hpp"
#include "kernels/streams/operations.hpp"

namespace attest::quantities {
namespace {

/// The logits of one start, as the streamed kernels draw them.
std::vector<double> start(const streams::Noise& logits, std::uint64_t sample, std::size_t n) {
  constexpr std::size_t group = streams::draw_group<double>;
  std::vector<double> c((n + group - 1) / group * group);
  streams::operations<double>().back()->draw(logits.law, {logits.seed, logits.key, sample}, 0, c.data(), c.size());
  c.resize(n);
  for (double& x : c) x *= logits.scale;
  return c;
}

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  const auto n = static_cast<std::size_t>(at.integer("N"));
  const auto ascents = static_cast<int>(at.integer("ascents"));
  const streams::Noise logits{random::law_from_name(at.word("law")), at.real("scale"), execution.seed,
                              random::stream_key("softmax_lipschitz_search")};
  const ThreadShare share(execution, n);
  const auto local = sampled_moments(share.outer(execution), [&](std::uint64_t sample) {
    std::vector<double> v(n);
    random::Stream stream(execution.seed, random::stream_key("power iteration"), sample);
    for (double& x : v) x = stream.uniform() - 0.5;
    return softmax::jacobian_power_iteration(logits, sample, v, {1e-6, 400, share.inner}).norm;
  });
  double largest = 0;
  const auto climbed = sampled_moments(
      share.outer(execution),
      [&](std::uint64_t sample) {
        std::vector<double> c = start(logits, sample, n);
        return softmax::search_lipschitz(c, execution.seed + sample, ascents, share.inner).norm;
      },
      [&](double norm) { largest = std::max(largest, norm); });
  const statistics::LawClass known = bounded(at, 0, 0.5);
  return {{"local", mean_outcome(local, known)},
          {"climbed", mean_outcome(climbed, known)},
          {"largest", Outcome::exact(largest)},
          {"global_constant", Outcome::exact(0.5)}};
}

}  // namespace

namespace definitions {

Quantity softmax_lipschitz_search() {
  Quantity q;
  q.name = "softmax_lipschitz_search";
  q.title = "Lipschitz constants of softmax by power iteration, local and searched for";
  q.formula = R"(\|J(c)\|_{op},\ \sup_c \|J(c)\|_{op},\quad J = \mathrm{diag}(p) - p p^\top,\ p = \mathrm{softmax}(c))";
  q.source =
      "Revisiting Transformers with Insights from Image Filtering and Boosting, Proposition 3.3 and Remark 3.5. Values "
      "are v.Jv of unit vectors, so lower bounds of the norms they stand for";
  q.version = 2;
  q.parameters = {
      Parameter::integer("N", 100, 2, 100'000'000,
                         "logits; a search stores seven vectors of this size, power iteration one"),
      law_parameter("law", "gaussian", "law of the logits where a search begins"),
      Parameter::real("scale", 1, 0, 1e3, "factor of these logits"),
      Parameter::integer("ascents", 200, 0, 1'000'000, "steps upwards, at most"),
      interval_parameter(),
  };
  q.results = {
      {"local", "mean norm at the random logits, after at most 400 power steps", Role::estimate,
       bounded_within(0, 0.5)},
      {"climbed", "mean norm at the logits where the searches end", Role::estimate, bounded_within(0, 0.5)},
      {"largest", "the largest norm found; a lower bound of the global Lipschitz constant", Role::estimate,
       [](const Arguments&) { return std::nullopt; }},
      {"global_constant", "1/2, the Lipschitz constant on all of R^N", Role::reference},
  };
  q.default_samples = 16;
  q.sample_unit = "starts";
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
