//! The page of a conversation: the question at the top, answers beneath, then the evidence.

use maud::{Markup, html};
use wits_expert::{Base, Entry, Kind, Reply, Session, Turn, explain, network, ranked};
use wits_game::Message;

use super::talk::{Talk, Unusable};
use super::{network as picture, proof};
use crate::WORDS;
use crate::pages::say;

/// One button that says something.
struct Word<'a> {
    said: &'a str,
    value: &'a str,
    question: &'a str,
    /// The key on the keyboard.
    key: &'a str,
    class: &'a str,
}

impl Talk {
    fn form(&self, word: &Word<'_>, label: &Markup) -> Markup {
        html! {
            form.expert-say action={ (self.page()) "/say" } method="post" {
                input type="hidden" name="seq" value=(self.seq);
                input type="hidden" name="said" value=(word.said);
                @if !word.question.is_empty() { input type="hidden" name="question" value=(word.question); }
                input type="hidden" name="value" value=(word.value);
                button class={ "button " (word.class) } type="submit" disabled[!self.mine] data-key=[(!word.key.is_empty()).then_some(word.key)] {
                    (label)
                    @if !word.key.is_empty() { " " kbd aria-hidden="true" { (word.key) } }
                }
            }
        }
    }

    fn plain(&self, said: &str, key: &str, label: &'static str) -> Markup {
        let word = Word {
            said,
            value: "",
            question: "",
            key,
            class: "quiet",
        };
        self.form(&word, &html! { (say(label)) })
    }
}

/// The title and the body of the page.
pub(super) fn body(talk: &Talk) -> (String, Markup) {
    let session = talk.history.now();
    let turn = match &talk.base {
        Ok(base) => session.turn(base).map(|turn| (base, turn)),
        Err(unusable) => {
            let why = match unusable {
                Unusable::Gone(fault) => fault.message.clone(),
                Unusable::Wrong(error) => error.says(),
            };
            return (talk.name.clone(), stopped(talk, None, &why));
        }
    };
    let (base, turn) = match turn {
        Ok(found) => found,
        Err(misfit) => {
            let base = talk.base.as_ref().ok();
            return (talk.name.clone(), stopped(talk, base, &misfit.says()));
        }
    };
    let markup = html! {
        main.expert-talk #main {
            p.expert-where { a href="/expert" { (say("expert-title")) } " · " (base.title) @if let Some(p) = about(base, session, &turn) { " · " (p) } }
            @if !talk.mine { p.muted { (say("expert-watching")) } }
            div.expert-desk {
                div {
                    (question(talk, &turn))
                    (explanations(base, session, &turn))
                    section {
                        h2 { (say("expert-network")) }
                        (picture::picture(base, &network::lit(base, session, &turn)))
                    }
                }
                div.side {
                    div.row.expert-acts {
                        @if talk.history.can_undo() { (talk.plain("undo", "u", "expert-undo")) }
                        @if session.problem.is_some() || !session.answers.is_empty() { (talk.plain("reopen", "", "expert-reopen")) }
                        a.button.quiet href={ (talk.page()) "/report" } { (say("expert-report")) }
                    }
                    (answers(talk, Some(base), session))
                    (candidates(base, session, &turn))
                }
            }
            (thread(talk, &turn, session))
            p.sr-only #told role="status" {}
            p #message role="alert" data-offline=(say("expert-offline")) {}
        }
    };
    (base.title.clone(), markup)
}

/// The label of the problem that is looked at.
fn about<'a>(base: &'a Base, session: &'a Session, turn: &'a Turn) -> Option<&'a str> {
    let id = match turn {
        Turn::Question {
            problem: Some(p), ..
        }
        | Turn::Advice { problem: p, .. } => p,
        _ => session.problem.as_ref()?,
    };
    base.problem(id).map(|p| p.label.as_str())
}

/// A conversation that cannot go on as it is: nothing is lost, and there are two ways.
fn stopped(talk: &Talk, base: Option<&Base>, why: &Message) -> Markup {
    let session = talk.history.now();
    html! {
        main.expert-talk #main {
            p.expert-where { a href="/expert" { (say("expert-title")) } " · " (talk.name) }
            h1 { (say("expert-stopped")) }
            p.error #changed role="alert" { (why) }
            p { (say(if base.is_some() { "expert-stopped-about" } else { "expert-stopped-base" })) }
            div.row {
                @if base.is_some() {
                    (talk.plain("replay", "", "expert-replay"))
                    (talk.plain("restart", "", "expert-restart"))
                    @if talk.history.can_undo() { (talk.plain("undo", "u", "expert-undo")) }
                }
                a.button.quiet href={ "/expert/base/" (talk.name) } { (say("expert-open-base")) }
            }
            (answers(talk, base, session))
            p.sr-only #told role="status" {}
            p #message role="alert" data-offline=(say("expert-offline")) {}
        }
    }
}

fn question(talk: &Talk, turn: &Turn) -> Markup {
    let reply = |question: &str, said: &str, value: &str, key: &str, label: &'static str| {
        let word = Word {
            said,
            value,
            question,
            key,
            class: "expert-big",
        };
        talk.form(&word, &html! { (say(label)) })
    };
    html! {
        section.panel #question {
            @match turn {
                Turn::Category(entries) => {
                    h1 tabindex="-1" { (say("expert-what")) }
                    (menu(talk, entries.iter()))
                    @let word = Word { said: "choose", value: "symptoms", question: "", key: "s", class: "expert-entry" };
                    (talk.form(&word, &html! { (wits_expert::WORDS.say("symptoms")) }))
                }
                Turn::Problem(entries) => {
                    h1 tabindex="-1" { (say("expert-which")) }
                    (menu(talk, entries.iter()))
                }
                Turn::Question { id, text, kind, unknown, .. } => {
                    h1 tabindex="-1" { (text) }
                    @match kind {
                        Kind::YesNo => div.expert-answers {
                            (reply(id, "reply", "yes", "y", "expert-yes"))
                            (reply(id, "reply", "no", "n", "expert-no"))
                            (reply(id, "reply", "unknown", "d", "expert-unknown"))
                        },
                        Kind::Choice(options) => {
                            (choices(talk, "reply", id, options.iter()))
                            @if *unknown { (reply(id, "reply", "unknown", "d", "expert-unknown")) }
                        }
                        Kind::Number(range) => {
                            (number(talk, "reply", id, *range, "expert-number"))
                            @if *unknown { (reply(id, "reply", "unknown", "d", "expert-unknown")) }
                        }
                    }
                }
                Turn::Advice { advice, .. } => {
                    h1 tabindex="-1" { (say("expert-try")) }
                    ol.expert-steps { @for step in &advice.steps { li { (step) } } }
                    h2 { (say("expert-helped")) }
                    div.expert-answers {
                        (reply("", "judge", "yes", "y", "expert-helped-yes"))
                        (reply("", "judge", "no", "n", "expert-helped-no"))
                    }
                }
                Turn::Solved(_) => {
                    h1 tabindex="-1" { (say("expert-solved")) }
                    p { (say("expert-solved-about")) }
                }
                Turn::Nothing(others) => {
                    h1 tabindex="-1" { (say("expert-nothing")) }
                    @if !others.is_empty() {
                        p { (say("expert-nothing-others")) }
                        (menu(talk, others.iter().map(|(entry, _)| entry)))
                    }
                }
            }
        }
    }
}

/// Entries to choose from, the first nine also by their digit.
fn menu<'a>(talk: &Talk, entries: impl Iterator<Item = &'a Entry>) -> Markup {
    choices(talk, "choose", "", entries)
}

fn choices<'a>(
    talk: &Talk,
    said: &str,
    question: &str,
    entries: impl Iterator<Item = &'a Entry>,
) -> Markup {
    html! {
        div.expert-menu {
            @for (n, entry) in entries.enumerate() {
                @let key = if n < 9 { (n + 1).to_string() } else { String::new() };
                @let word = Word { said, value: &entry.id, question, key: &key, class: "expert-entry" };
                (talk.form(&word, &html! { (entry.label) }))
            }
        }
    }
}

/// A field for a number, with what it may be.
fn number(talk: &Talk, said: &str, question: &str, range: Option<(f64, f64)>, id: &str) -> Markup {
    html! {
        form.expert-say.row action={ (talk.page()) "/say" } method="post" {
            input type="hidden" name="seq" value=(talk.seq);
            input type="hidden" name="said" value=(said);
            input type="hidden" name="question" value=(question);
            div.field {
                label for=(id) { (say("expert-number")) }
                input id=(id) name="value" type="number" step="any" required min=[range.map(|r| r.0)] max=[range.map(|r| r.1)] disabled[!talk.mine] autocomplete="off";
                @if let Some((low, high)) = range { small { (WORDS.say("expert-number-range").with("low", low).with("high", high)) } }
            }
            button.button type="submit" disabled[!talk.mine] { (say("expert-number-say")) }
        }
    }
}

fn sentences<'m>(all: impl IntoIterator<Item = &'m Message>) -> Markup {
    html! { ul.expert-told { @for says in all { li { (says) } } } }
}

/// Why, how and why not, each folded until asked.
fn explanations(base: &Base, session: &Session, turn: &Turn) -> Markup {
    let why = explain::why(base, session, turn);
    let others = explain::others(base, session, turn);
    let rivals = match turn {
        Turn::Problem(_) | Turn::Question { problem: None, .. } => explain::rivals(base, session),
        _ => Vec::new(),
    };
    let standing = match turn {
        Turn::Question {
            problem: Some(p), ..
        } => explain::standing(base, session, p),
        _ => Vec::new(),
    };
    html! {
        @if !why.is_empty() {
            details.panel #why {
                summary data-key="w" { (say("expert-why")) " " kbd aria-hidden="true" { "w" } }
                (sentences(&why))
            }
        }
        @if let Turn::Advice { proof, .. } = turn {
            details.panel #how {
                summary data-key="w" { (say("expert-how")) " " kbd aria-hidden="true" { "w" } }
                ul.expert-told {
                    @for (depth, says) in explain::how(base, proof) {
                        li class={ "d" (depth.min(8)) } { (says) }
                    }
                    @for says in explain::order(base, session, turn) { li { (says) } }
                }
            }
            details.panel #proof {
                summary { (say("expert-proof")) }
                p.muted { (say("expert-proof-about")) }
                @if let Some(says) = explain::checked(base, session, turn) { p.proof-check { (says) } }
                (proof::tree(Some(base), proof))
            }
        } @else if !standing.is_empty() {
            details.panel #how {
                summary { (say("expert-standing")) }
                (sentences(&standing))
            }
        }
        @if rivals.len() > 1 {
            details.panel #why-not {
                summary { (say("expert-why-not-problem")) }
                @for (problem, why) in &rivals {
                    details open {
                        summary { (problem) }
                        (sentences(why))
                    }
                }
            }
        } @else if !others.is_empty() {
            details.panel #why-not {
                summary { (say("expert-why-not")) }
                @for (advice, why) in &others {
                    details {
                        summary { (advice.steps.first().unwrap_or(&advice.name)) }
                        (sentences(why))
                    }
                }
            }
        }
    }
}

/// The answers that a question can have: what is said, how it is sent, what it is called.
fn others(base: Option<&Base>, question: &str, kind: &Kind) -> Vec<(Reply, String, String)> {
    let word = |reply: Reply, word: &str, key| (reply, word.to_owned(), say(key));
    let unknown = || word(Reply::Unknown, "unknown", "expert-unknown");
    match kind {
        Kind::Choice(options) => {
            let one = |e: &Entry| (Reply::Choice(e.id.clone()), e.id.clone(), e.label.clone());
            let may = base.is_some_and(|b| b.may_be_unknown(question));
            let all = options.iter().map(one);
            all.chain(may.then(unknown)).collect()
        }
        _ => vec![
            word(Reply::Yes, "yes", "expert-yes"),
            word(Reply::No, "no", "expert-no"),
            unknown(),
        ],
    }
}

/// What was said, each answer with a way to change it.
fn answers(talk: &Talk, base: Option<&Base>, session: &Session) -> Markup {
    html! {
        section.panel #answers {
            h2 { (say("expert-answers")) }
            @if session.answers.is_empty() {
                p.muted { (say("expert-answers-none")) }
            }
            ol.expert-said {
                @for (n, (id, reply)) in session.answers.iter().enumerate() {
                    @let text = base.map_or_else(|| id.clone(), |b| b.question(id).text);
                    li {
                        @let told = base.map_or_else(|| reply.word(), |b| b.told(id, reply));
                        @let kind = base.filter(|b| session.fits(b)).map(|b| b.kind(id));
                        span #{ "said-" (n) } { (text) } " " b { (told) }
                        @if let Some(Kind::Number(range)) = kind {
                            details { summary { (say("expert-change")) } (number(talk, "change", id, range, &format!("change-{n}"))) }
                        } @else if let Some(kind) = kind {
                            form.expert-say.expert-change action={ (talk.page()) "/say" } method="post" {
                                input type="hidden" name="seq" value=(talk.seq);
                                input type="hidden" name="said" value="change";
                                input type="hidden" name="question" value=(id);
                                @for (other, word, label) in others(base, id, &kind) {
                                    @if other != *reply {
                                        button.button.quiet.small type="submit" name="value" value=(word) disabled[!talk.mine] aria-describedby={ "said-" (n) } {
                                            span.sr-only { (say("expert-change")) ": " } (label)
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What is still possible, the likeliest first, with the answers that speak for and against it.
fn candidates(base: &Base, session: &Session, turn: &Turn) -> Markup {
    let all = ranked(base, session, turn);
    if all.is_empty() {
        return html! {};
    }
    html! {
        section.panel #candidates {
            h2 { (say("expert-candidates")) }
            ol.expert-candidates {
                @for one in &all {
                    @let percent = format!("{:.0} %", 100.0 * one.chance);
                    li {
                        @if one.supports.is_empty() && one.against.is_empty() {
                            p { (one.label) " " span.number { (percent) } }
                        } @else {
                            details {
                                summary { (one.label) " " span.number { (percent) } }
                                (sentences(one.supports.iter().chain(&one.against)))
                            }
                        }
                        svg.expert-chance viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" {
                            rect width="100" height="4" rx="1" {}
                            rect.share width=(format!("{:.1}", 100.0 * one.chance)) height="4" rx="1" {}
                        }
                    }
                }
            }
        }
    }
}

/// The engine at work, step by step, folded until asked.
fn thread(talk: &Talk, turn: &Turn, session: &Session) -> Markup {
    let looked_at = matches!(
        turn,
        Turn::Advice { .. }
            | Turn::Question {
                problem: Some(_),
                ..
            }
    ) || session.problem.is_some();
    html! {
        details.panel #thread {
            summary { (say("expert-thread")) }
            p.muted { (say(if looked_at { "expert-thread-about" } else { "expert-thread-none" })) }
            @if looked_at { wits-thread data-src={ (talk.page()) "/thread?at=" (talk.seq) } {} }
        }
    }
}
