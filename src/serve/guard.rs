//! Who may have what. Any page in a browser can send requests to this machine; only the page of this
//! server, and those of sites that were allowed, may drive its engine.

use std::net::IpAddr;

use super::answer::{Answer, FORBIDDEN, METHOD_NOT_ALLOWED};
use super::request::Request;
use super::terms::{Origin, ServerConfig};

/// Whether a request may be answered at all.
///
/// # Errors
///
/// The answer that refuses it.
pub fn admit(request: &Request, terms: &ServerConfig) -> Result<(), Answer> {
    if !request.is_get {
        return Err(Answer::refusal(METHOD_NOT_ALLOWED, "only GET is answered here"));
    }
    if !is_known_host(&request.host, &terms.origins) {
        // A site may give its name the address of this machine, and be "the same site" then.
        let sentence = format!(
            "{:?} is not a name of this machine: use its number, localhost, or the address that \
             manoury serve has printed",
            request.host
        );
        return Err(Answer::refusal(FORBIDDEN, sentence));
    }
    Ok(())
}

/// Whether a request, admitted, may use the engine.
///
/// # Errors
///
/// The answer that refuses it.
pub fn admit_to_engine(request: &Request, terms: &ServerConfig) -> Result<(), Answer> {
    if let Some(origin) = &request.origin
        && !is_known_origin(origin, request, terms)
    {
        let sentence = format!(
            "pages of {origin} may not use this engine; manoury serve --origin {origin} would \
             allow them"
        );
        return Err(Answer::refusal(FORBIDDEN, sentence));
    }
    if request.token != terms.token {
        let sentence = "the token is missing or is not the one of this server: open the address \
                        that manoury serve has printed";
        return Err(Answer::refusal(FORBIDDEN, sentence));
    }
    Ok(())
}

/// Whether a host with a port is this machine by number, by its own name, or as an allowed site.
fn is_known_host(host: &str, origins: &[Origin]) -> bool {
    let host = host.to_ascii_lowercase();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => &host,
    };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost"
        || number.parse::<IpAddr>().is_ok()
        || origins.iter().any(|origin| origin.host() == host)
}

fn is_known_origin(origin: &str, request: &Request, terms: &ServerConfig) -> bool {
    let origin = origin.to_ascii_lowercase();
    let is_own = origin.strip_prefix("http://") == Some(&request.host.to_ascii_lowercase());
    is_own || terms.origins.iter().any(|known| known.is(&origin))
}
