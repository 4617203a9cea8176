// Which claims those of a paper file refer to: `amends` and `depends_on`.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "theorems/language/papers/paper_file.hpp"

namespace attest::language {

/// One claim naming another.
struct PaperReference {
  std::size_t claim = 0;  ///< which claim of the file names it
  std::string id = {};
  Place place = {};
  bool depends = false;  ///< by depends_on
};

/// The references of one file, to be checked together. All three must outlive it.
class PaperReferences {
 public:
  PaperReferences(const std::string& file, const PaperFile& paper, const std::vector<PaperReference>& references);

  /// Every id is that of another claim of the file or of one elsewhere. Errors: PaperProblem with the nearest id.
  void check_ids(std::span<const std::string> elsewhere) const;

  /// No claim rests on itself through others. Errors: PaperProblem naming the circle.
  void check_circles() const;

 private:
  [[noreturn]] void fail(Place place, const std::string& sentence) const { throw PaperProblem(file_, place, sentence); }

  const std::string& file_;
  const PaperFile& paper_;
  const std::vector<PaperReference>& references_;
  std::set<std::string> own_;  ///< ids of the file
};

}  // namespace attest::language
