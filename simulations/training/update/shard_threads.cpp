#include "simulations/training/update/shard_threads.hpp"

namespace attest::training {

ShardThreads::ShardThreads(unsigned threads) {
  for (std::size_t t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
}

ShardThreads::~ShardThreads() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  begun_.notify_all();
}

void ShardThreads::run_blocks_of(std::size_t thread) {
  const auto step = static_cast<std::int64_t>(threads_.size() + 1);
  for (auto block = static_cast<std::int64_t>(thread); block < blocks_; block += step) {
    try {
      (*body_)(block);
    } catch (...) {
      failures_[static_cast<std::size_t>(block)] = std::current_exception();
    }
  }
}

void ShardThreads::serve(std::size_t thread) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return closing_ || round_ != seen; });
    if (closing_) return;
    seen = round_;
    lock.unlock();
    run_blocks_of(thread);
    lock.lock();
    if (--working_ == 0) ended_.notify_one();
  }
}

void ShardThreads::for_each(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  {
    const std::scoped_lock lock(mutex_);
    blocks_ = blocks;
    body_ = &body;
    failures_.assign(static_cast<std::size_t>(blocks), nullptr);
    working_ = threads_.size();
    ++round_;
  }
  begun_.notify_all();
  run_blocks_of(0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return working_ == 0; });
  for (const std::exception_ptr& failure : failures_)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace attest::training
