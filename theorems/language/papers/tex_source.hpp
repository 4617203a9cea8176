// What a paper's TeX source labels: theorems and their kin, and displayed equations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::language {

/// One labelled environment.
struct TexEnvironment {
  std::string kind = {};   ///< "theorem", "lemma", "equation", ... as in \begin{kind}
  std::string label = {};  ///< as in \label{label}
  std::string title = {};  ///< the optional argument, or empty
  std::string text = {};   ///< without comments and \label, runs of white space as one space
  int line = 0;            ///< of its \begin, or a row's label, counted from 1
};

/// Those of the source in the order of their \begin: theorem, lemma, proposition, corollary, claim, conjecture, remark,
/// definition, assumption, observation, example, equation, align, gather, multline, subequations and their starred
/// forms. A label belongs to the innermost of them. An align or gather with several labels is one environment for each
/// labelled row. Environments without a label are left out. Comments (from an unescaped %) are not text.
std::vector<TexEnvironment> labelled_environments(std::string_view tex);

/// "sha256:" and the digest of the environment's text: what `transcribed` keeps.
std::string digest_of(const TexEnvironment& environment);

/// The title of the source, \title{...}; empty where it has none.
std::string title_of(std::string_view tex);

}  // namespace attest::language
