#include "reports/html/elements/filters.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/text/markup.hpp"

namespace attest::reports::html {
namespace {

using Claims = std::vector<const Claim*>;

/// The different values of one property, in order of appearance, without the empty one.
template <class Property>
std::vector<std::string> different(const Claims& claims, Property property) {
  std::vector<std::string> values;
  for (const Claim* claim : claims) {
    const std::string value(property(*claim));
    if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string choice(std::string_view property, std::string_view label, const std::vector<std::string>& values,
                   std::size_t least = 2) {
  if (values.size() < least) return {};
  std::string html = fmt::format(R"(<label>{}<select data-filter="{}"><option value="">all</option>)", label, property);
  for (const std::string& value : values) html += fmt::format("<option>{}</option>", escaped(value));
  return html + "</select></label>\n";
}

}  // namespace

std::string filters(const Claims& claims) {
  return "<form class=\"filters\" hidden>\n"
         "<label class=\"search\">Search<input type=\"search\" data-filter=\"q\" autocomplete=\"off\" "
         "placeholder=\"theorem 3.1, softmax, an id\"></label>\n" +
         choice("verdict", "Verdict", different(claims, [](const Claim& c) { return name(c.verdict); })) +
         choice("finding", "Finding", different(claims, [](const Claim& c) { return c.finding; }), 1) +
         choice("paper", "Paper", different(claims, [](const Claim& c) { return c.paper; })) +
         choice("kind", "Kind", different(claims, [](const Claim& c) { return c.kind; })) +
         choice("origin", "Wording", different(claims, [](const Claim& c) { return c.printed ? "printed" : "ours"; })) +
         "<div class=\"state\"><p class=\"shown\" role=\"status\"></p><button type=\"reset\">Show "
         "all</button></div>\n</form>\n";
}

}  // namespace attest::reports::html
