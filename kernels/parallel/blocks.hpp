// Work in blocks on a fixed number of threads, with results that do not depend on that number.
#pragma once

#include <cstdint>
#include <functional>

namespace attest::parallel {

/// Calls `body(block)` once for every block in 0..blocks-1, on up to `threads` threads (0 means one per core).
///
/// Blocks are handed out in increasing order; which thread runs which block is not determined, so a body writes only to
/// what belongs to its block and the caller combines the blocks in order afterwards: then the result has the same bits
/// for any number of threads.
/// Errors: the exception of the lowest-numbered failing block is rethrown after all threads have stopped; no new block
/// is started once one has failed.
void for_each_block(std::int64_t blocks, unsigned threads, const std::function<void(std::int64_t)>& body);

/// The same for many small blocks, each of which prepares for the next (as by fetching its memory ahead): a thread
/// takes a run of consecutive blocks at a time, at most 16 and so few that there are eight runs per thread.
void for_each_block_in_runs(std::int64_t blocks, unsigned threads, const std::function<void(std::int64_t)>& body);

/// Number of hardware threads, at least 1.
unsigned hardware_threads();

}  // namespace attest::parallel
