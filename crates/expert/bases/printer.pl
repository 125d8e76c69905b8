% A compact photo printer with a docking camera.
%
% Parts, problems and remedies follow the kind of device described in facts gathered about the
% HP Photosmart 420 series; wording and rules are our own.

base(printer, "Photo printer", 1).

% ---- Parts: identifier, label, tags, what it sits in ----
part(printer,          "printer",            [],        null).
part(paper_tray,       "paper tray",         [],        printer).
part(cartridge_door,   "cartridge door",     [],        printer).
part(internal_battery, "internal battery",   [battery], printer).
part(camera,           "docked camera",      [],        printer).
part(camera_battery,   "camera battery",     [battery], camera).
part(camera_button,    "camera button",      [button],  camera).
part(control_panel,    "control panel",      [panel],   printer).
part(save_button,      "save button",        [button],  control_panel).
part(control_button,   "control button",     [button],  control_panel).
part(power_button,     "power button",       [button],  control_panel).
part(print_button,     "print button",       [button],  control_panel).
part(rear_panel,       "rear panel",         [panel],   printer).
part(cord_socket,      "power cord socket",  [port],    rear_panel).
part(usb_socket,       "USB socket",         [port],    rear_panel).
part(top_panel,        "top panel",          [panel],   printer).
part(power_light,      "power light",        [light],   top_panel).
part(status_light,     "status light",       [light],   top_panel).
part(battery_light,    "battery light",      [light],   top_panel).

is_part(P) :- part(P, _, _, _).
label(P, L) :- part(P, L, _, _).
part_parent(P, Parent) :- part(P, _, _, Parent), Parent \== null.
part_tag(P, Tag) :- part(P, _, Tags, _), member(Tag, Tags).
below(P, P) :- is_part(P).
below(P, Above) :- part_parent(P, Q), below(Q, Above).
for_queries(below/2).    % no rule needs it, people may ask it

% ---- Categories ----
category(hardware,  "The device itself").
category(printing,  "Printing").
category(bluetooth, "Bluetooth").
category(message,   "A message is on the display").

% ---- Problems: identifier, label, category ----
problem(flashing(status_light), "The status light flashes red.", hardware).
problem(flashed(power_light), "The power light flashed once after I switched the printer off.", hardware).
problem(no_pictures, "The printer does not find or show my pictures.", hardware).
problem(dead, "The printer does not switch on.", hardware).
problem(noises, "The printer makes noises by itself.", hardware).
problem(no_reaction(B), L, hardware) :-
    part_tag(B, button), label(B, Name), part_parent(B, P), label(P, Where),
    format(string(L), "The ~w of the ~w does not react.", [Name, Where]).
problem(no_charge(B), L, hardware) :-
    part_tag(B, battery), label(B, Name),
    format(string(L), "The ~w does not charge.", [Name]).
problem(feed, "Paper is not pulled in properly.", printing).
problem(crooked, "The picture is crooked or off centre.", printing).
problem(no_sheet, "No sheet comes out.", printing).
problem(jam, "Paper is jammed.", printing).
problem(not_found, "My phone or computer cannot find the printer by Bluetooth.", bluetooth).
problem(borders, "Pictures sent by Bluetooth have a border.", bluetooth).
problem(says(open_door), "\"Open the output door, clear the jam, confirm\"", message).
problem(says(second_camera), "\"A camera is already connected\"", message).

% For people who ask.
is_category(C) :- category(C, _).
is_problem(P) :- problem(P, _, _).
problem_category(P, C) :- problem(P, _, C).
for_queries(is_category/1).
for_queries(is_problem/1).
for_queries(problem_category/2).

% How often each problem is reported, relative to the others (1 if nothing is said).
weight(jam, 6).
weight(feed, 4).
weight(no_sheet, 4).
weight(dead, 3).
weight(says(open_door), 3).
weight(not_found, 2).
weight(flashing(status_light), 2).

% ---- Questions: identifier, wording, cost (1 = a glance), how often the answer is yes ----
question(battery_fitted, "Is the optional internal battery fitted?", 2, 0.3).
question(camera_connected, "Is a camera connected to the printer?", 1, 0.5).
question(computer_connected, "Is the printer connected to a computer?", 1, 0.4).
question(names_standard, "Do the picture files still have the names the camera gave them?", 3, 0.6).
question(power_suitable, "Does the power source meet the printer's requirements?", 2, 0.8).
question(sheet_in_front, "Has a sheet come part of the way out at the front?", 1, 0.5).
question(sheet_in_tray, "Does a sheet stick out of the tray at the back?", 1, 0.5).
question(adapter_flashes, "Does the light on the Bluetooth adapter flash?", 1, 0.5).
question(tray_loaded, "Is there photo paper in the tray?", 1, 0.7).
question(cartridge_seated, "Is the print cartridge clicked in and its door shut?", 2, 0.7).
% Signs that tell problems apart when the user does not know which one it is.
question(sees_light, "Is it about a light that flashes or flashed?", 1, 0.1).
question(sees_message, "Is there a message on the display?", 1, 0.15).
question(is_on, "Does the printer switch on?", 1, 0.9).
question(uses_bluetooth, "Does it happen only when you print by Bluetooth?", 1, 0.1).
question(about_button, "Is it about a button that does nothing?", 1, 0.15).
question(about_battery, "Is it about a battery?", 1, 0.1).
question(paper_moves, "Does paper move, or is some of it stuck inside?", 1, 0.5).
question(print_comes_out, "Does a finished print come out?", 1, 0.3).

% ---- Signs: a problem shows itself by a yes to these; otherwise no ----
sign(flashing(status_light), sees_light).
sign(flashed(power_light), sees_light).
sign(says(_), sees_message).
sign(says(open_door), paper_moves).
sign(jam, paper_moves).
sign(feed, paper_moves).
sign(crooked, paper_moves).
sign(crooked, print_comes_out).
sign(borders, print_comes_out).
sign(borders, uses_bluetooth).
sign(not_found, uses_bluetooth).
sign(no_reaction(B), about_button) :- part_tag(B, button).
sign(no_charge(B), about_battery) :- part_tag(B, battery).
sign(P, is_on) :- problem(P, _, _), P \== dead.

% ---- Procedures used by several remedies ----
power_cycle([S, "Wait about ten seconds.", "Put it back and switch the printer on."]) :-
    ask(battery_fitted), label(internal_battery, B),
    format(string(S), "Take the ~w out of the printer.", [B]).
power_cycle([S, "Wait about ten seconds.", "Plug it in again and switch the printer on."]) :-
    \+ ask(battery_fitted), label(cord_socket, C), part_parent(cord_socket, P), label(P, R),
    format(string(S), "Unplug the cord from the ~w on the ~w.", [C, R]).

reseat_paper(["Take some sheets out of the tray; try one sheet at a time.",
              "Slide the paper guide up to the edge of the paper without bending it."]).

clear_jam(front, ["Pull the sheet gently towards you, out of the front."]) :- ask(sheet_in_front).
clear_jam(back, ["Pull the sheet out of the tray from the back."]) :-
    \+ ask(sheet_in_front), ask(sheet_in_tray).
clear_jam(inside, Steps) :-
    \+ ask(sheet_in_front), \+ ask(sheet_in_tray), power_cycle(Cycle),
    append(Cycle, ["The printer then tries to push the sheet out by itself."], Steps).

% ---- Remedies: problem -> advice(name, steps); all that fit, the best first ----
fix(flashing(status_light), advice(read_camera, ["Read what the camera's display says and follow it."])) :-
    ask(camera_connected).
fix(flashing(status_light), advice(read_computer, ["Read what the computer's screen says and follow it."])) :-
    \+ ask(camera_connected), ask(computer_connected).
fix(flashing(status_light), advice(restart, Steps)) :-
    \+ ask(camera_connected), \+ ask(computer_connected), power_cycle(Steps).

fix(flashed(power_light), advice(normal_light, ["This is normal: the light blinks once when the printer goes off."])).

fix(no_pictures, advice(rename_files, ["Give the files names of the camera standard (DCF), for example IMG_0001.JPG."])) :-
    \+ ask(names_standard).
fix(no_pictures, advice(restart, Steps)) :- ask(names_standard), power_cycle(Steps).

fix(dead, advice(restart, Steps)) :- ask(power_suitable), power_cycle(Steps).
fix(dead, advice(right_power, ["Use a power supply that meets the requirements printed on the printer."])) :-
    \+ ask(power_suitable).

fix(noises, advice(normal_noise, ["This is normal after a long rest or after the power was interrupted.",
                                  "Wait until it stops."])).

fix(no_reaction(B), advice(redock, [Fault, "Take the camera off the dock and put it back."|Steps])) :-
    part_parent(B, P), label(P, Where), label(B, Name),
    format(string(Fault), "The ~w reports a fault with its ~w.", [Where, Name]),
    power_cycle(Steps).

fix(no_charge(B), advice(refit_battery, [Open, Out, "Wait about ten seconds.", "Put it back."])) :-
    part_parent(B, P), label(P, Where), label(B, Name),
    format(string(Open), "Open the ~w compartment of the ~w.", [Name, Where]),
    format(string(Out), "Take the ~w out.", [Name]).

fix(feed, advice(reseat, Steps)) :- reseat_paper(Steps).
fix(crooked, advice(reseat, Steps)) :- reseat_paper(Steps).

fix(no_sheet, advice(load_paper, [S, "Print again."])) :-
    \+ ask(tray_loaded), label(paper_tray, T), format(string(S), "Put photo paper into the ~w.", [T]).
fix(no_sheet, advice(seat_cartridge, [S, "Press the cartridge in until it clicks, then shut the door."])) :-
    ask(tray_loaded), \+ ask(cartridge_seated), label(cartridge_door, D),
    format(string(S), "Open the ~w.", [D]).
fix(no_sheet, advice(clear(How), Steps)) :- ask(tray_loaded), ask(cartridge_seated), clear_jam(How, Steps).

fix(jam, advice(clear(How), Steps)) :- clear_jam(How, Steps).

fix(not_found, advice(closer, ["You are probably too far away: go within about ten metres."])) :-
    ask(adapter_flashes).
fix(not_found, advice(plug_adapter, [S])) :-
    \+ ask(adapter_flashes), label(camera, C),
    format(string(S), "Plug the Bluetooth adapter into the USB port for the ~w.", [C]).

fix(borders, advice(other_program, ["The program that sends the picture may not print without borders.",
                                    "Send it from a program that does."])).

fix(says(open_door), advice(clear(How), Steps)) :-
    clear_jam(How, S), append(S, ["Confirm the message on the panel."], Steps).
fix(says(second_camera), advice(one_camera, ["Only one camera at a time: unplug the other one first."])).

% ---- What a remedy takes (1 = a glance) and how often it helps ----
repair(restart, 3, 0.6).
repair(reseat, 2, 0.7).
repair(clear(front), 1, 0.9).
repair(clear(back), 1, 0.9).
repair(clear(inside), 4, 0.6).
repair(redock, 4, 0.5).
repair(refit_battery, 3, 0.5).
repair(seat_cartridge, 2, 0.8).
repair(closer, 2, 0.7).

% ---- How explanations tell the goals of the rules ----
wording(power_cycle(_), "the printer is cut off from its power for a moment", []).
wording(reseat_paper(_), "the paper is put in again", []).
wording(clear_jam(front, _), "a sheet is stuck at the front", []).
wording(clear_jam(back, _), "a sheet is stuck at the back", []).
wording(clear_jam(inside, _), "a sheet is stuck inside", []).
wording(part_parent(P, Q), "the ~w sits in the ~w", [L, M]) :- label(P, L), label(Q, M).
wording(label(_, L), "the part is called ~w", [L]).

% ---- Sample conversations: name, problem, answers in order, name of the advice ----
sample("status light, battery fitted", flashing(status_light),
       [camera_connected-no, computer_connected-no, battery_fitted-yes], restart).
sample("jam at the back", jam, [sheet_in_front-no, sheet_in_tray-yes], clear(back)).
sample("too far for Bluetooth", not_found, [adapter_flashes-yes], closer).
sample("camera tells", flashing(status_light), [camera_connected-yes], read_camera).
sample("computer tells", flashing(status_light), [camera_connected-no, computer_connected-yes], read_computer).
sample("no battery", flashing(status_light),
       [camera_connected-no, computer_connected-no, battery_fitted-no], restart).
sample("renamed files", no_pictures, [names_standard-no], rename_files).
sample("names are fine", no_pictures, [names_standard-yes, battery_fitted-no], restart).
sample("weak supply", dead, [power_suitable-no], right_power).
sample("good supply", dead, [power_suitable-yes, battery_fitted-no], restart).
sample("jam at the front", jam, [sheet_in_front-yes], clear(front)).
sample("jam inside", jam, [sheet_in_front-no, sheet_in_tray-no, battery_fitted-no], clear(inside)).
sample("adapter dark", not_found, [adapter_flashes-no], plug_adapter).
sample("tray is empty", no_sheet, [tray_loaded-no], load_paper).
sample("cartridge loose", no_sheet, [tray_loaded-yes, cartridge_seated-no], seat_cartridge).
sample("stuck after all", no_sheet, [tray_loaded-yes, cartridge_seated-yes, sheet_in_front-yes], clear(front)).
sample("dead button", no_reaction(save_button), [battery_fitted-no], redock).
