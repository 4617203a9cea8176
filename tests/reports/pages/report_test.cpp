#include "reports/pages/report.hpp"

#include <map>
#include <set>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/files/atomic_file.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/text/markup.hpp"
#include "tests/reports/example.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using test_support::content_of;
using test_support::ScratchFolder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A stand-in for KaTeX that is quicker to read than the real one.
ReportTools small_tools(const ScratchFolder& folder) {
  folder.write("katex/katex.min.js", "var katex = {};");
  folder.write("katex/katex.min.css", ".katex{}");
  return {.gnuplot = "gnuplot", .katex_directories = {folder.path() / "katex"}};
}

/// The pages of a report by their files' names.
using Pages = std::map<std::string, std::string>;

Pages pages_of(const Results& results, const ScratchFolder& folder) {
  write_report(results, folder.path() / "out", small_tools(folder));
  Pages pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "out"))
    if (entry.path().extension() == ".html") pages[entry.path().filename().string()] = content_of(entry.path());
  return pages;
}

/// The tags of an HTML document in order, without text, comments and the content of scripts and styles.
std::vector<std::string> tags(std::string_view html) {
  std::vector<std::string> found;
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at)) {
    const std::size_t end = html.find('>', at);
    const std::string_view tag = html.substr(at + 1, end - at - 1);
    found.emplace_back(tag);
    at = end;
    for (const std::string_view raw : {"script", "style"}) {
      if (tag.substr(0, raw.size()) == raw) at = html.find("</" + std::string(raw), end);
    }
  }
  return found;
}

std::string name_of(const std::string& tag) { return tag.substr(0, tag.find_first_of(" \n\t/", 1)); }

TEST(Report, is_an_index_the_errata_and_a_page_for_each_paper) {
  const ScratchFolder folder;
  folder.write("out/report-paper-of-an-earlier-run.html", "");
  folder.write("out/report-paper-notes.txt", "");
  std::vector<std::string> names;
  for (const auto& [name, html] : pages_of(example(), folder)) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("report-errata.html", "report-paper-boosting.html", "report-paper-primal-dual.html",
                                 "report-paper-twicing.html", "report-real-input.html", "report.html"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "report-paper-notes.txt"));
}

TEST(Report, has_balanced_tags) {
  const ScratchFolder folder;
  const std::set<std::string> empty_elements = {"meta", "input", "!DOCTYPE"};
  for (const auto& [name, html] : pages_of(example(), folder)) {
    std::vector<std::string> open;
    for (const std::string& tag : tags(html)) {
      if (tag[0] == '/') {
        ASSERT_FALSE(open.empty()) << name << ": " << tag;
        ASSERT_EQ(open.back(), tag.substr(1)) << name << ": closed out of order";
        open.pop_back();
      } else if (tag.back() != '/' && empty_elements.count(name_of(tag)) == 0) {
        open.push_back(name_of(tag));
      }
    }
    EXPECT_THAT(open, IsEmpty()) << name;
  }
}

TEST(Report, needs_no_network) {
  const ScratchFolder folder;
  for (const auto& [name, html] : pages_of(example(), folder)) {
    for (const std::string& tag : tags(html)) {
      EXPECT_THAT(tag, Not(HasSubstr("http"))) << "an address outside the page";
      EXPECT_THAT(tag, Not(HasSubstr("//"))) << "an address outside the page";
      EXPECT_THAT(name_of(tag), testing::AnyOf(Not(testing::StrEq("link")), IsEmpty()));
      EXPECT_THAT(tag, Not(HasSubstr(" src="))) << "everything is inside the page";
    }
  }
}

TEST(Report, has_a_row_in_the_index_and_a_section_in_its_papers_page_for_every_claim) {
  const ScratchFolder folder;
  const Results results = example();
  Pages pages = pages_of(results, folder);
  for (const Claim& claim : results.claims) {
    const std::string id = " id=\"" + html::anchor(claim.id) + "\" data-item";
    EXPECT_THAT(pages.at("report.html"), HasSubstr(id));
    const std::string& paper = pages.at(html::paper_page_name(results, claim.paper));
    EXPECT_THAT(paper, HasSubstr(id));
    EXPECT_THAT(paper, HasSubstr("<span class=\"tex\" data-display>" + escaped(claim.statement) + "</span>"));
  }
}

/// What stands in `html` from `start` to the next `end`.
std::string between(const std::string& html, std::string_view start, std::string_view end) {
  const std::size_t from = html.find(start);
  EXPECT_NE(from, std::string::npos) << start;
  return from == std::string::npos ? "" : html.substr(from, html.find(end, from) - from);
}

TEST(Report, folds_what_a_long_domain_goes_on_with) {
  const ScratchFolder folder;
  Results results = example();
  Claim& claim = results.claims.front();
  claim.domain = "first";
  for (int i = 0; i < 99; ++i) claim.domain += "; configuration " + std::to_string(i);
  const std::string page = pages_of(results, folder).at(html::paper_page_name(results, claim.paper));
  const std::string domain = between(page, "<dt>Domain</dt>", "</details>");
  EXPECT_LT(domain.find("configuration 3"), domain.find("<details"));
  EXPECT_GT(domain.find("configuration 98"), domain.find("<details"));
  EXPECT_THAT(domain, HasSubstr(" clauses more</summary>"));
}

TEST(Report, leads_with_the_gravest_findings_each_with_its_counterexample) {
  const ScratchFolder folder;
  folder.write("out/witnesses/boosting-snr-strict-gain.json", "{}");
  const std::string findings =
      between(pages_of(example(), folder).at("report.html"), "<section id=\"findings\"", "</section>");
  EXPECT_LT(findings.find("An absolute constant times"), findings.find("Residual connections always raise"))
      << "an error before a constant";
  EXPECT_THAT(findings, HasSubstr("α = 0.1375"));
  EXPECT_THAT(findings, HasSubstr("says <b>0.9682 &gt; 1</b>"));
  EXPECT_THAT(findings, HasSubstr((folder.path() / "out/witnesses/boosting-snr-strict-gain.json").string()));
  EXPECT_THAT(findings, Not(HasSubstr("boosting-softmax-absolute-constant.json"))) << "no such file";
}

TEST(Report, shows_every_erratum_with_its_amendment_as_a_formula) {
  const ScratchFolder folder;
  const Results results = example();
  Pages pages = pages_of(results, folder);
  const std::string& errata = pages.at("report-errata.html");
  for (const Claim& claim : results.claims) {
    if (claim.verdict != Verdict::refuted) continue;
    EXPECT_THAT(errata, testing::ContainsRegex("<article class=\"erratum( wide)?\" id=\"" + claim.id + "\""));
    EXPECT_THAT(errata, HasSubstr("href=\"report-paper-boosting.html#" + claim.id + "\""));
    for (const Claim* amendment : amendments_of(results, claim)) {
      EXPECT_THAT(errata, HasSubstr(escaped(amendment->statement)));
      EXPECT_THAT(between(pages.at("report-paper-boosting.html"), "<details class=\"claim refuted\" id=\"" + claim.id,
                          "</details>\n<details"),
                  HasSubstr(escaped(amendment->statement)));
    }
  }
}

TEST(Report, shows_what_falls_with_a_refuted_statement_and_what_of_it_stands) {
  const ScratchFolder folder;
  EXPECT_THAT(pages_of(example(), folder).at("report-paper-boosting.html"), Not(HasSubstr("id=\"falls\"")))
      << "nothing rests on the refuted ones there";
  Results results = example();
  for (Claim& claim : results.claims) {
    if (claim.id == "boosting/softmax-perturbation") claim.depends_on = {"boosting/snr-strict-gain"};
    if (claim.id == "primal-dual/kkt") claim.depends_on = {"boosting/softmax-perturbation"};
  }
  const std::string page = pages_of(results, folder).at("report-paper-boosting.html");
  const std::string falls = between(page, "<section id=\"falls\"", "</section>");
  EXPECT_THAT(falls, HasSubstr("3 printed statements rest on it: 1 directly, 2 through others; 2 of them stand on "
                               "other grounds, and 1 rests on such alone."));
  EXPECT_THAT(falls, HasSubstr("<a href=\"#boosting/softmax-perturbation\">"));
  EXPECT_THAT(falls, HasSubstr("<a href=\"report-paper-primal-dual.html#primal-dual/kkt\">"));
  EXPECT_THAT(falls, HasSubstr("<svg class=\"falls-graph\""));
  EXPECT_THAT(page, HasSubstr("<a href=\"#falls\">What falls</a>"));
}

TEST(Report, says_what_a_check_still_owes) {
  const ScratchFolder folder;
  Pages pages = pages_of(example(), folder);
  EXPECT_THAT(pages.at("report-paper-boosting.html"), HasSubstr("parts without near miss: (upper bound, N = 64)"));
  EXPECT_THAT(pages.at("report.html"), HasSubstr("1 of 9 do not meet every rule"));
}

TEST(Report, has_no_id_twice_and_no_link_to_nowhere) {
  const ScratchFolder folder;
  std::map<std::string, std::map<std::string, int>> ids;  // by page
  std::vector<std::pair<std::string, std::string>> targets;
  for (const auto& [name, html] : pages_of(example(), folder)) {
    for (const std::string& tag : tags(html)) {
      for (const std::string_view quote : {"\"", "'"}) {
        const auto value = [&](const std::string& attribute) {
          const std::size_t at = tag.find(" " + attribute + "=" + std::string(quote));
          if (at == std::string::npos) return std::string();
          const std::size_t start = at + attribute.size() + 3;
          return tag.substr(start, tag.find(quote, start) - start);
        };
        if (const std::string id = value("id"); !id.empty()) ++ids[name][id];
        const std::string target = value("href");
        const std::size_t hash = target.find('#');
        const std::string page = target.substr(0, target.find_first_of("?#"));
        if (hash != std::string::npos) targets.emplace_back(page.empty() ? name : page, target.substr(hash + 1));
      }
    }
  }
  for (const auto& [name, in_page] : ids)
    for (const auto& [id, count] : in_page) EXPECT_EQ(count, 1) << name << ": " << id;
  ASSERT_GT(targets.size(), 50U);
  for (const auto& [page, target] : targets) EXPECT_EQ(ids[page].count(target), 1U) << page << "#" << target;
}

TEST(Report, shows_hostile_texts_as_texts) {
  const ScratchFolder folder;
  for (const auto& [name, html] : pages_of(example(), folder)) {
    EXPECT_THAT(html, Not(HasSubstr("<script>alert"))) << name;
    EXPECT_THAT(html, Not(HasSubstr("<img src=x"))) << name;
  }
  EXPECT_THAT(pages_of(example(), folder).at("report-paper-primal-dual.html"),
              HasSubstr("Remark 4 &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST(Report, keeps_figures_of_one_name_apart) {
  const ScratchFolder folder;
  Results results = example();
  results.claims[1].evidence.figures = results.claims[0].evidence.figures;
  const WrittenReport written = write_report(results, folder.path() / "out", small_tools(folder));
  if (!written.remarks.empty()) GTEST_SKIP() << written.remarks[0];
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "figures" / "snr_ratio.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "figures" / "snr_ratio-2.svg"));
  EXPECT_THAT(content_of(folder.path() / "out" / "report-paper-boosting.html"), HasSubstr("id=\"figure-snr_ratio-2\""));
}

TEST(Report, renders_measurements_with_their_tables) {
  const ScratchFolder folder;
  const std::string page = pages_of(example(), folder).at("report-real-input.html");
  EXPECT_THAT(page, HasSubstr("Patches of clothing images"));
  EXPECT_THAT(page, HasSubstr(">How often the SNR hypothesis holds</p>"));
  EXPECT_THAT(page, HasSubstr("<p>A second paragraph.</p>"));
}

TEST(Report, is_written_without_formulas_and_figures_when_their_tools_are_missing) {
  const ScratchFolder folder;
  const WrittenReport written = write_report(
      example(), folder.path(), {.gnuplot = "no-such-gnuplot", .katex_directories = {folder.path() / "none"}});
  EXPECT_THAT(written.remarks,
              ElementsAre(HasSubstr("no-such-gnuplot was not found"), HasSubstr("KaTeX was not found")));
  const std::string page = content_of(written.page);
  EXPECT_THAT(page, HasSubstr("Formulas are shown as TeX source"));
  EXPECT_THAT(content_of(folder.path() / "report-paper-boosting.html"),
              HasSubstr("\\frac{\\sigma(y+\\hat y)}{\\sigma(y)}"));
}

TEST(Report, of_no_claims_at_all_is_still_a_page) {
  const ScratchFolder folder;
  const WrittenReport written = write_report(Results{}, folder.path() / "out", small_tools(folder));
  EXPECT_THAT(written.remarks, IsEmpty());
  EXPECT_THAT(content_of(written.page), HasSubstr("Of 0 statements as printed"));
}

TEST(Report, says_which_directory_cannot_be_written) {
  const ScratchFolder folder;
  folder.write("taken", "");
  EXPECT_THAT(test_support::message_of<IoError>([&] { write_report(example(), folder.path() / "taken"); }),
              HasSubstr("taken"));
}

}  // namespace
}  // namespace attest::reports
