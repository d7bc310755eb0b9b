//! Variables whose names begin with `MULTIRAIL_` and that are neither settings nor spelling mistakes.

/// Variables of our other programs: the client's commands and examples, and the tests.
const OUR_OTHERS: [&str; 3] = ["MULTIRAIL_URL", "MULTIRAIL_API_KEY", "MULTIRAIL_PROFILE"];
const OF_TESTS: [&str; 2] = ["MULTIRAIL_TEST_", "MULTIRAIL_CRASH_"];

/// Returns whether another program may have set the variable.
///
/// Kubernetes tells every container of the services around it. A service that is called `multirail`, or `multirail-pay`,
/// sets `MULTIRAIL_PAY_SERVICE_HOST`, `MULTIRAIL_PAY_SERVICE_PORT_HTTP`, `MULTIRAIL_PAY_PORT=tcp://10.0.0.1:80` and
/// `MULTIRAIL_PAY_PORT_80_TCP_ADDR`.
pub(super) fn is_foreign(name: &str, value: &str) -> bool {
    OUR_OTHERS.contains(&name)
        || OF_TESTS.iter().any(|start| name.starts_with(start))
        || name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || (name.ends_with("_PORT") && is_address(value))
        || is_port_of_a_service(name)
}

fn is_address(value: &str) -> bool {
    PROTOCOLS
        .iter()
        .any(|protocol| value.starts_with(&format!("{}://", protocol.to_ascii_lowercase())))
}

const PROTOCOLS: [&str; 3] = ["TCP", "UDP", "SCTP"];

/// Matches `…_PORT_80_TCP`, and the same with `_PROTO`, `_PORT` or `_ADDR` after it.
fn is_port_of_a_service(name: &str) -> bool {
    let Some((_, rest)) = name.split_once("_PORT_") else {
        return false;
    };
    let mut words = rest.split('_');
    let (port, protocol, last) = (words.next(), words.next(), words.next());
    port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
        && protocol.is_some_and(|protocol| PROTOCOLS.contains(&protocol))
        && matches!(last, None | Some("PROTO" | "PORT" | "ADDR"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_cluster_tells_of_its_services_is_not_ours() {
        for (name, value) in [
            ("MULTIRAIL_SERVICE_HOST", "10.0.0.1"),
            ("MULTIRAIL_SERVICE_PORT", "8080"),
            ("MULTIRAIL_SERVICE_PORT_HTTP", "8080"),
            ("MULTIRAIL_PORT", "tcp://10.0.0.1:8080"),
            ("MULTIRAIL_PAY_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
            ("MULTIRAIL_PAY_PORT_8080_TCP_ADDR", "10.0.0.1"),
            ("MULTIRAIL_API_KEY", "snd_x"),
            ("MULTIRAIL_PROFILE", "shop"),
            ("MULTIRAIL_TEST_ENGINE", "postgres"),
        ] {
            assert!(is_foreign(name, value), "{name}");
        }
        for (name, value) in [
            ("MULTIRAIL_PORT", "8080"),
            ("MULTIRAIL_LISTNE", "127.0.0.1:1"),
            ("MULTIRAIL_PORT_TCP", "80"),
            ("MULTIRAIL_HOST", "pay.example"),
        ] {
            assert!(!is_foreign(name, value), "{name}");
        }
    }
}
