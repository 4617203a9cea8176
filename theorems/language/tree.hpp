// A statement as one expression tree: what the parser and the C++ vocabulary build, and what everything else reads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/rigor/rational.hpp"

namespace attest::language {

/// Where a node stands in its source, counted from 1; 0 for nodes that were made, not read.
struct Place {
  int line = 0;
  int column = 0;
};

enum class Op : std::uint8_t {
  // Leaves.
  number,    ///< `value`, exact
  infinity,  ///< inf
  constant,  ///< `name`: "pi" or "e"
  variable,  ///< `name`: bound by a binder, a comprehension, a definition's parameter or a recursion's index
  text,      ///< `name`: a string such as "twicing"
  truth,     ///< `name`: "true" or "false", for options of functions
  // Arithmetic. `multiply` is the product of scalars, of a scalar with an array, of matrices, and of a matrix with a
  // vector; between two vectors it is refused. The elementwise forms are written .* ./ .^
  add,
  subtract,
  multiply,
  divide,  ///< by a scalar
  power,   ///< scalar^scalar; a square matrix to a whole power
  negate,
  times_elementwise,
  divide_elementwise,
  power_elementwise,
  transpose,      ///< A'
  index,          ///< args[0][args[1]] or args[0][args[1], args[2]], counted from 1; X[i] is row i of a matrix
  slice,          ///< args[0][args[1]..args[2]]: entries (rows) from .. to
  array,          ///< [a, b, c]: a vector; of vectors of one length: the matrix with these rows ([a, b; c, d] too)
  call,           ///< `name`(args...) with `options`
  comprehension,  ///< `name`(`bound` in args[0]..args[1]: args[2]), name one of sum, prod, max, min, mean; or `all`
  expectation,    ///< E[args[0]] over the random variables of the statement
  probability,    ///< P[args[0]], args[0] logical
  // Relations; between arrays they hold entry by entry.
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  order,  ///< args[0] = O(args[1]) along the statement's limit variable
  // Logic.
  conjunction,
  disjunction,
  negation,
  implication
};

struct Node;
using Expr = std::shared_ptr<const Node>;

/// name = value after the positional arguments of a call.
struct Option {
  std::string name;
  Expr value;
};

/// One node; immutable once made, so that trees share their parts.
struct Node {
  Op op = Op::number;
  std::vector<Expr> args = {};
  std::string name = {};
  rigor::Rational value = {};
  std::string bound = {};  ///< a comprehension's index
  std::vector<Option> options = {};
  Place place = {};
};

/// The same tree up to places (and the way a number was written).
bool same(const Expr& a, const Expr& b);

enum class SetKind : std::uint8_t {
  reals,       ///< R, R^n, R^(m, n): `extents` has 0, 1 or 2 entries
  interval,    ///< args {lower, upper}, ends open or closed; with `extents` each entry lies in it
  range,       ///< args[0]..args[1], whole numbers
  finite,      ///< {args...}; with `extents` each entry is one of them
  simplex,     ///< args {n}: non-negative entries that sum to 1
  sphere,      ///< args {n}: Euclidean norm 1 in R^n
  ball,        ///< args {n, R}: Euclidean norm at most R in R^n
  stochastic,  ///< args {m, n}: m rows in simplex(n)
  orthogonal,  ///< args {n}: Q Q' = 1
  symmetric,   ///< args {n}
  psd,         ///< args {n}: symmetric, no eigenvalue below 0
  attention    ///< args {n, d}: softmax(q k' / sqrt(d)) row by row, q and k in R^(n, d)
};

struct Set {
  SetKind kind = SetKind::reals;
  std::vector<Expr> args = {};
  std::vector<Expr> extents = {};
  bool lower_open = false, upper_open = false;  ///< of an interval
  Place place = {};
};

/// The same set up to places.
bool same(const Set& a, const Set& b);

/// A law of random variables: normal(mean, deviation), uniform(a, b), rademacher(), bernoulli(p), exponential(rate),
/// laplace(mean, scale), ...; the names stand in `laws.hpp`.
struct Law {
  std::string name = {};
  std::vector<Expr> args = {};
  std::vector<Expr> extents = {};  ///< independent entries: g ~ normal(0, 1)^n
  Place place = {};
};

/// The same law up to places.
bool same(const Law& a, const Law& b);

enum class Quantifier : std::uint8_t {
  forall,  ///< names in set
  exists,  ///< names in set
  random,  ///< names ~ law
  best,    ///< best C in set: the smallest C for which the rest holds
  limit    ///< limit n -> args: `set.args[0]` is the point the name tends to
};

/// x, y in R^n where norm(x) <= 1
struct Binder {
  Quantifier quantifier = Quantifier::forall;
  std::vector<std::string> names = {};
  Set set = {};
  Law law = {};
  std::vector<Expr> conditions = {};  ///< `where`, logical; may use this and earlier names
  Place place = {};
};

/// let a = L + 1 - t, let f(x) = x^2: replaced by its body wherever the name stands, also for names bound later.
struct Definition {
  std::string name;
  std::vector<std::string> parameters = {};  ///< none for a plain name
  Expr body = {};
  Place place = {};
};

/// where K(0) = 1, K(l+1) = a*K(l) + t: values along whole numbers.
struct Recursion {
  struct Start {
    std::int64_t at = 0;
    Expr value;
  };
  std::string name;
  std::string index;              ///< l
  std::vector<Start> start = {};  ///< one for each earlier value that the step uses
  std::int64_t ahead = 1;         ///< the step defines name(index + ahead)
  Expr step = {};                 ///< in terms of index, name(index), name(index + 1), ...
  Place place = {};
};

/// One statement, as read.
struct Statement {
  std::vector<Definition> definitions = {};
  std::vector<Binder> binders = {};   ///< in the order written; each may use the names before it
  Expr claim = {};                    ///< logical
  std::vector<Expr> conditions = {};  ///< `where` after the claim, logical
  std::vector<Recursion> recursions = {};
};

/// The same statement up to places.
bool same(const Statement& a, const Statement& b);

}  // namespace attest::language
