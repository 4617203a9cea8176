#include "reports/pages/report.hpp"

#include <map>
#include <set>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/files/atomic_file.hpp"
#include "reports/html/elements/elements.hpp"
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

std::string example_page(const ScratchFolder& folder) {
  return content_of(write_report(example(), folder.path() / "out", small_tools(folder)).page);
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

TEST(Report, has_balanced_tags) {
  const ScratchFolder folder;
  const std::set<std::string> empty_elements = {"meta", "input", "!DOCTYPE"};
  std::vector<std::string> open;
  for (const std::string& tag : tags(example_page(folder))) {
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty()) << tag;
      ASSERT_EQ(open.back(), tag.substr(1)) << "closed out of order";
      open.pop_back();
    } else if (tag.back() != '/' && empty_elements.count(name_of(tag)) == 0) {
      open.push_back(name_of(tag));
    }
  }
  EXPECT_THAT(open, IsEmpty());
}

TEST(Report, needs_no_network) {
  const ScratchFolder folder;
  for (const std::string& tag : tags(example_page(folder))) {
    EXPECT_THAT(tag, Not(HasSubstr("http"))) << "an address outside the page";
    EXPECT_THAT(tag, Not(HasSubstr("//"))) << "an address outside the page";
    EXPECT_THAT(name_of(tag), testing::AnyOf(Not(testing::StrEq("link")), IsEmpty()));
    EXPECT_THAT(tag, Not(HasSubstr(" src="))) << "everything is inside the page";
  }
}

TEST(Report, has_a_row_and_a_section_for_every_claim) {
  const ScratchFolder folder;
  const std::string page = example_page(folder);
  for (const Claim& claim : example().claims) {
    const std::string anchor = html::anchor(claim.id);
    EXPECT_THAT(page, HasSubstr("data-claim=\"" + anchor + "\""));
    EXPECT_THAT(page, HasSubstr("id=\"" + anchor + "\"><summary>"));
    EXPECT_THAT(page, HasSubstr("<span class=\"tex\" data-display>" + escaped(claim.statement) + "</span>"));
  }
}

TEST(Report, shows_every_refuted_statement_among_the_errata_with_its_amendment) {
  const ScratchFolder folder;
  const std::string page = example_page(folder);
  const std::size_t start = page.find("<section id=\"errata\"");
  ASSERT_NE(start, std::string::npos);
  const std::string errata = page.substr(start, page.find("</section>", start) - start);
  const Results results = example();
  for (const Claim& claim : results.claims) {
    if (claim.verdict != Verdict::refuted) continue;
    EXPECT_THAT(errata, HasSubstr("href=\"#" + claim.id + "\""));
    for (const Claim* amendment : amendments_of(results, claim)) {
      EXPECT_THAT(errata, HasSubstr("href=\"#" + amendment->id + "\""));
      EXPECT_THAT(errata, HasSubstr(escaped(amendment->statement)));
    }
  }
}

TEST(Report, shows_what_falls_with_a_refuted_statement_and_what_of_it_stands) {
  const ScratchFolder folder;
  EXPECT_THAT(example_page(folder), Not(HasSubstr("id=\"falls\""))) << "nothing rests on the refuted ones there";
  Results results = example();
  for (Claim& claim : results.claims) {
    if (claim.id == "boosting/softmax-perturbation") claim.depends_on = {"boosting/snr-strict-gain"};
    if (claim.id == "primal-dual/kkt") claim.depends_on = {"boosting/softmax-perturbation"};
  }
  const std::string page = content_of(write_report(results, folder.path() / "out", small_tools(folder)).page);
  const std::size_t start = page.find("<section id=\"falls\"");
  ASSERT_NE(start, std::string::npos);
  const std::string falls = page.substr(start, page.find("</section>", start) - start);
  EXPECT_THAT(falls, HasSubstr("3 printed statements rest on it: 1 directly, 2 through others; 2 of them stand on "
                               "other grounds, and 1 rests on such alone."));
  EXPECT_THAT(falls, HasSubstr("<a href=\"#boosting/softmax-perturbation\">"));
  EXPECT_THAT(falls, HasSubstr("<svg class=\"falls-graph\""));
  EXPECT_THAT(page, HasSubstr("<a href=\"#falls\">What falls</a>"));
}

TEST(Report, has_no_id_twice_and_no_link_to_nowhere) {
  const ScratchFolder folder;
  std::map<std::string, int> ids;
  std::vector<std::string> targets;
  for (const std::string& tag : tags(example_page(folder))) {
    for (const std::string_view quote : {"\"", "'"}) {
      const auto value = [&](const std::string& attribute) {
        const std::size_t at = tag.find(" " + attribute + "=" + std::string(quote));
        if (at == std::string::npos) return std::string();
        const std::size_t start = at + attribute.size() + 3;
        return tag.substr(start, tag.find(quote, start) - start);
      };
      if (const std::string id = value("id"); !id.empty()) ++ids[id];
      if (const std::string target = value("href"); target.substr(0, 1) == "#") targets.push_back(target.substr(1));
    }
  }
  for (const auto& [id, count] : ids) EXPECT_EQ(count, 1) << id;
  for (const std::string& target : targets) EXPECT_EQ(ids.count(target), 1U) << target;
}

TEST(Report, shows_hostile_texts_as_texts) {
  const ScratchFolder folder;
  const std::string page = example_page(folder);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, HasSubstr("Remark 4 &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST(Report, keeps_figures_of_one_name_apart) {
  const ScratchFolder folder;
  Results results = example();
  results.claims[1].evidence.figures = results.claims[0].evidence.figures;
  const WrittenReport written = write_report(results, folder.path() / "out", small_tools(folder));
  if (!written.remarks.empty()) GTEST_SKIP() << written.remarks[0];
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "figures" / "snr_ratio.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "figures" / "snr_ratio-2.svg"));
  EXPECT_THAT(content_of(written.page), HasSubstr("id=\"figure-snr_ratio-2\""));
}

TEST(Report, renders_measurements_with_their_tables) {
  const ScratchFolder folder;
  const std::string page = example_page(folder);
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
  EXPECT_THAT(page, HasSubstr("\\frac{\\sigma(y+\\hat y)}{\\sigma(y)}"));
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
