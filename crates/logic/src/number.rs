//! Numbers and what can be done with them.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

use crate::cell::*;
use crate::elementary;
use crate::store::{Look, Store};

/// A number taken out of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Num {
    Int(i64),
    Big(BigInt),
    Float(f64),
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NoValue {
    ZeroDivisor,
    Undefined,
    FloatOverflow,
    /// An integer was needed.
    NeedsInteger(Num),
    NeedsNatural(Num),
    NeedsPositive(Num),
    TooBig,
    Unknown,
}

type Value = Result<Num, NoValue>;

impl Store {
    /// The number in a cell, if it is one.
    pub(crate) fn number(&self, c: Cell) -> Option<Num> {
        match self.look(c) {
            Look::Small(n) => Some(Num::Int(n)),
            Look::Blob(at) => match self.kind(at) {
                FLOAT => Some(Num::Float(self.float_at(at))),
                BIG => Some(Num::Big(self.big_at(at))),
                _ => None,
            },
            _ => None,
        }
    }

    /// Puts a number on the heap.
    pub(crate) fn put_number(&mut self, n: &Num) -> Cell {
        match n {
            Num::Int(n) => self.int(*n),
            Num::Big(n) => self.big(n),
            Num::Float(x) => self.float(*x),
        }
    }
}

impl Num {
    pub(crate) fn big(&self) -> BigInt {
        match self {
            Num::Int(n) => BigInt::from(*n),
            Num::Big(n) => n.clone(),
            Num::Float(x) => float_to_big(*x),
        }
    }

    pub(crate) fn float(&self) -> f64 {
        match self {
            Num::Int(n) => *n as f64,
            Num::Big(n) => big_to_float(n),
            Num::Float(x) => *x,
        }
    }

    pub(crate) fn is_nan(&self) -> bool {
        matches!(self, Num::Float(x) if x.is_nan())
    }

    pub(crate) fn is_int(&self) -> bool {
        !matches!(self, Num::Float(_))
    }

    pub(crate) fn from_big(n: BigInt) -> Num {
        match i64::try_from(&n) {
            Ok(small) => Num::Int(small),
            Err(_) => Num::Big(n),
        }
    }

    fn need_int(self) -> Value {
        if self.is_int() {
            Ok(self)
        } else {
            Err(NoValue::NeedsInteger(self))
        }
    }

    fn sign(&self) -> i32 {
        match self {
            Num::Int(n) => n.signum() as i32,
            Num::Big(n) => {
                if *n < BigInt::from(0) {
                    -1
                } else {
                    1
                }
            }
            Num::Float(x) => {
                if *x > 0.0 {
                    1
                } else {
                    -i32::from(*x < 0.0)
                }
            }
        }
    }

    /// Compares by value.
    pub(crate) fn compare(&self, other: &Num) -> Ordering {
        match (self, other) {
            (Num::Int(a), Num::Int(b)) => a.cmp(b),
            (Num::Float(a), Num::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Less),
            (Num::Float(a), b) => compare_mixed(b, *a).reverse(),
            (a, Num::Float(b)) => compare_mixed(a, *b),
            (a, b) => a.big().cmp(&b.big()),
        }
    }
}

/// An integer against a float, exactly.
fn compare_mixed(a: &Num, b: f64) -> Ordering {
    if b.is_nan() {
        return Ordering::Less;
    }
    if b.is_infinite() {
        return if b > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        };
    }
    let whole = b.trunc();
    a.big().cmp(&float_to_big(whole)).then_with(|| {
        let rest = b - whole;
        0.0f64.partial_cmp(&rest).unwrap_or(Ordering::Equal)
    })
}

/// The nearest float: from the first 64 bits, the last of which also stands for all that follow.
fn big_to_float(n: &BigInt) -> f64 {
    let bits = n.bits();
    if bits > 1024 {
        return if n.sign() == Sign::Minus {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
    }
    let below = bits.saturating_sub(64);
    let magnitude = n.magnitude();
    let top: BigUint = magnitude >> below;
    let sticky = magnitude
        .trailing_zeros()
        .is_some_and(|zeros| zeros < below);
    let top = top.iter_u64_digits().next().unwrap_or(0) | u64::from(sticky);
    let x = libm::ldexp(top as f64, below as i32);
    if n.sign() == Sign::Minus { -x } else { x }
}

fn float_to_big(x: f64) -> BigInt {
    let x = x.trunc();
    if x.abs() < 9e18 {
        return BigInt::from(x as i64);
    }
    let bits = x.abs().to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let n = BigInt::from(mantissa) << exponent.max(0) as u64;
    if x < 0.0 { -n } else { n }
}

fn checked(x: f64) -> Value {
    if x.is_nan() {
        Err(NoValue::Undefined)
    } else if x.is_infinite() {
        Err(NoValue::FloatOverflow)
    } else {
        Ok(Num::Float(x))
    }
}

fn arithmetic(
    a: &Num,
    b: &Num,
    small: impl Fn(i64, i64) -> Option<i64>,
    big: impl Fn(BigInt, BigInt) -> BigInt,
    float: impl Fn(f64, f64) -> f64,
) -> Value {
    match (a, b) {
        (Num::Int(x), Num::Int(y)) => match small(*x, *y) {
            Some(n) => Ok(Num::Int(n)),
            None => Ok(Num::from_big(big(BigInt::from(*x), BigInt::from(*y)))),
        },
        (Num::Float(_), _) | (_, Num::Float(_)) => checked(float(a.float(), b.float())),
        _ => Ok(Num::from_big(big(a.big(), b.big()))),
    }
}

fn floor_div(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let zero = BigInt::from(0);
    let q = a / b;
    let r = a % b;
    if r != zero && ((r < zero) != (*b < zero)) {
        (q - 1, r + b)
    } else {
        (q, r)
    }
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    let zero = BigInt::from(0);
    let (mut a, mut b) = (a, b);
    while b != zero {
        (a, b) = (b.clone(), a % b);
    }
    if a < zero { -a } else { a }
}

/// The largest integer, in bits (about 315,000 decimal digits): beyond it a run ends with a resource
/// error. Up to it no single operation takes longer than some hundredths of a second.
const MOST_BITS: u64 = 1 << 20;

/// Words that an integer takes.
fn words(n: &Num) -> usize {
    match n {
        Num::Big(n) => n.bits() as usize / 64 + 1,
        _ => 1,
    }
}

/// What an operation on large integers costs, in cells; nothing for numbers that fit a word.
pub(crate) fn price(name: &str, a: &Num, b: &Num) -> Option<Result<usize, NoValue>> {
    let bits = |n: &Num| match n {
        Num::Big(n) => n.bits(),
        Num::Int(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
        Num::Float(_) => 0,
    };
    // Products cost more than their length, by a root of it (Karatsuba, Toom and Cook).
    let product = |long: usize, short: usize| 4 * long * (short as f64).sqrt() as usize;
    if matches!(name, "**" | "^") {
        let (Num::Int(_) | Num::Big(_), &Num::Int(n @ 64..)) = (a, b) else {
            return None;
        };
        let size = power_bits(a, n).min(MOST_BITS as f64) as usize / 64;
        return Some(Ok(product(size, size)));
    }
    if !matches!((a, b), (Num::Big(_), _) | (_, Num::Big(_))) {
        return None;
    }
    let (long, short) = (words(a).max(words(b)), words(a).min(words(b)));
    let (sum, most) = (bits(a) + bits(b), bits(a).max(bits(b)));
    Some(match name {
        "*" if sum > MOST_BITS => Err(NoValue::TooBig),
        "+" | "-" if most >= MOST_BITS => Err(NoValue::TooBig),
        "*" => Ok(product(long, short)),
        "/" | "//" | "mod" | "rem" | "div" | "divmod" => {
            Ok(long + words(a).saturating_sub(words(b)) * words(b) / 2)
        }
        _ => Ok(long),
    })
}

/// Reads digits, half by half where there are many; nothing where there are too many.
pub(crate) fn read_digits(digits: &str, radix: u32) -> Option<BigInt> {
    fn read(digits: &[u8], radix: u32) -> BigInt {
        if digits.len() < 2000 {
            return BigInt::parse_bytes(digits, radix).unwrap_or_default();
        }
        let (high, low) = digits.split_at(digits.len() / 2);
        let shift = BigInt::from(radix).pow(low.len() as u32);
        read(high, radix) * shift + read(low, radix)
    }
    let bits = digits.len() as f64 * f64::from(radix).log2();
    (bits <= MOST_BITS as f64).then(|| read(digits.as_bytes(), radix))
}

fn power(a: Num, b: &Num, exact: bool) -> Value {
    if !a.is_int() || !b.is_int() {
        if a.float() == 0.0 && b.sign() < 0 {
            return Err(NoValue::ZeroDivisor);
        }
        return checked(libm_pow(a.float(), b.float()));
    }
    if b.sign() < 0 {
        return match a {
            Num::Int(1) => Ok(Num::Int(1)),
            Num::Int(-1) => {
                let odd = b.big() % 2 != BigInt::from(0);
                Ok(Num::Int(if odd { -1 } else { 1 }))
            }
            Num::Int(0) => Err(NoValue::ZeroDivisor),
            a if exact => Err(NoValue::NeedsInteger(a)),
            a => checked(libm_pow(a.float(), b.float())),
        };
    }
    if let Num::Int(n @ (-1..=1)) = a {
        return Ok(Num::Int(match (n, b.sign()) {
            (_, 0) => 1,
            (-1, _) => {
                if b.big() % 2 == BigInt::from(0) {
                    1
                } else {
                    -1
                }
            }
            (n, _) => n,
        }));
    }
    let Num::Int(n) = *b else {
        return Err(NoValue::TooBig);
    };
    if power_bits(&a, n) > MOST_BITS as f64 {
        return Err(NoValue::TooBig);
    }
    Ok(Num::from_big(a.big().pow(n as u32)))
}

/// About how many bits a power has.
fn power_bits(a: &Num, n: i64) -> f64 {
    let log = match a {
        Num::Big(a) => a.bits() as f64,
        a => libm::log2(a.float().abs()),
    };
    log * n as f64
}

fn libm_pow(a: f64, b: f64) -> f64 {
    elementary::pow(a, b)
}

/// The functions with one argument.
pub(crate) fn unary(name: &str, a: Num) -> Value {
    match name {
        "-" => match a {
            // Infinity changes sign like any other float.
            Num::Float(x) => Ok(Num::Float(-x)),
            a => arithmetic(&Num::Int(0), &a, i64::checked_sub, |x, y| x - y, |_, y| -y),
        },
        "+" => Ok(a),
        "abs" => {
            if let Num::Float(x) = a {
                Ok(Num::Float(x.abs()))
            } else if a.sign() < 0 {
                unary("-", a)
            } else {
                Ok(a)
            }
        }
        "sign" => Ok(match a {
            Num::Float(x) => Num::Float(if x == 0.0 { 0.0 } else { x.signum() }),
            a => Num::Int(i64::from(a.sign())),
        }),
        "sqrt" if a.sign() < 0 => Err(NoValue::Undefined),
        "sqrt" => checked(a.float().sqrt()),
        "log" | "log2" if a.sign() <= 0 => Err(NoValue::Undefined),
        "log" => checked(elementary::log(a.float())),
        "log2" => checked(libm::log2(a.float())),
        "exp" => checked(elementary::exp(a.float())),
        "sin" => checked(libm::sin(a.float())),
        "cos" => checked(libm::cos(a.float())),
        "tan" => checked(libm::tan(a.float())),
        "asin" => checked(libm::asin(a.float())),
        "acos" => checked(libm::acos(a.float())),
        "atan" => checked(libm::atan(a.float())),
        "sinh" => checked(libm::sinh(a.float())),
        "cosh" => checked(elementary::cosh(a.float())),
        "tanh" => checked(libm::tanh(a.float())),
        "asinh" => checked(libm::asinh(a.float())),
        "acosh" => checked(libm::acosh(a.float())),
        "atanh" => checked(libm::atanh(a.float())),
        "cot" | "acot" if a.sign() == 0 => Err(NoValue::Undefined),
        "cot" => checked(1.0 / libm::tan(a.float())),
        "acot" => checked(libm::atan(1.0 / a.float())),
        "gamma" => checked(libm::tgamma(a.float())),
        "lgamma" => checked(libm::lgamma(a.float())),
        "erf" => checked(libm::erf(a.float())),
        "erfc" => checked(libm::erfc(a.float())),
        "cbrt" => checked(libm::cbrt(a.float())),
        "float" => checked(a.float()),
        "integer" => match a {
            Num::Float(x) => round(x.round()),
            a => Ok(a),
        },
        "float_integer_part" => match a {
            Num::Float(x) => Ok(Num::Float(x.trunc())),
            a => Ok(a),
        },
        "float_fractional_part" => match a {
            Num::Float(x) => Ok(Num::Float(x - x.trunc())),
            _ => Ok(Num::Int(0)),
        },
        "truncate" | "trunc" | "round" | "ceiling" | "ceil" | "floor" => match a {
            Num::Float(x) => round(match name {
                "truncate" | "trunc" => x.trunc(),
                "round" => x.round(),
                "ceiling" | "ceil" => x.ceil(),
                _ => x.floor(),
            }),
            a => Ok(a),
        },
        "\\" => match a.need_int()? {
            Num::Int(n) => Ok(Num::Int(!n)),
            a => Ok(Num::from_big(-a.big() - 1)),
        },
        "lsb" => match a.need_int()? {
            a if a.sign() <= 0 => Err(NoValue::NeedsPositive(a)),
            a => Ok(Num::Int(a.big().trailing_zeros().unwrap_or(0) as i64)),
        },
        "msb" => match a.need_int()? {
            a if a.sign() <= 0 => Err(NoValue::NeedsPositive(a)),
            a => Ok(Num::Int(a.big().bits() as i64 - 1)),
        },
        "popcount" => match a.need_int()? {
            a if a.sign() < 0 => Err(NoValue::NeedsNatural(a)),
            a => Ok(Num::Int(
                a.big()
                    .iter_u64_digits()
                    .map(|d| i64::from(d.count_ones()))
                    .sum(),
            )),
        },
        "succ" => arithmetic(
            &a.need_int()?,
            &Num::Int(1),
            i64::checked_add,
            |x, y| x + y,
            |x, _| x,
        ),
        _ => Err(NoValue::Unknown),
    }
}

fn round(x: f64) -> Value {
    if x.is_finite() {
        Ok(Num::from_big(float_to_big(x)))
    } else {
        Err(NoValue::Undefined)
    }
}

/// The functions with two arguments.
pub(crate) fn binary(name: &str, a: Num, b: Num) -> Value {
    match name {
        "+" => arithmetic(&a, &b, i64::checked_add, |x, y| x + y, |x, y| x + y),
        "-" => arithmetic(&a, &b, i64::checked_sub, |x, y| x - y, |x, y| x - y),
        "*" => arithmetic(&a, &b, i64::checked_mul, |x, y| x * y, |x, y| x * y),
        "/" => {
            if a.is_int() && b.is_int() {
                if b.sign() == 0 {
                    return Err(NoValue::ZeroDivisor);
                }
                let (x, y) = (a.big(), b.big());
                if &x % &y == BigInt::from(0) {
                    return Ok(Num::from_big(x / y));
                }
            } else if b.sign() == 0 {
                return Err(if a.sign() == 0 {
                    NoValue::Undefined
                } else {
                    NoValue::ZeroDivisor
                });
            }
            checked(a.float() / b.float())
        }
        "//" | "mod" | "rem" | "div" => {
            let (a, b) = (a.need_int()?, b.need_int()?);
            if b.sign() == 0 {
                return Err(NoValue::ZeroDivisor);
            }
            if let (Num::Int(x), Num::Int(y)) = (&a, &b)
                && (*x, *y) != (i64::MIN, -1)
            {
                return Ok(Num::Int(match name {
                    "//" => x / y,
                    "rem" => x % y,
                    "mod" => {
                        x.rem_euclid(*y)
                            + if *y < 0 && x.rem_euclid(*y) != 0 {
                                *y
                            } else {
                                0
                            }
                    }
                    _ => x.div_euclid(*y) - i64::from(*y < 0 && x.rem_euclid(*y) != 0),
                }));
            }
            let (x, y) = (a.big(), b.big());
            Ok(Num::from_big(match name {
                "//" => x / y,
                "rem" => x % y,
                "mod" => floor_div(&x, &y).1,
                _ => floor_div(&x, &y).0,
            }))
        }
        // What is no number is neither the least nor the greatest.
        "min" | "max" if a.is_nan() => Ok(b),
        "min" | "max" if b.is_nan() => Ok(a),
        // Of two equal numbers the float is the one.
        "min" => Ok(match a.compare(&b) {
            Ordering::Greater => b,
            Ordering::Equal if !b.is_int() => b,
            _ => a,
        }),
        "max" => Ok(match a.compare(&b) {
            Ordering::Less => b,
            Ordering::Equal if !b.is_int() => b,
            _ => a,
        }),
        "getbit" => match (a.need_int()?, b.need_int()?) {
            (a, Num::Int(n)) if n >= 0 && a.sign() >= 0 => {
                Ok(Num::Int(i64::from(a.big().bit(n as u64))))
            }
            (a, _) => Err(NoValue::NeedsNatural(a)),
        },
        "nexttoward" => {
            let (x, y) = (a.float(), b.float());
            Ok(Num::Float(libm::nextafter(x, y)))
        }
        "**" => power(a, &b, false),
        "^" => power(a, &b, true),
        ">>" | "<<" => shift(name == "<<", a.need_int()?, &b.need_int()?),
        "/\\" | "\\/" | "xor" => {
            let (a, b) = (a.need_int()?, b.need_int()?);
            if let (Num::Int(x), Num::Int(y)) = (&a, &b) {
                return Ok(Num::Int(match name {
                    "/\\" => x & y,
                    "\\/" => x | y,
                    _ => x ^ y,
                }));
            }
            let (x, y) = (a.big(), b.big());
            Ok(Num::from_big(match name {
                "/\\" => x & y,
                "\\/" => x | y,
                _ => x ^ y,
            }))
        }
        "atan2" | "atan" => checked(libm::atan2(a.float(), b.float())),
        "copysign" => Ok(match a {
            Num::Float(x) => Num::Float(x.copysign(b.float())),
            a if (a.sign() < 0) == b.float().is_sign_negative() => a,
            a => Num::from_big(-a.big()),
        }),
        "lcm" => {
            let (a, b) = (a.need_int()?.big(), b.need_int()?.big());
            if a == BigInt::from(0) || b == BigInt::from(0) {
                return Ok(Num::Int(0));
            }
            let g = gcd(a.clone(), b.clone());
            let n = a / g * b;
            Ok(Num::from_big(if n < BigInt::from(0) { -n } else { n }))
        }
        "gcd" => Ok(Num::from_big(gcd(a.need_int()?.big(), b.need_int()?.big()))),
        "log" => match (unary("log", a)?, unary("log", b)?) {
            (Num::Float(base), Num::Float(x)) => checked(x / base),
            _ => Err(NoValue::Undefined),
        },
        _ => Err(NoValue::Unknown),
    }
}

fn shift(left: bool, a: Num, b: &Num) -> Value {
    let Num::Int(by) = *b else {
        // All bits are shifted out, or there is no room for them.
        return match (left == (b.sign() < 0), a.sign()) {
            (_, 0) => Ok(a),
            (true, sign) => Ok(Num::Int(if sign < 0 { -1 } else { 0 })),
            (false, _) => Err(NoValue::TooBig),
        };
    };
    let left = if by < 0 { !left } else { left };
    let by = by.unsigned_abs();
    if left {
        if a.big().bits() + by > MOST_BITS {
            return if a.sign() == 0 {
                Ok(a)
            } else {
                Err(NoValue::TooBig)
            };
        }
        return Ok(Num::from_big(a.big() << by));
    }
    match a {
        Num::Int(n) => Ok(Num::Int(n >> by.min(63))),
        a => Ok(Num::from_big(a.big() >> by)),
    }
}

/// `powm(Base, Exponent, Modulus)`.
pub(crate) fn power_modulo(base: Num, exponent: Num, modulus: Num) -> Value {
    let (b, e, m) = (base.need_int()?, exponent.need_int()?, modulus.need_int()?);
    if e.sign() < 0 {
        return Err(NoValue::NeedsNatural(e));
    }
    if m.sign() <= 0 {
        return Err(NoValue::NeedsNatural(m));
    }
    Ok(Num::from_big(b.big().modpow(&e.big(), &m.big())))
}

/// The constants.
pub(crate) fn constant(name: &str) -> Option<Num> {
    Some(match name {
        "pi" => Num::Float(std::f64::consts::PI),
        "e" => Num::Float(std::f64::consts::E),
        "inf" | "infinite" => Num::Float(f64::INFINITY),
        "nan" => Num::Float(f64::NAN),
        "epsilon" => Num::Float(f64::EPSILON),
        "max_tagged_integer" => Num::Int(MAX_SMALL),
        "min_tagged_integer" => Num::Int(MIN_SMALL),
        "max_integer" => Num::Int(i64::MAX),
        "min_integer" => Num::Int(i64::MIN),
        _ => return None,
    })
}
