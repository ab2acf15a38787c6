//! Points in time.
//!
//! Rust's standard library has no clock on the `wasm32-unknown-unknown` target. There the host of
//! the WebAssembly module provides the time, through the `now` function of the `host` import
//! module.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since an instant in the past, never decreasing.
        safe fn now() -> f64;
    }

    /// A point in time, with the methods of the standard library's type that the engine uses.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The current time according to the host's clock; the zero point of that clock if the host
        /// returns an invalid time.
        pub fn now() -> Self {
            Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
        }

        /// The time elapsed since this instant.
        pub fn elapsed(self) -> Duration {
            Instant::now().saturating_duration_since(self)
        }

        /// The instant `duration` later; `None` on overflow.
        pub fn checked_add(self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }

        /// The time since `earlier`, or zero if `earlier` is later.
        pub fn saturating_duration_since(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, duration: Duration) -> Instant {
            Instant(self.0.saturating_add(duration))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
