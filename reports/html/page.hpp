// The pages of a report.
#pragma once

#include <string>
#include <vector>

#include "reports/html/katex.hpp"
#include "reports/html/sections/sections.hpp"

namespace attest::reports::html {

/// One HTML document that needs nothing beside itself: style, scripts, fonts and drawings are inside. Without scripts
/// everything can still be read; without KaTeX formulas show as their TeX source.
struct Page {
  std::string file;  ///< its name; pages link to each other by these
  std::string html;
};

/// The report, its index first: then the errata, one page for each paper, and the measurements where there are any.
std::vector<Page> pages(const Results& results, const Drawings& drawings, const Katex& katex);

/// A document that holds measurements alone, made from the file `source` beside it.
std::string measurements_page(const Results& results, const Drawings& drawings, const Katex& katex,
                              const std::string& source);

}  // namespace attest::reports::html
