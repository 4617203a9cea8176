#include "reports/explain/tex_appendix.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "reports/record/witness_sides.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/relations.hpp"
#include "reports/text/sentence.hpp"
#include "reports/text/tex_text.hpp"

namespace attest::reports {
namespace {

/// A number of the record for mathematics mode: 1.5e-07 as a power of ten.
std::string tex_number(const std::string& text) {
  const std::size_t exponent = text.find('e');
  const bool plain = text.find_first_not_of("0123456789.+-e") == std::string::npos && !text.empty();
  if (!plain) return "\\text{" + tex_escaped(text) + "}";
  if (exponent == std::string::npos) return text;
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, exponent), std::atoi(text.c_str() + exponent + 1));
}

std::string relation_in_tex(const std::string& relation) {
  const RelationSigns* signs = relation_typed(relation);
  return signs != nullptr ? std::string(signs->tex) : "\\text{" + tex_escaped(relation) + "}";
}

std::string counterexample(const Witness& witness) {
  constexpr std::size_t most = 6;
  std::string inputs;
  for (const auto& [name, values] : witness.inputs) {
    std::string list;
    for (std::size_t i = 0; i < std::min(values.size(), most); ++i)
      list += (i == 0 ? "" : ", ") + tex_number(readable_number(std::strtod(values[i].c_str(), nullptr), 6));
    if (values.size() > most) list += ", \\dots";
    if (values.size() > 1) list = "(" + list + ")";
    inputs += fmt::format("{}\\texttt{{{}}} \\(= {}\\)", inputs.empty() ? "" : ", ", tex_escaped(name), list);
  }
  const Sides sides = readable_sides(witness);
  return fmt::format("Counterexample: {}; there the statement says \\({} {} {}\\).\n", inputs, tex_number(sides.left),
                     relation_in_tex(witness.relation), tex_number(sides.right));
}

std::string paragraph(const Claim& claim) {
  std::string tex =
      fmt::format("\\paragraph{{{}: {}}} \\emph{{{}{}}}\n{}", tex_prose(claim.label),
                  tex_prose(as_sentence(claim.title)), name(claim.verdict),
                  claim.finding.empty() ? "" : ", " + tex_escaped(claim.finding), tex_display(claim.statement));
  if (!claim.assumptions.empty()) tex += "where";
  std::string separator = " ";
  for (const std::string& assumption : claim.assumptions) {
    tex += separator + tex_prose(assumption);
    separator = "; ";
  }
  return tex + (claim.assumptions.empty() ? "" : ".\n");
}

}  // namespace

std::string tex_appendix(const Results& results, const std::vector<const Claim*>& claims) {
  std::string tex = "% Written by Attest. Needs amsmath and amssymb; texts in UTF-8.\n";
  for (const Claim* claim : claims) {
    tex += paragraph(*claim);
    if (claim->verdict == Verdict::refuted && claim->witness && !claim->witness->inputs.empty())
      tex += counterexample(*claim->witness);
    if (!claim->note.empty()) tex += tex_prose(as_sentence(claim->note)) + "\n";
    for (const Claim* amendment : amendments_of(results, *claim))
      if (std::find(claims.begin(), claims.end(), amendment) == claims.end()) tex += "\\par " + paragraph(*amendment);
    tex += "\n";
  }
  return tex;
}

}  // namespace attest::reports
