//! `$1`, `$2`, ... in SQL texts.
//!
//! For SQLite `$2` is a *name*, and names are numbered by their first appearance: bound by position, `values ($2, $1)`
//! would swap the two. `?2` is a number. So the text is rewritten for SQLite, once for each statement.

/// A part of a SQL text.
enum Piece<'a> {
    /// Anything that is no placeholder: keywords, literals, comments.
    Text(&'a str),
    /// The number of a placeholder.
    Placeholder(usize),
}

/// Returns the text with `?n` for `$n`. Quoted text and comments stay as they are.
pub(super) fn numbered(sql: &str) -> String {
    let mut rewritten = String::with_capacity(sql.len());
    split(sql, |piece| match piece {
        Piece::Text(text) => rewritten.push_str(text),
        Piece::Placeholder(number) => {
            rewritten.push('?');
            rewritten.push_str(&number.to_string());
        }
    });
    rewritten
}

/// Returns the text with `offset` added to the number of every `$n`.
pub(super) fn moved(sql: &str, offset: usize) -> String {
    let mut rewritten = String::with_capacity(sql.len() + 16);
    split(sql, |piece| match piece {
        Piece::Text(text) => rewritten.push_str(text),
        Piece::Placeholder(number) => {
            rewritten.push('$');
            rewritten.push_str(&(number + offset).to_string());
        }
    });
    rewritten
}

/// Returns the highest `$n` of the text, 0 if there is none.
pub(super) fn highest(sql: &str) -> usize {
    let mut highest = 0;
    split(sql, |piece| match piece {
        Piece::Text(_) => {}
        Piece::Placeholder(number) => highest = highest.max(number),
    });
    highest
}

fn split<'a>(sql: &'a str, mut piece: impl FnMut(Piece<'a>)) {
    let bytes = sql.as_bytes();
    let mut at = 0;
    let mut text_from = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match rest[0] {
            quote @ (b'\'' | b'"') => at += after(&rest[1..], &[quote]) + 1,
            b'-' if rest.starts_with(b"--") => at += after(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => at += after(&rest[2..], b"*/") + 2,
            b'$' => {
                let digits = rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
                match sql[at + 1..at + 1 + digits].parse() {
                    Ok(number) => {
                        piece(Piece::Text(&sql[text_from..at]));
                        piece(Piece::Placeholder(number));
                        at += 1 + digits;
                        text_from = at;
                    }
                    Err(_) => at += 1,
                }
            }
            _ => at += 1,
        }
    }
    piece(Piece::Text(&sql[text_from..]));
}

/// Returns the number of bytes up to and including the first `end`, or to the end of the text. A doubled quote closes and
/// opens again, which has the same result.
fn after(bytes: &[u8], end: &[u8]) -> usize {
    bytes
        .windows(end.len())
        .position(|window| window == end)
        .map_or(bytes.len(), |position| position + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_become_numbers() {
        let sql = "insert into t values ($2, $1, $10) -- $3\n, '$4 it''s $5', \"$6\", /* $7 */ $2";
        assert_eq!(
            numbered(sql),
            "insert into t values (?2, ?1, ?10) -- $3\n, '$4 it''s $5', \"$6\", /* $7 */ ?2"
        );
        assert_eq!(highest(sql), 10);
    }

    #[test]
    fn texts_without_placeholders_stay() {
        for sql in [
            "",
            "select 1",
            "select '",
            "select $",
            "a /* b",
            "select 'ü$1' -- ü",
        ] {
            assert_eq!(numbered(sql), sql);
            assert_eq!(highest(sql), 0);
        }
    }
}
