//! The fuzz targets: functions of any bytes that panic if they find a fault. The programs of
//! `fuzz/fuzz_targets` pass them to cargo-fuzz.

pub mod bitbase_file;
pub mod book_file;
pub mod dxp_message;
pub mod engine_list;
pub mod engine_spec;
pub mod fen;
pub mod http_request;
pub mod hub_line;
pub mod hub_move;
pub mod hub_position;
pub mod hub_session;
pub mod page_request;
pub mod pdn;
pub mod samples_file;
pub mod tune_list;
pub mod tune_log;
pub mod weights_file;
