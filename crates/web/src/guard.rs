//! Who may ask: only pages of this server.
//!
//! Any page that somebody visits can send requests to the loopback address. With a name of its own that it lets point here
//! (DNS rebinding) it could read the answers too, so the `Host` must be `localhost` or a number, which nobody can let point
//! elsewhere. And whoever sends an `Origin` must be this page. A plain GET of another page has no `Origin`; its
//! `Sec-Fetch-Site` says where it comes from. Only a link to the page itself may come from elsewhere.

use crate::problem::Problem;
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// What browsers say about whoever asks.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Everything comes from here, nothing from elsewhere, and nobody puts the page into a frame. Not every browser takes the
/// web socket of this server for its own, so it is named.
fn content_policy(host: &str) -> String {
    format!(
        "default-src 'self'; connect-src 'self' ws://{host}; img-src 'self' data: blob:; style-src 'self'; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// Lets a request pass, or says why not.
pub(crate) async fn guard(request: Request, next: Next) -> Response {
    let mut response = match check(request.uri().path(), request.headers()) {
        Ok(host) => {
            let policy = HeaderValue::try_from(content_policy(host));
            let mut response = next.run(request).await;
            response.headers_mut().extend(policy.map(|policy| (header::CONTENT_SECURITY_POLICY, policy)));
            response
        }
        Err(reason) => Problem::forbidden(reason).into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The host that a request names, if whoever sends it may ask.
fn check<'h>(path: &str, headers: &'h HeaderMap) -> Result<&'h str, &'static str> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).ok_or("the request has no host header")?;
    if !is_known_host(host) {
        return Err("open this page as localhost or by its numeric address");
    }
    let is_link = || text(SEC_FETCH_MODE).is_some_and(|mode| mode == "navigate") && !path.starts_with("/api/");
    if text(SEC_FETCH_SITE).is_some_and(|site| !["same-origin", "none"].contains(&site)) && !is_link() {
        return Err("requests from other pages are not allowed");
    }
    match headers.get(header::ORIGIN) {
        None => Ok(host),
        Some(origin) if origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://")) == Some(host) => {
            Ok(host)
        }
        Some(_) => Err("requests from other pages are not allowed"),
    }
}

/// Whether a host with or without a port is `localhost` or an address in numbers.
fn is_known_host(host: &str) -> bool {
    if host.parse::<SocketAddr>().is_ok() || host.parse::<Ipv4Addr>().is_ok() {
        return true;
    }
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let (name, port) = host.split_once(':').unwrap_or((host, "80"));
    name.eq_ignore_ascii_case("localhost") && port.parse::<u16>().is_ok()
}

/// An address as a browser writes it before the port.
pub(crate) fn written(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_page_may_ask() {
        let verdict = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
            }
            check("/api/choices", &headers).is_ok()
        };
        for host in ["localhost:8080", "localhost", "127.0.0.1:8080", "[::1]:8080", "192.168.0.7:80"] {
            assert!(verdict(host, None), "{host}");
            assert!(verdict(host, Some(&format!("http://{host}"))), "{host}");
            assert!(!verdict(host, Some("http://evil.example")), "{host}");
            assert!(!verdict(host, Some("null")), "{host}");
        }
        for host in [
            "evil.example:8080",
            "localhost.evil.example",
            "",
            "127.0.0.1.evil.example",
            "[evil]:1",
            "[::1",
            "localhost:80; x",
        ] {
            assert!(!verdict(host, None), "{host}");
        }
        assert!(!verdict("localhost:8080", Some("http://localhost:9090")), "another port is another page");
        assert!(check("/", &HeaderMap::new()).is_err());
    }

    #[test]
    fn pages_elsewhere_may_link_here_but_not_ask() {
        let verdict = |path: &str, site: &'static str, mode: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:8080"));
            headers.insert(SEC_FETCH_SITE, HeaderValue::from_static(site));
            headers.insert(SEC_FETCH_MODE, HeaderValue::from_static(mode));
            check(path, &headers).is_ok()
        };
        assert!(verdict("/api/results", "same-origin", "cors") && verdict("/", "none", "navigate"));
        assert!(verdict("/", "cross-site", "navigate"), "a link");
        assert!(!verdict("/api/results", "cross-site", "no-cors"), "an image of another page");
        assert!(!verdict("/api/results", "cross-site", "navigate") && !verdict("/app.js", "same-site", "no-cors"));
    }
}
