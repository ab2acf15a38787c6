//! An engine's process and everything it starts.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::EngineFault;

/// Maximum time to wait for a killed process to end, whatever the system does.
const DEATH: Duration = Duration::from_secs(2);

/// A process that is killed on drop, together with all processes of its group.
#[derive(Debug)]
pub struct Process {
    child: Box<dyn ChildWrapper>,
    /// Its exit status, once it has been observed.
    status: Option<ExitStatus>,
    is_killed: bool,
}

impl Process {
    /// Starts a program in a folder. Its standard error is discarded, so that it never blocks.
    ///
    /// # Errors
    ///
    /// [`EngineFault::Unsuitable`]: it cannot be started.
    pub fn start(
        command: &[String],
        dir: Option<&Path>,
        output: Stdio,
    ) -> Result<Process, EngineFault> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(EngineFault::Unsuitable(
                "the command line of the engine is missing".to_owned(),
            ));
        };
        if let Some(dir) = dir.filter(|dir| !dir.is_dir()) {
            return Err(EngineFault::Unsuitable(format!("there is no folder {}", dir.display())));
        }
        let mut command = Command::new(locate(program, dir));
        command.args(arguments).stdin(Stdio::piped()).stdout(output).stderr(Stdio::null());
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        let child = command.spawn().map_err(|error| {
            EngineFault::Unsuitable(format!("the program {program:?} cannot be started: {error}"))
        })?;
        Ok(Process { child, status: None, is_killed: false })
    }

    /// Takes its standard input; `None` after the first call.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin().take()
    }

    /// Takes its standard output if it is piped; `None` after the first call.
    pub fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout().take()
    }

    /// How it has ended, `exit code 3` or `signal 11`; `None` if it is running. The rest of its
    /// group is killed at once, while the group's number cannot have been reused.
    pub fn end(&mut self) -> Option<String> {
        if self.status.is_none() {
            // A process whose status is unavailable counts as running; its silence is noticed
            // elsewhere.
            self.status = self.child.try_wait().unwrap_or_default();
            if self.status.is_some() {
                self.signal();
            }
        }
        self.status.map(describe)
    }

    /// As [`Process::end`], after waiting for its end up to a limit.
    pub fn wait(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            let end = self.end();
            if end.is_some() || Instant::now() >= deadline {
                return end;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills its group, even if the process itself has ended, and waits for its end.
    pub fn kill(&mut self) {
        self.signal();
        self.wait(DEATH);
    }

    fn signal(&mut self) {
        if !std::mem::replace(&mut self.is_killed, true) {
            // This fails if the group is empty.
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The program to start. A name with a separator is a path, relative to the current folder or, if
/// there is no such file, to the engine's folder. Other names are looked up by the system.
fn locate(program: &str, dir: Option<&Path>) -> PathBuf {
    let path = Path::new(program);
    if !program.contains(['/', MAIN_SEPARATOR]) {
        return path.to_owned();
    }
    let there = dir.map(|dir| dir.join(path)).filter(|there| !path.is_file() && there.is_file());
    let found = there.unwrap_or_else(|| path.to_owned());
    // The process starts in another folder, where a relative path would have another meaning.
    std::path::absolute(&found).unwrap_or(found)
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}
