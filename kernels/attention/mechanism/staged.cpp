#include "kernels/attention/mechanism/staged.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/linear/linear_recentred.hpp"
#include "kernels/attention/mechanism/families.hpp"
#include "kernels/attention/stages/pool.hpp"
#include "kernels/attention/stages/recentre.hpp"

namespace attest::attention::definitions {
namespace {

std::vector<OptionSpec> options_of(Family family, Stages stages) {
  std::vector<OptionSpec> all;
  // Pooled keys average tokens that a causal query must not see; the linear kernel is not a softmax, so that what is
  // equal for all keys of a query does not cancel and prefix statistics would not be one attention.
  if (!stages.pools && (family != Family::linear || stages.recentres == Stages::none)) all.push_back(causal_option());
  if (stages.recentres != Stages::none) {
    all.push_back({.name = "beta",
                   .fallback = "1",
                   .meaning = "weight of the mean, any number",
                   .example = "0.6",
                   .breaks_shift = true});
    if (stages.recentres != Stages::simplified) all.push_back(epsilon_option());
    if (stages.recentres == Stages::either)
      all.push_back({"form", "auto",
                     "full (Eq 22, 49), simplified (Eq 26, 51), or auto: simplified where beta is given",
                     "simplified"});
  }
  if (stages.pools) {
    all.push_back({"factors", "", "pooling factor of all heads, or of each, at least 1; must be given", "1,1,2,4"});
    all.push_back({"remainder", "ceil", "tokens that fill no window: ceil averages them, floor drops them", "floor"});
  }
  for (OptionSpec& option : family_options(family, stages.recentres != Stages::none)) all.push_back(std::move(option));
  return all;
}

std::vector<InputSpec> inputs_of(Stages stages) {
  if (stages.recentres == Stages::none) return query_key_value();
  return query_key_value({{.name = "beta",
                           .shape = "[H]",
                           .meaning = "learnable weight of the mean",
                           .required = false,
                           .initialisation = Initialisation::constant(1),
                           .also = {"[]"},
                           .breaks_shift = true}});
}

bool normalises(const OptionReader& read, Stages stages, bool beta_given) {
  if (stages.recentres != Stages::either) return stages.recentres == Stages::full;
  const std::string& form = read.choice("form", {"auto", "full", "simplified"});
  return form == "full" || (form == "auto" && !beta_given);
}

std::vector<Index> factors_of(const OptionReader& read, Index heads) {
  std::vector<Index> factors = read.integers("factors", 1);
  if (factors.size() == 1) factors.resize(static_cast<std::size_t>(heads), factors.front());
  if (static_cast<Index>(factors.size()) != heads)
    throw std::invalid_argument(
        fmt::format("option factors={}: give one factor, or {}, one per head", read.text("factors"), heads));
  return factors;
}

Remainder remainder_of(const OptionReader& read) {
  return read.choice("remainder", {"ceil", "floor"}) == "ceil" ? Remainder::ceil : Remainder::floor;
}

/// Everything of one evaluation that the way back needs.
template <typename T>
struct Run {
  Family family;
  Stages stages;
  Kept<T> q, k, v;
  Shape beta_shape;  // rank 1 with extent 0 when beta is not an input
  std::vector<T> beta;
  RecentreOptions recentring;
  std::vector<Index> lengths, factors;
  Remainder remainder = Remainder::ceil;

  struct Group {
    HeadGroup setting;
    std::vector<T> beta;
    RecentreOptions recentring;
    Kept<T> q, k;  // as they were recentred
    Recentred<T> recentred;
    FamilyResult<T> attended;
  };
  std::vector<Group> groups;
  Tensor<T> out;

  /// All heads at once when they pool alike, otherwise one after the other.
  bool together() const {
    return std::all_of(factors.begin(), factors.end(), [&](Index f) { return f == factors.front(); });
  }

  void add_group(const Call<T>& call, const OptionReader& read, Index first_head, bool single) {
    Group g;
    const Index factor = factors[static_cast<std::size_t>(first_head)];
    g.setting = {lengths, lengths, k->extent(2), factor, first_head, single};
    g.q = single ? kept(head_of(*q, first_head)) : q;
    g.k = single ? kept(head_of(*k, first_head)) : k;
    Kept<T> values = single ? kept(head_of(*v, first_head)) : v;
    if (factor > 1) {
      g.k = kept(average_pool(*g.k, factor, remainder, lengths));
      values = kept(average_pool(*values, factor, remainder, lengths));
      for (Index& length : g.setting.key_lengths) length = pooled_length(length, factor, remainder);
    }
    g.beta = single ? std::vector<T>{beta[static_cast<std::size_t>(first_head)]} : beta;
    g.recentring = recentring;
    g.recentring.key_lengths = g.setting.key_lengths;
    if (stages.recentres != Stages::none) g.recentred = recentre(*g.q, *g.k, g.beta, g.recentring);
    const bool recentred = stages.recentres != Stages::none;
    g.attended = attend_as(family, call, read, g.setting, recentred ? kept(std::exchange(g.recentred.q, {})) : g.q,
                           recentred ? kept(std::exchange(g.recentred.k, {})) : g.k, std::move(values));
    if (single)
      put_head(out, first_head, g.attended.out);
    else
      out = std::exchange(g.attended.out, {});
    groups.push_back(std::move(g));
  }

  Arrays<T> backward(const Tensor<T>& dout) const {
    AttendGradients<T> total{Tensor<T>(), Tensor<T>(), Tensor<T>(), Tensor<T>()};
    if (groups.front().setting.single)
      total = {Tensor<T>(q->shape()), Tensor<T>(k->shape()), Tensor<T>(v->shape()), {}};
    std::vector<T> d_beta;
    for (const Group& g : groups) {
      const Index h = g.setting.first_head;
      AttendGradients<T> d = g.attended.backward(g.setting.single ? head_of(dout, h) : dout);
      if (stages.recentres != Stages::none) {
        RecentreGradients<T> r = recentre_backward(*g.q, *g.k, g.beta, g.recentring, g.recentred, d.q, d.k);
        d.q = std::move(r.q);
        d.k = std::move(r.k);
        d_beta.insert(d_beta.end(), r.beta.begin(), r.beta.end());
      }
      if (g.setting.factor > 1) {
        d.k = average_pool_backward(g.setting.tokens, g.setting.factor, remainder, lengths, d.k);
        d.v = average_pool_backward(g.setting.tokens, g.setting.factor, remainder, lengths, d.v);
      }
      if (!g.setting.single) {
        total = std::move(d);
        continue;
      }
      put_head(total.q, h, d.q);
      put_head(total.k, h, d.k);
      put_head(total.v, h, d.v);
    }
    Arrays<T> gradients = named(std::move(total));
    if (beta_shape != Shape{0}) put_per_head(gradients, beta_shape, "beta", d_beta);
    return gradients;
  }
};

template <typename T>
Evaluation<T> without_stages(const Call<T>& call, const OptionReader& read, Family family) {
  const Tensor<T>& k = input(call, "k");
  const HeadGroup group{call.mask.key_lengths, call.mask.key_lengths, k.extent(2), 1, 0, false};
  FamilyResult<T> result =
      attend_as(family, call, read, group, kept_input(call, "q"), kept_input(call, "k"), kept_input(call, "v"));
  return {std::move(result.out), [backward = std::move(result.backward)](const Tensor<T>& dout) mutable {
            return named(std::exchange(backward, nullptr)(dout));
          }};
}

constexpr double huge = std::numeric_limits<double>::max();

/// What `recentre` is called with; the prefix where a causal mask is asked for.
template <typename T>
RecentreOptions recentring_of(const Call<T>& call, const OptionReader& read, Stages stages) {
  RecentreOptions options;
  options.normalised = normalises(read, stages, optional_input(call, "beta") != nullptr || read.given("beta"));
  if (read.declares("eps")) options.epsilon = read.number("eps", std::numeric_limits<double>::min(), huge);
  options.prefix = call.mask.causal || (read.declares("causal") && read.flag("causal"));
  return options;
}

/// Queries and keys recentred on the way into linear attention, in double for both types.
template <typename T>
Evaluation<T> recentred_linear(const Call<T>& call, const OptionReader& read, Stages stages) {
  const Tensor<T>* const learned = optional_input(call, "beta");
  const Kept<T> q = kept_input(call, "q"), k = kept_input(call, "k"), v = kept_input(call, "v");
  std::vector<double> beta(static_cast<std::size_t>(q->extent(1)), read.number("beta", -huge, huge));
  for (std::size_t h = 0; learned != nullptr && h < beta.size(); ++h)
    beta[h] = static_cast<double>(learned->values()[learned->size() == 1 ? 0 : h]);
  RecentreOptions recentring = recentring_of(call, read, stages);
  recentring.key_lengths = call.mask.key_lengths;
  const LinearOptions options{read.number("denominator_eps", std::numeric_limits<double>::min(), 1), false,
                              call.mask.key_lengths, call.threads};
  LinearRecentred<T> attended = linear_recentred(*q, *k, *v, beta, recentring, options);
  Tensor<T> out = std::exchange(attended.out, {});
  return {std::move(out), [=, shape = learned != nullptr ? learned->shape() : Shape{0},
                           saved = std::move(attended)](const Tensor<T>& dout) mutable {
            LinearRecentredGradients<T> g =
                linear_recentred_backward(*q, *k, *v, beta, recentring, options, std::exchange(saved, {}), dout);
            Arrays<T> gradients = named(AttendGradients<T>{std::move(g.q), std::move(g.k), std::move(g.v), {}});
            if (shape == Shape{0}) return gradients;
            Arrays<double> of_beta;
            put_per_head(of_beta, shape, "beta", g.beta);
            gradients.emplace("beta", converted<T>(of_beta.begin()->second));
            return gradients;
          }};
}

template <typename T>
Evaluation<T> forward(const Call<T>& call, const std::vector<OptionSpec>& options, Family family, Stages stages) {
  const OptionReader read(options, call.settings);
  if (stages.recentres == Stages::none && !stages.pools) return without_stages(call, read, family);
  if (family == Family::linear && !stages.pools) return recentred_linear(call, read, stages);
  const Tensor<T>&q = input(call, "q"), *beta = optional_input(call, "beta");
  const Index heads = q.extent(1);
  auto run = std::make_shared<Run<T>>();
  run->family = family;
  run->stages = stages;
  run->q = kept_input(call, "q");
  run->k = kept_input(call, "k");
  run->v = kept_input(call, "v");
  run->beta_shape = beta == nullptr ? Shape{0} : beta->shape();
  run->lengths = call.mask.key_lengths;
  run->factors.assign(static_cast<std::size_t>(heads), 1);
  if (stages.recentres != Stages::none) {
    run->beta = per_head(call, "beta", heads, read.number("beta", -huge, huge));
    run->recentring = recentring_of(call, read, stages);
  } else {
    run->beta.assign(static_cast<std::size_t>(heads), T(0));
  }
  if (stages.pools) {
    run->factors = factors_of(read, heads);
    run->remainder = remainder_of(read);
  }
  if (run->together()) {
    run->add_group(call, read, 0, false);
  } else {
    run->out = Tensor<T>({q.extent(0), heads, q.extent(2), run->v->extent(3)});
    for (Index h = 0; h < heads; ++h) run->add_group(call, read, h, true);
  }
  Tensor<T> out = std::move(run->out);
  return {std::move(out), [run](const Tensor<T>& dout) mutable { return std::exchange(run, nullptr)->backward(dout); }};
}

/// Linear attention is in double inside, and so is its recentring. Sparse attention pair by pair is in double. Where
/// 1/variance makes the logits large, as over few keys, queries and keys rounded to float would lose what the softmax
/// depends on (gradients were off by 2e-4 for two keys); so would the differences that recentring makes under a causal
/// mask, and the gradient of beta, one sum over all keys with cancellation.
bool needs_double(const Call<float>& call, const std::vector<OptionSpec>& options, Family family, Stages stages) {
  const OptionReader read(options, call.settings);
  if (family == Family::linear && !stages.pools) return false;
  if (family != Family::softmax && (stages.recentres != Stages::none || stages.pools)) return true;
  if (family == Family::sparse) return !sparse_in_tiles(call, read, input(call, "k").extent(2), 1);
  if (stages.recentres == Stages::none) return false;
  const bool learns_beta = optional_input(call, "beta") != nullptr;
  return learns_beta || normalises(read, stages, read.given("beta")) || call.mask.causal ||
         (read.declares("causal") && read.flag("causal"));
}

Cost staged_cost(CostShape shape, const Settings& settings, const std::vector<OptionSpec>& options, Family family,
                 Stages stages) {
  const OptionReader read(options, settings);
  shape = with_causal(shape, settings);
  const std::vector<Index> factors =
      stages.pools ? factors_of(read, shape.heads) : std::vector<Index>(static_cast<std::size_t>(shape.heads), 1);
  Cost total;
  for (const Index factor : factors) {
    CostShape head = shape;
    head.heads = 1;
    if (stages.pools) head.keys = pooled_length(shape.keys, factor, remainder_of(read));
    const Index covered = factor > 1 && remainder_of(read) == Remainder::floor ? head.keys * factor : shape.keys;
    total += pool_cost(head, factor, head.keys, covered);
    if (stages.recentres != Stages::none)
      total += recentre_cost(head, normalises(read, stages, read.given("beta")), false);
    total += family_cost(family, head, shape.keys, factor, read);
  }
  return total;
}

}  // namespace

Mechanism staged(Mechanism m, Family family, Stages stages) {
  m.inputs = inputs_of(stages);
  m.options = options_of(family, stages);
  m.takes_mask = family == Family::sparse || (family == Family::softmax && !stages.pools);
  m.takes_dropout = family != Family::linear;
  m.takes_cuda = family == Family::softmax;
  m.positional = stages.pools || family == Family::sparse;
  m.shift = stages.recentres != Stages::none ? Shift::queries_and_keys
            : family != Family::linear       ? Shift::keys
                                             : Shift::none;
  const std::vector<OptionSpec> options = m.options;
  const auto wide = [=](const Call<double>& call) { return forward(call, options, family, stages); };
  m.forward_double = wide;
  m.forward_float = [=](const Call<float>& call) {
    return needs_double(call, options, family, stages) ? in_double(call, wide) : forward(call, options, family, stages);
  };
  m.cost = [=](const CostShape& shape, const Settings& settings) {
    return staged_cost(shape, settings, options, family, stages);
  };
  return m;
}

}  // namespace attest::attention::definitions
