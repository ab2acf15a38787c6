//! Games as PDN files.
