//! Reads the table "Refused because" of an operation's description: reasons with their status and code.

use serde_json::Value;

/// One refusal of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason, in the words of the table.
    pub why: String,
    pub status: u16,
    pub code: String,
}

/// Returns the refusals that an operation lists, in its order. A line with several codes is several refusals; it has one
/// status for all of them, or one for each in the same order.
pub fn refusals(operation: &Value) -> Vec<Refusal> {
    let description = operation["description"].as_str().unwrap_or_default();
    description.lines().flat_map(of_line).collect()
}

fn of_line(line: &str) -> Vec<Refusal> {
    let cells = line
        .trim()
        .strip_prefix('|')
        .and_then(|line| line.strip_suffix('|'));
    let mut cells = cells.unwrap_or_default().rsplitn(3, '|').map(str::trim);
    let (Some(codes), Some(statuses), Some(why)) = (cells.next(), cells.next(), cells.next())
    else {
        return Vec::new();
    };
    let statuses: Vec<u16> = statuses
        .split(',')
        .filter_map(|status| status.trim().parse().ok())
        .collect();
    let codes = codes.split(',').enumerate();
    codes
        .filter_map(|(index, code)| {
            let code = code.trim().strip_prefix('`')?.strip_suffix('`')?;
            let status = statuses.get(index).or(statuses.last())?;
            Some(Refusal {
                why: why.to_owned(),
                status: *status,
                code: code.to_owned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(line: &str) -> Vec<String> {
        let operation = json!({ "description": format!("Refunds.\n\n| Refused because | Status | Code |\n|---|---|---|\n{line}") });
        let told = |one: Refusal| format!("{} {}: {}", one.status, one.code, one.why);
        refusals(&operation).into_iter().map(told).collect()
    }

    #[test]
    fn a_line_is_read_from_its_end() {
        assert_eq!(
            listed("| it is gone | 404 | `HE_02` |"),
            ["404 HE_02: it is gone"]
        );
        assert_eq!(
            listed("| `a|b` is bad | 400 | `IR_04`, `IR_06` |"),
            ["400 IR_04: `a|b` is bad", "400 IR_06: `a|b` is bad"]
        );
        assert_eq!(
            listed("| it is wrong | 422, 400 | `IR_06`, `IR_04` |"),
            ["422 IR_06: it is wrong", "400 IR_04: it is wrong"]
        );
        assert_eq!(listed("| Status | Means |"), [""; 0]);
        assert_eq!(listed(""), [""; 0]);
    }
}
