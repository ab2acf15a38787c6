//! Benchmarks: `cargo bench -p manoury-benches`.
