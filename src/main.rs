//! The program: arguments in, exit code out.

use std::process::ExitCode;

use manoury::cli;

fn main() -> ExitCode {
    // Checked first: code after it may use instructions that an older processor lacks.
    if !cli::is_processor_suited() {
        return ExitCode::from(3);
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error.print();
            error.exit_code()
        }
    }
}

fn run() -> Result<(), cli::Error> {
    env_logger::Builder::from_env(
        env_logger::Env::new().filter_or("MANOURY_LOG", "off").write_style("MANOURY_LOG_STYLE"),
    )
    .init();
    cli::run(std::env::args_os())
}
