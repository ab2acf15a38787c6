//! Whether the processor can run this build.

use std::io::{self, Write};

/// What a user of an older processor is told.
const TOO_OLD: &[u8] =
    b"error: this build of the program needs a processor with AVX2, BMI1 and BMI2 \
    (x86-64-v3); the portable one runs on this processor (see README.md)\n";

/// Whether the processor can run this build; if not, standard error says so. A build for newer processors
/// would end without a word on an older one. Nothing comes before this, and it does as little as it can: the
/// compiler takes newer instructions wherever it likes, to copy a text for one.
pub fn is_suited() -> bool {
    if !is_too_old() {
        return true;
    }
    // Nobody is there to be told of a failure to tell.
    let _ = io::stderr().write_all(TOO_OLD);
    false
}

/// Whether the build needs x86-64-v3 and the processor is older. `is_x86_feature_detected` does not ask the
/// processor about what the build takes for granted.
#[cfg(target_arch = "x86_64")]
fn is_too_old() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    // BMI1, AVX2 and BMI2 in leaf 7: what such builds are full of.
    const NEEDED: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    if !cfg!(target_feature = "avx2") {
        return false;
    }
    __cpuid(0).eax < 7 || __cpuid_count(7, 0).ebx & NEEDED != NEEDED
}

/// Builds for other processors take nothing for granted.
#[cfg(not(target_arch = "x86_64"))]
fn is_too_old() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_that_runs_this_is_suited() {
        assert!(is_suited());
    }
}
