//! `manoury bitbase plan`: plans the generation of bitbases on several machines as a HyperQueue
//! job.

use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use clap::Args;

use crate::bitbase::{PlannedTask, plan};
use crate::cli::args::VariantArgument;
use crate::cli::error::number;
use crate::cli::{Error, this_program};
use crate::engine::{bitbase_folder, limits};
use crate::erased::SliceGeneration;
use crate::rules::Variant;
use crate::storage::{with_path, write_atomically};

/// Plan the generation of bitbases on several machines with HyperQueue
///
/// Writes a job file for `hq job submit-file` or for scripts/cluster/submit.py: the tasks that
/// generate slices, with their dependencies, cores and memory. All machines must see the folder of
/// bitbases and this program under the same paths. Submitting the job again resumes it: slices
/// that have files are not generated again.
///
/// The last line is `tasks=N positions=N bytes=N tables=N memory=N work=S path=S time=S`: tasks;
/// positions; size in bytes of the final files, and of the temporary tables passed between tasks;
/// memory in bytes of the largest task; estimated seconds for all work on one core, for the longest
/// chain of dependent tasks, and for all work on the given cores.
///
/// Examples:
///   manoury bitbase plan --pieces 7 --threads 64 --cores 640
///   manoury bitbase plan --pieces 5 --bitbases bitbases --hq five.toml
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct PlanArguments {
    /// Maximum number of pieces
    #[arg(long, value_name = "N", value_parser = number::<u8>(2..=limits::MAX_BITBASE_PIECES.into()))]
    pieces: u8,
    #[command(flatten)]
    game: VariantArgument,
    /// Folder of bitbases; the files go into its subfolder for the variant
    #[arg(long = "bitbases", aliases = ["dir", "out"], value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Job file to write
    #[arg(long, value_name = "FILE", requires = "dir")]
    hq: Option<PathBuf>,
    /// Number of threads, and thus cores, per task
    #[arg(
        long,
        value_name = "T",
        default_value_t = 1,
        value_parser = number::<u16>(1..=limits::MAX_WORKERS.into())
    )]
    threads: u16,
    /// Total number of cores, for the estimate [default: the cores of one task]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..))]
    cores: Option<u32>,
}

/// The cost of a task.
struct Cost {
    positions: u64,
    /// The maximum memory in use, in bytes.
    memory: u64,
    /// The run time on the task's threads, in seconds.
    seconds: f64,
    /// The time, in seconds, from the start of the task to the end of the longest chain of tasks
    /// that depend on it.
    path: f64,
}

/// Writes the job file and prints the estimate.
pub fn plan_command(arguments: &PlanArguments) -> Result<(), Error> {
    let PlanArguments { pieces, game, dir, hq, threads, cores } = arguments;
    let tasks = plan(usize::from(*pieces));
    let costs = costs(&tasks, game.variant, *threads);
    if let (Some(dir), Some(hq)) = (dir, hq) {
        let folder = absolute(dir).map_err(with_path(dir))?;
        let job = job(&tasks, &costs, &folder, arguments)?;
        write_atomically(hq, |file| file.write_all(job.as_bytes())).map_err(with_path(hq))?;
    }

    let positions: u64 = costs.iter().map(|cost| cost.positions).sum();
    let memory = costs.iter().map(|cost| cost.memory).max().unwrap_or_default();
    let work: f64 = costs.iter().map(|cost| cost.seconds * f64::from(*threads)).sum();
    let path = costs.iter().map(|cost| cost.path).fold(0.0, f64::max);
    let cores = cores.unwrap_or(u32::from(*threads));
    let time = path.max(work / f64::from(cores));
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "tasks={} positions={positions} bytes={:.0} tables={} memory={memory} work={work:.0} \
         path={path:.0} time={time:.0}",
        tasks.len(),
        positions as f64 * BYTES_PER_POSITION,
        positions / 4,
    )?;
    Ok(())
}

/// The file size per position in bytes, as measured for international draughts with 4 to 6 pieces.
const BYTES_PER_POSITION: f64 = 0.024;

/// The time per position, in seconds on one core, to generate an ending with `pieces` pieces, as
/// measured for international draughts. The value for 6 pieces was measured on a busy machine; it
/// is also used for 7 pieces, for which no ending has been generated.
fn seconds_per_position(pieces: usize) -> f64 {
    match pieces {
        ..=4 => 110e-9,
        5 => 140e-9,
        _ => 260e-9,
    }
}

fn costs(tasks: &[PlannedTask], variant: Variant, threads: u16) -> Vec<Cost> {
    let cost = |task: &PlannedTask| {
        let generation = SliceGeneration { variant, slices: &task.slices };
        let positions = generation.positions();
        let pieces = task.slices.iter().map(|slice| slice.pieces()).max().unwrap_or_default();
        let seconds = positions as f64 * seconds_per_position(pieces) / f64::from(threads);
        Cost { positions, memory: generation.memory(), seconds, path: seconds }
    };
    let mut costs: Vec<_> = tasks.iter().map(cost).collect();
    for (number, task) in tasks.iter().enumerate().rev() {
        for &before in &task.after {
            costs[before].path = costs[before].path.max(costs[before].seconds + costs[number].path);
        }
    }
    costs
}

/// The text of the job file. The last task deletes the temporary tables.
fn job(
    tasks: &[PlannedTask],
    costs: &[Cost],
    folder: &Path,
    arguments: &PlanArguments,
) -> Result<String, Error> {
    let PlanArguments { pieces, game, threads, .. } = arguments;
    let (program, arguments) = this_program()?;
    let program = text(&program)?;
    let command = |task: &PlannedTask| {
        let slices = task.slices.iter().flat_map(|slice| ["--slice".to_owned(), slice.to_string()]);
        let words = ["bitbase", "generate", "--variant", game.variant.name()].map(str::to_owned);
        let place = ["--bitbases".to_owned(), text(folder)?];
        let threads = ["--threads".to_owned(), threads.to_string()];
        let program =
            [program.clone()].into_iter().chain(arguments.iter().map(|&text| text.to_owned()));
        let all = program.chain(words).chain(place).chain(threads);
        Ok::<_, Error>(all.chain(slices).collect())
    };
    let task = |(task, cost): (&PlannedTask, &Cost)| {
        Ok::<_, Error>(JobTask {
            command: command(task)?,
            after: task.after.iter().copied().collect(),
            cores: *threads,
            memory: cost.memory,
            priority: cost.path.ceil() as u64,
            // A safety margin, since other machines may be several times slower than estimated.
            seconds: (3.0 * cost.seconds).ceil() as u64,
        })
    };
    let mut job = tasks.iter().zip(costs).map(task).collect::<Result<Vec<_>, _>>()?;
    let tables = bitbase_folder(game.variant, folder).join("tables");
    job.push(JobTask {
        command: ["rm", "-rf"].map(str::to_owned).into_iter().chain([text(&tables)?]).collect(),
        after: (0..tasks.len()).collect(),
        cores: 1,
        memory: 1,
        priority: 0,
        seconds: 1,
    });
    job_file(&format!("bitbases-{}-{pieces}", game.variant.name()), &job)
}

/// A path as UTF-8 text, as job files require.
fn text(path: &Path) -> Result<String, Error> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Error::Input(format!("{}: the path is not UTF-8, as job files require", path.display()))
    })
}

/// A task of a job file: one run of a program on one machine.
pub struct JobTask {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The indices in the job of the tasks on which this task depends.
    pub after: Vec<usize>,
    /// The number of cores needed.
    pub cores: u16,
    /// The memory needed, in bytes.
    pub memory: u64,
    /// Tasks with a higher number start first.
    pub priority: u64,
    /// The time limit in seconds. The task does not start on a worker with less time left.
    pub seconds: u64,
}

/// The job file for `tasks`, numbered from 0. The standard error of a failed task is kept in
/// `job-J/I.stderr`, below the folder from which job J is submitted.
///
/// # Errors
///
/// A value cannot be serialized, which does not happen in practice.
pub fn job_file(name: &str, tasks: &[JobTask]) -> Result<String, Error> {
    let mut file = format!("name = {}\n", toml(&name)?);
    for (number, task) in tasks.iter().enumerate() {
        let JobTask { command, after, cores, memory, priority, seconds } = task;
        let (command, after) = (toml(command)?, toml(after)?);
        // Rounded up so that there are few distinct resource requests: with many, the scheduler of
        // an `hq` built with the microlp solver leaves all workers idle.
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

/// Formats a string or a list as TOML, whose syntax for both is that of JSON. The `toml` crate,
/// even without its parser, would add 2.2 CPU seconds to the build.
fn toml(value: &impl serde::Serialize) -> Result<String, Error> {
    Ok(serde_json::to_string(value)?)
}
