#include "kernels/attention/mechanism/families.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/attention/linear/linear.hpp"
#include "kernels/attention/sparse/sparse.hpp"
#include "kernels/attention/sparse/strided.hpp"

namespace attest::attention::definitions {
namespace {

bool is_causal(const OptionReader& read) { return read.declares("causal") && read.flag("causal"); }

template <typename T>
T scale(const Tensor<T>& q) {
  return static_cast<T>(1 / std::sqrt(static_cast<double>(q.extent(3))));
}

/// A head that runs alone must not repeat the dropout pattern of another.
Dropout dropout_of(Dropout dropout, const HeadGroup& group) {
  if (group.single) dropout.seed += 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(group.first_head);
  return dropout;
}

template <typename T>
FamilyResult<T> softmax(const Call<T>& call, const OptionReader& read, const HeadGroup& group, Kept<T> q, Kept<T> k,
                        Kept<T> v) {
  AttendOptions<T> options;
  options.scale = scale(*q);
  options.mask = call.mask;
  options.mask.causal = call.mask.causal || is_causal(read);
  options.mask.key_lengths = group.key_lengths;
  options.dropout = dropout_of(call.dropout, group);
  options.threads = call.threads;
  options.device = call.device;
  auto saved = saved_attention(std::move(q), std::move(k), std::move(v), std::move(options));
  return {saved->attended.out, [saved](const Tensor<T>& dout) { return saved->backward(dout); }};
}

template <typename T>
FamilyResult<T> linear(const Call<T>& call, const OptionReader& read, const HeadGroup& group, Kept<T> q, Kept<T> k,
                       Kept<T> v) {
  const char* name = read.declares("denominator_eps") ? "denominator_eps" : "eps";
  const LinearOptions options{read.number(name, std::numeric_limits<double>::min(), 1),
                              call.mask.causal || is_causal(read), group.key_lengths, call.threads};
  auto attended = std::make_shared<LinearAttended<T>>(linear_attend(*q, *k, *v, options));
  Tensor<T> out = std::exchange(attended->out, {});
  return {std::move(out), [=](const Tensor<T>& dout) {
            LinearGradients<T> g = linear_attend_backward(*q, *k, *v, options, *attended, dout);
            return AttendGradients<T>{std::move(g.q), std::move(g.k), std::move(g.v), Tensor<T>()};
          }};
}

/// The options of a pattern, all read whatever the pattern, so that a wrong value never passes unseen.
struct PatternOptions {
  std::string kind;
  Index stride, summary;
};

PatternOptions pattern_options(const OptionReader& read, const Mask& mask, Index keys) {
  PatternOptions options{read.choice("pattern", {"auto", "strided", "fixed", "mask"}), 0, 0};
  const auto root = static_cast<Index>(std::sqrt(static_cast<double>(keys)));
  options.stride = read.given("stride") ? read.integer("stride", 1) : root;
  options.summary =
      read.integer("summary", 1, options.kind == "fixed" ? options.stride : std::numeric_limits<Index>::max());
  if (options.kind == "auto") options.kind = mask.visible.empty() ? "strided" : "mask";
  return options;
}

template <typename T>
FamilyResult<T> strided(const Call<T>& call, const HeadGroup& group, Index stride, bool causal, Kept<T> q, Kept<T> k,
                        Kept<T> v) {
  const StridedOptions<T> options{stride, causal, scale(*q), group.key_lengths, call.threads};
  auto attended = std::make_shared<const Attended<T>>(strided_attend(*q, *k, *v, options));
  require_representable(*attended);
  return {attended->out,
          [=](const Tensor<T>& dout) { return strided_attend_backward(*q, *k, *v, options, *attended, dout); }};
}

/// Any pattern, pair by pair and in double.
FamilyResult<double> by_pairs(const Call<double>& call, const OptionReader& read, const HeadGroup& group,
                              const Kept<double>& q, const Kept<double>& k, const Kept<double>& v) {
  std::vector<SparsePattern> patterns{
      pattern_of(read, call.mask, call.mask.causal || is_causal(read), q->extent(2), group.tokens)};
  if (group.factor > 1) {  // padded tokens of a window do not make it seen
    const SparsePattern whole = patterns.front();
    const std::vector<Index> lengths =
        group.token_lengths.empty() ? std::vector<Index>{group.tokens} : group.token_lengths;
    patterns.clear();
    for (const Index length : lengths) patterns.push_back(pooled_pattern(whole, group.factor, k->extent(2), length));
  }
  const SparseOptions<double> options{scale(*q), group.key_lengths, dropout_of(call.dropout, group), call.threads};
  auto attended = std::make_shared<const SparseAttended<double>>(sparse_attend(*q, *k, *v, patterns, options));
  return {attended->out, [=](const Tensor<double>& dout) {
            return sparse_attend_backward(*q, *k, *v, patterns, options, *attended, dout);
          }};
}

template <typename T>
FamilyResult<T> sparse(const Call<T>& call, const OptionReader& read, const HeadGroup& group, Kept<T> q, Kept<T> k,
                       Kept<T> v) {
  if (sparse_in_tiles(call, read, group.tokens, group.factor))
    return strided(call, group, pattern_options(read, call.mask, group.tokens).stride,
                   call.mask.causal || is_causal(read), std::move(q), std::move(k), std::move(v));
  if constexpr (std::is_same_v<T, double>)
    return by_pairs(call, read, group, q, k, v);
  else
    throw std::logic_error("sparse attention by pairs is computed in double");
}

}  // namespace

template <typename T>
bool sparse_in_tiles(const Call<T>& call, const OptionReader& read, Index keys, Index factor) {
  return factor == 1 && call.mask.visible.empty() && call.dropout.rate == 0 &&
         pattern_options(read, call.mask, keys).kind == "strided";
}

template <typename T>
FamilyResult<T> attend_as(Family family, const Call<T>& call, const OptionReader& read, const HeadGroup& group,
                          Kept<T> q, Kept<T> k, Kept<T> v) {
  switch (family) {
    case Family::linear:
      return linear(call, read, group, std::move(q), std::move(k), std::move(v));
    case Family::sparse:
      return sparse(call, read, group, std::move(q), std::move(k), std::move(v));
    default:
      return softmax(call, read, group, std::move(q), std::move(k), std::move(v));
  }
}

std::vector<OptionSpec> family_options(Family family, bool with_statistics) {
  if (family == Family::linear)
    return {{with_statistics ? "denominator_eps" : "eps", "1e-6", "added to the denominator, above 0", "1e-4"}};
  if (family == Family::sparse)
    return {{"pattern", "auto", "strided, fixed, mask, or auto: mask where one is given, otherwise strided", "fixed"},
            {"stride", "", "tokens a stride or block of the pattern, at least 1; if not given, floor(sqrt(N_k))", "4"},
            {"summary", "1", "tokens at the end of a block that all see (fixed pattern), 1 to stride", "2"}};
  return {};
}

SparsePattern pattern_of(const OptionReader& read, const Mask& mask, bool causal, Index queries, Index keys) {
  const auto [kind, stride, summary] = pattern_options(read, mask, keys);
  if (kind == "mask") {
    if (mask.visible.empty()) throw std::invalid_argument("option pattern=mask: give the mask [N_q][N_k] too");
    return mask_pattern(queries, keys, mask.visible, causal);
  }
  const SparsePattern pattern = kind == "strided" ? strided_pattern(queries, keys, stride, causal)
                                                  : fixed_pattern(queries, keys, stride, summary, causal);
  return mask.visible.empty() ? pattern : intersection(pattern, keys, mask.visible);
}

Cost family_cost(Family family, const CostShape& pooled, std::int64_t tokens, std::int64_t factor,
                 const OptionReader& read) {
  if (family == Family::softmax) return attend_cost(pooled);
  if (family == Family::linear) return linear_cost(pooled);
  SparsePattern pattern = pattern_of(read, {}, pooled.causal, pooled.queries, tokens);
  if (factor > 1) pattern = pooled_pattern(pattern, factor, pooled.keys, tokens);
  return sparse_cost(pooled, static_cast<double>(pattern.pairs()));
}

template bool sparse_in_tiles(const Call<float>&, const OptionReader&, Index, Index);
template bool sparse_in_tiles(const Call<double>&, const OptionReader&, Index, Index);
template FamilyResult<float> attend_as(Family, const Call<float>&, const OptionReader&, const HeadGroup&, Kept<float>,
                                       Kept<float>, Kept<float>);
template FamilyResult<double> attend_as(Family, const Call<double>&, const OptionReader&, const HeadGroup&,
                                        Kept<double>, Kept<double>, Kept<double>);

}  // namespace attest::attention::definitions
