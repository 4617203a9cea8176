// From TeX to the draft of a paper file, and drift between them.
#include "theorems/language/papers/draft.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "theorems/language/papers/tex_source.hpp"

namespace attest::language {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string source = R"(\documentclass{article}
\title{Softmax, revisited} % \title{not this}
\begin{document}
\begin{theorem}[Softmax halves distances]\label{thm:lip}
For all $x, y$: % 50\% of them
\begin{equation}\label{eq:half}
  \|s(x) - s(y)\| \le \tfrac12 \|x - y\|
\end{equation}
\end{theorem}
\begin{lemma} Not labelled. \end{lemma}
% \begin{lemma}\label{lem:comment} no \end{lemma}
\begin{figure}\label{fig:one}\end{figure}
\end{document}
)";

TEST(TexSource, LabelsTheoremsAndEquations) {
  const auto found = labelled_environments(source);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].kind, "theorem");
  EXPECT_EQ(found[0].label, "thm:lip");
  EXPECT_EQ(found[0].title, "Softmax halves distances");
  EXPECT_EQ(found[0].line, 4);
  EXPECT_THAT(found[0].text, HasSubstr("For all $x, y$: \\begin{equation}"));
  EXPECT_EQ(found[1].label, "eq:half");
  EXPECT_EQ(found[1].text, "\\|s(x) - s(y)\\| \\le \\tfrac12 \\|x - y\\|");
  EXPECT_EQ(title_of(source), "Softmax, revisited");
}

TEST(TexSource, RowsOfAnAlignHaveTheirOwnLabels) {
  const auto found = labelled_environments(
      "\\begin{subequations}\\label{both}\n\\begin{align}\n a &= \\begin{cases} 1 \\\\ 2 \\end{cases} \\label{first} "
      "\\\\[2pt]\n"
      " b &= {c \\\\ d} \\label{second} \\\\\n e &= f\n\\end{align}\n\\end{subequations}\n"
      "\\begin{gather}\\label{only} x \\\\ y \\end{gather}");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].label, "both");
  EXPECT_EQ(found[1].label, "first");
  EXPECT_EQ(found[1].text, "a &= \\begin{cases} 1 \\\\ 2 \\end{cases}");
  EXPECT_EQ(found[1].line, 3);
  EXPECT_EQ(found[2].label, "second");
  EXPECT_EQ(found[2].text, "b &= {c \\\\ d}");
  EXPECT_EQ(found[3].label, "only");
  EXPECT_EQ(found[3].text, "x \\\\ y");
}

TEST(TexSource, ThatIsCutIsReadAsFarAsItGoes) {
  EXPECT_THAT(labelled_environments("\\begin{theorem}\\label{a} no end"), IsEmpty());
  EXPECT_THAT(labelled_environments("\\begin{theorem"), IsEmpty());
  EXPECT_THAT(labelled_environments("\\end{theorem}\\label{x}"), IsEmpty());
  EXPECT_EQ(title_of("\\title{open"), "");
}

/// The draft with a statement written where it asks for one.
PaperFile transcribed() {
  std::string draft = draft_of(source);
  const std::string place = "  # says forall ...: ... <= ...";
  for (std::size_t at = draft.find(place); at != std::string::npos; at = draft.find(place))
    draft.replace(at, place.size(), "  says 1 = 1");
  return read_paper(draft, "draft.attest");
}

TEST(Draft, IsAPaperFileThatWantsItsStatements) {
  EXPECT_THROW(read_paper(draft_of(source), "draft.attest"), PaperProblem);
  const PaperFile paper = transcribed();
  EXPECT_EQ(paper.title, "Softmax, revisited");
  ASSERT_THAT(paper.claims, SizeIs(2));
  EXPECT_EQ(paper.claims[0].id, "thm-lip");
  EXPECT_EQ(paper.claims[0].label, "Theorem thm:lip");
  EXPECT_EQ(paper.claims[0].title, "Softmax halves distances");
}

TEST(Drift, IsALabelThatWentOrATextThatChanged) {
  const PaperFile paper = transcribed();
  EXPECT_THAT(drift_between(source, paper), IsEmpty());
  EXPECT_THAT(not_transcribed(source, paper), IsEmpty());
  std::string moved = source;
  moved.replace(moved.find("tfrac12"), 7, "tfrac13");
  const auto drifts = drift_between(moved, paper);
  ASSERT_THAT(drifts, SizeIs(2));  // the theorem holds the equation
  EXPECT_EQ(drifts[1].id, "eq-half");
  EXPECT_THAT(drifts[1].sentence, HasSubstr("has changed since it was transcribed"));
  std::string renamed = source;
  renamed.replace(renamed.find("eq:half"), 7, "eq:less");
  const auto gone = drift_between(renamed, paper);
  ASSERT_THAT(gone, SizeIs(1));
  EXPECT_EQ(gone[0].sentence, "the label eq:half is gone from the source");
  EXPECT_THAT(not_transcribed(renamed, paper), ElementsAre("eq:less"));
}

TEST(Drift, IsBlindToCommentsAndBlanks) {
  std::string spaced = source;
  spaced.replace(spaced.find("For all"), 7, "For\n  all % words");
  // The comment ends with its line, so what follows on it is gone too.
  EXPECT_EQ(drift_between(spaced, transcribed()).size(), 1U);
  spaced = source;
  spaced.replace(spaced.find("For all"), 7, "For % words\n  all");
  EXPECT_THAT(drift_between(spaced, transcribed()), IsEmpty());
}

}  // namespace
}  // namespace attest::language
