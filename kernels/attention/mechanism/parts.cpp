#include "kernels/attention/mechanism/parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::attention::definitions {
namespace {

constexpr const char* scale_by_width = "1/sqrt(D)";

std::vector<InputSpec> of_tokens(const char* q, const char* k, const char* v) {
  return {{.name = "q", .shape = q, .meaning = "queries", .role = Role::tokens},
          {.name = "k", .shape = k, .meaning = "keys", .role = Role::tokens},
          {.name = "v", .shape = v, .meaning = "values", .role = Role::tokens}};
}

std::vector<InputSpec> followed(std::vector<InputSpec> first, std::vector<InputSpec> more) {
  for (InputSpec& spec : more) first.push_back(std::move(spec));
  return first;
}

}  // namespace

std::vector<InputSpec> query_key_value(std::vector<InputSpec> more) {
  return followed(of_tokens("[B][H][N_q][D]", "[B][H][N_k][D]", "[B][H][N_k][D_v]"), std::move(more));
}

std::vector<InputSpec> tokens(std::vector<InputSpec> more) {
  return followed(of_tokens("[B][H][N][D]", "[B][H][N][D]", "[B][H][N][D_v]"), std::move(more));
}

std::vector<InputSpec> grouped_query_key_value(std::vector<InputSpec> more) {
  return followed(of_tokens("[B][H][N_q][D]", "[B][H_kv][N_k][D]", "[B][H_kv][N_k][D_v]"), std::move(more));
}

InputSpec logit_bias(bool square) {
  return {.name = "bias",
          .shape = square ? "[H][N][N]" : "[H][N_q][N_k]",
          .meaning = "added to the scaled logits of every sequence",
          .required = false,
          .kernels_alone = true};
}

InputSpec mask_bias() {
  InputSpec bias = logit_bias();
  bias.meaning = "added to the scaled, capped logits; -infinity hides the key from the query";
  bias.also = {"[N_q][N_k]", "[B][1][N_q][N_k]", "[B][H][N_q][N_k]"};
  bias.may_hide = true;
  return bias;
}

OptionSpec causal_option() {
  return {.name = "causal", .fallback = "false", .meaning = "query i sees keys 0..i", .example = "true"};
}

std::vector<OptionSpec> causal_and_logit_options() {
  return {causal_option(),
          {.name = "scale",
           .fallback = scale_by_width,
           .meaning = "factor of the dot products, any number",
           .example = "0.3",
           .kernels_alone = true},
          {.name = "window",
           .fallback = "none",
           .meaning = "left,right: query i sees keys i - left to i + right, -1 without end; one number for both",
           .example = "3,2",
           .positional = true,
           .kernels_alone = true},
          {.name = "softcap",
           .fallback = "0",
           .meaning = "c: scaled logits x become c tanh(x/c), before biases and masks; 0 for none",
           .example = "1.5",
           .kernels_alone = true,
           .breaks_shift = true}};
}

std::vector<OptionSpec> attention_options() {
  std::vector<OptionSpec> all = causal_and_logit_options();
  all.push_back({.name = "alignment",
                 .fallback = "top-left",
                 .meaning = "where N_q and N_k differ, causal masks, windows and slopes count from key i of query i "
                            "(top-left) or from key i + N_k - N_q (bottom-right)",
                 .example = "bottom-right",
                 .kernels_alone = true});
  all.push_back({.name = "empty_rows",
                 .fallback = "zero",
                 .meaning = "output of a query that sees no key: zero, nan, or the mean of all values; its lse is "
                            "-infinity",
                 .example = "mean",
                 .kernels_alone = true});
  return all;
}

OptionSpec epsilon_option() {
  return {.name = "eps", .fallback = "1e-5", .meaning = "added to the variance, above 0", .example = "1e-3"};
}

namespace {

double scale_of(const OptionReader& read, Index dim) {
  constexpr double huge = std::numeric_limits<double>::max();
  if (!read.declares("scale") || read.text("scale") == scale_by_width) return 1 / std::sqrt(static_cast<double>(dim));
  return read.number("scale", -huge, huge);
}

void read_window(const OptionReader& read, Mask& mask) {
  if (!read.declares("window") || read.text("window") == "none") return;
  const std::vector<Index> reach = read.integers("window", -1);
  if (reach.size() > 2)
    throw std::invalid_argument(
        fmt::format("option window={}: give left,right or one number for both", read.text("window")));
  mask.window_left = reach.front();
  mask.window_right = reach.back();
}

EmptyRows empty_rows_of(const OptionReader& read) {
  const std::string& rows = read.choice("empty_rows", {"zero", "nan", "mean"});
  return rows == "zero" ? EmptyRows::zero : rows == "nan" ? EmptyRows::nan : EmptyRows::mean;
}

}  // namespace

template <typename T>
AttendOptions<T> attend_options(const Call<T>& call, const OptionReader& read) {
  AttendOptions<T> options;
  options.scale = static_cast<T>(scale_of(read, input(call, "q").extent(3)));
  options.mask = call.mask;
  options.mask.causal = call.mask.causal || (read.declares("causal") && read.flag("causal"));
  read_window(read, options.mask);
  if (read.declares("alignment") && read.choice("alignment", {"top-left", "bottom-right"}) == "bottom-right")
    options.mask.alignment = Alignment::bottom_right;
  if (read.declares("softcap")) options.softcap = read.number("softcap", 0, std::numeric_limits<double>::max());
  if (read.declares("empty_rows")) options.empty_rows = empty_rows_of(read);
  if (const Tensor<T>* bias = optional_input(call, "bias")) {
    const bool for_all = bias->rank() == 2;  // for all sequences and heads
    options.bias.dense = for_all ? reshaped(*bias, {1, 1, bias->extent(0), bias->extent(1)}) : *bias;
  }
  options.dropout = call.dropout;
  options.threads = call.threads;
  options.device = call.device;
  return options;
}

template <typename T>
Tensor<T> reshaped(const Tensor<T>& x, Shape shape) {
  return {std::move(shape), std::vector<T>(x.values().begin(), x.values().end())};
}

template <typename T>
void require_representable(const Attended<T>& attended) {
  for (const T largest : attended.largest.values())
    if (std::isnan(largest) || largest == std::numeric_limits<T>::infinity())
      throw std::invalid_argument(
          fmt::format("attention: a logit q.k is {}, because it overflows {}; give smaller queries and keys", largest,
                      sizeof(T) == sizeof(float) ? "float32, or use float64" : "float64"));
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
  const auto head = static_cast<std::size_t>(x.extent(2) * x.extent(3));
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

template <typename To, typename From>
Tensor<To> converted(const Tensor<From>& x) {
  return {x.shape(), std::vector<To>(x.values().begin(), x.values().end())};
}

Evaluation<float> in_double(const Call<float>& call,
                            const std::function<Evaluation<double>(const Call<double>&)>& forward) {
  auto wide = std::make_shared<Call<double>>(
      Call<double>{{}, call.settings, call.mask, call.dropout, call.threads, call.device, true});
  for (const auto& [name, array] : call.inputs) wide->inputs.emplace(name, converted<double>(array));
  Evaluation<double> evaluation = forward(*wide);
  return {converted<float>(evaluation.out),
          [wide, backward = std::move(evaluation.backward)](const Tensor<float>& dout) mutable {
            Arrays<float> gradients;
            for (const auto& [name, gradient] : backward(converted<double>(dout)))
              gradients.emplace(name, converted<float>(gradient));
            wide.reset();
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

template Tensor<float> converted(const Tensor<float>&);
template Tensor<float> converted(const Tensor<double>&);
template Tensor<double> converted(const Tensor<float>&);
template Tensor<double> converted(const Tensor<double>&);
template AttendOptions<float> attend_options(const Call<float>&, const OptionReader&);
template AttendOptions<double> attend_options(const Call<double>&, const OptionReader&);
template Tensor<float> reshaped(const Tensor<float>&, Shape);
template Tensor<double> reshaped(const Tensor<double>&, Shape);
template void require_representable(const Attended<float>&);
template void require_representable(const Attended<double>&);
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
