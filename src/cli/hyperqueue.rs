//! Job files of HyperQueue, which spreads tasks over machines: TOML for `hq job submit-file`.

use super::Error;

/// A task: one run of a program on one machine.
pub struct Task {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The tasks that have to be done before, by their places in the job.
    pub after: Vec<usize>,
    /// The number of cores it takes.
    pub cores: u16,
    /// The memory it takes, in bytes.
    pub memory: u64,
    /// Of tasks that could start, one with a greater number does.
    pub priority: u64,
    /// The time it may take, in seconds: it does not start on a worker that ends before.
    pub seconds: u64,
}

/// The job file of tasks that are numbered from 0. What a failed task writes to standard error stays
/// in `job-J/I.stderr`, below the folder from which the job J is submitted.
///
/// # Errors
///
/// None that a command line can cause.
pub fn job_file(name: &str, tasks: &[Task]) -> Result<String, Error> {
    let mut file = format!("name = {}\n", toml(&name)?);
    for (number, task) in tasks.iter().enumerate() {
        let Task { command, after, cores, memory, priority, seconds } = task;
        let (command, after) = (toml(command)?, toml(after)?);
        // Few requests differ: with many, the scheduler of an `hq` built with the solver microlp
        // leaves all workers idle.
        let mebibytes = memory.div_ceil(1 << 30) << 10;
        let minutes = seconds.div_ceil(60).next_power_of_two();
        file += &format!(
            r#"
[[task]]
id = {number}
command = {command}
deps = {after}
priority = {priority}
stdout = "none"
stderr = {{ path = "job-%{{JOB_ID}}/%{{TASK_ID}}.stderr", on_close = "rm-if-finished" }}
[[task.request]]
resources = {{ "cpus" = {cores}, "mem" = {mebibytes} }}
time_request = "{minutes}m"
"#
        );
    }
    Ok(file)
}

/// A string or a list as TOML, which writes them as JSON does.
fn toml(value: &impl serde::Serialize) -> Result<String, Error> {
    Ok(serde_json::to_string(value)?)
}
