// Nystromformer: the softmax matrix approximated through landmarks.
#include "kernels/attention/mechanisms/nystromformer.hpp"

#include <algorithm>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/nystrom/nystrom.hpp"
#include "kernels/attention/stages/slopes.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = {
      {"landmarks", "",
       "segment means of queries and keys, at least 1; with one for every token this is softmax attention; if not "
       "given, "
       "64",
       "4"},
      {"iterations", "6", "steps for the pseudo-inverse, 0 to 100", "3"},
      {.name = "maximum",
       .fallback = "own",
       .meaning = "largest column sum that starts them: the head's own, or of the whole batch",
       .example = "batch",
       .joining = "batch"}};
  return all;
}

Index landmarks(const OptionReader& read) { return read.given("landmarks") ? read.integer("landmarks", 1) : 64; }

template <typename T>
Evaluation<T> forward(const Call<T>& call, bool biased) {
  const OptionReader read(option_specs(), call.settings);
  const Tensor<T>&q = input(call, "q"), &k = input(call, "k"), &v = input(call, "v");
  NystromOptions how;
  how.landmarks = landmarks(read);
  how.iterations = static_cast<int>(read.integer("iterations", 0, 100));
  how.batch_maximum = read.choice("maximum", {"own", "batch"}) == "batch";
  how.key_lengths = call.mask.key_lengths;
  how.query_lengths = query_lengths(call.mask, q.extent(0), q.extent(2), k.extent(2));
  how.threads = call.threads;
  if (biased) how.slopes = alibi_slopes(q.extent(1));
  auto attended = std::make_shared<const NystromAttended<T>>(nystrom_attend(q, k, v, how));
  return {attended->out, [=](const Tensor<T>& dout) mutable {
            const auto saved = std::exchange(attended, nullptr);
            NystromGradients<T> g = nystrom_attend_backward(how, *saved, dout);
            return named(AttendGradients<T>{std::move(g.q), std::move(g.k), std::move(g.v), Tensor<T>()});
          }};
}

}  // namespace

Mechanism through_landmarks(Mechanism m, bool biased) {
  m.inputs = query_key_value();
  m.options = option_specs();
  m.takes_mask = false;
  m.takes_dropout = false;
  m.takes_cuda = false;
  m.positional = true;
  m.takes_joined_positions = !biased;
  m.shift = Shift::keys;
  m.forward_float = [=](const Call<float>& call) { return forward(call, biased); };
  m.forward_double = [=](const Call<double>& call) { return forward(call, biased); };
  m.cost = [=](const CostShape& shape, const Settings& settings) {
    const OptionReader read(option_specs(), settings);
    const std::int64_t used = std::min({landmarks(read), shape.queries, shape.keys});
    const bool exact = used == shape.queries && used == shape.keys;
    const Cost cost =
        exact ? attend_cost(shape) : nystrom_cost(shape, used, static_cast<int>(read.integer("iterations", 0, 100)));
    if (!biased) return cost;
    if (exact) return cost + logit_bias_cost(shape, 2, false);
    // Nine flops a distance by running sums, with the slope, and one to add it.
    const auto distances = static_cast<double>((shape.queries + shape.keys + used) * used);
    return cost + scaling_cost(shape, 10 * distances, false);
  };
  return m;
}

Mechanism nystromformer() {
  return through_landmarks(
      {.name = "nystromformer",
       .title = "attention through landmarks (Nystromformer)",
       .formula =
           R"(\operatorname{softmax}(\tilde q\tilde K^\top)\,(\operatorname{softmax}(\tilde Q\tilde K^\top))^+\operatorname{softmax}(\tilde Q K^\top)\,V)",
       .source = "Boosting Table 1; Xiong et al. 2021"},
      false);
}

}  // namespace attest::attention::definitions
