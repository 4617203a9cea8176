// softmax and what stands around it, as instructions.
#include <fmt/format.h>

#include "theorems/language/flattening/call.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {

using rigor::Rational;

namespace {

Value sum_of(Call& call, Register r) { return call.c.scalar(call.b.reduce(Code::sum, r, call.b.shape(r).size())); }

/// diag(p) - p p', p = softmax(x).
Value softmax_jacobian(Call& call) {
  call.need_vector(0);
  const std::int64_t n = call.args[0].shape.rows;
  const Shape shape{.rank = 2, .rows = n, .cols = n};
  call.b.need(static_cast<double>(n) * static_cast<double>(n));
  const Register p = call.b.by_rows(Code::softmax, call.reg(0), n);
  std::vector<std::int32_t> table(static_cast<std::size_t>(n * n), -1);
  for (std::int64_t i = 0; i < n; ++i) table[static_cast<std::size_t>(i * (n + 1))] = static_cast<std::int32_t>(i);
  const Register diagonal = call.b.gather(p, std::move(table), shape);
  const std::string& text = call.args[0].rows_text;
  Value result = Compiler::matrix(call.b.subtract(diagonal, call.b.matmul(p, p, shape)), n, n, text, text);
  result.symmetric = true;
  return result;
}

/// sum p log(p/q). Where p and q are softmaxes their logarithms are taken of what stands in them, so that weights that
/// underflow still count.
Value divergence(Call& call) {
  const Register p = call.reg(0), q = call.reg(1);
  const auto is_softmax = [&](Register r) { return call.b.instruction(r).code == Code::softmax; };
  if (!is_softmax(q)) return sum_of(call, call.b.binary(Binary::divergence_term, p, q));
  if (is_softmax(p)) return sum_of(call, call.b.multiply(p, call.b.subtract(call.b.log(p), call.b.log(q))));
  // p log p has its own form at 0.
  const Register own = call.b.unary(Unary::negate, call.b.unary(Unary::entropy_term, p));
  return sum_of(call, call.b.subtract(own, call.b.multiply(p, call.b.log(q))));
}

/// (x - mean) / sqrt(mean of squares of that + eps), row by row; without the mean for rmsnorm.
Value normalised(Call& call, bool centred) {
  call.need_array(0);
  call.need_scalar(1);
  const Shape shape = call.args[0].shape;
  const std::int64_t length = shape.rank == 1 ? shape.rows : shape.cols;
  const Shape each = shape.rank == 1 ? Shape{} : Shape{.rank = 1, .rows = shape.rows};
  const auto mean = [&](Register r) {
    return call.b.scaled(call.b.reduce(Code::sum, r, length, each), Rational(1, length));
  };
  Register x = call.reg(0);
  if (centred) x = call.b.subtract(x, call.b.spread(mean(x), shape));
  const Register squares = mean(call.b.power(x, Rational(2)));
  const Register deviation = call.b.power(call.b.add(squares, call.reg(1)), Rational(1, 2));
  return Compiler::with(call.args[0], call.b.divide(x, call.b.spread(deviation, shape)));
}

/// A mask of -inf and 0 is added to logits; causal_mask is 1 and 0.
void refuse_added_mask(const Expr& logits) {
  if (logits->op != Op::add) return;
  for (const Expr& term : logits->args) {
    refuse_added_mask(term);
    if (term->op == Op::call && term->name == "causal_mask")
      throw Problem(
          term->place,
          "causal_mask(n) is 1 where a query may look and 0 elsewhere, so that adding it masks nothing; write "
          "attention(\"softmax\", q, k, v, causal = true), or subtract 1e9*(1 - causal_mask(n))");
  }
}

}  // namespace

std::optional<Value> call_attention_function(Call& call) {
  const std::string& name = call.e->name;
  if (name == "softmax") {
    refuse_added_mask(call.e->args[0]);
    call.need_array(0);
    const Value& x = call.args[0];
    return Compiler::with(x, call.b.by_rows(Code::softmax, call.reg(0), x.is_vector() ? x.shape.rows : x.shape.cols));
  }
  if (name == "jacobian_softmax") return softmax_jacobian(call);
  if (name == "logsumexp") {
    call.need_array(0);
    const Value& x = call.args[0];
    if (x.is_vector()) return call.c.scalar(call.b.reduce(Code::log_sum_exp, call.reg(0), x.shape.rows));
    const Register rows =
        call.b.reduce(Code::log_sum_exp, call.reg(0), x.shape.cols, {.rank = 1, .rows = x.shape.rows});
    return Compiler::vector(rows, x.shape.rows, x.rows_text);
  }
  if (name == "entropy") {
    call.need_vector(0);
    return sum_of(call, call.b.unary(Unary::entropy_term, call.reg(0)));
  }
  if (name == "kl" || name == "tv") {
    call.need_vector(0);
    call.need_same_shape();
    if (name == "kl") return divergence(call);
    const Register difference = call.b.subtract(call.reg(0), call.reg(1));
    return call.c.scalar(
        call.b.scaled(call.b.reduce(Code::norm_1, difference, call.args[0].shape.size()), Rational(1, 2)));
  }
  if (name == "layernorm") return normalised(call, true);
  if (name == "rmsnorm") return normalised(call, false);
  return std::nullopt;
}

}  // namespace attest::language
