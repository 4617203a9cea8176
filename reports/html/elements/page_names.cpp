#include "reports/html/elements/page_names.hpp"

#include <cctype>

#include <fmt/format.h>

namespace attest::reports::html {

std::string anchor(std::string_view id) {
  std::string result(id);
  for (char& c : result) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '/' && c != '-' && c != '_' && c != '.') c = '-';
  }
  return result;
}

std::string paper_page_name(const Results& results, std::string_view paper) {
  for (std::size_t number = 0; number < results.papers.size(); ++number) {
    if (results.papers[number].key != paper) continue;
    constexpr std::size_t longest = 60;
    std::string key = anchor(paper.substr(0, longest));
    for (char& c : key) c = c == '/' || c == '.' ? '-' : c;
    // Two keys may look alike once they are file names.
    return key == paper ? fmt::format("report-paper-{}.html", key)
                        : fmt::format("report-paper-{}-{}.html", key, number + 1);
  }
  return std::string(index_page_name);
}

std::string address(const Results& results, const Claim& claim) {
  return paper_page_name(results, claim.paper) + "#" + anchor(claim.id);
}

std::string query_value(std::string_view value) {
  std::string encoded;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_');
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return encoded;
}

std::string permanent_address(const Claim& claim) { return fmt::format("{}#{}", index_page_name, anchor(claim.id)); }

}  // namespace attest::reports::html
