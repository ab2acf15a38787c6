//! The program: arguments in, exit code out.

use std::process::ExitCode;

use manoury::cli;

fn main() -> ExitCode {
    env_logger::Builder::from_env(
        env_logger::Env::new().filter_or("MANOURY_LOG", "off").write_style("MANOURY_LOG_STYLE"),
    )
    .init();
    match cli::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error.print();
            error.exit_code()
        }
    }
}
