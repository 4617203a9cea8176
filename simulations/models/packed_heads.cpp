#include "simulations/models/packed_heads.hpp"

#include <torch/csrc/autograd/custom_function.h>

namespace attest::models {
namespace {

using at::Tensor;
using attention::Index;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

variable_list parts_of(const Tensor& qkv, Index heads) {
  return {unpacked(qkv, heads, 0), unpacked(qkv, heads, 1), unpacked(qkv, heads, 2)};
}

/// The array [B][N][3 H D] in which the three are those places; undefined where they lie otherwise.
Tensor whole_of(const variable_list& parts) {
  const Tensor& first = parts.front();
  if (!first.defined()) return {};
  const Index heads = first.size(1), dim = first.size(3), width = heads * dim, tokens = first.size(2);
  const at::IntArrayRef strides = first.strides();
  if (strides != at::IntArrayRef({tokens * 3 * width, dim, 3 * width, 1})) return {};
  for (Index p = 1; p < 3; ++p) {
    const Tensor& one = parts[static_cast<std::size_t>(p)];
    if (!one.defined() || one.scalar_type() != first.scalar_type() || one.sizes() != first.sizes() ||
        one.strides() != strides || !one.is_alias_of(first) ||
        one.storage_offset() != first.storage_offset() + p * width)
      return {};
  }
  return first.as_strided({first.size(0), tokens, 3 * width}, {tokens * 3 * width, 3 * width, 1},
                          first.storage_offset());
}

class Unpack : public torch::autograd::Function<Unpack> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& qkv, std::int64_t heads) {
    context->saved_data["heads"] = heads;
    context->saved_data["shape"] = qkv.sizes();
    return parts_of(qkv, heads);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (const Tensor whole = whole_of(gradients); whole.defined()) return {whole, Tensor()};
    const Index heads = context->saved_data["heads"].toInt();
    const std::vector<Index> shape = context->saved_data["shape"].toIntVector();
    Tensor all;
    for (const Tensor& one : gradients)
      if (one.defined() && !all.defined()) all = at::empty(shape, one.options());
    if (!all.defined()) return {Tensor(), Tensor()};
    const variable_list to = parts_of(all, heads);
    for (std::size_t p = 0; p < to.size(); ++p) {
      const Tensor& place = to[p];
      if (gradients[p].defined())
        place.copy_(gradients[p]);
      else
        place.zero_();
    }
    return {all, Tensor()};
  }
};

}  // namespace

std::array<Tensor, 3> unpack(const Tensor& qkv, Index heads) {
  const variable_list parts = Unpack::apply(qkv, heads);
  return {parts[0], parts[1], parts[2]};
}

std::array<Tensor, 3> in_places_of_one_array(const Tensor& like) {
  const Tensor all = at::empty({like.size(0), like.size(2), 3 * like.size(1) * like.size(3)}, like.options());
  const variable_list parts = parts_of(all, like.size(1));
  return {parts[0], parts[1], parts[2]};
}

}  // namespace attest::models
