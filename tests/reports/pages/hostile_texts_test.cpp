// Texts of a record that try to be something else, through every form in which a record is written.
#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/explain/explanation.hpp"
#include "reports/explain/tex_appendix.hpp"
#include "reports/figures/figure_files.hpp"
#include "reports/pages/report.hpp"
#include "reports/record/badge.hpp"
#include "reports/record/csv.hpp"
#include "reports/record/junit.hpp"
#include "reports/record/sarif.hpp"
#include "tests/reports/example.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::array<std::string, 10> hostile_texts = {
    "=HYPERLINK(\"http://example.org\")",           "<script>alert(1)</script>",
    "</style></title><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)",
    R"(\input{/etc/passwd} \write18{touch pwned})", "`touch pwned` $(touch pwned)",
    "'; system('touch pwned'); set title '",        "line\n\nbreaks\r\n and \t tabs \x01\x1b[31m",
    "\u202Edesrever \u2066and \u200Fmarked",        std::string(100'000, 'x')};

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
    const std::string junit = junit_xml(results);
    EXPECT_THAT(junit, Not(HasSubstr("<script>")));
    for (const char* no_xml : {"\x01", "\x1b"}) EXPECT_EQ(junit.find(no_xml), std::string::npos);
    EXPECT_THAT(claims_csv(results), Not(testing::ContainsRegex(",\"?=")));
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

TEST(HostileTexts, are_texts_in_sarif_and_leave_the_badge_alone) {
  for (const std::string& text : hostile_texts) {
    Results results = with(text);
    for (Claim& claim : results.claims) {
      claim.expected = claim.verdict == Verdict::refuted ? Verdict::supported : Verdict::refuted;
      claim.source = "papers/" + text.substr(0, 100) + ".attest:3";
    }
    const auto document = nlohmann::json::parse(sarif("attest", "1", findings_of(results)), nullptr, false);
    ASSERT_FALSE(document.is_discarded()) << text.substr(0, 40);
    const auto& run = document["runs"][0];
    EXPECT_GE(run["results"].size(), results.claims.size()) << text.substr(0, 40);
    for (const auto& finding : run["results"]) {
      const std::string uri = finding["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
      EXPECT_EQ(uri.find_first_of(" \"<>\\^`{|}\n\r\t\x01\x1b"), std::string::npos) << uri.substr(0, 80);
    }
    EXPECT_EQ(badge_svg(results).find(text), std::string::npos) << "a badge has counts, no text of an author";
  }
}

TEST(HostileTexts, are_texts_in_the_files_of_a_figure) {
  for (const std::string& text : hostile_texts) {
    Figure figure;
    figure.name = "f";
    figure.title = figure.caption = figure.x.label = figure.y.label = text;
    figure.x.places = {{1, text}, {2, "b"}};
    Series& series = figure.series.emplace_back();
    series.label = text;
    series.x = series.y = {1, 2};
    std::string tikz = figure_tikz(figure, {});
    tikz.erase(0, tikz.find("\\begin{tikzpicture}"));  // a comment before it says how to read it
    const std::string csv = figure_csv(figure);
    EXPECT_THAT(tikz, Not(HasSubstr("\\input"))) << text.substr(0, 40);
    EXPECT_THAT(tikz, Not(HasSubstr("\\write"))) << text.substr(0, 40);
    EXPECT_THAT(csv, Not(testing::ContainsRegex("(^|[,\n])\"?="))) << text.substr(0, 40);
    EXPECT_EQ(std::ranges::count(csv, '\n'), 3) << "a break in a name is not one of rows: " << text.substr(0, 40);
    for (const char* mark : {"\u202E", "\u2066", "\u200F", "\x01", "\x1b"}) {
      EXPECT_EQ(tikz.find(mark), std::string::npos) << text.substr(0, 40);
      EXPECT_EQ(csv.find(mark), std::string::npos) << text.substr(0, 40);
    }
  }
}

TEST(HostileTexts, run_nothing_in_gnuplot) {
  const test_support::ScratchFolder folder;
  for (const std::string& text : hostile_texts) {
    Results results = with(text);
    write_report(results, folder.path() / "out", {.gnuplot = "gnuplot", .katex_directories = {folder.path()}});
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "out" / "figures")) {
      if (entry.path().extension() != ".svg") continue;
      const std::string svg = test_support::content_of(entry.path());
      EXPECT_THAT(svg, Not(HasSubstr("<script>alert"))) << text.substr(0, 40);
      EXPECT_THAT(svg, Not(HasSubstr("<img src=x"))) << text.substr(0, 40);
      EXPECT_EQ(svg.find("\u202E"), std::string::npos);
    }
    for (const char* file : {"pwned", "out/pwned", "out/figures/pwned"}) {
      EXPECT_FALSE(std::filesystem::exists(folder.path() / file)) << text.substr(0, 40);
      EXPECT_FALSE(std::filesystem::exists(file)) << text.substr(0, 40);
    }
  }
}

}  // namespace
}  // namespace attest::reports
