//! `--tt-size`: the size of the transposition table.

use clap::Args;

use crate::engine::memory;

/// The size of the transposition table.
#[derive(Args, Debug)]
pub struct TtSize {
    /// Base-2 logarithm of the number of entries of the transposition table, 16 bytes each
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = size)]
    pub tt_size: u32,
}

fn size(text: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|size| (16..=40).contains(size));
    let size = size.ok_or("a number from 16 to 40 is wanted")?;
    memory::check_table_size(size).map_err(|fault| fault.to_string())?;
    Ok(size)
}
