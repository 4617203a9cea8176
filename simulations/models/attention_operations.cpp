#include "simulations/models/attention_operations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/stages/slopes.hpp"
#include "simulations/models/fused_attention.hpp"
#include "simulations/models/operation_stages.hpp"
#include "simulations/models/packed_heads.hpp"
#include "simulations/models/staged_operations.hpp"

namespace attest::models {
namespace {

using at::Tensor;
using attention::OptionReader;

constexpr double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::min();

Tensor softmax_attention(const Operands& o) { return can_fuse(o) ? fused_attention(o) : softmax_matrix(o).matmul(o.v); }

Tensor twicing(const Operands& o) {
  if (can_fuse(o)) {
    // The same weights twice, dropout's pattern included.
    Operands rest = o;
    const Tensor smoothed = fused_attention(o);
    rest.v = o.v - smoothed;
    return smoothed + fused_attention(rest);
  }
  const Tensor a = softmax_matrix(o), smoothed = a.matmul(o.v);
  return smoothed + a.matmul(o.v - smoothed);
}

Tensor graph_diffusion(const Operands& o) { return softmax_attention(o) - o.v; }

Tensor neutreno(const Operands& o) {
  const Tensor first = o.input("v0");
  const Tensor lambda = o.per_head("lambda", o.read.number("lambda", -huge, huge));
  return first.defined() ? softmax_attention(o) + (lambda * wide(first - o.v)).to(o.v.scalar_type())
                         : softmax_attention(o);
}

/// |i - j|, [N][N], in the type of wide sums.
Tensor distances(const Operands& o) {
  const Tensor place = at::arange(o.tokens(), wide(o.q).options());
  return (place.unsqueeze(0) - place.unsqueeze(1)).abs();
}

Tensor slopes(const Operands& o) { return beside(wide(o.q), attention::alibi_slopes(o.heads()), {-1, 1, 1}); }

Tensor alibi(const Operands& o) {
  return attention_weights(o, products(o.q, o.k) * o.scale() - slopes(o) * distances(o),
                           hidden_keys(o, o.tokens(), o.lengths(), o.causal))
      .matmul(o.v);
}

double squared_bandwidth(const Operands& o, const char* name) {
  if (o.read.text(name) == "sqrt(D)") return std::sqrt(static_cast<double>(o.q.size(3)));
  return o.read.number(name, tiny, std::numeric_limits<double>::infinity());
}

Tensor bilateral(const Operands& o) {
  const at::ScalarType type = o.q.scalar_type();
  Tensor qp = o.input("qp").to(type), kp = o.input("kp").to(type);
  if (qp.dim() == 3) qp = qp.unsqueeze(0);
  if (kp.dim() == 3) kp = kp.unsqueeze(0);
  const Tensor h_p2 = o.per_head("h_p2", squared_bandwidth(o, "h_p2")),
               h_y2 = o.per_head("h_y2", squared_bandwidth(o, "h_y2"));
  return attention_weights(o, products(qp, kp) / h_p2 + products(o.q, o.k) / h_y2,
                           hidden_keys(o, o.tokens(), o.lengths(), o.causal))
      .matmul(o.v);
}

Tensor kernel_regression(const Operands& o) {
  const std::string& text = o.read.text("bandwidth");
  const Tensor sigma =
      o.per_head("bandwidth", text == "D^(1/4)" ? 1 / std::sqrt(o.scale()) : o.read.number("bandwidth", tiny, huge));
  Tensor logits = products(o.q, o.k);
  if (o.read.choice("kernel", {"gaussian", "dot"}) == "gaussian")
    logits = logits - wide(o.k).square().sum(3).unsqueeze(2) / 2;
  return attention_weights(o, logits / sigma.square(), hidden_keys(o, o.tokens(), o.lengths(), o.causal)).matmul(o.v);
}

Tensor elliptical(const Operands& o) {
  const Tensor previous = o.input("v_previous");
  const std::string& by = o.read.choice("normalise", {"max", "mean", "none"});
  Relevance how{by == "max"    ? Relevance::max
                : by == "mean" ? Relevance::mean
                               : Relevance::none,
                o.read.number("delta", tiny, huge), o.causal, o.lengths()};
  const bool through = o.read.choice("gradient", {"through", "stop"}) == "through";
  if (!previous.defined()) return softmax_attention(o);
  const Tensor metric = relevance_of(o.v, previous, how);
  Operands scaled = o;
  scaled.q = (wide(o.q) * (through ? metric : metric.detach())).to(o.q.scalar_type());
  return softmax_attention(scaled);
}

Tensor featscale(const Operands& o) {
  const Tensor x = wide(softmax_attention(o));
  const Tensor s = o.input("s").to(x.scalar_type()).unsqueeze(1), t = o.input("t").to(x.scalar_type()).unsqueeze(1);
  const std::vector<double> count = o.lengths().empty() ? std::vector<double>{static_cast<double>(o.tokens())}
                                                        : std::vector<double>(o.lengths().begin(), o.lengths().end());
  const Tensor mean = cut(x, o.lengths()).sum(2, true) / beside(x, count, {-1, 1, 1, 1}).clamp_min(1);
  return (x + s * mean + t * (x - mean)).to(o.v.scalar_type());
}

Tensor linear_twicing(const Operands& o) {
  const double epsilon = o.read.number("eps", tiny, 1);
  const Tensor once = linear_attention(o, o.q, o.k, o.v, epsilon, o.lengths());
  return linear_attention(o, o.q, o.k, 2 * o.v - once, epsilon, o.lengths());
}

Tensor linformer(const Operands& o, bool biased) {
  const auto projected = [&](const char* name, const Tensor& x) {
    return o.input(name).to(x.scalar_type()).transpose(-1, -2).matmul(cut(x, o.lengths()));
  };
  const Tensor k = projected("E", o.k), v = projected("F", o.v);
  std::vector<Index> rows = o.lengths();  // a sequence without keys has no rows to attend to either
  for (Index& length : rows) length = length == 0 ? 0 : k.size(2);
  Tensor logits = products(o.q, k) * o.scale();
  if (biased) {
    const Tensor e = wide(o.input("E")).to(logits.scalar_type());
    logits =
        logits - slopes(o) * distances(o).matmul(cut(
                                 e.dim() == 2 ? e.view({1, 1, e.size(0), e.size(1)}) : e.unsqueeze(0), o.lengths()));
  }
  return attention_weights(o, logits, hidden_keys(o, k.size(2), rows, false)).matmul(v);
}

/// [B][1][1][1] (one for all sequences without lengths): true where the sequence has no more real tokens than
/// landmarks, so that the softmax matrix is not approximated.
Tensor landmark_for_every_token(const Operands& o, Index landmarks) {
  std::vector<Index> lengths = o.lengths();
  if (lengths.empty()) lengths = {o.tokens()};
  std::vector<double> exact;
  for (const Index length : lengths) exact.push_back(length <= landmarks ? 1 : 0);
  return beside(wide(o.q), exact, {-1, 1, 1, 1}).gt(0);
}

/// Errors: std::invalid_argument for what the kernels alone can do.
void refuse_what_kernels_alone_do(const attention::Mechanism& mechanism, const AttentionCall& call,
                                  const ExtraInputs& extra) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format(
        "{} of {} runs on the library's kernels alone, not as LibTorch operations: train in float32 on the processor",
        what, mechanism.name));
  };
  for (const attention::OptionSpec& option : mechanism.options)
    if (option.kernels_alone && call.settings.contains(option.name)) refuse("option " + option.name);
  for (const attention::InputSpec& input : mechanism.inputs)
    if (input.kernels_alone &&
        std::any_of(extra.begin(), extra.end(), [&](const auto& one) { return one.first == input.name; }))
      refuse("input " + input.name);
}

Tensor nystromformer(const Operands& o, bool biased) {
  const Index landmarks = o.read.given("landmarks") ? o.read.integer("landmarks", 1) : 64;
  const Index iterations = o.read.integer("iterations", 0, 100);
  const bool of_batch = o.read.choice("maximum", {"own", "batch"}) == "batch";
  const double quarter = std::sqrt(o.scale());
  const Tensor q = wide(o.q) * quarter, k = wide(o.k) * quarter;
  const Tensor mean = segment_means(q, o.lengths(), o.tokens(), landmarks);
  const Tensor q_mean = mean.matmul(q), k_mean = mean.matmul(k);
  const Tensor there = mean.sum(3, true).gt(0).to(q.scalar_type());  // [B][1][m][1]: landmarks of each sequence
  const Tensor no_landmark = there.transpose(2, 3).eq(0);
  Tensor to_landmarks = products(q, k_mean), between = products(q_mean, k_mean), to_keys = products(q_mean, k);
  if (biased) {
    const Tensor bias = slopes(o) * distances(o), of_landmarks = bias.matmul(mean.transpose(2, 3));
    to_landmarks = to_landmarks - of_landmarks;
    between = between - mean.matmul(of_landmarks);
    to_keys = to_keys - mean.matmul(bias);
  }
  const Tensor f = attention_weights(o, to_landmarks, no_landmark);
  // The iteration amplifies rounding; the matrices are small.
  const Tensor a = (attention_weights(o, between, no_landmark).to(q.scalar_type()) * there).to(at::kDouble);
  const Tensor g =
      attention_weights(o, to_keys, hidden_keys(o, o.tokens(), o.lengths(), false)) * there.to(o.v.scalar_type());
  const Tensor exact = landmark_for_every_token(o, landmarks);
  // Heads without a pseudo-inverse have no part in the maximum over the batch.
  const Tensor sums = a.sum(2).masked_fill(exact.squeeze(3), 0),
               most = of_batch ? sums.max().view({1, 1, 1, 1}) : std::get<0>(sums.max(2)).unsqueeze(2).unsqueeze(3);
  Tensor z = a.transpose(2, 3) / at::where(most.eq(0), at::ones_like(most), most);
  const Tensor one = at::eye(a.size(3), a.options());
  for (Index step = 0; step < iterations; ++step) {
    const Tensor y = a.matmul(z);
    z = 0.25 * z.matmul(13 * one - y.matmul(15 * one - y.matmul(7 * one - y)));
  }
  Tensor logits = products(q, k);
  if (biased) logits = logits - slopes(o) * distances(o);
  const Tensor plain = attention_weights(o, logits, hidden_keys(o, o.tokens(), o.lengths(), false)).matmul(o.v);
  return at::where(exact, plain, f.matmul(z.to(f.scalar_type())).matmul(g.matmul(o.v)));
}

Tensor convolved_attention(const Operands& o, const Grid& grid) {
  const Tensor wq = wide(o.input("wq")), own = o.input("wk");
  const Tensor wk = own.defined() && !o.read.flag("shared") ? wide(own) : wq;
  Operands after = o;
  after.q = convolved(cut(o.q, o.lengths()), wq, grid);
  after.k = convolved(cut(o.k, o.lengths()), wk, grid);
  return softmax_attention(after);
}

Tensor conv1d(const Operands& o) {
  const Index first = o.read.flag("class_token") ? 1 : 0;
  return convolved_attention(o, {1, o.tokens() - first, first, o.causal});
}

Tensor conv2d(const Operands& o) {
  const auto side = static_cast<Index>(std::sqrt(static_cast<double>(o.tokens())));
  std::vector<Index> extents = {side, side};
  if (o.read.given("grid")) extents = o.read.integers("grid", 1);
  const Index first = extents.size() == 2 ? o.tokens() - extents[0] * extents[1] : -1;
  if (first != 0 && first != 1)
    throw std::invalid_argument(
        fmt::format("option grid={}: {} tokens are not such a grid of patches, with or without a class token; give "
                    "grid=rows,columns",
                    o.read.text("grid"), o.tokens()));
  return convolved_attention(o, {extents[0], extents[1], first, false});
}

struct Operation {
  std::function<Tensor(const Operands&)> run;
  bool fused_alone = false;  // by fused_attention and sums of arrays, where that takes the call
};

std::map<std::string, Operation, std::less<>> all_operations() {
  using Family = Staged::Family;
  std::map<std::string, Operation, std::less<>> all = {
      {"softmax", {softmax_attention, true}},
      {"twicing", {twicing, true}},
      {"graph-diffusion", {graph_diffusion, true}},
      {"neutreno", {neutreno}},
      {"alibi", {alibi}},
      {"bilateral", {bilateral}},
      {"kernel-regression", {kernel_regression}},
      {"elliptical", {elliptical}},
      {"featscale", {featscale}},
      {"linear-twicing", {linear_twicing}},
      {"linformer", {[](const Operands& o) { return linformer(o, false); }}},
      {"linformer-alibi", {[](const Operands& o) { return linformer(o, true); }}},
      {"nystromformer", {[](const Operands& o) { return nystromformer(o, false); }}},
      {"nystromformer-alibi", {[](const Operands& o) { return nystromformer(o, true); }}},
      {"conv1d", {conv1d}},
      {"conv2d", {conv2d}}};
  const auto add = [&](const char* name, Staged stages) {
    all.emplace(name, Operation{[stages](const Operands& o) { return staged_attention(o, stages); }});
  };
  add("attention-bn", {Family::softmax, false, Staged::full});
  add("attention-bn-simplified", {Family::softmax, false, Staged::simplified});
  add("attention-sh", {Family::softmax, true, Staged::none});
  add("attention-bn-sh", {Family::softmax, true, Staged::either});
  add("linear", {Family::linear, false, Staged::none});
  add("linear-bn", {Family::linear, false, Staged::either});
  add("linear-sh", {Family::linear, true, Staged::none});
  add("linear-bn-sh", {Family::linear, true, Staged::either});
  add("sparse", {Family::sparse, false, Staged::none});
  add("sparse-bn", {Family::sparse, false, Staged::either});
  add("sparse-sh", {Family::sparse, true, Staged::none});
  add("sparse-bn-sh", {Family::sparse, true, Staged::either});
  return all;
}

/// Null where there is none.
const Operation* operation_of(const attention::Mechanism& mechanism) {
  static const auto operations = all_operations();
  const auto found = operations.find(mechanism.name);
  return found == operations.end() ? nullptr : &found->second;
}

}  // namespace

bool is_fused_alone(const attention::Mechanism& mechanism) {
  const Operation* operation = operation_of(mechanism);
  return operation != nullptr && operation->fused_alone;
}

Tensor attend_by_operations(const AttentionCall& call, const Tensor& qkv, Index heads, const ExtraInputs& extra) {
  const attention::Mechanism& mechanism = *call.mechanism;
  const Operation* operation = operation_of(mechanism);
  if (operation == nullptr)
    throw std::invalid_argument(mechanism.name + " is not among the mechanisms that run as LibTorch operations");
  const std::array<Tensor, 3> parts = unpack(qkv, heads);
  Operands o{call, extra, OptionReader(mechanism.options, call.settings), parts[0], parts[1], parts[2]};
  for (const auto& [name, value] : call.settings)
    if (!o.read.declares(name))
      throw std::invalid_argument(fmt::format("option {}={}: {} has no such option", name, value, mechanism.name));
  refuse_what_kernels_alone_do(mechanism, call, extra);
  o.causal = call.causal || (o.read.declares("causal") && o.read.flag("causal"));
  const bool fused = operation->fused_alone && can_fuse(o);
  if (call.added_seed.defined() && !fused) throw std::logic_error("an added seed is for fused attention alone");
  if (call.dropout.rate > 0 && !fused) o.generator = generator_on(qkv.device(), call.dropout.seed);
  if (const Tensor q = o.input("q"); q.defined()) o.q = q;
  if (const Tensor k = o.input("k"); k.defined()) o.k = k;
  return operation->run(o).transpose(1, 2).reshape({qkv.size(0), qkv.size(1), qkv.size(2) / 3});
}

}  // namespace attest::models
