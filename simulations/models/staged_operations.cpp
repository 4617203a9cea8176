#include "simulations/models/staged_operations.hpp"

#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/mechanism/families.hpp"
#include "simulations/models/operation_stages.hpp"

namespace attest::models {

using at::Tensor;
using attention::Remainder;

namespace {

constexpr double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::min();

/// Pairs that a sparse pattern hides, over keys pooled by `factor`: [1 or B][1][N][windows].
Tensor outside_pattern(const Operands& o, Index factor, Index windows) {
  const auto pattern = attention::definitions::pattern_of(o.read, {}, o.causal, o.tokens(), o.tokens());
  std::vector<Index> lengths = o.lengths();
  if (lengths.empty() || factor == 1) lengths = {o.tokens()};
  std::vector<double> hidden;
  for (const Index length : lengths) {
    const auto seen = factor == 1 ? pattern : attention::pooled_pattern(pattern, factor, windows, length);
    const std::size_t begin = hidden.size();
    hidden.resize(begin + static_cast<std::size_t>(o.tokens() * windows), 1.0);
    for (Index i = 0; i < o.tokens(); ++i)
      for (Index at = seen.starts[static_cast<std::size_t>(i)]; at < seen.starts[static_cast<std::size_t>(i) + 1]; ++at)
        hidden[begin + static_cast<std::size_t>(i * windows + seen.columns[static_cast<std::size_t>(at)])] = 0;
  }
  return beside(wide(o.q), hidden, {static_cast<Index>(lengths.size()), 1, o.tokens(), windows}).ne(0);
}

/// Heads of o that pool alike.
Tensor staged_group(const Operands& o, const Staged& stages, const Tensor& beta, Index factor) {
  Operands after = o;
  std::vector<Index> lengths = o.lengths();
  if (factor > 1) {
    const Remainder remainder =
        o.read.choice("remainder", {"ceil", "floor"}) == "ceil" ? Remainder::ceil : Remainder::floor;
    after.k = average_pooled(o.k, factor, remainder, lengths);
    after.v = average_pooled(o.v, factor, remainder, lengths);
    for (Index& length : lengths) length = attention::pooled_length(length, factor, remainder);
  }
  const Index keys = after.k.size(2);
  if (stages.recentres != Staged::none) {
    Recentring how;
    const bool given = o.read.given("beta") || o.input("beta").defined();
    const std::string form = stages.recentres == Staged::either
                                 ? o.read.choice("form", {"auto", "full", "simplified"})
                                 : std::string(stages.recentres == Staged::full ? "full" : "simplified");
    how.normalised = form == "full" || (form == "auto" && !given);
    if (o.read.declares("eps")) how.epsilon = o.read.number("eps", tiny, huge);
    how.prefix = o.causal;
    how.key_lengths = lengths;
    RecentredPair moved = recentred(o.q, after.k, beta, how);
    after.q = std::move(moved.q);
    after.k = std::move(moved.k);
  }
  if (stages.family == Staged::Family::linear) {
    const char* name = o.read.declares("denominator_eps") ? "denominator_eps" : "eps";
    return linear_attention(o, after.q, after.k, after.v, o.read.number(name, tiny, 1), lengths);
  }
  Tensor hidden = hidden_keys(o, keys, lengths, o.causal);
  if (stages.family == Staged::Family::sparse) {
    const Tensor outside = outside_pattern(o, factor, keys);
    hidden = hidden.defined() ? hidden.logical_or(outside) : outside;
  }
  return attention_weights(after, products(after.q, after.k) * o.scale(), hidden).matmul(after.v);
}

}  // namespace

Tensor linear_attention(const Operands& o, const Tensor& queries, const Tensor& keys, const Tensor& v, double epsilon,
                        const std::vector<Index>& lengths) {
  const Tensor q = at::elu(wide(queries)) + 1, k = cut(at::elu(wide(keys)) + 1, lengths),
               values = v.to(q.scalar_type());
  if (o.causal) {
    const Tensor a = q.matmul(k.transpose(2, 3)).tril();
    return (a.matmul(values) / (a.sum(3, true) + epsilon)).to(v.scalar_type());
  }
  const Tensor state = k.transpose(2, 3).matmul(values), total = k.sum(2).unsqueeze(3);
  return (q.matmul(state) / (q.matmul(total) + epsilon)).to(v.scalar_type());
}

Tensor staged_attention(const Operands& o, const Staged& stages) {
  const Tensor beta =
      stages.recentres == Staged::none ? Tensor() : o.per_head("beta", o.read.number("beta", -huge, huge));
  std::vector<Index> factors(1, 1);
  if (stages.pools) factors = o.read.integers("factors", 1);
  if (factors.size() == 1) factors.resize(static_cast<std::size_t>(o.heads()), factors.front());
  if (static_cast<Index>(factors.size()) != o.heads())
    throw std::invalid_argument(
        fmt::format("option factors={}: give one factor, or {}, one per head", o.read.text("factors"), o.heads()));
  std::vector<Tensor> parts;
  for (std::size_t first = 0; first < factors.size();) {
    std::size_t end = first;
    while (end < factors.size() && factors[end] == factors[first]) ++end;
    const auto at = static_cast<Index>(first), count = static_cast<Index>(end - first);
    Operands group = o;
    for (Tensor* tensor : {&group.q, &group.k, &group.v}) *tensor = tensor->narrow(1, at, count);
    parts.push_back(staged_group(group, stages, beta.defined() ? beta.narrow(0, at, count) : beta, factors[first]));
    first = end;
  }
  return at::cat(parts, 1);
}

}  // namespace attest::models
