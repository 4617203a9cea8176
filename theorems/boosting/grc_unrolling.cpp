// "Revisiting Transformers with Insights from Image Filtering and Boosting", section 4, Eqs 4.3 and 4.4: two boosted
// layers Y_{l+1} = f_l(Y_l) + t Y_0 + (1 - t) Y_l in one line, and section 5.3: a boosted network at t = 0.
#include <string>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/identity.hpp"
#include "theorems/mechanisms/attention_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;

constexpr std::size_t tokens = 3;
constexpr std::size_t features = 2;
constexpr std::size_t entries = tokens * features;
using Tokens = std::vector<double>;

/// v sum_j softmax_j(z_i . z_j / sqrt(d)) x_j: attention with the weights of Z to the tokens of X. A layer takes both
/// from its input; v stands for its value and output projections.
Tokens attend(double v, const Tokens& z, const Tokens& x) {
  Tokens out = mechanisms::attend(z, x, features);
  for (double& entry : out) entry *= v;
  return out;
}
BallMatrix attend(const Ball& v, const BallMatrix& z, const BallMatrix& x) {
  return rigor::scale(v, mechanisms::attend(z, x));
}

/// a X + b Y.
Tokens combine(double a, const Tokens& x, double b, const Tokens& y) {
  Tokens out(entries);
  for (std::size_t i = 0; i < entries; ++i) out[i] = a * x[i] + b * y[i];
  return out;
}
BallMatrix combine(const Ball& a, const BallMatrix& x, const Ball& b, const BallMatrix& y) {
  return rigor::add(rigor::scale(a, x), rigor::scale(b, y));
}

Tokens tokens_of(const Inputs& in, const char* name) { return {in[name].begin(), in[name].end()}; }
BallMatrix balls_of(const Inputs& in, const char* name) { return rigor::to_balls(in[name], tokens, features); }

/// f(Y) + t Y_0 + (1 - t) Y for the layer f of value v, Eq 4.3.
Tokens boosted(double v, double t, const Tokens& first, const Tokens& y) {
  return mechanisms::boosted(t, attend(v, y, y), first, y);
}
BallMatrix boosted(const Ball& v, const Ball& t, const BallMatrix& first, const BallMatrix& y) {
  return combine(1, attend(v, y, y), 1, combine(t, first, 1 - t, y));
}

bool in_unit_interval(const Inputs& in, const char* name) { return in.scalar(name) >= 0 && in.scalar(name) <= 1; }

/// Tokens in [-1, 1] have |Y_{l+1}| <= 2 in every entry. Two roundings of such arguments differ by at most 18 units of
/// roundoff an entry, a layer multiplies that by at most sqrt(3) + (8 / sqrt 2) (1 + sqrt 3) < 18 in the Euclidean norm
/// (bounded_on_bounded_tokens in grc_attention.cpp), and its own roundings add at most 110 units to an entry.
constexpr double rounding_bound = 1000 * 0x1p-53;

/// The right-hand sides of Eq 4.4 that are judged against Eq 4.3 applied twice.
enum class Line {
  third,   ///< f_{l+1}(f_l(Y_l) + Y_l + s (Y_0 - Y_l)) + R_{l+1} with R_{l+1} = t Y_0 + (1 - t) Y_{l+1}
  fourth,  ///< f_{l+1}(f_l(Y_l) + Y_l) + s f_{l+1}(Y_0 - Y_l) + R_{l+1}
  frozen   ///< the fourth, with the weights of f_{l+1} taken from its argument in the third
};

/// Eq 4.3 twice equals the line with s = factor t, for t in [0, largest_t].
Check unrolled(Line line, double factor, double largest_t = 1) {
  IdentityProblem p;
  p.lower.assign(2 * entries + 3, -1);  // Y_l, Y_0, v_l, v_{l+1}, t
  p.upper.assign(2 * entries + 3, 1);
  p.lower.back() = 0;
  p.upper.back() = largest_t;
  p.decode = [](std::span<const double> x) {
    const auto part = [&](std::size_t from, std::size_t n) { return std::vector<double>(&x[from], &x[from] + n); };
    return Inputs{{"Y_l", part(0, entries)},
                  {"Y_0", part(entries, entries)},
                  {"v_l", {x[2 * entries]}},
                  {"v_{l+1}", {x[2 * entries + 1]}},
                  {"t", {x[2 * entries + 2]}}};
  };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const Tokens y = tokens_of(in, "Y_l");
    const Tokens first = tokens_of(in, "Y_0");
    const double t = in.scalar("t");
    const double v = in.scalar("v_{l+1}");
    const Tokens next = boosted(in.scalar("v_l"), t, first, y);
    const Tokens signal = combine(1, attend(in.scalar("v_l"), y, y), 1, y);
    const Tokens residual = combine(1, first, -1, y);
    const Tokens argument = combine(1, signal, factor * t, residual);
    const Tokens filtered = line == Line::third
                                ? attend(v, argument, argument)
                                : combine(1, attend(v, line == Line::frozen ? argument : signal, signal), factor * t,
                                          attend(v, line == Line::frozen ? argument : residual, residual));
    return {boosted(v, t, first, next), combine(1, filtered, 1, combine(t, first, 1 - t, next)), 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix y = balls_of(in, "Y_l");
    const BallMatrix first = balls_of(in, "Y_0");
    const Ball t(in.scalar("t"));
    const Ball v(in.scalar("v_{l+1}"));
    const BallMatrix next = boosted(in.scalar("v_l"), t, first, y);
    const BallMatrix signal = rigor::add(attend(in.scalar("v_l"), y, y), y);
    const BallMatrix residual = rigor::subtract(first, y);
    const BallMatrix argument = rigor::add(signal, rigor::scale(factor * t, residual));
    const auto layer = [&](const BallMatrix& x) { return attend(v, line == Line::frozen ? argument : x, x); };
    const BallMatrix filtered =
        line == Line::third ? layer(argument) : rigor::add(layer(signal), rigor::scale(factor * t, layer(residual)));
    const BallMatrix rest = combine(t, first, 1 - t, next);
    return {boosted(v, t, first, next).entries, rigor::add(filtered, rest).entries, in_unit_interval(in, "t")};
  };
  // One token beside the origin, and Y_l = 0: the layer on t Y_0 against t times the layer on Y_0.
  p.corners = {std::vector<double>(2 * entries + 3, 0)};
  p.corners[0][entries] = 1;
  p.corners[0][2 * entries + 1] = 1;
  p.corners[0][2 * entries + 2] = largest_t / 2;
  p.rounding_bound = rounding_bound;
  p.evaluations = 1000;
  return identity(std::move(p));
}

/// A network of up to four boosted layers at t = start against the residual network of the same layers.
Check starts_as_residual(double start) {
  constexpr std::size_t most_layers = 4;
  IdentityProblem p;
  p.lower.assign(entries + most_layers + 1, -1);  // Y_0, v_0, ..., v_3, depth
  p.upper.assign(entries + most_layers + 1, 1);
  p.lower.back() = 1;
  p.upper.back() = most_layers + 0.99;
  p.decode = [](std::span<const double> x) {
    const auto n = static_cast<std::size_t>(x.back());
    return Inputs{{"Y_0", {&x[0], &x[entries]}}, {"v", {&x[entries], &x[entries] + n}}};
  };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const Tokens first = tokens_of(in, "Y_0");
    Tokens y = first;
    Tokens residual = first;
    for (const double v : in["v"]) {
      y = boosted(v, start, first, y);
      residual = combine(1, attend(v, residual, residual), 1, residual);
    }
    return {y, residual, 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix first = balls_of(in, "Y_0");
    BallMatrix y = first;
    BallMatrix residual = first;
    for (const double v : in["v"]) {
      y = boosted(v, start, first, y);
      residual = rigor::add(attend(v, residual, residual), residual);
    }
    return {y.entries, residual.entries};
  };
  p.rounding_bound = 0;
  p.exact_rewriting = "multiplying by 1 and adding 0 times a number is exact in doubles too";
  p.evaluations = 500;
  return identity(std::move(p));
}

/// Two layers: Y_2(t) = Y_2(0) - factor t f_0(Y_0).
Check affine_in_t(double factor) {
  IdentityProblem p;
  p.lower.assign(entries + 3, -1);  // Y_0, v_0, v_1, t
  p.upper.assign(entries + 3, 1);
  p.lower.back() = 0;
  p.decode = [](std::span<const double> x) {
    return Inputs{{"Y_0", {&x[0], &x[entries]}}, {"v", {x[entries], x[entries + 1]}}, {"t", {x.back()}}};
  };
  p.sides = [=](const Inputs& in) -> IdentitySides {
    const Tokens first = tokens_of(in, "Y_0");
    const auto output = [&](double t) { return boosted(in["v"][1], t, first, boosted(in["v"][0], t, first, first)); };
    const double t = in.scalar("t");
    return {output(t), combine(1, output(0), -factor * t, attend(in["v"][0], first, first)), 1};
  };
  p.ball_sides = [=](const Inputs& in) -> IdentityBallSides {
    const BallMatrix first = balls_of(in, "Y_0");
    const Ball t(in.scalar("t"));
    const BallMatrix filtered = attend(in["v"][0], first, first);
    const BallMatrix at_zero = rigor::add(filtered, first);  // Y_1 of the residual network
    const BallMatrix residual = rigor::add(attend(in["v"][1], at_zero, at_zero), at_zero);
    const BallMatrix output = boosted(in["v"][1], t, first, boosted(in["v"][0], t, first, first));
    return {output.entries, rigor::subtract(residual, rigor::scale(factor * t, filtered)).entries,
            in_unit_interval(in, "t")};
  };
  p.rounding_bound = rounding_bound;
  p.evaluations = 500;
  return identity(std::move(p));
}

const std::vector<std::string> attention_layers = {
    "f_l is softmax attention with W_Q = W_K = I and values v_l y_j, on three tokens of two features, without MLP and "
    "normalisation",
    "t in [0, 1]"};

}  // namespace

Claims grc_unrolling() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-4.4-unrolled",
        .label = "Eq 4.4 (lines 1-3)",
        .title = "Two boosted layers filter the signal plus t times the residual",
        .kind = Kind::identity,
        .tex =
            R"(f_{\ell+1}(Y_{\ell+1}) + tY_0 + (1-t)Y_{\ell+1} = f_{\ell+1}\bigl(f_\ell(Y_\ell)+Y_\ell + t(Y_0-Y_\ell)\bigr) + R_{\ell+1},\quad R_{\ell+1} = tY_0+(1-t)Y_{\ell+1})",
        .assumptions = attention_layers,
        .expected = Verdict::supported},
       unrolled(Line::third, 1),
       {{"residual weighted by 1.000001 t", 1e-6, unrolled(Line::third, 1 + 1e-6)},
        {"residual Y_l - Y_0", 2, unrolled(Line::third, -1)}}});

  claims.push_back(
      {{.id = "boosting/eq-4.4-last-line",
        .label = "Eq 4.4 (last line)",
        .title = "The layer acts on the signal and on the residual separately",
        .kind = Kind::identity,
        .tex =
            R"(f_{\ell+1}\bigl(f_\ell(Y_\ell)+Y_\ell + t(Y_0-Y_\ell)\bigr) = f_{\ell+1}\bigl(f_\ell(Y_\ell)+Y_\ell\bigr) + t f_{\ell+1}(Y_0-Y_\ell))",
        .assumptions = attention_layers,
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note = "Holds for a linear f_{l+1}. The sentence after it calls attention 'pseudo-linear (linear with "
                "data-dependent entries)': with the weights of the whole argument in both terms the line is exact "
                "(boosting/eq-4.4-frozen-weights), but f_{l+1} of two arguments has two sets of weights, and the error "
                "is of first order in t.",
        .depends_on = {"boosting/eq-4.4-unrolled"}},
       unrolled(Line::fourth, 1),
       {},
       {{"the weights of the whole argument in both terms", 1, unrolled(Line::frozen, 1)}}});

  claims.push_back(
      {{.id = "boosting/eq-4.4-frozen-weights",
        .label = "Eq 4.4 (last line, one set of weights)",
        .title = "With the weights of the whole argument in both terms the last line is exact",
        .kind = Kind::identity,
        .tex =
            R"(f_{\ell+1}(Z) = A(Z)\bigl(f_\ell(Y_\ell)+Y_\ell\bigr) + t A(Z)(Y_0-Y_\ell),\quad Z = f_\ell(Y_\ell)+Y_\ell + t(Y_0-Y_\ell),\ f_{\ell+1}(Z) = A(Z)Z)",
        .assumptions = attention_layers,
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-4.4-last-line"},
       unrolled(Line::frozen, 1),
       {{"residual weighted by 1.000001 t", 1e-6, unrolled(Line::frozen, 1 + 1e-6)}}});

  claims.push_back(
      {{.id = "boosting/sec-5.3-starts-as-residual",
        .label = "Sec 5.3 (t initialised at 0)",
        .title = "At t = 0 the boosted network is the residual network",
        .kind = Kind::identity,
        .tex = R"(t = 0:\quad f_\ell(Y_\ell) + tY_0 + (1-t)Y_\ell = f_\ell(Y_\ell) + Y_\ell)",
        .assumptions = {attention_layers[0], "one to four layers"},
        .expected = Verdict::supported,
        .note = "t = 0 lies outside the range (0, 1] that Definition 4.1 and Eq 4.5 give to t, and nothing "
                "keeps a learnable t inside it."},
       starts_as_residual(0),
       {{"t initialised at 1e-6", 1e-6, starts_as_residual(1e-6)}}});

  claims.push_back(
      {{.id = "boosting/sec-5.3-slope-in-t",
        .label = "Sec 5.3 (slope at t = 0)",
        .title = "The first layer does not feel t, and the second takes t f_0(Y_0) away",
        .kind = Kind::identity,
        .tex = R"(Y_1(t) = Y_1(0),\qquad Y_2(t) = Y_2(0) - t f_0(Y_0))",
        .assumptions = attention_layers,
        .expected = Verdict::supported,
        .printed = false,
        .note = "So t = 0 is no stationary point: from two layers on t learns, unless f_0(Y_0) = 0. Raising t from 0 "
                "first removes what the first layer added: Y_2 = f_1(Y_1) + Y_0 + (1 - t) f_0(Y_0)."},
       affine_in_t(1),
       {{"slope raised by a millionth", 1e-6, affine_in_t(1 + 1e-6)}}});
  return claims;
}

}  // namespace attest::boosting
