% A touring bicycle: what to do when something rattles, slips or goes flat.
% Rules of thumb of the trade, in our own words.

base(bicycle, "Touring bicycle", 1).

part(bicycle,     "bicycle",        [],              null).
part(frame,       "frame",          [],              bicycle).
part(front_wheel, "front wheel",    [wheel],         frame).
part(rear_wheel,  "rear wheel",     [wheel],         frame).
part(front_tyre,  "front tyre",     [tyre],          front_wheel).
part(rear_tyre,   "rear tyre",      [tyre],          rear_wheel).
part(front_brake, "front brake",    [brake],         frame).
part(rear_brake,  "rear brake",     [brake],         frame).
part(drivetrain,  "drivetrain",     [],              frame).
part(chain,       "chain",          [wears],         drivetrain).
part(cassette,    "cassette",       [wears],         drivetrain).
part(derailleur,  "rear derailleur",[],              drivetrain).
part(pedal,       "pedal",          [bearing],       drivetrain).
part(bottom_bracket, "bottom bracket", [bearing],    drivetrain).
part(headset,     "headset",        [bearing],       frame).
part(saddle,      "saddle",         [],              frame).
part(dynamo,      "hub dynamo",     [],              front_wheel).
part(front_lamp,  "front lamp",     [lamp],          frame).
part(rear_lamp,   "rear lamp",      [lamp],          frame).

label(P, L) :- part(P, L, _, _).
part_parent(P, Parent) :- part(P, _, _, Parent), Parent \== null.
part_tag(P, Tag) :- part(P, _, Tags, _), member(Tag, Tags).
below(P, P) :- label(P, _).
below(P, Above) :- part_parent(P, Q), below(Q, Above).
for_queries(below/2).    % no rule needs it, people may ask it

category(wheels, "Wheels and tyres").
category(brakes, "Brakes").
category(drive,  "Chain and gears").
category(lights, "Lights").
category(rest,   "Steering and seat").

problem(flat(T), L, wheels) :- part_tag(T, tyre), label(T, N), format(string(L), "The ~w is flat.", [N]).
problem(wobble(W), L, wheels) :- part_tag(W, wheel), label(W, N), format(string(L), "The ~w wobbles.", [N]).
problem(weak(B), L, brakes) :- part_tag(B, brake), label(B, N), format(string(L), "The ~w is weak.", [N]).
problem(squeal(B), L, brakes) :- part_tag(B, brake), label(B, N), format(string(L), "The ~w squeals.", [N]).
problem(skips, "The chain skips under load.", drive).
problem(drops, "The chain comes off.", drive).
problem(no_shift, "The gears do not change cleanly.", drive).
problem(clicks, "Something clicks once per turn of the pedals.", drive).
problem(dark(Lamp), L, lights) :- part_tag(Lamp, lamp), label(Lamp, N), format(string(L), "The ~w stays dark.", [N]).
problem(flicker, "The lights flicker at low speed.", lights).
problem(stiff, "The steering is stiff or notchy.", rest).
problem(creaks, "The saddle creaks.", rest).

weight(flat(_), 5).
weight(skips, 3).
weight(no_shift, 4).
weight(dark(_), 2).

question(holds_air, "Does the tyre hold air for an hour after pumping?", 4, 0.3).
question(thorn, "Is there a thorn or a piece of glass in the tread?", 2, 0.5).
question(valve_bubbles, "Do bubbles rise at the valve when you wet it?", 2, 0.2).
question(spoke_loose, "Is a spoke loose or broken?", 2, 0.5).
question(hub_play, "Can you rock the wheel sideways at the rim?", 1, 0.3).
question(disc, "Is it a disc brake?", 1, 0.5).
question(pads_thin, "Are the pads worn down to the mark?", 2, 0.6).
question(lever_soft, "Does the lever feel soft, as if full of air?", 1, 0.3).
question(greasy, "Has oil or grease come near the pads?", 2, 0.5).
question(chain_long, "Does a chain gauge (or 12 links over 12 inches) show wear?", 3, 0.6).
question(new_chain, "Was the chain changed lately without the cassette?", 1, 0.2).
question(stiff_link, "Does one link jump when you turn the pedals backwards?", 2, 0.3).
question(limit_off, "Does it come off at the same end of the gears each time?", 1, 0.6).
question(cable_frayed, "Is the gear cable frayed or rusty?", 2, 0.5).
question(hanger_bent, "Seen from behind, is the derailleur out of line with the cogs?", 2, 0.4).
question(pedal_loose, "Does the click stop when you ride with one foot?", 2, 0.5).
question(bracket_play, "Can you rock both cranks sideways together?", 1, 0.4).
question(other_lamp, "Does the other lamp work?", 1, 0.6).
question(dynamo_powered, "Are the lights fed by the hub dynamo?", 1, 0.7).
question(headset_play, "With the front brake on, does the fork rock?", 1, 0.5).
question(bolt_loose, "Is the saddle clamp bolt loose?", 1, 0.6).

sign(flat(_), about_tyre).
sign(wobble(_), about_wheel).
sign(flat(_), about_wheel).
sign(weak(_), about_brake).
sign(squeal(_), about_brake).
sign(squeal(_), makes_noise).
sign(clicks, makes_noise).
sign(creaks, makes_noise).
sign(clicks, about_pedalling).
sign(skips, about_pedalling).
sign(drops, about_pedalling).
sign(no_shift, about_gears).
sign(drops, about_gears).
sign(dark(_), about_light).
sign(flicker, about_light).
sign(flat(T), at_front) :- front(T).
sign(wobble(W), at_front) :- front(W).
sign(weak(B), at_front) :- front(B).
sign(squeal(B), at_front) :- front(B).
sign(dark(L), at_front) :- front(L).
sign(stiff, at_front).

front(front_wheel). front(front_tyre). front(front_brake). front(front_lamp).

question(about_tyre, "Is a tyre soft?", 1, 0.3).
question(about_wheel, "Is it about a wheel?", 1, 0.4).
question(about_brake, "Is it about braking?", 1, 0.2).
question(makes_noise, "Is it a noise?", 1, 0.3).
question(about_pedalling, "Do you notice it when you pedal hard?", 1, 0.3).
question(about_gears, "Is it about changing gear?", 1, 0.2).
question(about_light, "Is it about the lights?", 1, 0.2).
question(at_front, "Is it at the front of the bicycle?", 1, 0.5).

repair_tube(T, [S1, "Find the hole by ear or in water.", "Patch it, or fit a new tube.", S2]) :-
    part_parent(T, W), label(W, Wheel), label(T, Tyre),
    format(string(S1), "Take the ~w out and one side of the ~w off the rim.", [Wheel, Tyre]),
    format(string(S2), "Feel along the inside of the ~w before you close it.", [Tyre]).

fix(flat(T), advice(top_up, [S])) :-
    ask(holds_air), label(T, N), format(string(S), "Only slow loss: pump the ~w up and look again next week.", [N]).
fix(flat(_), advice(new_valve, ["Tighten or change the valve core."])) :- \+ ask(holds_air), ask(valve_bubbles).
fix(flat(T), advice(pull_thorn, ["Pull the thorn out and mark the place."|Steps])) :-
    \+ ask(holds_air), \+ ask(valve_bubbles), ask(thorn), repair_tube(T, Steps).
fix(flat(T), advice(patch, Steps)) :-
    \+ ask(holds_air), \+ ask(valve_bubbles), \+ ask(thorn), repair_tube(T, Steps).

fix(wobble(W), advice(adjust_hub, [S])) :-
    ask(hub_play), label(W, N), format(string(S), "Take the play out of the hub of the ~w with two cone spanners.", [N]).
fix(wobble(_), advice(replace_spoke, ["Replace or tighten the spoke, then true the wheel against the brake pads."])) :-
    \+ ask(hub_play), ask(spoke_loose).
fix(wobble(_), advice(true_wheel, ["True the wheel: tighten on the side away from the bulge, a quarter turn at a time."])) :-
    \+ ask(hub_play), \+ ask(spoke_loose).

fix(weak(_), advice(new_pads, ["Fit new pads and bed them in with ten firm stops."])) :- ask(pads_thin).
fix(weak(_), advice(bleed, ["Bleed the brake, or have it bled."])) :- \+ ask(pads_thin), ask(disc), ask(lever_soft).
fix(weak(_), advice(clean_disc, ["Clean the disc with alcohol; sand the pads lightly."])) :-
    \+ ask(pads_thin), ask(disc), \+ ask(lever_soft).
fix(weak(_), advice(tighten_cable, ["Take up the slack at the barrel adjuster until the pads sit close to the rim."])) :-
    \+ ask(pads_thin), \+ ask(disc).

fix(squeal(_), advice(degrease, ["Clean rim or disc with alcohol.", "If the pads are soaked, replace them."])) :- ask(greasy).
fix(squeal(_), advice(toe_in, ["Turn the pads so that the front edge touches first."])) :- \+ ask(greasy), \+ ask(disc).
fix(squeal(_), advice(centre_caliper, ["Loosen the caliper, pull the lever, tighten it again while it is centred."])) :-
    \+ ask(greasy), ask(disc).

fix(skips, advice(new_cassette, [S])) :-
    ask(new_chain), label(cassette, C), format(string(S), "The ~w is worn to the old chain: change it too.", [C]).
fix(skips, advice(free_link, ["Bend the stiff link sideways until it moves freely, then oil it."])) :-
    \+ ask(new_chain), ask(stiff_link).
fix(skips, advice(new_chain_and_cassette, ["Change the chain, and the cassette if it still skips."])) :-
    \+ ask(new_chain), \+ ask(stiff_link), ask(chain_long).
fix(skips, advice(index_gears, ["Turn the barrel adjuster half a turn at a time until it runs quietly."])) :-
    \+ ask(new_chain), \+ ask(stiff_link), \+ ask(chain_long).
fix(skips, advice(new_chain_and_cassette, ["Change the chain, and the cassette if it still skips."])) :-
    \+ ask(new_chain), \+ ask(stiff_link), \+ ask(chain_long).

fix(drops, advice(limit_screw, ["Turn the limit screw of that end in by a quarter turn."])) :- ask(limit_off).
fix(drops, advice(shorter_chain, ["The chain is too long or worn: change it."])) :- \+ ask(limit_off), ask(chain_long).
fix(drops, advice(straighten, ["Have the ring and the hanger checked for straightness."])) :- \+ ask(limit_off), \+ ask(chain_long).

fix(no_shift, advice(new_cable, ["Fit a new cable and outer."])) :- ask(cable_frayed).
fix(no_shift, advice(bend_hanger, [S])) :-
    \+ ask(cable_frayed), ask(hanger_bent), label(derailleur, D),
    format(string(S), "Have the hanger of the ~w straightened.", [D]).
fix(no_shift, advice(index_gears, ["Turn the barrel adjuster half a turn at a time until it runs quietly."])) :-
    \+ ask(cable_frayed), \+ ask(hanger_bent).
fix(no_shift, advice(new_cable, ["Fit a new cable and outer."])) :- \+ ask(cable_frayed), \+ ask(hanger_bent).

fix(clicks, advice(new_pedal, [S])) :-
    ask(pedal_loose), label(pedal, P), format(string(S), "Grease the thread of the ~w and tighten it; change it if it has play.", [P]).
fix(clicks, advice(new_bracket, [S])) :-
    \+ ask(pedal_loose), ask(bracket_play), label(bottom_bracket, B), format(string(S), "Have the ~w changed.", [B]).
fix(clicks, advice(tighten_cranks, ["Tighten the crank bolts and grease the seat post."])) :-
    \+ ask(pedal_loose), \+ ask(bracket_play).

fix(dark(L), advice(bulb, [S])) :-
    ask(other_lamp), label(L, N), format(string(S), "Check the plug and the wire of the ~w, then change the lamp.", [N]).
fix(dark(_), advice(dynamo_plug, [S])) :-
    \+ ask(other_lamp), ask(dynamo_powered), label(dynamo, D), format(string(S), "Check the plug on the ~w.", [D]).
fix(dark(_), advice(charge, ["Charge or change the batteries."])) :- \+ ask(other_lamp), \+ ask(dynamo_powered).

fix(flicker, advice(normal_flicker, ["Normal at walking pace with a hub dynamo; a lamp with standlight helps."])) :- ask(dynamo_powered).
fix(flicker, advice(contacts, ["Clean the battery contacts."])) :- \+ ask(dynamo_powered).
fix(flicker, advice(charge, ["Charge or change the batteries."])) :- \+ ask(dynamo_powered).

fix(stiff, advice(headset_tight, [S])) :-
    ask(headset_play), label(headset, H), format(string(S), "Tighten the ~w until the rocking is gone, no more.", [H]).
fix(stiff, advice(headset_grease, ["Clean and grease the bearings; change them if they stay notchy."])) :- \+ ask(headset_play).

fix(creaks, advice(tighten_clamp, [S])) :-
    ask(bolt_loose), label(saddle, N), format(string(S), "Tighten the clamp of the ~w.", [N]).
fix(creaks, advice(grease_rails, ["Grease the rails and the seat post."])) :- \+ ask(bolt_loose).
fix(creaks, advice(tighten_cranks, ["Tighten the crank bolts and grease the seat post."])) :- \+ ask(bolt_loose).

% What a repair takes (1 = a minute or two) and how often it helps. Of several that fit, the one that
% costs least for each time it helps comes first.
repair(index_gears, 2, 0.6).
repair(new_cable, 8, 0.8).
repair(new_chain_and_cassette, 20, 0.9).
repair(grease_rails, 3, 0.7).
repair(tighten_cranks, 4, 0.5).
repair(contacts, 1, 0.6).
repair(charge, 2, 0.5).
repair(top_up, 1, 0.6).
repair(pull_thorn, 10, 0.9).
repair(patch, 10, 0.8).
repair(true_wheel, 12, 0.7).
repair(bleed, 15, 0.9).

% How explanations tell the goals of the rules.
wording(repair_tube(T, _), "the tube of the ~w is mended like this", [L]) :- label(T, L).
wording(part_parent(P, Q), "the ~w sits in the ~w", [L, M]) :- label(P, L), label(Q, M).
wording(label(_, L), "the part is called ~w", [L]).

sample("slow puncture", flat(rear_tyre), [holds_air-yes], top_up).
sample("glass in the tread", flat(front_tyre), [holds_air-no, valve_bubbles-no, thorn-yes], pull_thorn).
sample("worn chain", skips, [new_chain-no, stiff_link-no, chain_long-yes], new_chain_and_cassette).
sample("soft lever", weak(front_brake), [pads_thin-no, disc-yes, lever_soft-yes], bleed).
sample("both lamps dark", dark(rear_lamp), [other_lamp-no, dynamo_powered-yes], dynamo_plug).
