//! Texts as bytes in an encoding.

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::program::Program;
use crate::run::{Res, Thrown};
use crate::store::Look;

/// `string_bytes(String, Bytes, Encoding)`.
pub(super) fn string_bytes(m: &mut Machine, _: &Program) -> Res {
    let encoding = match m.store.look(m.regs[2]) {
        Look::Atom(n) => m.atoms.shared(n),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("atom", m.regs[2])),
    };
    if m.test(0, m.regs[0]) {
        let bytes = bytes(m)?;
        let text = match &*encoding {
            "utf8" | "text" => String::from_utf8(bytes).ok(),
            "octet" | "iso_latin_1" => Some(bytes.into_iter().map(char::from).collect()),
            "ascii" => String::from_utf8(bytes).ok().filter(|t| t.is_ascii()),
            "utf16le" => utf16(&bytes, u16::from_le_bytes),
            "utf16be" => utf16(&bytes, u16::from_be_bytes),
            _ => return Err(m.domain_error("encoding", m.regs[2])),
        };
        let Some(text) = text else {
            return Err(m.syntax_error("incomplete_multibyte_sequence"));
        };
        let c = m.store.text(&text);
        return Ok(m.store.unify(m.regs[0], c).into());
    }
    let Some(text) = m.text_of(m.regs[0]) else {
        return Err(m.type_error("string", m.regs[0]));
    };
    let below = |most: u32| -> Option<Vec<u8>> {
        (text.chars())
            .map(|c| {
                u8::try_from(u32::from(c))
                    .ok()
                    .filter(|&b| u32::from(b) < most)
            })
            .collect()
    };
    let bytes = match &*encoding {
        "utf8" | "text" => Some(text.clone().into_bytes()),
        "octet" | "iso_latin_1" => below(256),
        "ascii" => below(128),
        "utf16le" => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        "utf16be" => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        _ => return Err(m.domain_error("encoding", m.regs[2])),
    };
    let Some(bytes) = bytes else {
        return Err(m.representation_error("encoding"));
    };
    m.reserve(2 * bytes.len())?;
    let items: Vec<Cell> = bytes.into_iter().map(|b| small(i64::from(b))).collect();
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

/// The bytes in a list.
fn bytes(m: &mut Machine) -> Result<Vec<u8>, Thrown> {
    let mut out = Vec::new();
    for c in super::lists::items(m, m.regs[1])? {
        match m.store.look(c) {
            Look::Small(n @ 0..=255) => out.push(n as u8),
            Look::Var(_) => return Err(m.instantiation()),
            _ => return Err(m.type_error("byte", c)),
        }
    }
    Ok(out)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units: Option<Vec<u16>> = (bytes.chunks(2))
        .map(|c| c.try_into().ok().map(unit))
        .collect();
    String::from_utf16(&units?).ok()
}
