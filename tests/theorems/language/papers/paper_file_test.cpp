// Papers as text files.
#include "theorems/language/papers/paper_file.hpp"

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/theorems/language/damaged_text.hpp"
#include "theorems/language/papers/paper_lines.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string paper = R"(# A note on softmax
paper "Softmax, revisited"
authors A. One, B. Two
link https://example.org/paper.pdf
licence CC BY 4.0

claim softmax-lipschitz
  label Theorem 3.1
  title Softmax halves distances
  says forall n in 2..64, x, y in R^n:
         # in the Euclidean norm

         norm(softmax(x) - softmax(y)) <= 1/2*norm(x - y)
  assumes finite logits
  assumes one head,
    and no mask
  expected supported

claim gap
  says
    forall x in R: x^2 >= 0
  expected refuted
  finding constant
  amends softmax-lipschitz
  depends_on softmax-lipschitz,
             third
  note first paragraph
  note second
    paragraph
  printed no

claim third
    says 1 + 1 = 2
    transcribed sha256:00ff
)";

TEST(Paper, IsAHeadAndClaims) {
  const PaperFile file = read_paper(paper, "p.attest");
  EXPECT_EQ(file.title, "Softmax, revisited");
  EXPECT_EQ(file.authors, "A. One, B. Two");
  EXPECT_EQ(file.link, "https://example.org/paper.pdf");
  EXPECT_EQ(file.licence, "CC BY 4.0");
  ASSERT_EQ(file.claims.size(), 3U);
  const PaperClaim& first = file.claims[0];
  EXPECT_EQ(first.id, "softmax-lipschitz");
  EXPECT_EQ(first.label, "Theorem 3.1");
  EXPECT_EQ(first.title, "Softmax halves distances");
  EXPECT_EQ(normal_form(first.says.at(0).statement),
            "forall n in 2..64, x, y in R^n: norm(softmax(x) - softmax(y)) <= 1/2*norm(x - y)");
  EXPECT_THAT(first.assumptions, ElementsAre("finite logits", "one head, and no mask"));
  EXPECT_EQ(first.expected, "supported");
  EXPECT_TRUE(first.printed);
  EXPECT_THAT(first.depends_on, IsEmpty());
  const PaperClaim& second = file.claims[1];
  EXPECT_EQ(normal_form(second.says.at(0).statement), "forall x in R: x^2 >= 0");
  EXPECT_EQ(second.finding, "constant");
  EXPECT_EQ(second.amends, "softmax-lipschitz");
  EXPECT_THAT(second.depends_on, ElementsAre("softmax-lipschitz", "third"));
  EXPECT_EQ(second.note, "first paragraph\nsecond paragraph");
  EXPECT_FALSE(second.printed);
  EXPECT_EQ(file.claims[2].transcribed, "sha256:00ff");
}

TEST(Paper, LineEndsOfEveryKindAndAByteOrderMarkAreRead) {
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : paper) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read_paper(windows, "p.attest").claims.size(), 3U);
}

TEST(Paper, PlacesOfNodesStandInTheFile) {
  const PaperFile file = read_paper(paper, "p.attest");
  EXPECT_EQ(file.claims[0].says.at(0).statement.claim->place.line, 13);
  EXPECT_EQ(file.claims[1].place.line, 19);
}

std::string said(const std::string& text) {
  try {
    read_paper(text, "p.attest");
  } catch (const PaperProblem& problem) {
    EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos);
    return problem.what();
  }
  return "was read";
}

/// The paper with `from` replaced once.
std::string said_with(const std::string& from, const std::string& to) {
  std::string text = paper;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return said(text);
}

TEST(Paper, IsKnownByItsHeadWhetherClaimsFollowOrNot) {
  const std::string head = "paper \"A note\"\nauthors A. One\n";
  const std::string both = head + "# claim in a comment\nclaim broken\n  says nothing that can be read (\n";
  EXPECT_EQ(read_head(head, "paper.attest").authors, "A. One");
  EXPECT_EQ(read_head(both, "paper.attest").title, "A note");
  EXPECT_FALSE(holds_claims(head));
  EXPECT_FALSE(holds_claims("paper \"claim x\"\n  claim y"));
  EXPECT_TRUE(holds_claims(both));
}

TEST(PaperProblems, NameFileLineAndColumn) {
  EXPECT_THAT(said_with("  label", "  lable"),
              HasSubstr("p.attest, line 8, column 3: unknown key 'lable' in a claim; did you mean label?"));
  EXPECT_THAT(said_with("authors", "autors"),
              HasSubstr("line 3, column 1: unknown key 'autors' in the head; did you mean authors?"));
  EXPECT_THAT(said_with("expected refuted", "expected wrong"),
              HasSubstr("line 22, column 12: 'expected' is 'wrong', which is none of: certified"));
  EXPECT_THAT(said_with("printed no", "printed maybe"), HasSubstr("line 30, column 11"));
  EXPECT_THAT(said_with("finding constant", "finding typo"), HasSubstr("line 23, column 11"));
  EXPECT_THAT(said_with("<= 1/2*norm(x - y)\n", "<= 1/2*norm(x - y\n"),
              HasSubstr("line 13, column 57: the statement ends while the '(' at line 13, column 51 is open"));
  EXPECT_THAT(said_with("licence CC BY 4.0", "licence"), HasSubstr("line 5, column 1: 'licence' has no value"));
  EXPECT_THAT(said_with("licence CC BY 4.0", "link b"), HasSubstr("line 5, column 1: 'link' stands twice"));
  EXPECT_THAT(said_with("  label Theorem 3.1", "label Theorem 3.1"),
              HasSubstr("line 8, column 1: the lines of a claim are indented"));
  EXPECT_THAT(
      said_with("  title Softmax", "\ttitle Softmax"),
      HasSubstr("line 9, column 2: tabs and spaces: how wide a tab is would decide whether this line is indented "
                "deeper than line 8; indent both by spaces, or both by tabs"));
  EXPECT_THAT(said_with("  title Softmax", " title Softmax"),
              HasSubstr("line 9, column 2: the keys of a claim are indented alike"));
  EXPECT_THAT(said_with("    says 1 + 1 = 2", "    note nothing"),
              HasSubstr("line 32, column 7: the claim 'third' says nothing"));
  EXPECT_THAT(said_with("claim third", "claim th rd"), HasSubstr("line 32, column 9: an id is lower-case letters"));
  EXPECT_THAT(said_with("claim third", "claim"), HasSubstr("line 32, column 1: the claim has no id"));
}

TEST(Paper, TabsIndentAsSpacesDo) {
  std::string tabbed;
  for (std::size_t at = 0; at < paper.size(); ++at) {
    const bool two_spaces = paper.compare(at, 2, "  ") == 0;
    tabbed += two_spaces ? '\t' : paper[at];
    at += two_spaces ? 1 : 0;
  }
  const PaperFile spaced = read_paper(paper, "p.attest"), file = read_paper(tabbed, "p.attest");
  ASSERT_EQ(file.claims.size(), spaced.claims.size());
  for (std::size_t i = 0; i < file.claims.size(); ++i) {
    EXPECT_EQ(file.claims[i].title, spaced.claims[i].title);
    EXPECT_EQ(file.claims[i].assumptions, spaced.claims[i].assumptions);
    EXPECT_EQ(file.claims[i].note, spaced.claims[i].note);
    ASSERT_EQ(file.claims[i].says.size(), spaced.claims[i].says.size());
    EXPECT_EQ(as_prose(file.claims[i].says[0].text), as_prose(spaced.claims[i].says[0].text));
  }
}

TEST(PaperProblems, OfStatementsStandWhereTheyStandInTheFile) {
  EXPECT_THAT(said_with("softmax(y)) <=", "sofmax(y)) <="),
              HasSubstr("line 13, column 28: unknown function 'sofmax'; did you mean softmax?"));
  EXPECT_THAT(said_with("says 1 + 1 = 2", "says 1 + z = 2"), HasSubstr("line 33, column 14: 'z' is not bound"));
}

TEST(PaperProblems, OfIds) {
  EXPECT_THAT(said_with("claim third", "claim gap"),
              HasSubstr("line 32, column 7: the id 'gap' is taken by the claim at line 19"));
  EXPECT_THAT(said_with("             third", "             thirt"),
              HasSubstr("line 26, column 14: no claim has the id 'thirt'; did you mean third?"));
  EXPECT_THAT(said_with("amends softmax-lipschitz", "amends softmax"),
              HasSubstr("line 24, column 10: no claim has the id 'softmax'"));
  EXPECT_THAT(said_with("amends softmax-lipschitz", "amends gap"), HasSubstr("names itself"));
  EXPECT_THAT(said_with("softmax-lipschitz,\n", "third,\n"), HasSubstr("'third' is named twice"));
  EXPECT_THAT(said_with("    transcribed sha256:00ff", "    depends_on gap"),
              HasSubstr("line 26, column 14: depends_on goes round in a circle, gap on third on gap"));
}

TEST(PaperProblems, IdsElsewhereMayBeNamed) {
  const std::string text = "paper P\nclaim a\n  says 1 = 1\n  depends_on other/b\n  amends other/c\n";
  EXPECT_THAT(said(text), HasSubstr("no claim has the id"));
  const std::vector<std::string> elsewhere = {"other/b", "other/c"};
  EXPECT_EQ(read_paper(text, "p.attest", elsewhere).claims.size(), 1U);
}

TEST(PaperProblems, FilesThatAreNone) {
  EXPECT_THAT(said(""), HasSubstr("line 1, column 1: the file is empty"));
  EXPECT_THAT(said("\n  \n"), HasSubstr("the file is empty"));
  EXPECT_THAT(said("# nothing\n"), HasSubstr("only comments"));
  EXPECT_THAT(said("paper P\nclaim a\n  says 1 = 1\n  note caf\xe9\n"),
              HasSubstr("line 4, column 11: the text is not UTF-8"));
  EXPECT_THAT(said("claim a\n  says 1 = 1\n"), HasSubstr("line 1, column 1: the file begins with 'claim'"));
  EXPECT_THAT(said("paper \"\"\n"), HasSubstr("line 1, column 7: the paper has no title"));
  EXPECT_THAT(said("paper P\n"), HasSubstr("the file holds no claim"));
  EXPECT_THAT(said("paper P\nclaim a\n  says 1 = 1\nlicence MIT\n"),
              HasSubstr("line 4, column 1: 'licence' belongs to the head"));
  EXPECT_THROW(read_paper_file("/nowhere/at/all.attest"), std::invalid_argument);
  EXPECT_THROW(read_paper_file("/"), std::invalid_argument);
}

TEST(Damage, PapersAreReadOrRefused) {
  const std::vector<std::string> pieces = {
      "claim a\n", "  says 1 = 1\n", "\n", "\n  ", "depends_on gap", "  ", "paper ", "#", "\t",
      "\"",        "amends third\n", ",",  "\r\n"};
  const std::vector<std::string> papers = {paper};
  int read = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 30'000; ++seed) {
    const std::string text = damaged(papers, pieces, seed);
    try {
      read_paper(text, "p.attest");
      ++read;
    } catch (const PaperProblem& problem) {
      ++refused;
      ASSERT_GT(problem.place().line, 0) << "seed " << seed << "\n" << problem.what();
      ASSERT_GT(problem.place().column, 0) << "seed " << seed << "\n" << problem.what();
    }
  }
  EXPECT_GT(read, 3'000);
  EXPECT_GT(refused, 3'000);
}

}  // namespace
}  // namespace attest::language
