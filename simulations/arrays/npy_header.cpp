#include "simulations/arrays/npy_header.hpp"

#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

namespace attest::arrays {
namespace {

/// Reads the few Python literals that a header is made of, left to right.
class LiteralReader {
 public:
  LiteralReader(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  [[noreturn]] void refuse() const {
    throw std::invalid_argument(
        fmt::format("{} has a .npy header that cannot be read from its character {} on; save it again", place_, at_));
  }
  /// Whether `word` comes next (after blanks); takes it if so.
  bool takes(std::string_view word) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(std::string_view word) {
    if (!takes(word)) refuse();
  }
  std::string string() {
    const char quote = takes("'") ? '\'' : '"';
    if (quote == '"') expect("\"");
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) refuse();
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  bool boolean() {
    if (takes("True")) return true;
    expect("False");
    return false;
  }
  std::vector<std::int64_t> extents() {
    std::vector<std::int64_t> values;
    expect("(");
    while (!takes(")")) {
      values.push_back(integer());
      const bool comma = takes(",");
      if (!comma) {
        // (3) is a number in Python, and no tuple.
        if (values.size() == 1) refuse();
        expect(")");
        break;
      }
    }
    return values;
  }
  bool at_end() {
    takes("");
    return at_ == text_.size();
  }

 private:
  std::int64_t integer() {
    takes("");
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0) refuse();
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string_view text_;
  const std::string& place_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& place) {
  LiteralReader reader(text, place);
  NpyHeader header;
  bool has_descriptor = false;
  bool has_order = false;
  bool has_shape = false;
  reader.expect("{");
  while (!reader.takes("}")) {
    const std::string key = reader.string();
    reader.expect(":");
    if (key == "descr" && !has_descriptor) {
      if (reader.takes("["))
        throw std::invalid_argument(fmt::format("{} has records for elements; save one array per field", place));
      header.descriptor = reader.string();
      has_descriptor = true;
    } else if (key == "fortran_order" && !has_order) {
      header.fortran_order = reader.boolean();
      has_order = true;
    } else if (key == "shape" && !has_shape) {
      header.shape = reader.extents();
      has_shape = true;
    } else {
      reader.refuse();
    }
    if (!reader.takes(",")) {
      reader.expect("}");
      break;
    }
  }
  if (!has_descriptor || !has_order || !has_shape || !reader.at_end()) reader.refuse();
  return header;
}

}  // namespace attest::arrays
