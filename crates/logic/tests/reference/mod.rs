//! A second Prolog, as slow and plain as possible: terms are trees, goals are a list, every binding
//! is a new map entry. It knows just enough to disagree with the real machine.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum T {
    Var(usize),
    Int(i64),
    Fun(String, Vec<T>),
}

type Env = BTreeMap<usize, T>;

/// What is left to do: a goal with its cut barrier, then the rest.
#[derive(Debug)]
enum Todo {
    Nothing,
    Goal(T, usize, Rc<Todo>),
    /// Drop choices down to a height (the end of a condition).
    Cut(usize, Rc<Todo>),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    Done,
    Error(String),
    TooLong,
}

/// The program: clauses by name and arity, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slow {
    pub(crate) clauses: Vec<(T, T)>,
    pub(crate) next: usize,
}

fn walk<'a>(t: &'a T, env: &'a Env) -> &'a T {
    let mut t = t;
    while let T::Var(v) = t
        && let Some(next) = env.get(v)
    {
        t = next;
    }
    t
}

pub(crate) fn resolve(t: &T, env: &Env) -> T {
    match walk(t, env) {
        T::Fun(n, args) => T::Fun(n.clone(), args.iter().map(|a| resolve(a, env)).collect()),
        other => other.clone(),
    }
}

/// Marks an environment in which a cyclic term would have been made: such runs are given up.
const CYCLIC: usize = usize::MAX;

fn occurs(v: usize, t: &T, env: &Env) -> bool {
    match walk(t, env) {
        T::Var(w) => *w == v,
        T::Fun(_, args) => args.iter().any(|a| occurs(v, a, env)),
        T::Int(_) => false,
    }
}

fn bind(v: usize, t: &T, env: &mut Env) -> bool {
    if occurs(v, t, env) {
        env.insert(CYCLIC, T::Int(0));
        return false;
    }
    env.insert(v, t.clone());
    true
}

#[allow(clippy::many_single_char_names)]
fn unify(a: &T, b: &T, env: &mut Env) -> bool {
    let (a, b) = (walk(a, env).clone(), walk(b, env).clone());
    match (&a, &b) {
        (T::Var(x), T::Var(y)) if x == y => true,
        (T::Var(x), _) => bind(*x, &b, env),
        (_, T::Var(y)) => bind(*y, &a, env),
        (T::Fun(f, p), T::Fun(g, q)) => {
            f == g && p.len() == q.len() && p.iter().zip(q).all(|(s, t)| unify(s, t, env))
        }
        _ => a == b,
    }
}

fn rename(t: &T, by: usize) -> T {
    match t {
        T::Var(v) => T::Var(v + by),
        T::Fun(n, args) => T::Fun(n.clone(), args.iter().map(|a| rename(a, by)).collect()),
        T::Int(n) => T::Int(*n),
    }
}

fn eval(t: &T, env: &Env) -> Result<i64, String> {
    match walk(t, env) {
        T::Int(n) => Ok(*n),
        T::Var(_) => Err("instantiation_error".into()),
        // `[X]` has the value of X.
        T::Fun(f, args) if f == "[|]" && walk(&args[1], env) == &T::Fun("[]".into(), vec![]) => {
            eval(&args[0], env)
        }
        T::Fun(f, args) => {
            if !(args.len() == 2 && matches!(f.as_str(), "+" | "-" | "*")) {
                return Err(format!("type_error(evaluable,{f}/{})", args.len()));
            }
            let (x, y) = (eval(&args[0], env)?, eval(&args[1], env)?);
            Ok(match f.as_str() {
                "+" => x + y,
                "-" => x - y,
                _ => x * y,
            })
        }
    }
}

impl Slow {
    /// Values of the query's variables `0..vars` in every solution, at most `most`.
    pub(crate) fn solve(
        &mut self,
        goal: &T,
        vars: usize,
        most: usize,
        steps: usize,
    ) -> (Vec<Vec<T>>, End) {
        self.next = 1000;
        let mut out = Vec::new();
        let mut choices: Vec<(Rc<Todo>, Env)> = vec![(
            Rc::new(Todo::Goal(goal.clone(), 0, Rc::new(Todo::Nothing))),
            Env::new(),
        )];
        let mut left = steps;
        'back: while let Some((todo, env)) = choices.pop() {
            let (mut todo, mut env) = (todo, env);
            loop {
                if left == 0 {
                    return (out, End::TooLong);
                }
                left -= 1;
                let (goal, cut, rest) = match &*todo {
                    Todo::Nothing => {
                        out.push((0..vars).map(|v| resolve(&T::Var(v), &env)).collect());
                        if out.len() == most {
                            return (out, End::Done);
                        }
                        continue 'back;
                    }
                    Todo::Cut(n, rest) => {
                        choices.truncate(*n);
                        todo = rest.clone();
                        continue;
                    }
                    Todo::Goal(g, cut, rest) => (walk(g, &env).clone(), *cut, rest.clone()),
                };
                let (name, args) = match &goal {
                    T::Var(_) => return (out, End::Error("instantiation_error".into())),
                    T::Int(n) => return (out, End::Error(format!("type_error(callable,{n})"))),
                    T::Fun(n, a) => (n.as_str(), &a[..]),
                };
                let here = choices.len();
                let then =
                    |g: &T, cut: usize, rest: Rc<Todo>| Rc::new(Todo::Goal(g.clone(), cut, rest));
                match (name, args) {
                    ("true", []) => todo = rest,
                    ("fail", []) => continue 'back,
                    ("!", []) => {
                        choices.truncate(cut);
                        todo = rest;
                    }
                    (",", [a, b]) => todo = then(a, cut, then(b, cut, rest)),
                    (";", [a, b]) => {
                        choices.push((then(b, cut, rest.clone()), env.clone()));
                        todo = match walk(a, &env) {
                            T::Fun(f, ct) if f == "->" && ct.len() == 2 => then(
                                &ct[0],
                                here + 1,
                                Rc::new(Todo::Cut(here, then(&ct[1], cut, rest))),
                            ),
                            a => then(a, cut, rest),
                        };
                    }
                    ("->", [c, t]) => {
                        // Without an else the barrier is a choice that fails.
                        choices.push((
                            then(&T::Fun("fail".into(), vec![]), 0, rest.clone()),
                            env.clone(),
                        ));
                        todo = then(c, here + 1, Rc::new(Todo::Cut(here, then(t, cut, rest))));
                    }
                    ("\\+", [g]) => {
                        choices.push((rest.clone(), env.clone()));
                        let fail = then(&T::Fun("fail".into(), vec![]), 0, rest);
                        todo = then(g, here + 1, Rc::new(Todo::Cut(here, fail)));
                    }
                    ("call", [g]) => todo = then(g, here, rest),
                    ("=", [a, b]) => {
                        let ok = unify(a, b, &mut env);
                        if env.contains_key(&CYCLIC) {
                            return (out, End::TooLong);
                        }
                        if !ok {
                            continue 'back;
                        }
                        todo = rest;
                    }
                    ("==", [a, b]) => {
                        if resolve(a, &env) != resolve(b, &env) {
                            continue 'back;
                        }
                        todo = rest;
                    }
                    ("is", [x, e]) => match eval(e, &env) {
                        Ok(n) => {
                            if !unify(x, &T::Int(n), &mut env) {
                                continue 'back;
                            }
                            todo = rest;
                        }
                        Err(e) => return (out, End::Error(e)),
                    },
                    ("<", [a, b]) => match (eval(a, &env), eval(b, &env)) {
                        (Ok(x), Ok(y)) if x < y => todo = rest,
                        (Ok(_), Ok(_)) => continue 'back,
                        (Err(e), _) | (_, Err(e)) => return (out, End::Error(e)),
                    },
                    _ => {
                        let key = |t: &T| match t {
                            T::Fun(n, a) => (n.clone(), a.len()),
                            _ => (String::new(), 0),
                        };
                        let mut fits = Vec::new();
                        let mut known = false;
                        for (head, body) in &self.clauses {
                            if key(head) != key(&goal) {
                                continue;
                            }
                            known = true;
                            let by = self.next;
                            self.next += 100;
                            let mut e = env.clone();
                            let ok = unify(&rename(head, by), &goal, &mut e);
                            if e.contains_key(&CYCLIC) {
                                return (out, End::TooLong);
                            }
                            if ok {
                                fits.push((then(&rename(body, by), here, rest.clone()), e));
                            }
                        }
                        if !known {
                            return (
                                out,
                                End::Error(format!(
                                    "existence_error(procedure,{name}/{})",
                                    args.len()
                                )),
                            );
                        }
                        choices.extend(fits.into_iter().rev());
                        continue 'back;
                    }
                }
            }
        }
        (out, End::Done)
    }
}
