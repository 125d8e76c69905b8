% A base that asks for more than yes and no: a choice and a number.
base(tyre, "A tyre", 1).

part(tyre, "tyre", [], null).

category(rolling, "It rolls badly").
problem(slow(tyre), "The bicycle is slow.", rolling).

question(pressure, "What does the gauge show, in bar?", 2, between(0, 10)).
question(wall, "Which colour is the wall of the tyre?", 1, [black-6, tan-3, white-1]).
question(rubs, "Does the brake rub?", 1, 0.3).

answer(wall, tan, "light brown").

fix(slow(_), advice(measure, ["Borrow a gauge."])) :- number(pressure, unknown).
fix(slow(_), advice(pump, ["Pump it up to 4 bar."])) :- bar(P), P < 4.
fix(slow(_), advice(release, ["Let some air out."])) :- bar(P), limit(most, Most), P > Most.
fix(slow(_), advice(Name, [Step])) :-
    bar(P), P >= 4, limit(most, Most), P =< Most,
    choose(wall, [black, tan, white], Wall), care(Wall, Name, Step).

bar(P) :- number(pressure, P), number(P).
limit(most, 8).

care(black, free, "Free the brake.") :- ask(rubs).
care(black, oil, "Oil the chain.") :- \+ ask(rubs).
care(tan, wash, "Wash the tyre with soap.").
care(white, wash, "Wash the tyre with soap.").
care(unknown, look, "Look at the tyre by daylight.").

sample("soft", slow(tyre), [pressure-2.5], pump).
sample("hard", slow(tyre), [pressure-9], release).
sample("brown", slow(tyre), [pressure-5, wall-tan], wash).
sample("white", slow(tyre), [pressure-4, wall-white], wash).
sample("no gauge", slow(tyre), [pressure-unknown], measure).
sample("rubs", slow(tyre), [pressure-8, wall-black, rubs-yes], free).
sample("free", slow(tyre), [pressure-8, wall-black, rubs-no], oil).
