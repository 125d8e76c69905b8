//! The bases that come with the program.

/// Name and text of each base.
pub const BASES: &[(&str, &str)] = &[
    ("printer", include_str!("../bases/printer.pl")),
    ("bicycle", include_str!("../bases/bicycle.pl")),
];

/// A base to start from.
pub const TEMPLATE: &str = include_str!("../bases/template.pl");

/// The text of a base by name.
pub fn built_in(name: &str) -> Option<&'static str> {
    BASES.iter().find(|(n, _)| *n == name).map(|(_, t)| *t)
}
