//! Commands that make the engine available to clients: `manoury serve`, for web pages, and `manoury
//! hub`.

use std::io::{self, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use crossbeam_channel::Receiver;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::protocol::hub::{Tunables, parameter_help};
use crate::runtime::interrupt::on_ctrl_c;
use crate::serve::{self, EngineSite, Origin, Server, ServerConfig};
use crate::{memory, protocol};

use super::Error;
use super::args::{SearchThreadsArgument, TableArgument};
use super::error::number;
use super::output::print_stderr;

/// Serve a page with a board, backed by this engine
///
/// Prints the address of the page and serves it until Ctrl-C. Unless --address says otherwise, only
/// browsers on this machine can reach it. Only pages that know the token in the address can use the
/// engine, over a WebSocket whose messages are lines of the Hub protocol. Pages of another site,
/// such as an analysis board, can use the engine too, with --origin and --token: at the address
/// ws://127.0.0.1:8555/engine?token=SECRET
///
/// An engine stops when its page is closed.
#[derive(Args, Debug)]
#[command(after_long_help = SERVE_EXAMPLES)]
pub struct ServeArguments {
    /// Also open the page in the browser
    #[arg(long)]
    open: bool,
    /// Port to listen on; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = serve::PORT, value_parser = number::<u16>(..))]
    port: u16,
    /// Address to listen on. Any address other than loopback, such as 0.0.0.0 for all addresses,
    /// makes the engine available to other machines that have the token
    #[arg(long, value_name = "ADDR", default_value_t = Ipv4Addr::LOCALHOST.into(), value_parser = ip_address)]
    address: IpAddr,
    /// Site whose pages may use the engine, such as https://example.org; may be repeated
    #[arg(long, value_name = "SITE")]
    origin: Vec<Origin>,
    /// Secret that pages must know: letters, digits, - and _ [default: a new one each time]
    #[arg(long, value_name = "TEXT", value_parser = token)]
    token: Option<String>,
    /// Maximum number of engines running at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u16>(1..=64))]
    sessions: u16,
    /// Maximum time per search, in seconds
    #[arg(
        long,
        alias = "longest",
        value_name = "S",
        default_value_t = 600,
        value_parser = number::<u32>(1..=86_400)
    )]
    max_search_time: u32,
    #[command(flatten)]
    threads: SearchThreadsArgument,
    #[command(flatten)]
    table: TableArgument,
    /// Folder of bitbases, with a subfolder for each variant [default: see `manoury bitbase
    /// --help`]
    #[arg(long, value_name = "DIR")]
    bitbases: Option<PathBuf>,
}

/// The examples at the end of the help.
const SERVE_EXAMPLES: &str = "Examples:
  manoury serve --open
  manoury serve --origin https://example.org --token SECRET";

fn ip_address(text: &str) -> Result<IpAddr, String> {
    let expected = "expected an IP address, such as 127.0.0.1, or 0.0.0.0 for all addresses";
    text.parse().map_err(|_| expected.to_owned())
}

fn token(text: &str) -> Result<String, String> {
    let is_token = serve::is_token(text);
    is_token.then(|| text.to_owned()).ok_or("expected letters, digits, - and _".to_owned())
}

/// Serves until Ctrl-C is pressed.
pub fn serve_command(arguments: &ServeArguments) -> Result<(), Error> {
    memory::return_freed_blocks();
    let address = SocketAddr::new(arguments.address, arguments.port);
    let config = config(arguments)?;
    let token = config.token.clone();
    let server = Server::bind(address, Arc::new(EngineSite::new(config))).map_err(|error| {
        let advice = "try another --port, or --port 0 for any free one";
        io::Error::new(error.kind(), format!("{address}: {error}; {advice}"))
    })?;
    if !arguments.address.is_loopback() {
        let who = "any machine that can reach this address";
        print_stderr(format_args!(
            "{who} and has the token can use the engine; the connection is not encrypted"
        ));
    }
    let stop = on_ctrl_c(|| {})?;
    let page = format!("{}?token={token}", server.address()?);
    let mut output = io::stdout().lock();
    writeln!(output, "{page}")?;
    output.flush()?;
    if arguments.open
        && let Err(error) = open::that_detached(&page)
    {
        print_stderr(format_args!("cannot start a browser: {error}; open the address yourself"));
    }
    serve_until(server, &stop)
}

fn serve_until(server: Server, stop: &Receiver<()>) -> Result<(), Error> {
    thread::Builder::new().name("server".to_owned()).spawn(move || server.run())?;
    // This cannot fail: the Ctrl-C handler keeps the channel open.
    let _ = stop.recv();
    Ok(())
}

fn config(arguments: &ServeArguments) -> Result<ServerConfig, Error> {
    if let Some(folder) = arguments.bitbases.as_ref().filter(|folder| !folder.is_dir()) {
        let message = format!("{}: no such folder", folder.display());
        return Err(Error::System(io::Error::new(io::ErrorKind::NotFound, message)));
    }
    Ok(ServerConfig {
        origins: arguments.origin.clone(),
        token: arguments.token.clone().map_or_else(new_token, Ok)?,
        sessions: arguments.sessions.into(),
        max_search_time: Duration::from_secs(arguments.max_search_time.into()),
        threads: arguments.threads.count(),
        tt_size: arguments.table.tt_size,
        bitbases: arguments.bitbases.clone(),
    })
}

/// A random token.
fn new_token() -> Result<String, Error> {
    let part = || SysRng.try_next_u64().map_err(io::Error::other);
    Ok(format!("{:016x}{:016x}", part()?, part()?))
}

/// Speak the Hub protocol on standard input and output (the default)
#[derive(Args, Debug, Default)]
#[command(after_long_help = format!("{}\n{HUB_EXAMPLES}", parameter_help()))]
pub struct HubArguments {
    /// Declare the tunable search parameters over Hub, for a tuner, each with its range and a step
    /// large enough to have a measurable effect in a match
    ///
    /// A match can compare two values: manoury match --sprt 0,10 --nodes 30000 --engine "manoury
    /// hub --tune,name=Less,param.book=false,param.reduction_slope=40" --engine "manoury hub
    /// --tune,name=Now,param.book=false"
    #[arg(long)]
    tune: bool,
}

/// The examples at the end of the help.
const HUB_EXAMPLES: &str = "Examples:
  manoury hub
  manoury hub --tune";

/// Speaks Hub on standard input and output until the client ends the session.
pub fn hub(arguments: &HubArguments) -> Result<(), Error> {
    let tunables = if arguments.tune { Tunables::Exposed } else { Tunables::Hidden };
    protocol::hub::run(tunables, BufReader::new(io::stdin()), io::stdout().lock())?;
    Ok(())
}
