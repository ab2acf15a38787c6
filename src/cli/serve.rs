//! The engine for clients: `manoury serve`, the page with the engine behind it, and `manoury hub`.

use std::io::{self, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::Args;
use crossbeam_channel::Receiver;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::engine::limits;
use crate::protocol::hub::{Tunables, parameter_help};
use crate::runtime::interrupt::on_ctrl_c;
use crate::serve::{self, Origin, Server, ServerConfig};
use crate::{memory, protocol};

use super::Error;
use super::args::TableArgument;
use super::output::print_stderr;

/// Open a board in the browser, with this engine behind it
///
/// Prints the address of the page, and serves it until Ctrl-C. Only browsers of this machine reach
/// it, and only pages that know the token in the address use the engine, over a WebSocket in which
/// each message is a line of Hub. A page of another site, such as an analysis board, can use it
/// too: manoury serve --origin https://example.org --token SECRET, with the address
/// ws://127.0.0.1:8555/engine?token=SECRET
///
/// An engine ends when its page is closed.
#[derive(Args, Debug)]
pub struct ServeArguments {
    /// Also start the browser
    #[arg(long)]
    open: bool,
    /// The port to listen at; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = serve::PORT)]
    port: u16,
    /// The address to listen at: one of this machine, or 0.0.0.0 for all, makes the engine
    /// available to others who have the token
    #[arg(long, value_name = "ADDR", default_value_t = Ipv4Addr::LOCALHOST.into())]
    address: IpAddr,
    /// A site whose pages may use the engine, as https://example.org; may be repeated
    #[arg(long, value_name = "SITE")]
    origin: Vec<Origin>,
    /// The secret that pages must know: letters, digits, - and _ [default: a new one each time]
    #[arg(long, value_name = "TEXT", value_parser = token)]
    token: Option<String>,
    /// The most engines at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    sessions: u16,
    /// The most time for a search, in seconds
    #[arg(long, value_name = "S", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    longest: u32,
    /// Number of threads of each search [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=i64::from(limits::MAX_THREADS)))]
    threads: Option<u16>,
    #[command(flatten)]
    table: TableArgument,
    /// The folder of bitbases, with a subfolder for each game [default: see `manoury bitbase
    /// --help`]
    #[arg(long, value_name = "DIR")]
    bitbases: Option<PathBuf>,
}

fn token(text: &str) -> Result<String, String> {
    let is_token = serve::is_token(text);
    is_token.then(|| text.to_owned()).ok_or("letters, digits, - and _ are wanted".to_owned())
}

/// Serves until Ctrl-C is pressed.
pub fn serve_command(arguments: &ServeArguments) -> Result<(), Error> {
    memory::return_freed_blocks();
    let address = SocketAddr::new(arguments.address, arguments.port);
    let server = Server::bind(address, config(arguments)?).map_err(|error| {
        let advice = "another --port may be free, and --port 0 is any that is";
        io::Error::new(error.kind(), format!("{address}: {error}; {advice}"))
    })?;
    if !arguments.address.is_loopback() {
        let who = "every machine that reaches this address";
        print_stderr(format_args!(
            "{who} can use the engine if it has the token; nothing is encrypted"
        ));
    }
    let stop = on_ctrl_c(|| {})?;
    let page = server.address()?;
    let mut output = io::stdout().lock();
    writeln!(output, "{page}")?;
    output.flush()?;
    if arguments.open
        && let Err(error) = open::that_detached(&page)
    {
        print_stderr(format_args!("no browser was started: {error}; open the address by hand"));
    }
    serve_until(server, &stop)
}

fn serve_until(server: Server, stop: &Receiver<()>) -> Result<(), Error> {
    thread::Builder::new().name("server".to_owned()).spawn(move || server.run())?;
    // The handler of Ctrl-C keeps the channel open.
    let _ = stop.recv();
    Ok(())
}

fn config(arguments: &ServeArguments) -> Result<ServerConfig, Error> {
    if let Some(folder) = arguments.bitbases.as_ref().filter(|folder| !folder.is_dir()) {
        let message = format!("{}: no such folder", folder.display());
        return Err(Error::System(io::Error::new(io::ErrorKind::NotFound, message)));
    }
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    Ok(ServerConfig {
        origins: arguments.origin.clone(),
        token: arguments.token.clone().map_or_else(new_token, Ok)?,
        sessions: arguments.sessions.into(),
        max_search_time: Duration::from_secs(arguments.longest.into()),
        threads: arguments.threads.map_or_else(cores, usize::from),
        tt_size: arguments.table.tt_size,
        bitbases: arguments.bitbases.clone(),
    })
}

/// A token that nobody guesses.
fn new_token() -> Result<String, Error> {
    let part = || SysRng.try_next_u64().map_err(io::Error::other);
    Ok(format!("{:016x}{:016x}", part()?, part()?))
}

/// Speak the Hub protocol on standard input and output (the default)
#[derive(Args, Debug, Default)]
#[command(after_long_help = parameter_help())]
pub struct HubArguments {
    /// Declare the tunable numbers of the search as parameters, for a tuner: each with its range
    /// and the step that a match can be expected to show
    ///
    /// A match can compare two values: manoury match --sprt 0,10 --nodes 30000 --engine "manoury
    /// hub --tune,name=Less,param.book=false,param.reduction_slope=40" --engine "manoury hub
    /// --tune,name=Now,param.book=false"
    #[arg(long)]
    tune: bool,
}

/// Speaks Hub on standard input and output until the client ends the session.
pub fn hub(arguments: &HubArguments) -> Result<(), Error> {
    let tunables = if arguments.tune { Tunables::Exposed } else { Tunables::Hidden };
    protocol::hub::run(tunables, BufReader::new(io::stdin()), io::stdout().lock())?;
    Ok(())
}
