// Texts of a record that try to be something else, through every form in which a record is written.
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/explain/explanation.hpp"
#include "reports/explain/tex_appendix.hpp"
#include "reports/pages/report.hpp"
#include "reports/record/csv.hpp"
#include "reports/record/junit.hpp"
#include "tests/reports/example.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::array<std::string, 9> hostile_texts = {"<script>alert(1)</script>",
                                                  "</style></title><img src=x onerror=alert(1)>",
                                                  "\" onmouseover=\"alert(1)",
                                                  R"(\input{/etc/passwd} \write18{touch pwned})",
                                                  "`touch pwned` $(touch pwned)",
                                                  "'; system('touch pwned'); set title '",
                                                  "line\n\nbreaks\r\n and \t tabs \x01\x1b[31m",
                                                  "\u202Edesrever \u2066and \u200Fmarked",
                                                  std::string(100'000, 'x')};

/// The example with one text in every place where a record has a text of its author.
Results with(const std::string& text) {
  Results results = example();
  results.papers[0].title = text;
  for (Claim& claim : results.claims) {
    claim.label += text;
    claim.title = claim.note = claim.domain = claim.protocol = claim.evidence.reason = claim.evidence.would_change =
        text;
    claim.assumptions = {text};
    claim.statement = text;
    if (claim.witness) claim.witness->part = text;
    for (NearMiss& miss : claim.near_misses) miss.name = text;
  }
  for (Measurement& measurement : results.measurements) {
    measurement.title = measurement.text = text;
    for (Figure& figure : measurement.figures) figure.title = figure.caption = figure.x.label = text;
  }
  return results;
}

TEST(HostileTexts, are_texts_in_every_page) {
  for (const std::string& text : hostile_texts) {
    const test_support::ScratchFolder folder;
    folder.write("katex/katex.min.js", "var katex = {};");
    folder.write("katex/katex.min.css", ".katex{}");
    write_report(with(text), folder.path() / "out",
                 {.gnuplot = "none", .katex_directories = {folder.path() / "katex"}});
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "out")) {
      if (entry.path().extension() != ".html") continue;
      const std::string html = test_support::content_of(entry.path());
      EXPECT_THAT(html, Not(HasSubstr("<script>alert"))) << text.substr(0, 40);
      EXPECT_THAT(html, Not(HasSubstr("<img src=x"))) << text.substr(0, 40);
      EXPECT_THAT(html, Not(HasSubstr("\" onmouseover"))) << text.substr(0, 40);
      for (const char* mark : {"\u202E", "\u2066", "\u200F", "\x01", "\x1b"})
        EXPECT_EQ(html.find(mark), std::string::npos);
      EXPECT_THAT(html, testing::EndsWith("</html>\n"));
    }
  }
}

TEST(HostileTexts, are_texts_in_xml_terminal_and_latex) {
  for (const std::string& text : hostile_texts) {
    const Results results = with(text);
    EXPECT_THAT(junit_xml(results), Not(HasSubstr("<script>")));
    EXPECT_FALSE(claims_csv(results).empty());
    std::vector<const Claim*> claims;
    for (const Claim& claim : results.claims) {
      claims.push_back(&claim);
      const std::string words = explanation(results, claim, {});
      EXPECT_EQ(words.find('\x1b'), std::string::npos);
      EXPECT_EQ(words.find("\u202E"), std::string::npos);
    }
    const std::string tex = tex_appendix(results, claims);
    EXPECT_THAT(tex, Not(HasSubstr("\\input")));
    EXPECT_THAT(tex, Not(HasSubstr("\\write")));
    EXPECT_EQ(tex.find("\u202E"), std::string::npos);
  }
}

TEST(HostileTexts, run_nothing_in_gnuplot) {
  const test_support::ScratchFolder folder;
  for (const std::string& text : hostile_texts) {
    Results results = with(text);
    write_report(results, folder.path() / "out", {.gnuplot = "gnuplot", .katex_directories = {folder.path()}});
    for (const char* file : {"pwned", "out/pwned", "out/figures/pwned"}) {
      EXPECT_FALSE(std::filesystem::exists(folder.path() / file)) << text.substr(0, 40);
      EXPECT_FALSE(std::filesystem::exists(file)) << text.substr(0, 40);
    }
  }
}

}  // namespace
}  // namespace attest::reports
