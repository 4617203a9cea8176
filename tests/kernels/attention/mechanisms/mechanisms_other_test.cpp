// Mechanisms that do something of their own before or after an attention, against their formulas.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/kernels/attention/plain/comparison.hpp"
#include "tests/kernels/attention/plain/linear.hpp"
#include "tests/kernels/attention/plain/nystrom.hpp"
#include "tests/kernels/attention/plain/pooling.hpp"
#include "tests/kernels/attention/plain/rounding.hpp"
#include "tests/kernels/attention/plain/stages.hpp"

namespace attest::attention {
namespace {

using plain::expect_formula, plain::Matrix, plain::normal_array, plain::positive_array, plain::Problem, plain::product,
    plain::queries_keys_values, plain::Traced;

/// f(p, b, h) for every head.
template <typename F>
plain::Formula of_heads(F f) {
  return [f](const Problem<Traced>& p) {
    return plain::heads<Traced>(p.extent("q", 0), p.extent("q", 1), [&](Index b, Index h) { return f(p, b, h); });
  };
}

Traced scale(const Problem<Traced>& p) { return Traced(1 / std::sqrt(static_cast<double>(p.extent("q", 3)))); }

Matrix<Traced> attention(const Problem<Traced>& p, Index b, const Matrix<Traced>& q, const Matrix<Traced>& k,
                         const Matrix<Traced>& v) {
  return product(plain::head_weights(p, b, q, k, scale(p)), v);
}

Matrix<Traced> softmax_head(const Problem<Traced>& p, Index b, Index h) {
  return attention(p, b, p.head("q", b, h), p.head("k", b, h), p.head("v", b, h));
}

/// Unmasked, causal where `causal` says so, and with the second sequence padded.
std::vector<Call<double>> calls(const Arrays<double>& inputs, const Settings& settings, bool causal) {
  std::vector<Call<double>> all{{inputs, settings, {}, {}, 1}, {inputs, settings, {}, {}, 1}};
  const Index keys = inputs.find("k")->second.extent(2);
  all[1].mask.key_lengths = {keys, keys / 2 + 1};
  if (causal) {
    all.push_back(all[0]);
    all.back().settings["causal"] = "true";
  }
  return all;
}

/// Row b, head h of an input [H][...] as a vector.
std::vector<Traced> kernel(const Problem<Traced>& p, const std::string& name, Index h) {
  const auto& all = p[name];
  const std::size_t taps = all.entries.size() / static_cast<std::size_t>(all.shape[0]);
  const auto first = all.entries.begin() + h * static_cast<Index>(taps);
  return {first, first + static_cast<Index>(taps)};
}

TEST(GraphDiffusion, is_attention_minus_the_identity) {
  for (const auto& call : calls(queries_keys_values(2, 2, 5, 5, 4, 3), {}, true))
    expect_formula("graph-diffusion", call, of_heads([](const Problem<Traced>& p, Index b, Index h) {
                     return softmax_head(p, b, h) - p.head("v", b, h);
                   }));
}

TEST(Neutreno, adds_the_change_since_the_first_layer) {
  Arrays<double> inputs = queries_keys_values(2, 2, 5, 5, 4, 3);
  inputs.emplace("v0", normal_array("v0", {2, 2, 5, 3}));
  const auto formula = of_heads([](const Problem<Traced>& p, Index b, Index h) {
    const Traced lambda = p.has("lambda") ? p.number("lambda", h) : Traced(0.3);
    return softmax_head(p, b, h) + (p.head("v0", b, h) - p.head("v", b, h)) * lambda;
  });
  for (const auto& call : calls(inputs, {{"lambda", "0.3"}}, true)) expect_formula("neutreno", call, formula);
  for (const Shape& shape : {Shape{}, Shape{2}}) {
    Arrays<double> learnable = inputs;
    learnable.emplace("lambda", normal_array("lambda", shape));
    expect_formula("neutreno", {learnable, {}, {}, {}, 1}, formula);
  }
}

TEST(Neutreno, is_softmax_attention_in_the_first_layer) {
  const Call<double> call{queries_keys_values(2, 2, 5, 5, 4, 3), {}, {}, {}, 1};
  EXPECT_EQ(evaluate(find_mechanism("neutreno"), call).out, evaluate(find_mechanism("softmax"), call).out);
}

TEST(FeatScale, weights_the_mean_over_tokens_and_the_rest) {
  Arrays<double> inputs = queries_keys_values(2, 2, 5, 5, 4, 3);
  inputs.emplace("s", normal_array("s", {2, 3}));
  inputs.emplace("t", normal_array("t", {2, 3}));
  for (const auto& call : calls(inputs, {}, false))
    expect_formula("featscale", call, of_heads([](const Problem<Traced>& p, Index b, Index h) {
                     Matrix<Traced> x = softmax_head(p, b, h);
                     const std::vector<Traced> s = kernel(p, "s", h), t = kernel(p, "t", h);
                     for (Index d = 0; d < x.cols; ++d) {
                       const auto feature = static_cast<std::size_t>(d);
                       Traced mean(0);
                       for (Index n = 0; n < p.length(b, x.rows); ++n) mean = mean + x(n, d);
                       mean = mean / Traced(static_cast<double>(p.length(b, x.rows)));
                       for (Index n = 0; n < x.rows; ++n)
                         x(n, d) = x(n, d) + s[feature] * mean + t[feature] * (x(n, d) - mean);
                     }
                     return x;
                   }));
}

TEST(KernelRegression, is_the_nadaraya_watson_estimator) {
  for (const char* way : {"gaussian", "dot"}) {
    const auto formula = of_heads([way](const Problem<Traced>& p, Index b, Index h) {
      const Matrix<Traced> q = p.head("q", b, h), k = p.head("k", b, h);
      const Traced sigma = p.has("bandwidth") ? p.number("bandwidth", h) : Traced(1.5);
      Matrix<Traced> logits(q.rows, k.rows);
      for (Index i = 0; i < q.rows; ++i)
        for (Index j = 0; j < k.rows; ++j) {
          Traced square(0);
          for (Index d = 0; d < q.cols; ++d) {
            const Traced difference = q(i, d) - k(j, d);
            square = std::string(way) == "gaussian" ? square + difference * difference
                                                    : square - Traced(2) * q(i, d) * k(j, d);
          }
          logits(i, j) = -square / (Traced(2) * sigma * sigma);
        }
      return product(plain::masked_softmax(logits, [&](Index i, Index j) { return p.sees(b, i, j, k.rows); }),
                     p.head("v", b, h));
    });
    for (const auto& call : calls(queries_keys_values(2, 2, 5, 7, 4, 3), {{"bandwidth", "1.5"}, {"kernel", way}}, true))
      expect_formula("kernel-regression", call, formula);
    for (const Shape& shape : {Shape{}, Shape{2}}) {
      Arrays<double> inputs = queries_keys_values(2, 2, 5, 7, 4, 3);
      inputs.emplace("bandwidth", positive_array("bandwidth", shape));
      expect_formula("kernel-regression", {inputs, {{"kernel", way}}, {}, {}, 1}, formula);
    }
  }
}

TEST(KernelRegression, with_dot_products_and_the_default_bandwidth_is_softmax_attention) {
  const Arrays<double> inputs = queries_keys_values(2, 2, 5, 7, 4, 3);
  const Call<double> regression{inputs, {{"kernel", "dot"}}, {}, {}, 1}, softmax{inputs, {}, {}, {}, 1};
  EXPECT_LE(plain::scaled_difference(evaluate(find_mechanism("kernel-regression"), regression).out,
                                     evaluate(find_mechanism("softmax"), softmax).out),
            plain::attention_rounding(inputs.at("q"), inputs.at("k")));
}

TEST(IndependentPositions, is_equation_6_1) {
  Arrays<double> inputs = queries_keys_values(2, 2, 5, 5, 4, 3);
  inputs.emplace("p", normal_array("p", {5, 6}));
  inputs.emplace("hq", normal_array("hq", {2, 4, 6}));
  inputs.emplace("hk", normal_array("hk", {2, 4, 6}));
  inputs.emplace("bias", normal_array("bias", {2, 5, 5}));
  for (const auto& call : calls(inputs, {}, true))
    expect_formula("independent-positions", call, of_heads([](const Problem<Traced>& p, Index b, Index h) {
                     Matrix<Traced> positions(5, 6);
                     positions.entries = p["p"].entries;
                     const Matrix<Traced> pq = product(positions, transposed(p.head("hq", b, h)));
                     const Matrix<Traced> pk = product(positions, transposed(p.head("hk", b, h)));
                     const Traced root(1 / std::sqrt(8.0));
                     const Matrix<Traced> bias = product(pq, transposed(pk)) * root + p.head("bias", b, h);
                     return product(plain::head_weights(p, b, p.head("q", b, h), p.head("k", b, h), root, &bias),
                                    p.head("v", b, h));
                   }));
}

TEST(Elliptical, scales_features_by_how_much_the_values_changed) {
  Arrays<double> inputs = queries_keys_values(2, 2, 5, 5, 4, 4);
  inputs.emplace("v_previous", normal_array("v_previous", {2, 2, 5, 4}));
  for (const char* normalise : {"max", "mean", "none"}) {
    const auto formula = of_heads([normalise](const Problem<Traced>& p, Index b, Index h) {
      Matrix<Traced> q = p.head("q", b, h);
      const Matrix<Traced> v = p.head("v", b, h), before = p.head("v_previous", b, h);
      for (Index i = 0; i < q.rows; ++i) {
        const Index seen = p.mask.causal ? std::min(i + 1, p.length(b, v.rows)) : p.length(b, v.rows);
        std::vector<Traced> m(4, Traced(0));
        Traced largest(0), mean(0);
        for (std::size_t d = 0; d < 4; ++d) {
          for (Index n = 0; n < seen; ++n)
            m[d] = m[d] + magnitude(v(n, static_cast<Index>(d)) - before(n, static_cast<Index>(d)));
          m[d] = m[d] / Traced(5.0 * static_cast<double>(seen));
          largest = maximum(largest, m[d]);
          mean = mean + m[d] / Traced(4);
        }
        for (std::size_t d = 0; d < 4; ++d) {
          Traced& entry = q(i, static_cast<Index>(d));
          entry = entry * m[d];
          if (normalise == std::string("max")) entry = entry / largest;
          if (normalise == std::string("mean")) entry = entry / mean;
        }
      }
      return attention(p, b, q, p.head("k", b, h), v);
    });
    for (const auto& call : calls(inputs, {{"normalise", normalise}, {"delta", "5"}}, true))
      expect_formula("elliptical", call, formula);
  }
}

TEST(Elliptical, without_previous_values_is_softmax_attention) {
  const Call<double> call{queries_keys_values(2, 2, 5, 5, 4, 4), {}, {}, {}, 1};
  EXPECT_EQ(evaluate(find_mechanism("elliptical"), call).out, evaluate(find_mechanism("softmax"), call).out);
}

/// A kernel that keeps the logits near those of the tokens: float rounds large logits, not their differences.
Tensor<double> small_kernel(const std::string& name, const Shape& shape) {
  Tensor<double> kernel_array = normal_array(name, shape);
  for (double& entry : kernel_array.values()) entry /= 4;
  return kernel_array;
}

TEST(Conv1d, convolves_queries_and_keys) {
  for (const Index taps : {1, 2, 3, 5}) {
    Arrays<double> inputs = queries_keys_values(2, 2, 6, 6, 4, 3);
    inputs.emplace("wq", small_kernel("wq", {2, taps}));
    inputs.emplace("wk", small_kernel("wk", {2, taps}));
    for (const bool shared : {false, true})
      for (const auto& call : calls(inputs, {{"shared", shared ? "true" : "false"}}, true))
        expect_formula("conv1d", call, of_heads([shared, taps](const Problem<Traced>& p, Index b, Index h) {
                         const auto convolved = [&](const char* tokens, const char* weights) {
                           Matrix<Traced> x = p.head(tokens, b, h);
                           for (Index n = p.length(b, x.rows); n < x.rows; ++n)
                             for (Index d = 0; d < x.cols; ++d) x(n, d) = Traced(0);
                           return plain::convolved(x, kernel(p, weights, h), p.mask.causal ? taps - 1 : (taps - 1) / 2);
                         };
                         return attention(p, b, convolved("q", "wq"), convolved("k", shared ? "wq" : "wk"),
                                          p.head("v", b, h));
                       }));
  }
}

TEST(Conv1d, with_a_kernel_of_one_weight_one_is_softmax_attention_also_beside_a_class_token) {
  Call<double> call{queries_keys_values(2, 2, 6, 6, 4, 3), {}, {}, {}, 1};
  const Tensor<double> softmax = evaluate(find_mechanism("softmax"), call).out;
  for (const char* name : {"wq", "wk"}) call.inputs.emplace(name, Tensor<double>({2, 3}, {0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(evaluate(find_mechanism("conv1d"), call).out, softmax);
  call.settings["class_token"] = "true";
  EXPECT_EQ(evaluate(find_mechanism("conv1d"), call).out, softmax);
}

/// The convolution on a grid, straight from its definition; tokens before the grid are left as they are.
Matrix<Traced> on_grid(const Matrix<Traced>& x, const std::vector<Traced>& weights, Index rows, Index cols,
                       Index size) {
  const Index first = x.rows - rows * cols, before = (size - 1) / 2;
  Matrix<Traced> y = x;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < cols; ++c)
      for (Index d = 0; d < x.cols; ++d) {
        Traced sum(0);
        for (Index i = 0; i < size; ++i)
          for (Index j = 0; j < size; ++j) {
            const Index row = r + i - before, col = c + j - before;
            if (row >= 0 && row < rows && col >= 0 && col < cols)
              sum = sum + weights[static_cast<std::size_t>(i * size + j)] * x(first + row * cols + col, d);
          }
        y(first + r * cols + c, d) = sum;
      }
  return y;
}

TEST(Conv2d, convolves_on_the_grid_and_leaves_a_class_token_out) {
  for (const Index size : {1, 2, 3})
    for (const Index tokens : {6, 7}) {
      Arrays<double> inputs = queries_keys_values(2, 2, tokens, tokens, 4, 3);
      inputs.emplace("wq", small_kernel("wq", {2, size, size}));
      inputs.emplace("wk", small_kernel("wk", {2, size, size}));
      expect_formula("conv2d", {inputs, {{"grid", "2,3"}}, {}, {}, 1},
                     of_heads([size](const Problem<Traced>& p, Index b, Index h) {
                       return attention(p, b, on_grid(p.head("q", b, h), kernel(p, "wq", h), 2, 3, size),
                                        on_grid(p.head("k", b, h), kernel(p, "wk", h), 2, 3, size), p.head("v", b, h));
                     }));
    }
}

TEST(Conv2d, refuses_a_grid_that_the_tokens_do_not_fill) {
  Arrays<double> inputs = queries_keys_values(1, 1, 12, 12, 4, 3);
  inputs.emplace("wq", small_kernel("wq", {1, 3, 3}));
  for (const char* grid : {"3,5", "3", "2,2", "3,4,1"}) {
    const Call<double> call{inputs, {{"grid", grid}, {"shared", "true"}}, {}, {}, 1};
    EXPECT_THROW(evaluate(find_mechanism("conv2d"), call), std::invalid_argument) << grid;
  }
}

TEST(Linformer, attends_to_projected_keys_and_values) {
  for (const Shape& shape : {Shape{7, 3}, Shape{2, 7, 3}}) {
    Arrays<double> inputs = queries_keys_values(2, 2, 5, 7, 4, 3);
    inputs.emplace("E", normal_array("E", shape));
    inputs.emplace("F", normal_array("F", shape));
    for (const auto& call : calls(inputs, {}, false))
      expect_formula("linformer", call, of_heads([](const Problem<Traced>& p, Index b, Index h) {
                       const auto projected = [&](const char* name, const char* projection) {
                         const Index length = p.length(b, 7);
                         Matrix<Traced> e(7, 3);
                         const auto& all = p[projection];
                         const std::size_t start = all.shape.size() == 3 ? static_cast<std::size_t>(h) * 21 : 0;
                         for (std::size_t i = 0; i < 21; ++i) e.entries[i] = all.entries[start + i];
                         return product(transposed(plain::top(e, length)), plain::top(p.head(name, b, h), length));
                       };
                       const Matrix<Traced> k = projected("k", "E"), v = projected("v", "F");
                       const Matrix<Traced> logits = product(p.head("q", b, h), transposed(k)) * scale(p);
                       return product(plain::masked_softmax(logits, [](Index, Index) { return true; }), v);
                     }));
  }
}

TEST(LinformerAlibi, projects_the_logits_with_their_linear_biases) {
  for (const Shape& shape : {Shape{7, 3}, Shape{2, 7, 3}}) {
    Arrays<double> inputs = queries_keys_values(2, 2, 5, 7, 4, 3);
    inputs.emplace("E", normal_array("E", shape));
    inputs.emplace("F", normal_array("F", shape));
    for (const auto& call : calls(inputs, {}, false))
      expect_formula(
          "linformer-alibi", call, of_heads([](const Problem<Traced>& p, Index b, Index h) {
            const Index length = p.length(b, 7);
            const auto projection = [&](const char* name) {
              Matrix<Traced> e(7, 3);
              const auto& all = p[name];
              const std::size_t start = all.shape.size() == 3 ? static_cast<std::size_t>(h) * 21 : 0;
              for (std::size_t i = 0; i < 21; ++i) e.entries[i] = all.entries[start + i];
              return plain::top(e, length);
            };
            // Two heads: slopes 2^-4 and 2^-8.
            const double slope = h == 0 ? 1.0 / 16 : 1.0 / 256;
            Matrix<Traced> logits =
                product(p.head("q", b, h), transposed(plain::top(p.head("k", b, h), length))) * scale(p);
            for (Index i = 0; i < logits.rows; ++i)
              for (Index j = 0; j < logits.cols; ++j)
                logits(i, j) = logits(i, j) - Traced(slope * static_cast<double>(std::abs(i - j)));
            const Matrix<Traced> v = product(transposed(projection("F")), plain::top(p.head("v", b, h), length));
            return product(plain::masked_softmax(product(logits, projection("E")), [](Index, Index) { return true; }),
                           v);
          }));
  }
}

TEST(LinearTwicing, uses_the_weights_of_linear_attention_twice) {
  for (const auto& call : calls(queries_keys_values(2, 2, 5, 5, 4, 3), {{"eps", "0.5"}}, true))
    expect_formula("linear-twicing", call, of_heads([](const Problem<Traced>& p, Index b, Index h) {
                     const Matrix<Traced> v = p.head("v", b, h);
                     Matrix<Traced> a =
                         product(plain::features(p.head("q", b, h)), transposed(plain::features(p.head("k", b, h))));
                     for (Index i = 0; i < a.rows; ++i) {
                       Traced sum(0.5);
                       for (Index j = 0; j < a.cols; ++j) sum = p.sees(b, i, j, a.cols) ? sum + a(i, j) : sum;
                       for (Index j = 0; j < a.cols; ++j) a(i, j) = p.sees(b, i, j, a.cols) ? a(i, j) / sum : Traced(0);
                     }
                     const Matrix<Traced> u = product(a, v);
                     return u + product(a, v - u);
                   }));
}

}  // namespace
}  // namespace attest::attention
