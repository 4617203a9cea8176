// The names of a statement: what each stands for, and what definitions and recursions depend on.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "theorems/language/reading/draft.hpp"
#include "theorems/language/tree.hpp"

namespace attest::language {

/// What runs over an index: sum(i in 1..n: ...).
inline constexpr std::array<std::string_view, 7> comprehensions = {"sum", "prod", "max", "min", "mean", "all", "any"};

/// What a name of the statement stands for.
struct Meaning {
  enum class Kind : std::uint8_t { bound, definition, recursion };
  Kind kind = Kind::bound;
  std::size_t at = 0;    ///< number of the binder, definition or recursion
  bool random = false;   ///< a binder's
  std::size_t rank = 0;  ///< names of binders become visible in this order, from 1
};

/// The names that a definition or recursion uses, and whether anywhere outside E[...] and P[...].
using Leaning = std::map<std::string, bool>;

class Names {
 public:
  /// Takes recursions out of the draft's conditions, then registers every name. Errors: `Problem` for names that are
  /// reserved or bound twice, and for a second `best` or `limit`.
  void register_all(Draft& draft);
  /// Errors: `Problem` where the name is taken.
  void add(const std::string& name, Place place, Meaning meaning);
  /// Another name of a binder, visible after all others.
  void add_bound(const std::string& name, Place place, std::size_t binder);

  /// nullptr where the name stands for nothing.
  const Meaning* find(const std::string& name) const;
  const std::map<std::string, Meaning>& all() const { return meanings_; }
  std::size_t last_rank() const { return ranks_; }
  bool has_random() const { return has_random_; }

  /// What the definition or recursion of that name leans on; filled while it is read.
  Leaning& leaning(const std::string& name) { return leanings_[name]; }
  /// Refuses circles, then follows every leaning to the bound names at its end. Errors: `Problem` for a circle.
  void settle(const Statement& statement);

  /// Errors: `Problem` for a word of the language.
  static void check_reserved(const std::string& name, Place place);

 private:
  void refuse_circle(const Statement& statement, const std::string& name, std::vector<std::string> path,
                     std::set<std::string>& settled) const;
  Leaning closure(const std::string& name) const;

  std::map<std::string, Meaning> meanings_;
  std::map<std::string, Leaning> leanings_;
  std::size_t ranks_ = 0;
  bool has_random_ = false;
};

}  // namespace attest::language
