//! Converts BER to DER. Apple writes its signatures in BER with indefinite lengths, and our parser needs DER.

/// The largest nesting depth of groups.
const DEEPEST: usize = 24;
const CONSTRUCTED: u8 = 0x20;
const OCTETS: u8 = 0x04;
const UNSAID: u8 = 0x80;

/// Returns the same data with all lengths definite. Returns `None` for invalid BER, and for tags of more than one byte,
/// which signatures don't have.
pub(crate) fn to_der(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut der = Vec::with_capacity(bytes.len());
    let rest = element(bytes, DEEPEST, &mut der)?;
    rest.is_empty().then_some(der)
}

/// Writes the first element, and returns the rest.
fn element<'a>(bytes: &'a [u8], depth: usize, der: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (&tag, rest) = bytes.split_first()?;
    if tag & 0x1f == 0x1f || depth == 0 {
        return None;
    }
    let (&first, rest) = rest.split_first()?;
    if tag & CONSTRUCTED == 0 {
        let (content, rest) = said(first, rest)?;
        write(tag, content, der);
        return Some(rest);
    }
    let mut content = Vec::new();
    let rest = if first == UNSAID {
        let mut rest = rest;
        loop {
            if let Some(after) = rest.strip_prefix(&[0, 0]) {
                break after;
            }
            rest = element(rest, depth - 1, &mut content)?;
        }
    } else {
        let (mut inside, rest) = said(first, rest)?;
        while !inside.is_empty() {
            inside = element(inside, depth - 1, &mut content)?;
        }
        rest
    };
    if tag == OCTETS | CONSTRUCTED {
        write(OCTETS, &joined(&content)?, der);
    } else {
        write(tag, &content, der);
    }
    Some(rest)
}

/// Returns the content of a definite length, and the rest.
fn said(first: u8, rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = match first {
        0..UNSAID => (usize::from(first), rest),
        UNSAID => return None,
        _ => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            if digits.len() > 4 {
                return None;
            }
            let length = digits
                .iter()
                .fold(0, |sum, digit| sum << 8 | usize::from(*digit));
            (length, rest)
        }
    };
    rest.split_at_checked(length)
}

/// Joins the parts of a text.
fn joined(mut parts: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    while let Some((&tag, rest)) = parts.split_first() {
        let (&first, rest) = rest.split_first()?;
        let (part, rest) = said(first, rest)?;
        if tag != OCTETS {
            return None;
        }
        whole.extend(part);
        parts = rest;
    }
    Some(whole)
}

fn write(tag: u8, content: &[u8], der: &mut Vec<u8>) {
    der.push(tag);
    let length = content.len();
    if length < usize::from(UNSAID) {
        der.push(length as u8);
    } else {
        let digits = length.to_be_bytes();
        let digits = &digits[digits.iter().take_while(|digit| **digit == 0).count()..];
        der.push(UNSAID | digits.len() as u8);
        der.extend(digits);
    }
    der.extend(content);
}

#[cfg(test)]
mod tests {
    use super::to_der;

    #[test]
    fn lengths_are_said_and_parts_joined() {
        let unsaid = [
            0x30, 0x80, 0x02, 0x01, 0x07, 0x24, 0x80, 0x04, 0x02, 1, 2, 0x04, 0x01, 3, 0, 0, 0, 0,
        ];
        let wanted = [0x30, 0x08, 0x02, 0x01, 0x07, 0x04, 0x03, 1, 2, 3];
        assert_eq!(to_der(&unsaid).as_deref(), Some(&wanted[..]));
        assert_eq!(to_der(&wanted).as_deref(), Some(&wanted[..]));
        let long = [&[0x04, 0x81, 0x80][..], &[9; 128]].concat();
        assert_eq!(to_der(&long), Some(long));
    }

    #[test]
    fn what_is_none_is_refused() {
        let deep = [[0x30, 0x80].repeat(40), [0, 0].repeat(40)].concat();
        for bytes in [
            &[][..],
            &[0x30],
            &[0x30, 0x80],
            &[0x30, 0x02, 0x02],
            &[0x04, 0x80],
            &[0x04, 0x85, 1, 1, 1, 1, 1],
            &[0x1f, 0x01, 0x00],
            &[0x05, 0x00, 0x05, 0x00],
            &deep,
        ] {
            assert_eq!(to_der(bytes), None, "{bytes:?}");
        }
    }
}
