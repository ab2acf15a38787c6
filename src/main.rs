//! The executable: runs the command line and returns its exit code.

use std::process::ExitCode;

use manoury::cli;

fn main() -> ExitCode {
    // Checked first, since all other code may use instructions that an older processor lacks.
    if !cli::is_processor_suited() {
        return ExitCode::from(3);
    }
    ExitCode::from(cli::main(std::env::args_os()))
}
