// Linformer: keys and values projected along the tokens to a fixed number of rows.
#include "kernels/attention/mechanisms/linformer.hpp"

#include <algorithm>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/project_tokens.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& no_options() {
  static const std::vector<OptionSpec> none;
  return none;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const Kept<T> k = kept_input(call, "k"), v = kept_input(call, "v"), e = kept_input(call, "E"),
                f = kept_input(call, "F");
  const std::vector<Index> lengths = call.mask.key_lengths;
  AttendOptions<T> how = attend_options(call, OptionReader(no_options(), call.settings));
  // A sequence without keys has no rows to attend to either.
  for (Index& length : how.mask.key_lengths) length = length == 0 ? 0 : e->shape().back();
  auto saved = saved_attention(kept_input(call, "q"), project_tokens(*k, *e, lengths, call.threads),
                               project_tokens(*v, *f, lengths, call.threads), how);
  return {saved->attended.out, [=, threads = call.threads](const Tensor<T>& dout) mutable {
            AttendGradients<T> g = std::exchange(saved, nullptr)->backward(dout);
            ProjectTokensGradients<T> of_k = project_tokens_backward(*k, *e, lengths, g.k, threads);
            ProjectTokensGradients<T> of_v = project_tokens_backward(*v, *f, lengths, g.v, threads);
            g.k = std::move(of_k.x);
            g.v = std::move(of_v.x);
            Arrays<T> gradients = named(std::move(g));
            gradients.emplace("E", std::move(of_k.e));
            gradients.emplace("F", std::move(of_v.e));
            return gradients;
          }};
}

InputSpec projection(const char* name, const char* meaning) {
  return {.name = name,
          .shape = "[N_k][r]",
          .meaning = meaning,
          .initialisation = Initialisation::uniform(),
          .also = {"[H][N_k][r]"}};
}

}  // namespace

std::vector<InputSpec> projected_inputs() {
  return query_key_value({projection("E", "projection of the keys along the tokens, of all heads or of each"),
                          projection("F", "projection of the values along the tokens")});
}

std::int64_t usual_rank(const CostShape& shape) { return std::min<std::int64_t>(256, shape.keys); }

Mechanism linformer() {
  return {.name = "linformer",
          .title = "attention to projected keys and values (Linformer)",
          .formula = R"(\operatorname{softmax}(Q(E^\top K)^\top/\sqrt D)\,F^\top V)",
          .source = "Boosting Table 1; Wang et al. 2020",
          .inputs = projected_inputs(),
          .takes_mask = false,
          .is_matrix = false,
          .takes_joined_positions = true,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings&) { return linformer_cost(shape, usual_rank(shape)); }};
}

}  // namespace attest::attention::definitions
