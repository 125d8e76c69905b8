//! The same hot code for every level of CPU, chosen when the program runs.
//!
//! A function with `#[target_feature]` may be called safely only by another one that has the same features, so whatever
//! calls itself exists once for each level: [`on_every_cpu`] writes it into two modules, `plain` for any CPU and `wide` for x86-64
//! with AVX2 and BMI (`x86-64-v3`: Intel since 2013, AMD since 2015). The crate `multiversion` chooses the level at the
//! outermost call.

/// Writes functions into a module `plain` and, on x86-64, into a module `wide` that may use AVX2. Inside them `board`
/// has the moves and flips of that level.
///
/// A first line `with crate::path as name;` brings in the functions of another module at the same level.
macro_rules! on_every_cpu {
    (with $($path:ident)::+ as $name:ident; $($item:item)*) => {
        crate::cpu::on_every_cpu!(write [$($path)::+ as $name] $($item)*);
    };
    (write [$($($path:ident)::+ as $name:ident)?] $($item:item)*) => {
        /// For any CPU.
        #[allow(clippy::wildcard_imports, reason = "the module around is the same text")]
        pub(super) mod plain {
            use super::*;
            use crate::bits as board;
            $(use $($path)::+::plain as $name;)?

            $($item)*
        }

        /// For x86-64 with AVX2 and BMI.
        #[cfg(target_arch = "x86_64")]
        #[allow(clippy::wildcard_imports, reason = "the module around is the same text")]
        pub(super) mod wide {
            use super::*;
            use crate::wide as board;
            $(use $($path)::+::wide as $name;)?

            $(
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                $item
            )*
        }
    };
    ($($item:item)*) => {
        crate::cpu::on_every_cpu!(write [] $($item)*);
    };
}

/// Calls a function written by [`on_every_cpu`] from a function that `multiversion` has cloned.
macro_rules! best_level {
    ($function:ident ( $($argument:expr),* $(,)? )) => {
        multiversion::target::match_target! {
            "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt" => wide::$function($($argument),*),
            _ => plain::$function($($argument),*),
        }
    };
}

pub(crate) use {best_level, on_every_cpu};
