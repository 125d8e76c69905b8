% A knowledge base, ready to be filled in. Everything below is needed unless it says otherwise.

base(my_base, "What it is about", 1).          % name, title, format (always 1)

% part(Name, "Label", [Tags], SitsIn).  The root sits in `null`.
part(thing, "thing", [], null).
part(lid,   "lid",   [], thing).

label(P, L) :- part(P, L, _, _).

% category(Name, "Label").
category(general, "General").

% problem(Name, "Label", Category).  May be a rule that makes one problem per tagged part.
problem(stuck, "The lid does not open.", general).

% weight(Problem, N).  Optional: how often it happens compared with others (1).

% question(Name, "Wording?", Cost, HowOftenYes).  For a choice the last is [red-3, blue-1] or even, for
% a number between(Low, High); answer(Name, red, "dark red") says what a choice is called.
question(locked, "Is the lid locked?", 1, 0.5).

% sign(Problem, Question).  Optional: the problem shows itself by a yes to the question.

% fix(Problem, advice(Name, [Steps])) :- conditions.  Ask with ask(Question), choose(Question,
% [red, blue], Colour) or number(Question, N); nothing is printed.
fix(stuck, advice(unlock, ["Turn the key."])) :- ask(locked).
fix(stuck, advice(push, [S])) :-
    \+ ask(locked), label(lid, L), format(string(S), "Push the ~w down, then let go.", [L]).

% repair(AdviceName, Cost, HowOftenItHelps).  Optional: of several that fit, the one that costs least
% for each time it helps comes first; otherwise the first rule decides.

% wording(Goal, "text with ~w", [Arguments]).  Optional: how explanations tell a goal of the rules, or
% with \+ before it what its denial is called: wording(label(P, L), "the ~w is called ~w", [P, L]).

% sample("Name", Problem, [Question-Answer, ...], AdviceName).  Checked by `wits expert check`.
sample("locked", stuck, [locked-yes], unlock).
sample("not locked", stuck, [locked-no], push).

% for_queries(Name/Arity).  Optional: a predicate that no rule needs but people may ask.
