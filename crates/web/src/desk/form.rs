//! A question as a form.

use maud::{Markup, html};
use wits_desk::{Param, ParamKind};

use super::ask::Question;
use super::prose;
use crate::pages::say;

/// One parameter as a field. Without a value the default is shown.
pub(crate) fn field(key: &str, param: &Param, given: Option<&str>) -> Markup {
    let value = given.or(param.default.as_deref());
    let (needed, offers) = (param.usage.required, param.usage.offers);
    let list = format!("{key}-offers");
    html! {
        div.field {
            label for=(key) { (param.name) }
            @match &param.kind {
                ParamKind::Int { min, max } => input id=(key) name=(key) type="number" min=(min) max=(max) step="1" value=[value] required[needed];,
                ParamKind::Real { min, max } => input id=(key) name=(key) type="number" min=(min) max=(max) step="any" value=[value] required[needed];,
                ParamKind::Choice(words) => select id=(key) name=(key) {
                    @if param.default.is_none() { option value="" selected[value.is_none()] { "–" } }
                    @for word in words { option value=(word) selected[Some(word.as_str()) == value] { (word) } }
                },
                ParamKind::Flag => select id=(key) name=(key) {
                    option value="true" selected[value == Some("true")] { (say("yes")) }
                    option value="false" selected[value != Some("true")] { (say("no")) }
                },
                // On a page no path leads to a file; what the house has is chosen.
                ParamKind::File if !offers.is_empty() => select id=(key) name=(key) {
                    @for offer in offers { option value=(offer) selected[Some(*offer) == value] { (offer) } }
                    @if let Some(value) = value.filter(|value| !offers.contains(value)) { option value=(value) selected { (value) } }
                },
                ParamKind::Text | ParamKind::File | ParamKind::Nested | ParamKind::Output | ParamKind::Kept => {
                    input id=(key) name=(key) type="text" maxlength="4000" value=[value] spellcheck="false" required[needed] list=[(!offers.is_empty()).then_some(&list)];
                    @if !offers.is_empty() { datalist id=(list) { @for offer in offers { option value=(offer) {} } } }
                },
            }
            small { (prose(&param.about.to_string())) }
        }
    }
}

/// The fields of one parameter: one for each value, and a blank one where there may be more.
fn fields(question: &Question, param: &Param) -> Markup {
    if !param.usage.many {
        return field(param.name, param, question.value(param.name));
    }
    let given: Vec<&str> = question.values(param.name).chain([""]).collect();
    html! {
        fieldset.field {
            legend { (param.name) }
            @for (at, value) in given.iter().enumerate() {
                input name=(param.name) type="text" maxlength="4000" value=(value) spellcheck="false" aria-label={ (param.name) " " (at + 1) };
            }
            small { (prose(&param.about.to_string())) }
        }
    }
}

/// The whole form: what must be said first, the rest folded.
pub(super) fn form(question: &Question) -> Markup {
    let asked = |param: &&Param| !param.kind.is_place();
    let params: Vec<&Param> = question.verb.params.iter().filter(asked).collect();
    let (needed, more): (Vec<&Param>, Vec<&Param>) =
        params.into_iter().partition(|param| param.usage.required);
    let action = format!("/desk/{}/{}", question.room.id, question.verb.path());
    html! {
        form.desk-form method="get" action=(action) {
            @for param in &needed { (fields(question, param)) }
            @if !more.is_empty() {
                details.panel {
                    summary { (say("desk-more")) }
                    div.desk-fields { @for param in &more { (fields(question, param)) } }
                }
            }
            button.button.primary type="submit" { (say("desk-ask")) }
        }
    }
}
