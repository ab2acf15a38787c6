//! An engine's process, with its child processes, and its output.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::channels::{ReadError, ReceivedText, TextReceiver};
use super::cores::CoreSet;
use super::transcript::Direction;
use super::{EngineFault, MatchContext};

/// Maximum time to wait for a killed process to end.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// A process that is killed on drop, together with all processes of its group.
#[derive(Debug)]
pub struct Process {
    child: Box<dyn ChildWrapper>,
    /// The exit status, once the end of the process has been observed.
    status: Option<ExitStatus>,
    is_killed: bool,
}

impl Process {
    /// Starts a program, in a folder and on a set of cores if given. Its standard error is
    /// discarded, so that the program never blocks on it. Fails with [`EngineFault::Unsuitable`] if
    /// the program cannot be started.
    pub fn start(
        command: &[String],
        dir: Option<&Path>,
        output: Stdio,
        cores: Option<&CoreSet>,
    ) -> Result<Process, EngineFault> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(EngineFault::Unsuitable(
                "the command line of the engine is missing".to_owned(),
            ));
        };
        if let Some(dir) = dir.filter(|dir| !dir.is_dir()) {
            return Err(EngineFault::Unsuitable(format!("{}: no such folder", dir.display())));
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
        let child = match cores {
            Some(cores) => cores.pin(|| command.spawn()),
            None => command.spawn(),
        };
        let child = child.map_err(|error| {
            EngineFault::Unsuitable(format!("the program {program:?} cannot be started: {error}"))
        })?;
        Ok(Process { child, status: None, is_killed: false })
    }

    /// Takes the standard input of the process; `None` after the first call.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin().take()
    }

    /// Takes the standard output of the process if it is piped; `None` after the first call.
    pub fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout().take()
    }

    /// How the process ended, such as `exit code 3` or `signal 11`; `None` if it is running. When
    /// it has ended, the rest of its process group is killed at once, before the group ID can be
    /// reused.
    pub fn end(&mut self) -> Option<String> {
        if self.status.is_none() {
            // A process whose status is unavailable counts as running; it will time out.
            self.status = self.child.try_wait().unwrap_or_default();
            if self.status.is_some() {
                self.signal();
            }
        }
        self.status.map(describe)
    }

    /// Waits up to `patience` for the process to end, and returns the same as [`Process::end`].
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

    /// Kills the process group, even if the process itself has ended, and waits for the process to
    /// end.
    pub fn kill(&mut self) {
        self.signal();
        self.wait(KILL_TIMEOUT);
    }

    /// The sum of the peak resident sets of the processes in the group, in bytes; `None` unless the
    /// system is Linux and the process is running.
    pub fn peak_memory(&self) -> Option<u64> {
        let group = self.child.id();
        let members = fs::read_dir("/proc").ok()?.filter_map(|entry| {
            let folder = entry.ok()?.path();
            let is_member = process_group(&fs::read_to_string(folder.join("stat")).ok()?)? == group;
            is_member.then_some(folder)
        });
        let peaks = members.filter_map(|folder| {
            peak_resident_set(&fs::read_to_string(folder.join("status")).ok()?)
        });
        peaks.reduce(|sum, peak| sum + peak)
    }

    fn signal(&mut self) {
        if !std::mem::replace(&mut self.is_killed, true) {
            // Killing fails if the group is empty; the error does not matter.
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The process group in `/proc/PID/stat`. The name of the program, in parentheses, may contain
/// anything; state, parent and group follow it.
fn process_group(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(2)?.parse().ok()
}

/// The peak resident set in `/proc/PID/status`, in bytes.
fn peak_resident_set(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
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
    // The process may start in another folder, where a relative path would refer to another file.
    std::path::absolute(&found).unwrap_or(found)
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

/// Maximum time to wait for the exit of an engine that has closed its input or output, or for the
/// last output of an engine that has exited.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);

/// The interval at which the arena checks whether a silent engine is still running and whether the
/// match has been interrupted. An engine's exit usually closes its output, which is noticed at
/// once; child processes of the engine may keep the output open.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The output of an engine.
pub struct EngineOutput {
    /// The process, if the arena started it.
    process: Option<Process>,
    receiver: TextReceiver,
    context: MatchContext,
}

impl EngineOutput {
    /// The output of a process, or of an engine that runs elsewhere. Waiting for output fails once
    /// the match is interrupted.
    pub fn new(
        process: Option<Process>,
        receiver: TextReceiver,
        context: &MatchContext,
    ) -> EngineOutput {
        EngineOutput { process, receiver, context: context.clone() }
    }

    /// Records a text sent to the engine in the transcript, if there is one.
    pub fn note_sent(&self, text: &str, at: Instant) {
        if let Some(transcript) = &self.context.transcript {
            transcript.add(Direction::Sent, text.as_bytes(), at);
        }
    }

    /// Records a received text in the transcript, if there is one, and returns the text.
    fn noted(&self, text: Option<ReceivedText>) -> Option<ReceivedText> {
        if let (Some(transcript), Some(text)) = (&self.context.transcript, &text) {
            transcript.add(Direction::Received, &text.bytes, text.at);
        }
        text
    }

    /// The next text; `None` if none arrives before the deadline. Fails if the engine has ended or
    /// floods its output, or if the match is interrupted.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<ReceivedText>, EngineFault> {
        loop {
            let until = deadline.min(Instant::now() + POLL_INTERVAL);
            if let Some(text) = self.receive_by(until)? {
                return Ok(Some(text));
            }
            if until == deadline {
                return Ok(None);
            }
            if self.context.interrupt.is_set() {
                return Err(EngineFault::Interrupted);
            }
            if let Some(how) = self.process.as_mut().and_then(Process::end) {
                let last = self.receive_by(Instant::now() + EXIT_TIMEOUT)?;
                return last.map(Some).ok_or(EngineFault::Crash(how));
            }
        }
    }

    /// The next text, if it has already arrived.
    pub fn pending(&mut self) -> Result<Option<ReceivedText>, EngineFault> {
        let text = self.receiver.pending().map_err(|stop| self.fault(stop))?;
        Ok(self.noted(text))
    }

    /// Starts a request: resets the engine's output budget. Fails with [`EngineFault::Flood`] if
    /// the engine has sent too much since its last answer.
    pub fn start_request(&mut self) -> Result<(), EngineFault> {
        self.receiver.start_request().map_err(|stop| self.fault(stop))
    }

    /// The fault of an engine that has closed its input, output or connection.
    pub fn crash(&mut self, closed: &str) -> EngineFault {
        let end = self.process.as_mut().and_then(|process| process.wait(EXIT_TIMEOUT));
        EngineFault::Crash(end.unwrap_or_else(|| format!("it closed its {closed}")))
    }

    /// The peak memory of the process, if the arena started it; see [`Process::peak_memory`].
    pub fn peak_memory(&self) -> Option<u64> {
        self.process.as_ref()?.peak_memory()
    }

    /// Waits up to `patience` for the process to end by itself.
    pub fn wait(&mut self, patience: Duration) {
        if let Some(process) = &mut self.process {
            process.wait(patience);
        }
    }

    fn receive_by(&mut self, deadline: Instant) -> Result<Option<ReceivedText>, EngineFault> {
        let text = self.receiver.receive(deadline).map_err(|stop| self.fault(stop))?;
        Ok(self.noted(text))
    }

    fn fault(&mut self, stop: ReadError) -> EngineFault {
        match stop {
            ReadError::Flood => EngineFault::Flood,
            ReadError::Closed => self.crash("output"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_files_of_linux() {
        assert_eq!(process_group("42 (a) b (c)) S 1 7 42 0 -1"), Some(7));
        assert_eq!(process_group("42 (a"), None);
        let status = "Name:\ta\nVmPeak:\t  9000 kB\nVmHWM:\t  1234 kB\nVmRSS:\t  1000 kB\n";
        assert_eq!(peak_resident_set(status), Some(1234 << 10));
        assert_eq!(peak_resident_set("Name:\tkthreadd\n"), None, "a kernel thread");
    }
}
