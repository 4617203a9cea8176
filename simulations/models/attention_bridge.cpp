#include "simulations/models/attention_bridge.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/twicing/twicing.hpp"

namespace attest::models {
namespace {

using attention::AttendProblem;
using attention::HeadsView;
using attention::Index;
using torch::autograd::variable_list;

/// Query, key or value part of [B][N][3 C] as [B][H][N][D], without copying.
at::Tensor part(const at::Tensor& packed, Index heads, Index which) {
  const Index width = packed.size(2) / 3;
  return packed.narrow(2, which * width, width)
      .view({packed.size(0), packed.size(1), heads, width / heads})
      .transpose(1, 2);
}

/// [B][N][C] as [B][H][N][D], without copying.
at::Tensor by_head(const at::Tensor& tokens, Index heads) {
  return tokens.view({tokens.size(0), tokens.size(1), heads, tokens.size(2) / heads}).transpose(1, 2);
}

template <typename T>
HeadsView<T> view(const at::Tensor& heads) {
  return {heads.data_ptr<T>(), heads.stride(0), heads.stride(1), heads.stride(2)};
}
template <typename T>
HeadsView<const T> constant_view(const at::Tensor& heads) {
  return view<T>(heads).read_only();
}

template <typename T>
attention::Tensor<T> copied(const at::Tensor& tensor) {
  const at::Tensor dense = tensor.contiguous();
  const T* data = dense.data_ptr<T>();
  return {attention::Shape(dense.sizes().begin(), dense.sizes().end()), std::vector<T>(data, data + dense.numel())};
}

/// The library's array as a LibTorch tensor that borrows its memory.
template <typename T>
at::Tensor borrowed(const attention::Tensor<T>& array, const at::TensorOptions& options) {
  return at::from_blob(const_cast<T*>(array.data()), array.shape(), options);  // NOLINT: only read
}

/// One forward pass and its way back. Holds detached tensors only, so that the graph has no circle.
template <typename T>
class Pass {
 public:
  Pass(AttentionCall call, at::Tensor qkv, Index heads, ExtraInputs extra)
      : call_(std::move(call)), qkv_(std::move(qkv)), heads_(heads), extra_(std::move(extra)) {}

  at::Tensor forward() {
    out_ = at::empty({qkv_.size(0), qkv_.size(1), qkv_.size(2) / 3}, qkv_.options());
    if (in_place()) {
      row_sums_ = at::empty({2, qkv_.size(0), heads_, qkv_.size(1)}, qkv_.options());
      if (twice()) {
        smoothed_ = at::empty_like(out_);
        attention::twicing_view<T>(problem(), view<T>(by_head(out_, heads_)), view<T>(by_head(smoothed_, heads_)),
                                   largest(), normaliser());
      } else {
        attention::attend_view<T>(problem(), view<T>(by_head(out_, heads_)), largest(), normaliser());
      }
      return out_;
    }
    attention::Call<T>& call = arrays_;
    call.inputs_stay = true;
    call.settings = call_.settings;
    call.mask.causal = call_.causal;
    call.mask.key_lengths = call_.key_lengths;
    call.dropout = call_.dropout;
    call.threads = 1;
    for (Index i = 0; i < 3; ++i)
      call.inputs.emplace(names[static_cast<std::size_t>(i)], copied<T>(part(qkv_, heads_, i)));
    for (const auto& [name, tensor] : extra_) call.inputs.insert_or_assign(name, copied<T>(tensor));
    evaluation_ = attention::evaluate(*call_.mechanism, call);
    by_head(out_, heads_).copy_(borrowed(evaluation_.out, qkv_.options()));
    return out_;
  }

  variable_list backward(const at::Tensor& dout) {
    variable_list gradients(1 + extra_.size());
    gradients[0] = at::empty_like(qkv_);
    if (in_place()) {
      const at::Tensor dense = dout.contiguous();
      const auto dout_view = constant_view<T>(by_head(dense, heads_));
      const auto out_view = constant_view<T>(by_head(out_, heads_));
      const attention::AttendGradientViews<T> to{view<T>(part(gradients[0], heads_, 0)),
                                                 view<T>(part(gradients[0], heads_, 1)),
                                                 view<T>(part(gradients[0], heads_, 2))};
      if (twice())
        attention::twicing_backward_view<T>(problem(), out_view, constant_view<T>(by_head(smoothed_, heads_)),
                                            largest(), normaliser(), dout_view, to);
      else
        attention::attend_backward_view<T>(problem(), out_view, largest(), normaliser(), dout_view, to);
      return gradients;
    }
    const attention::Arrays<T> found = evaluation_.backward(copied<T>(by_head(dout, heads_)));
    arrays_ = {};
    for (Index i = 0; i < 3; ++i) {
      const std::string_view name = names[static_cast<std::size_t>(i)];
      const at::Tensor to = part(gradients[0], heads_, i);
      if (replaced(name))
        to.zero_();
      else
        to.copy_(borrowed(found.find(name)->second, qkv_.options()));
    }
    for (std::size_t i = 0; i < extra_.size(); ++i)
      gradients[1 + i] = borrowed(found.find(extra_[i].first)->second, qkv_.options()).clone();
    return gradients;
  }

 private:
  static constexpr std::string_view names[] = {"q", "k", "v"};

  bool replaced(std::string_view name) const {
    return std::any_of(extra_.begin(), extra_.end(), [&](const auto& one) { return one.first == name; });
  }
  bool twice() const { return call_.mechanism->primitive == attention::Primitive::twicing; }
  bool in_place() const {
    return call_.mechanism->primitive != attention::Primitive::none && extra_.empty() && call_.settings.empty();
  }
  T* largest() const { return row_sums_.data_ptr<T>(); }
  T* normaliser() const { return largest() + row_sums_.numel() / 2; }

  AttendProblem<T> problem() const {
    const at::Tensor q = part(qkv_, heads_, 0);
    AttendProblem<T> p;
    p.batch = q.size(0);
    p.heads = q.size(1);
    p.queries = p.keys = q.size(2);
    p.dim = p.value_dim = q.size(3);
    p.q = constant_view<T>(q);
    p.k = constant_view<T>(part(qkv_, heads_, 1));
    p.v = constant_view<T>(part(qkv_, heads_, 2));
    p.scale = static_cast<T>(1 / std::sqrt(static_cast<double>(p.dim)));
    p.mask.causal = call_.causal;
    p.mask.key_lengths = call_.key_lengths.empty() ? nullptr : call_.key_lengths.data();
    p.dropout = call_.dropout;
    p.threads = 1;
    return p;
  }

  AttentionCall call_;
  at::Tensor qkv_;
  Index heads_;
  ExtraInputs extra_;
  at::Tensor out_, smoothed_, row_sums_;
  attention::Call<T> arrays_;
  attention::Evaluation<T> evaluation_;
};

template <typename T>
struct AttentionBackward final : torch::autograd::Node {
  std::unique_ptr<Pass<T>> pass;

  variable_list apply(variable_list&& gradients) override {
    if (!pass) throw std::logic_error("attention was asked for its gradients twice");
    if (!gradients[0].defined()) return variable_list(num_outputs());
    const auto once = std::exchange(pass, nullptr);
    return once->backward(gradients[0].detach());
  }
  std::string name() const override { return "AttentionBackward"; }
  void release_variables() override { pass.reset(); }
};

template <typename T>
at::Tensor attend(const AttentionCall& call, const at::Tensor& qkv, Index heads, const ExtraInputs& extra) {
  variable_list inputs = {qkv};
  ExtraInputs detached;
  for (const auto& [name, tensor] : extra) {
    inputs.push_back(tensor);
    detached.emplace_back(name, tensor.detach());
  }
  auto pass = std::make_unique<Pass<T>>(call, qkv.detach().contiguous(), heads, std::move(detached));
  // A second tensor on the same memory: the pass keeps its own, which knows no history.
  at::Tensor out = pass->forward().detach();
  if (torch::autograd::compute_requires_grad(inputs)) {
    const std::shared_ptr<AttentionBackward<T>> node(new AttentionBackward<T>, torch::autograd::deleteNode);
    node->pass = std::move(pass);
    node->set_next_edges(torch::autograd::collect_next_edges(inputs));
    torch::autograd::set_history(out, node);
  }
  return out;
}

}  // namespace

at::Tensor attend_packed(const AttentionCall& call, const at::Tensor& qkv, Index heads, const ExtraInputs& extra) {
  if (qkv.dim() != 3 || heads < 1 || qkv.size(2) % (3 * heads) != 0)
    throw std::invalid_argument("attend_packed: qkv must be [B][N][3 C] with C a multiple of the number of heads");
  return qkv.scalar_type() == at::kDouble ? attend<double>(call, qkv, heads, extra)
                                          : attend<float>(call, qkv, heads, extra);
}

at::Tensor unpacked(const at::Tensor& qkv, Index heads, Index which) { return part(qkv, heads, which); }

bool is_matrix(const AttentionCall& call, const ExtraInputs& extra) {
  const auto depends_on_values = [&](const attention::InputSpec& input) {
    return (input.role == attention::Role::first_values || input.role == attention::Role::previous_values) &&
           std::any_of(extra.begin(), extra.end(), [&](const auto& one) { return one.first == input.name; });
  };
  const auto& inputs = call.mechanism->inputs;
  return call.mechanism->is_matrix && std::none_of(inputs.begin(), inputs.end(), depends_on_values);
}

at::Tensor attention_matrix(const AttentionCall& call, const at::Tensor& qkv, Index heads, const ExtraInputs& extra) {
  if (!is_matrix(call, extra))
    throw std::invalid_argument(call.mechanism->name +
                                " is not a matrix applied to the values; ask for another layer's");
  const at::Tensor dense = qkv.detach().to(at::kDouble);
  attention::Call<double> identity;
  identity.settings = call.settings;
  identity.mask.causal = call.causal;
  identity.mask.key_lengths = call.key_lengths;
  identity.threads = 1;
  const Index tokens = qkv.size(1);
  identity.inputs.emplace("q", copied<double>(part(dense, heads, 0)));
  identity.inputs.emplace("k", copied<double>(part(dense, heads, 1)));
  identity.inputs.emplace("v", copied<double>(at::eye(tokens, dense.options()).expand({qkv.size(0), heads, -1, -1})));
  for (const auto& [name, tensor] : extra)
    identity.inputs.insert_or_assign(name, copied<double>(tensor.detach().to(at::kDouble)));
  return borrowed(attention::evaluate(*call.mechanism, identity).out, dense.options())
      .to(qkv.scalar_type(), false, true);
}

}  // namespace attest::models
