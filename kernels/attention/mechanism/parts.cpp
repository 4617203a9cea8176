#include "kernels/attention/mechanism/parts.hpp"

#include <algorithm>
#include <cmath>

namespace attest::attention::definitions {
namespace {

std::vector<InputSpec> followed(std::vector<InputSpec> first, std::vector<InputSpec> more) {
  for (InputSpec& spec : more) first.push_back(std::move(spec));
  return first;
}

template <typename To, typename From>
Tensor<To> converted(const Tensor<From>& x) {
  Tensor<To> result(x.shape());
  std::transform(x.values().begin(), x.values().end(), result.values().begin(),
                 [](From entry) { return static_cast<To>(entry); });
  return result;
}

}  // namespace

std::vector<InputSpec> query_key_value(std::vector<InputSpec> more) {
  return followed({{.name = "q", .shape = "[B][H][N_q][D]", .meaning = "queries"},
                   {.name = "k", .shape = "[B][H][N_k][D]", .meaning = "keys"},
                   {.name = "v", .shape = "[B][H][N_k][D_v]", .meaning = "values"}},
                  std::move(more));
}

std::vector<InputSpec> tokens(std::vector<InputSpec> more) {
  return followed({{.name = "q", .shape = "[B][H][N][D]", .meaning = "queries"},
                   {.name = "k", .shape = "[B][H][N][D]", .meaning = "keys"},
                   {.name = "v", .shape = "[B][H][N][D_v]", .meaning = "values"}},
                  std::move(more));
}

InputSpec logit_bias(bool square) {
  return {.name = "bias",
          .shape = square ? "[H][N][N]" : "[H][N_q][N_k]",
          .meaning = "added to the scaled logits of every sequence",
          .required = false};
}

OptionSpec causal_option() {
  return {.name = "causal", .fallback = "false", .meaning = "query i sees keys 0..i", .example = "true"};
}

OptionSpec epsilon_option() {
  return {.name = "eps", .fallback = "1e-5", .meaning = "added to the variance, above 0", .example = "1e-3"};
}

template <typename T>
AttendOptions<T> attend_options(const Call<T>& call, const OptionReader& read) {
  AttendOptions<T> options;
  options.scale = static_cast<T>(1 / std::sqrt(static_cast<double>(input(call, "q").extent(3))));
  options.mask = call.mask;
  options.mask.causal = call.mask.causal || (read.declares("causal") && read.flag("causal"));
  if (const Tensor<T>* bias = optional_input(call, "bias")) options.bias.dense = *bias;
  options.dropout = call.dropout;
  options.threads = call.threads;
  options.device = call.device;
  return options;
}

template <typename T>
std::vector<T> per_head(const Call<T>& call, std::string_view name, Index heads, double value) {
  std::vector<T> values(static_cast<std::size_t>(heads), static_cast<T>(value));
  if (const Tensor<T>* given = optional_input(call, name))
    for (std::size_t h = 0; h < values.size(); ++h) values[h] = given->values()[given->size() == 1 ? 0 : h];
  return values;
}

template <typename T>
void put_per_head(Arrays<T>& gradients, const Shape& shape, std::string_view name, const std::vector<T>& gradient) {
  Tensor<T> total(shape);
  for (std::size_t h = 0; h < gradient.size(); ++h) total.values()[total.size() == 1 ? 0 : h] += gradient[h];
  gradients.emplace(name, std::move(total));
}

template <typename T>
std::vector<T> sums_per_head(const Tensor<T>& x, const Tensor<T>& y) {
  std::vector<double> sums(static_cast<std::size_t>(x.extent(1)), 0.0);
  const std::size_t head = static_cast<std::size_t>(x.extent(2) * x.extent(3));
  for (std::size_t i = 0; i < x.values().size(); ++i)
    sums[i / head % sums.size()] += static_cast<double>(x.values()[i]) * static_cast<double>(y.values()[i]);
  return std::vector<T>(sums.begin(), sums.end());
}

template <typename T>
Tensor<T> combination(T a, const Tensor<T>& x, T b, const Tensor<T>& y) {
  Tensor<T> result(x.shape());
  for (std::size_t i = 0; i < result.values().size(); ++i) result.values()[i] = a * x.values()[i] + b * y.values()[i];
  return result;
}

template <typename T>
void add(Tensor<T>& x, const Tensor<T>& y) {
  for (std::size_t i = 0; i < x.values().size(); ++i) x.values()[i] += y.values()[i];
}

Evaluation<float> in_double(const Call<float>& call,
                            const std::function<Evaluation<double>(const Call<double>&)>& forward) {
  Call<double> wide{{}, call.settings, call.mask, call.dropout, call.threads, call.device};
  for (const auto& [name, array] : call.inputs) wide.inputs.emplace(name, converted<double>(array));
  Evaluation<double> evaluation = forward(wide);
  return {converted<float>(evaluation.out), [backward = std::move(evaluation.backward)](const Tensor<float>& dout) {
            Arrays<float> gradients;
            for (const auto& [name, gradient] : backward(converted<double>(dout)))
              gradients.emplace(name, converted<float>(gradient));
            return gradients;
          }};
}

CostShape with_causal(CostShape shape, const Settings& settings) {
  const auto causal = settings.find("causal");
  shape.causal = shape.causal || (causal != settings.end() && causal->second == "true");
  return shape;
}

std::vector<Index> query_lengths(const Mask& mask, Index batch, Index queries, Index keys) {
  if (!mask.key_lengths.empty() && queries == keys) return mask.key_lengths;
  return std::vector<Index>(static_cast<std::size_t>(batch), queries);
}

template AttendOptions<float> attend_options(const Call<float>&, const OptionReader&);
template AttendOptions<double> attend_options(const Call<double>&, const OptionReader&);
template std::vector<float> per_head(const Call<float>&, std::string_view, Index, double);
template std::vector<double> per_head(const Call<double>&, std::string_view, Index, double);
template void put_per_head(Arrays<float>&, const Shape&, std::string_view, const std::vector<float>&);
template void put_per_head(Arrays<double>&, const Shape&, std::string_view, const std::vector<double>&);
template std::vector<float> sums_per_head(const Tensor<float>&, const Tensor<float>&);
template std::vector<double> sums_per_head(const Tensor<double>&, const Tensor<double>&);
template Tensor<float> combination(float, const Tensor<float>&, float, const Tensor<float>&);
template Tensor<double> combination(double, const Tensor<double>&, double, const Tensor<double>&);
template void add(Tensor<float>&, const Tensor<float>&);
template void add(Tensor<double>&, const Tensor<double>&);

}  // namespace attest::attention::definitions
