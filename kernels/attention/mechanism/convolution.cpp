#include "kernels/attention/mechanism/convolution.hpp"

namespace attest::attention::definitions {

template <typename T>
Evaluation<T> attend_convolved(const Call<T>& call, const OptionReader& read, ConvolutionGrid queries,
                               ConvolutionGrid keys) {
  const Tensor<T>&q = input(call, "q"), &k = input(call, "k"), &wq = input(call, "wq");
  const Tensor<T>* own = optional_input(call, "wk");
  const bool shared = read.flag("shared") || own == nullptr;
  const AttendOptions<T> how = attend_options(call, read);
  keys.lengths = call.mask.key_lengths;
  if (!keys.lengths.empty()) queries.lengths = query_lengths(call.mask, q.extent(0), q.extent(2), k.extent(2));
  queries.causal = keys.causal = how.mask.causal;
  const Tensor<T> wk = shared ? wq : *own, unused = own == nullptr ? Tensor<T>() : Tensor<T>(own->shape());
  auto saved = saved_attention(convolve(q, wq, queries), convolve(k, wk, keys), kept_input(call, "v"), how);
  return {saved->attended.out, [=](const Tensor<T>& dout) mutable {
            AttendGradients<T> g = std::exchange(saved, nullptr)->backward(dout);
            ConvolveGradients<T> of_q = convolve_backward(q, wq, queries, g.q),
                                 of_k = convolve_backward(k, wk, keys, g.k);
            g.q = std::move(of_q.x);
            g.k = std::move(of_k.x);
            Arrays<T> gradients = named(std::move(g));
            if (shared) add(of_q.kernel, of_k.kernel);
            gradients.emplace("wq", std::move(of_q.kernel));
            if (!unused.empty()) gradients.emplace("wk", shared ? unused : std::move(of_k.kernel));
            return gradients;
          }};
}

std::vector<OptionSpec> convolution_options(bool causal) {
  std::vector<OptionSpec> options;
  if (causal) options.push_back(causal_option());
  options.push_back({"shared", "false", "queries and keys are convolved with the same kernel, wq", "true"});
  return options;
}

std::vector<InputSpec> convolution_inputs(const char* kernel_shape, bool square) {
  std::vector<InputSpec> kernels = {
      {.name = "wq",
       .shape = kernel_shape,
       .meaning = "convolution kernel of the queries",
       .initialisation = Initialisation::centre()},
      {.name = "wk",
       .shape = kernel_shape,
       .meaning = "convolution kernel of the keys; absent or with shared=true: wq for both",
       .required = false,
       .initialisation = Initialisation::centre(),
       .shown = true}};
  return square ? tokens(std::move(kernels)) : query_key_value(std::move(kernels));
}

Cost convolved_cost(const CostShape& shape, const Settings& settings, std::int64_t taps) {
  return attend_cost(with_causal(shape, settings)) + convolution_cost(shape, taps);
}

template Evaluation<float> attend_convolved(const Call<float>&, const OptionReader&, ConvolutionGrid, ConvolutionGrid);
template Evaluation<double> attend_convolved(const Call<double>&, const OptionReader&, ConvolutionGrid,
                                             ConvolutionGrid);

}  // namespace attest::attention::definitions
