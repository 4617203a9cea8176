#include "theorems/evidence/coq_export.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/evidence/exact_numbers.hpp"
#include "theorems/evidence/prover_text.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/question/question.hpp"

namespace attest::evidence {
namespace {

using engine::Verdict;
using language::Choices;
using language::Statement;
using rigor::Rational;

/// Each tactic is tried in turn; what it cannot prove, coqc refuses.
constexpr const char* coq_head = R"(From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

Ltac nonzero := repeat split; first [assumption | lra | nra | apply Rgt_not_eq; lra | apply Rgt_not_eq; nra].
Ltac algebra := first
  [ ring
  | field; nonzero
  | rewrite ?pow2_sqrt by nra; first [ring | field; nonzero]
  | unfold Rminus; rewrite ?exp_plus, ?exp_Ropp; field; nonzero ].
Ltac relation bounds := first
  [ lra
  | solve [timeout 20 algebra]
  | bounds
  | apply Rlt_not_eq; bounds
  | apply Rgt_not_eq; bounds
  | timeout 20 nra ].
Ltac decide_claim bounds := first
  [ solve [relation bounds] | split; decide_claim bounds | solve [left; decide_claim bounds] | right; decide_claim bounds ].
)";

/// What is shown at one choice of sizes.
struct Theorem {
  WrittenOut written;
  TermClaim claim;                          ///< what follows from the domain, or holds at the point
  std::optional<std::vector<Rational>> at;  ///< the point of `exists`
};

std::string identifier(const std::string& id) {
  std::string name = "attest_";
  for (const char c : id) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

/// The point's elements in the order of the written variables.
std::vector<Rational> numbers_at(const Statement& statement, const referee::Point& point) {
  const language::Program program = language::compile(statement, point.choices);
  std::vector<Rational> all;
  for (const language::Binder& binder : statement.binders) {
    for (const std::string& name : binder.names) {
      for (const language::RawInput& input : program.inputs()) {
        if (input.name != name) continue;
        std::vector<Rational> own;
        Rational total(0);
        for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) {
          own.push_back(Rational::from_double(point.raw[input.offset + k]));
          total = total + own.back();
        }
        const auto kind = binder.set.kind;
        bool plain = kind == language::SetKind::reals;
        if (kind == language::SetKind::interval)
          plain = std::ranges::all_of(binder.set.args, [&](const language::Expr& end) {
            return end->op == language::Op::infinity ||
                   (end->op == language::Op::negate && end->args[0]->op == language::Op::infinity) ||
                   exact_constant(statement, end, point.choices).has_value();
          });
        if (kind == language::SetKind::simplex && total != Rational(0)) {
          for (Rational& each : own) each = each / total;
        } else if (!plain) {
          throw NotWritten(fmt::format("the witness of '{}' is not an exact number of its set", name));
        }
        all.insert(all.end(), own.begin(), own.end());
      }
    }
  }
  return all;
}

std::vector<std::pair<Choices, Theorem>> theorems_of(const Statement& statement, const referee::Outcome& outcome,
                                                     ProverFile& file) {
  const bool refuted = outcome.verdict == Verdict::refuted, certified = outcome.verdict == Verdict::certified;
  const bool existential = outcome.question == "existential";
  if ((!refuted && !certified) || (!existential && outcome.question != "universal"))
    throw NotWritten("only a 'forall' or 'exists' that is certified or refuted is exported");
  std::vector<std::pair<Choices, Theorem>> all;
  if (outcome.witness) {
    WrittenOut written = written_out(statement, outcome.witness->choices);
    TermClaim claim = refuted ? denial_of(written.claim) : written.claim;
    all.push_back(
        {outcome.witness->choices, {std::move(written), std::move(claim), numbers_at(statement, *outcome.witness)}});
    return all;
  }
  const auto choices = all_choices(statement, 100000);
  if (!choices) throw NotWritten("there are more than 100 000 choices of sizes");
  std::string last = "there is no choice of sizes";
  for (const Choices& each : *choices) {
    std::string where;
    for (const auto& [name, value] : each)
      where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", name, exact_choice(value));
    try {
      if (all.size() == most_theorems) throw NotWritten(fmt::format("{} choices are written out", most_theorems));
      WrittenOut written = written_out(statement, each);
      TermClaim claim = existential ? denial_of(written.claim) : written.claim;
      all.push_back({each, {std::move(written), std::move(claim), std::nullopt}});
    } catch (const NotWritten& why) {
      last = why.what();
      file.left_out.push_back(fmt::format("{}: {}", where, last));
    }
  }
  if (all.empty()) throw NotWritten(last);
  return all;
}

/// The hypotheses of a theorem: domain and, for identities, where their quotients and roots are defined.
std::vector<TermClaim> hypotheses_of(const Theorem& theorem) {
  std::vector<TermClaim> all = theorem.written.domain;
  if (equalities_only(theorem.claim)) {
    const std::vector<TermClaim> defined = definedness_of(theorem.claim);
    all.insert(all.end(), defined.begin(), defined.end());
  }
  return all;
}

std::string conclusion(const Theorem& theorem, Prover prover) {
  std::string text;
  const std::string_view and_sign = prover == Prover::coq ? " /\\ " : " ∧ ",
                         then = prover == Prover::coq ? " ->\n  " : " →\n  ";
  if (theorem.at)
    for (const TermClaim& each : theorem.written.domain)
      text += "(" + text_of(each, prover) + ")" + std::string(and_sign);
  else
    for (const TermClaim& each : hypotheses_of(theorem)) text += text_of(each, prover) + std::string(then);
  return text + (theorem.at ? "(" + text_of(theorem.claim, prover) + ")" : text_of(theorem.claim, prover));
}

std::string quantified(const Theorem& theorem, Prover prover) {
  if (theorem.written.variables.empty()) return "";
  const bool coq = prover == Prover::coq;
  const std::string names = fmt::format("{}", fmt::join(theorem.written.variables, " "));
  const char* word = theorem.at ? (coq ? "exists" : "∃") : (coq ? "forall" : "∀");
  return coq ? fmt::format("{} {} : R,\n  ", word, names) : fmt::format("{} {} : ℝ, ", word, names);
}

std::string coq_proof(const Theorem& theorem) {
  std::string proof = "Proof.\n";
  if (theorem.at) {
    for (const Rational& number : *theorem.at)
      proof += fmt::format("  exists {}.\n", text_of(number_term(number), Prover::coq));
    return proof + "  decide_claim ltac:(interval with (i_prec 120)).\nQed.\n";
  }
  proof += "  intros" + std::string(theorem.written.variables.empty() ? "" : " ") +
           fmt::format("{}", fmt::join(theorem.written.variables, " "));
  for (std::size_t k = 1; k <= hypotheses_of(theorem).size(); ++k) proof += fmt::format(" H{}", k);
  proof += ".\n";
  if (equalities_only(theorem.claim))
    for (const std::string& exponent : exponents_of(theorem.claim, Prover::coq))
      proof += fmt::format("  pose proof (exp_pos {}).\n", exponent);
  std::string bisected = "i_prec 60, i_depth 18";
  for (const std::string& name : theorem.written.variables) bisected += ", i_bisect " + name;
  std::string slopes;
  if (!theorem.written.variables.empty() && !theorem.written.domain.empty())
    slopes = fmt::format(" | interval with ({}, i_autodiff {})", bisected, theorem.written.variables.front());
  return proof +
         fmt::format("  decide_claim ltac:(first [interval | interval with ({}){}]).\nQed.\n", bisected, slopes);
}

std::string about(const Statement& statement, const referee::Outcome& outcome, const Heading& heading,
                  const ProverFile& file) {
  std::string text =
      fmt::format("{}{}{}\n   {}\n   Attest says: {}, by {}.\n", heading.id,
                  heading.label.empty() ? "" : ", " + heading.label, heading.title.empty() ? "" : ", " + heading.title,
                  language::normal_form(statement), engine::name(outcome.verdict), outcome.method);
  for (const std::string& each : file.left_out) text += "   Left out: " + each + ".\n";
  return text;
}

std::string name_of(const Heading& heading, const std::pair<Choices, Theorem>& one, bool alone) {
  std::string name = identifier(heading.id);
  if (alone && one.first.empty()) return name;
  for (const auto& [variable, value] : one.first) name += "_" + identifier(variable + exact_choice(value)).substr(7);
  return name;
}

}  // namespace

ProverFile coq_file(const Statement& statement, const referee::Outcome& outcome, const Heading& heading) {
  ProverFile file;
  const auto theorems = theorems_of(statement, outcome, file);
  // The tactics know polynomials and bounded boxes, not polynomials in exponentials over all numbers.
  if (outcome.method == "signs of polynomials")
    for (const auto& [choices, theorem] : theorems)
      if (text_of(theorem.claim, Prover::coq).find("exp ") != std::string::npos)
        throw NotWritten("its proof by the signs of polynomials in exponentials is not one that Coq's tactics repeat");
  if (outcome.method == "branch and bound with expansions")
    throw NotWritten("its proof by Taylor expansions where both sides touch is not one that Coq's tactics repeat");
  file.text =
      fmt::format("(* {}   Checked by: coqc FILE, with Coq 8.16 and the library Interval (libcoq-interval). *)\n{}",
                  about(statement, outcome, heading, file), coq_head);
  for (const auto& one : theorems) {
    file.text +=
        fmt::format("\nTheorem {} :\n  {}{}.\n{}", name_of(heading, one, theorems.size() == 1),
                    quantified(one.second, Prover::coq), conclusion(one.second, Prover::coq), coq_proof(one.second));
    ++file.theorems;
  }
  return file;
}

ProverFile lean_file(const Statement& statement, const referee::Outcome& outcome, const Heading& heading) {
  ProverFile file;
  const auto theorems = theorems_of(statement, outcome, file);
  file.text = fmt::format(
      "/- {}   Not checked by Attest: statements without proofs, for Lean 4 with Mathlib. -/\nimport Mathlib\n",
      about(statement, outcome, heading, file));
  for (const auto& one : theorems) {
    file.text += fmt::format("\ntheorem {} :\n  {}{} := by\n  sorry\n", name_of(heading, one, theorems.size() == 1),
                             quantified(one.second, Prover::lean), conclusion(one.second, Prover::lean));
    ++file.theorems;
  }
  return file;
}

}  // namespace attest::evidence
