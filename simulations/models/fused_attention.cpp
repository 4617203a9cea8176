#include "simulations/models/fused_attention.hpp"

#include <array>
#include <cmath>

#include <torch/csrc/autograd/custom_function.h>

#include "kernels/attention/attend/attend_cuda.hpp"
#include "simulations/models/device/fused_dropout.hpp"
#include "simulations/models/device/work.hpp"
#include "simulations/models/packed_heads.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using attention::HeadsView;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// [B][H][N][D] of which each token's heads lie beside one another, as what comes next reads them.
Tensor empty_heads(const Tensor& like, Index tokens, Index features) {
  return at::empty({like.size(0), tokens, like.size(1), features}, like.options()).transpose(1, 2);
}

template <typename S>
HeadsView<S> view(const Tensor& heads) {
  return {static_cast<S*>(heads.data_ptr()), heads.stride(0), heads.stride(1), heads.stride(2)};
}
template <typename S>
HeadsView<const S> constant_view(const Tensor& heads) {
  return view<S>(heads).read_only();
}

/// run(S{}) for the library's name of the type.
template <typename Run>
void with_type(const Tensor& tensor, const Run& run) {
  if (tensor.scalar_type() == at::kHalf)
    run(attention::Half{});
  else
    run(attention::Bfloat16{});
}

struct Options {
  bool causal;
  double rate;
  std::int64_t seed;
  const Tensor& added_seed;
};

template <typename S>
attention::CudaAttendProblem<S> problem_of(const Tensor& q, const Tensor& k, const Tensor& v, const Options& options) {
  attention::CudaAttendProblem<S> p;
  p.batch = q.size(0), p.heads = q.size(1), p.queries = q.size(2), p.keys = k.size(2);
  p.dim = q.size(3), p.value_dim = v.size(3);
  p.q = constant_view<S>(q), p.k = constant_view<S>(k), p.v = constant_view<S>(v);
  p.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(q.size(3))));
  p.mask.causal = options.causal;
  p.dropout = {options.rate, static_cast<std::uint64_t>(options.seed)};
  p.added_seed = seed_in_memory(options.added_seed);
  p.stream = current_stream();
  return p;
}

class FusedAttention : public torch::autograd::Function<FusedAttention> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& q, const Tensor& k, const Tensor& v, bool causal,
                        double rate, std::int64_t seed, const SeedOnDevice& added_seed) {
    Tensor out = empty_heads(q, q.size(2), v.size(3));
    const Tensor largest = at::empty({q.size(0), q.size(1), q.size(2)}, q.options().dtype(at::kFloat));
    const Tensor normaliser = at::empty_like(largest);
    with_type(q, [&]<typename S>(S) {
      attention::attend_cuda_view(problem_of<S>(q, k, v, {causal, rate, seed, added_seed.there}), view<S>(out),
                                  largest.data_ptr<float>(), normaliser.data_ptr<float>());
    });
    context->save_for_backward({q, k, v, out, largest, normaliser});
    context->saved_data["causal"] = causal;
    context->saved_data["rate"] = rate;
    context->saved_data["seed"] = seed;
    context->saved_data["added_seed"] = added_seed.there;
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &q = saved[0], &k = saved[1], &v = saved[2], &out = saved[3];
    const Tensor added_seed = context->saved_data["added_seed"].toTensor();
    const Options options{context->saved_data["causal"].toBool(), context->saved_data["rate"].toDouble(),
                          context->saved_data["seed"].toInt(), added_seed};
    const Tensor dout = gradients[0].to(q.scalar_type()).transpose(1, 2).contiguous().transpose(1, 2);
    // Where the three came out of one array, their gradients go into one.
    const bool alike = q.sizes() == k.sizes() && q.sizes() == v.sizes();
    const std::array<Tensor, 3> to =
        alike ? in_places_of_one_array(q)
              : std::array{empty_heads(q, q.size(2), q.size(3)), empty_heads(q, k.size(2), k.size(3)),
                           empty_heads(q, v.size(2), v.size(3))};
    const Tensor scratch =
        at::empty({attention::backward_scratch(q.size(0), q.size(1), q.size(2))}, saved[4].options());
    with_type(q, [&]<typename S>(S) {
      attention::attend_backward_cuda_view(
          problem_of<S>(q, k, v, options), constant_view<S>(out), saved[4].data_ptr<float>(),
          saved[5].data_ptr<float>(), constant_view<S>(dout),
          {view<S>(to[0]), view<S>(to[1]), view<S>(to[2]), nullptr, scratch.data_ptr<float>()});
    });
    return {to[0], to[1], to[2], Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

bool can_fuse(const Operands& o) {
  const auto fits = [&](const Tensor& x) {
    return is_within_reach(x) && x.scalar_type() == o.q.scalar_type() && x.stride(3) == 1;
  };
  const bool half = o.q.scalar_type() == at::kHalf || o.q.scalar_type() == at::kBFloat16;
  return half && o.lengths().empty() && fits(o.q) && fits(o.k) && fits(o.v);
}

Tensor fused_attention(const Operands& o) {
  const attention::Dropout& dropout = o.call.dropout;
  return FusedAttention::apply(o.q, o.k, o.v, o.causal, dropout.rate, static_cast<std::int64_t>(dropout.seed),
                               SeedOnDevice{o.call.added_seed});
}

}  // namespace attest::models
