//! Builtin predicates. Each runs to its end in one go; what can succeed more than once is written
//! in Prolog on top of these (`library/*.pl`).

mod bytes;
mod control;
pub(crate) mod database;
mod format;
mod input;
mod lists;
mod options;
mod output;
mod terms;
mod texts;

use crate::machine::Machine;
use crate::program::Program;
use crate::run::Res;

/// A builtin predicate.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) arity: usize,
    /// May go on with another goal, so it is always called, never run in line.
    pub(crate) control: bool,
    code: fn(&mut Machine, &Program) -> Res,
}

impl Builtin {
    #[inline]
    pub(crate) fn run(&self, m: &mut Machine, prog: &Program) -> Res {
        (self.code)(m, prog)
    }
}

macro_rules! table {
    ($($name:literal / $arity:literal $($control:ident)? => $code:expr),* $(,)?) => {
        /// All builtins.
        pub(crate) static TABLE: &[Builtin] = &[
            $(Builtin {
                name: $name,
                arity: $arity,
                control: table!(@ $($control)?),
                code: $code,
            }),*
        ];
    };
    (@ control) => { true };
    (@) => { false };
}

table! {
    "call"/1 control => control::call::<1>, "call"/2 control => control::call::<2>,
    "call"/3 control => control::call::<3>, "call"/4 control => control::call::<4>,
    "call"/5 control => control::call::<5>, "call"/6 control => control::call::<6>,
    "call"/7 control => control::call::<7>, "call"/8 control => control::call::<8>,
    "call"/9 control => control::call::<9>, "call"/10 control => control::call::<10>,
    "$body"/2 control => control::body2,
    "catch"/3 control => control::catch3,
    "throw"/1 => control::throw1,
    "halt"/0 => control::halt0, "halt"/1 => control::halt1,
    "true"/0 => control::true0, "otherwise"/0 => control::true0, "!"/0 => control::true0,
    "fail"/0 => control::fail0, "false"/0 => control::fail0,
    "="/2 => control::unify2,
    "is"/2 => control::is2,
    "=:="/2 => control::compare::<0>, "=\\="/2 => control::compare::<1>,
    "<"/2 => control::compare::<2>, ">"/2 => control::compare::<3>,
    "=<"/2 => control::compare::<4>, ">="/2 => control::compare::<5>,
    "=="/2 => control::order::<0>, "\\=="/2 => control::order::<1>,
    "@<"/2 => control::order::<2>, "@>"/2 => control::order::<3>,
    "@=<"/2 => control::order::<4>, "@>="/2 => control::order::<5>,
    "\\="/2 => control::order::<6>,
    "var"/1 => control::test::<0>, "nonvar"/1 => control::test::<1>,
    "atom"/1 => control::test::<2>, "integer"/1 => control::test::<3>,
    "float"/1 => control::test::<4>, "number"/1 => control::test::<5>,
    "atomic"/1 => control::test::<6>, "compound"/1 => control::test::<7>,
    "callable"/1 => control::test::<8>, "is_list"/1 => control::test::<9>,
    "string"/1 => control::test::<10>, "ground"/1 => control::test::<11>,
    "rational"/1 => control::test::<12>,
    "$bag_new"/1 => control::bag_new, "$bag_add"/2 => control::bag_add,
    "$bag_take"/3 => control::bag_take, "$bag_count"/2 => control::bag_count,
    "$set_flag"/2 => control::set_flag, "$flag"/2 => control::flag,
    "statistics"/2 => control::statistics,
    "garbage_collect"/0 => control::true0,
    "nb_setval"/2 => crate::cleanup::keep_global, "b_setval"/2 => crate::cleanup::set_global,
    "nb_getval"/2 => crate::cleanup::global, "b_getval"/2 => crate::cleanup::global,
    "$globals"/1 => crate::cleanup::globals,
    "$cleanup"/3 => crate::cleanup::guard, "$cleanup_exit"/2 => crate::cleanup::exit,
    "setarg"/3 => crate::cleanup::set_arg::<false>,
    "nb_setarg"/3 => crate::cleanup::set_arg::<true>,
    "$foreign_one"/3 => crate::foreign::one3,

    "functor"/3 => terms::functor3, "arg"/3 => terms::arg3, "=.."/2 => terms::univ2,
    "copy_term"/2 => terms::copy2, "duplicate_term"/2 => terms::copy2,
    "term_variables"/2 => terms::variables::<false>,
    "term_variables"/3 => terms::variables::<true>,
    "term_singletons"/2 => terms::singletons2, "same_term"/2 => terms::same2,
    "term_hash"/2 => terms::hash2,
    "compound_name_arguments"/3 => terms::parts3, "$unifiable"/3 => terms::unifiable3,
    "acyclic_term"/1 => terms::acyclic1, "cyclic_term"/1 => terms::cyclic1,
    "compare"/3 => terms::compare3, "?="/2 => terms::decided2,
    "unify_with_occurs_check"/2 => terms::occurs_check2,
    "$free_variables"/4 => terms::free4, "numbervars"/3 => terms::numbervars3,
    "=@="/2 => terms::variant2, "\\=@="/2 => terms::not_variant2,
    "term_to_atom"/2 => terms::term_to_atom2, "term_string"/2 => terms::term_string2,
    "$lambda"/4 => terms::lambda4,

    "msort"/2 => lists::msort2, "sort"/2 => lists::sort2, "sort"/4 => lists::sort4,
    "keysort"/2 => lists::keysort2, "$length"/2 => lists::length2, "$skip"/3 => lists::skip3,
    "list_to_set"/2 => lists::to_set2,

    "atom_codes"/2 => texts::atom_codes, "atom_chars"/2 => texts::atom_chars,
    "char_code"/2 => texts::char_code, "atom_length"/2 => texts::length,
    "string_length"/2 => texts::length, "atom_number"/2 => texts::atom_number,
    "number_codes"/2 => texts::number_codes::<true>,
    "number_chars"/2 => texts::number_codes::<false>,
    "$concat"/4 => texts::concat, "$sub_text"/6 => texts::sub_text,
    "upcase_atom"/2 => texts::upcase, "downcase_atom"/2 => texts::downcase,
    "string_upper"/2 => texts::string_upper, "string_lower"/2 => texts::string_lower,
    "atom_string"/2 => texts::atom_string, "number_string"/2 => texts::number_string,
    "string_chars"/2 => texts::string_chars, "string_codes"/2 => texts::string_codes,
    "string_to_atom"/2 => texts::string_to_atom, "split_string"/4 => texts::split,
    "atomic_list_concat"/2 => texts::join2, "atomic_list_concat"/3 => texts::join3,
    "text_to_string"/2 => texts::text_to_string, "string_bytes"/3 => bytes::string_bytes, "$string_code"/3 => texts::string_code,
    "$char_type"/3 => texts::char_type, "$text_concat"/3 => texts::text_concat,
    "$name"/2 => texts::name,
    "normalize_space_text"/2 => texts::squeeze,

    "assertz"/1 => database::assertz, "assert"/1 => database::assertz,
    "asserta"/1 => database::asserta, "$clauses"/2 => database::clauses, "$first_clause"/3 => database::first_clause,
    "$clause"/3 => database::clause, "$clause_at"/2 => database::clause_at, "$added"/1 => database::added, "$erase"/1 => database::erase, "$retract"/3 => database::retract,
    "$next_clause"/5 => database::next_clause, "$retract_each"/1 => database::retract_each,
    "$abolish"/1 => database::abolish, "$declare"/2 => database::declare,
    "$predicates"/1 => database::predicates, "$property"/2 => database::property,
    "$operators"/1 => database::operators, "op"/3 => database::op,

    "write"/1 => output::write::<false>, "write"/2 => output::write::<true>,
    "print"/1 control => output::print, "$print"/2 => output::printed,
    "writeq"/1 => output::writeq::<false>, "writeq"/2 => output::writeq::<true>,
    "write_canonical"/1 => output::canonical::<false>,
    "write_canonical"/2 => output::canonical::<true>,
    "writeln"/1 => output::writeln::<false>, "$writeln"/2 => output::writeln::<true>,
    "nl"/0 => output::nl::<false>, "nl"/1 => output::nl::<true>,
    "tab"/1 => output::tab::<false>, "$tab"/2 => output::tab::<true>,
    "put_char"/1 => output::put_char::<false>, "put_char"/2 => output::put_char::<true>,
    "put_code"/1 => output::put_code::<false>, "put_code"/2 => output::put_code::<true>,
    "put_byte"/1 => output::put_byte::<false>, "put_byte"/2 => output::put_byte::<true>,
    "write_term"/2 control => output::write_options::<false>,
    "write_term"/3 control => output::write_options::<true>,
    "$listed"/3 => output::listed, "$letters"/1 => output::bind_letters,
    "$message"/2 => output::message,
    "$open_memory"/2 => input::open_memory, "$close_memory"/3 => input::close_memory,
    "flush_output"/0 => input::flush::<false>, "flush_output"/1 => input::flush::<true>,

    "get_char"/1 => input::character::<false, false, false>,
    "get_char"/2 => input::character::<true, false, false>,
    "peek_char"/1 => input::character::<false, false, true>,
    "peek_char"/2 => input::character::<true, false, true>,
    "get_code"/1 => input::character::<false, true, false>,
    "get_code"/2 => input::character::<true, true, false>,
    "peek_code"/1 => input::character::<false, true, true>,
    "peek_code"/2 => input::character::<true, true, true>,
    "get_byte"/1 => input::byte::<false>, "get_byte"/2 => input::byte::<true>,
    "peek_byte"/1 => input::byte::<false>, "peek_byte"/2 => input::byte::<true>,
    "at_end_of_stream"/0 => input::at_end::<false>,
    "at_end_of_stream"/1 => input::at_end::<true>,
    "read"/1 => input::read::<false, false>, "read"/2 => input::read::<true, false>,
    "read_term"/2 => input::read::<false, true>, "read_term"/3 => input::read::<true, true>,
    "$read_line"/2 => input::line, "$read_rest"/3 => input::rest, "$read_until"/4 => input::until,
    "$term_of"/3 => input::term_of,
    "$open_string"/2 => input::open_string,
    "open"/3 => input::open::<false>, "open"/4 => input::open::<true>,
    "close"/1 => input::close::<false>, "close"/2 => input::close::<true>,
    "set_input"/1 => input::set_input, "set_output"/1 => input::set_output,
    "current_input"/1 => input::current::<true>, "current_output"/1 => input::current::<false>,
    "$stream_properties"/1 => input::properties, "$alias"/2 => input::alias,
    "$stream_term"/2 => input::canonical, "$prompt"/2 => input::prompt,
    "format"/1 => format::format1, "format"/2 control => format::format2,
    "$format"/3 control => format::format3, "$format_done"/3 => format::laid_out,
    "$format_directives"/2 => format::directives2,

    "ask"/1 => crate::ask::ask1, "ask"/2 => crate::ask::ask2,
    "choose"/3 => crate::ask::choose3, "number"/2 => crate::ask::number2,
    "$tabled"/2 control => crate::tabling::tabled2, "tnot"/1 control => crate::tabling::tnot1,
    // Only a name in the proof log: which answer of which table was used.
    "$table_used"/2 => control::true0, "$table_put"/5 => crate::tabling::put5,
    "$table"/1 => crate::modes::table1, "abolish_all_tables"/0 => crate::tabling::abolish0,
}
