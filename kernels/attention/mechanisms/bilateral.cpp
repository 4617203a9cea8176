// Bilateral attention: tokens meet tokens and positions meet positions, each with its own bandwidth.
#include <cmath>
#include <limits>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/concatenate.hpp"
#include "kernels/attention/stages/positional_term.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = {
      causal_option(),
      {"h_p2", "sqrt(D)", "squared bandwidth of the positions, above 0; inf leaves them out (NLSA)", "5"},
      {"h_y2", "sqrt(D)", "squared bandwidth of the tokens, above 0", "2.8"},
      {"precomputed", "false", "form the positional term once as an [N_q][N_k] array instead of in the dot products",
       "true"}};
  return all;
}

double squared_bandwidth(const OptionReader& read, const char* name, Index dim) {
  if (read.text(name) == "sqrt(D)") return std::sqrt(static_cast<double>(dim));
  return read.number(name, std::numeric_limits<double>::min(), std::numeric_limits<double>::infinity());
}

template <typename T>
std::vector<T> inverses(std::vector<T> values) {
  for (T& value : values) value = 1 / value;
  return values;
}

/// d(1/h) -> dh.
template <typename T>
std::vector<T> through_inverses(const std::vector<T>& inverse, std::vector<T> gradient) {
  for (std::size_t h = 0; h < gradient.size(); ++h) gradient[h] *= -inverse[h] * inverse[h];
  return gradient;
}

/// What both ways share: the call's arrays and 1/h^2 a head.
template <typename T>
struct Setting {
  Tensor<T> q, k, qp, kp;
  std::vector<T> by_position, by_token, ones;
  Shape position_shape, token_shape;  // of the learnable bandwidths; rank 1 with extent 0 when they are not inputs

  void put_bandwidths(Arrays<T>& gradients, std::vector<T> d_position, std::vector<T> d_token) const {
    if (position_shape != Shape{0})
      put_per_head(gradients, position_shape, "h_p2", through_inverses(by_position, std::move(d_position)));
    if (token_shape != Shape{0})
      put_per_head(gradients, token_shape, "h_y2", through_inverses(by_token, std::move(d_token)));
  }
};

template <typename T>
Evaluation<T> direct(const Setting<T>& s, const Tensor<T>& v, const AttendOptions<T>& how) {
  auto saved = saved_attention(concatenate(s.qp, s.by_position, s.q, s.by_token),
                               concatenate(s.kp, s.ones, s.k, s.ones), v, how);
  return {saved->attended.out, [saved, s](const Tensor<T>& dout) mutable {
            AttendGradients<T> g = std::exchange(saved, nullptr)->backward(dout);
            auto of_q = concatenate_backward(s.qp, s.by_position, s.q, s.by_token, g.q);
            auto of_k = concatenate_backward(s.kp, s.ones, s.k, s.ones, g.k);
            g.q = std::move(of_q.b);
            g.k = std::move(of_k.b);
            Arrays<T> gradients = named(std::move(g));
            gradients.emplace("qp", std::move(of_q.a));
            gradients.emplace("kp", std::move(of_k.a));
            s.put_bandwidths(gradients, std::move(of_q.a_factor), std::move(of_q.b_factor));
            return gradients;
          }};
}

/// The positional term as a bias of the logits; one attention a sequence where positions differ between sequences.
template <typename T>
Evaluation<T> precomputed(const Setting<T>& s, const Tensor<T>& v, const AttendOptions<T>& how) {
  const Tensor<T> no_positions({s.q.extent(1), s.q.extent(2), 0});
  const Tensor<T> scaled = concatenate(no_positions, s.ones, s.q, s.by_token);
  const PerSequence<T> attention = attend_with_positional_term(scaled, s.k, v, s.qp, s.kp, s.by_position, how);
  return {attention.out, [attention, s, no_positions](const Tensor<T>& dout) {
            PositionalTermGradients<T> g = attention.backward(dout);
            auto of_q = concatenate_backward(no_positions, s.ones, s.q, s.by_token, g.attention.q);
            g.attention.q = std::move(of_q.b);
            g.attention.bias = Tensor<T>();
            Arrays<T> gradients = named(std::move(g.attention));
            gradients.emplace("qp", std::move(g.qp));
            gradients.emplace("kp", std::move(g.kp));
            s.put_bandwidths(gradients, std::move(g.factor), std::move(of_q.b_factor));
            return gradients;
          }};
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(option_specs(), call.settings);
  const Tensor<T>&q = input(call, "q"), *h_p2 = optional_input(call, "h_p2"), *h_y2 = optional_input(call, "h_y2");
  const Index heads = q.extent(1), dim = q.extent(3);
  const Setting<T> s{q,
                     input(call, "k"),
                     input(call, "qp"),
                     input(call, "kp"),
                     inverses(per_head(call, "h_p2", heads, squared_bandwidth(read, "h_p2", dim))),
                     inverses(per_head(call, "h_y2", heads, squared_bandwidth(read, "h_y2", dim))),
                     std::vector<T>(static_cast<std::size_t>(heads), T(1)),
                     h_p2 == nullptr ? Shape{0} : h_p2->shape(),
                     h_y2 == nullptr ? Shape{0} : h_y2->shape()};
  AttendOptions<T> how = attend_options(call, read);
  how.scale = 1;  // the bandwidths replace 1/sqrt(D)
  return read.flag("precomputed") ? precomputed(s, input(call, "v"), how) : direct(s, input(call, "v"), how);
}

Cost cost(const CostShape& shape, const Settings& settings) {
  CostShape extents = with_causal(shape, settings);
  const auto queries = static_cast<double>(shape.queries * shape.dim);
  if (OptionReader(option_specs(), settings).flag("precomputed"))
    return attend_cost(extents) + scaling_cost(extents, queries, false) + logit_bias_cost(extents, 0, false);
  extents.dim *= 2;
  return attend_cost(extents) + scaling_cost(extents, 2 * queries, false);
}

InputSpec bandwidth(const char* name, const char* meaning) {
  return {.name = name,
          .shape = "[H]",
          .meaning = meaning,
          .required = false,
          .initialisation = Initialisation::power_of_dim(0.5),
          .also = {"[]"},
          .positive = true};
}

}  // namespace

Mechanism bilateral() {
  return {.name = "bilateral",
          .title = "bilateral attention with separate bandwidths",
          .formula = R"(\operatorname{softmax}((W_Qp_i)\cdot(W_Kp_j)/h_p^2+(W_Qy_i)\cdot(W_Ky_j)/h_y^2)\,V)",
          .source = "Boosting Eq 3.10",
          .inputs = query_key_value({{.name = "qp",
                                      .shape = "[B][H][N_q][D]",
                                      .meaning = "projected positions W_Q p of the queries",
                                      .also = {"[H][N_q][D]"},
                                      .role = Role::position_queries},
                                     {.name = "kp",
                                      .shape = "[B][H][N_k][D]",
                                      .meaning = "projected positions W_K p of the keys",
                                      .also = {"[H][N_k][D]"},
                                      .role = Role::position_keys},
                                     bandwidth("h_p2", "learnable squared bandwidth of the positions"),
                                     bandwidth("h_y2", "learnable squared bandwidth of the tokens")}),
          .options = option_specs(),
          .ignores_hidden_tokens = true,
          .shift = Shift::keys,
          // A bandwidth's gradient is one sum over all pairs, with cancellation: from gradients in float it loses the
          // digits that are promised.
          .forward_float =
              [](const Call<float>& call) {
                const bool learns = optional_input(call, "h_p2") != nullptr || optional_input(call, "h_y2") != nullptr;
                return learns ? in_double(call, forward<double>) : forward(call);
              },
          .forward_double = forward<double>,
          .cost = cost};
}

}  // namespace attest::attention::definitions
