
% ---- Streams and messages ----
% Here, and not among the builtins, so that programs may have their own.
name(X, L) :- '$name'(X, L).
print(S, T) :- ( current_predicate(portray/1) -> '$print_portrayed'(S, T) ; '$print'(S, T) ).
% Parts that the program's portray/1 writes are texts in the term that is printed.
'$print_portrayed'(T) :- current_output(S), '$print_portrayed'(S, T).
'$print_portrayed'(S, T) :- '$portrayed'(T, '$user_portray', [portray(true), numbervars(true)], R), '$print'(S, R).
'$write_portrayed'(S, T, Os0) :- ( select_option(portray_goal(G), Os0, Os1) -> true ; G = '$user_portray', Os1 = Os0 ), select_option(portray(_), Os1, Os2, true), '$portrayed'(T, G, Os0, R), write_term(S, R, ['$portrayed'(true)|Os2]).
'$user_portray'(T, _) :- '$user_hook'(portray(T)).
'$portrayed'(T, Hook, Os, R) :- '$must_be'(acyclic, T), '$portrayed_part'(T, Hook, Os, R).
'$portrayed_part'(T, Hook, Os, R) :- nonvar(T), with_output_to(string(Text), call(Hook, T, Os)), !, R = '$portrayed'(Text).
'$portrayed_part'(T, Hook, Os, R) :- compound(T), !, ( T = [X|Xs] -> '$portrayed_list'(Xs, X, Hook, Os, R) ; compound_name_arguments(T, F, As), '$portrayed_each'(As, Hook, Os, Bs), compound_name_arguments(R, F, Bs) ).
'$portrayed_part'(T, _, _, T).
'$portrayed_list'(Xs, X, Hook, Os, [Y|Ys]) :- '$portrayed_part'(X, Hook, Os, Y), ( nonvar(Xs), Xs = [X1|Xs1] -> '$portrayed_list'(Xs1, X1, Hook, Os, Ys) ; Xs == [] -> Ys = [] ; '$portrayed_part'(Xs, Hook, Os, Ys) ).
'$portrayed_each'([], _, _, []).
'$portrayed_each'([A|As], Hook, Os, [B|Bs]) :- '$portrayed_part'(A, Hook, Os, B), '$portrayed_each'(As, Hook, Os, Bs).
% The arguments of a format some of which are goals, or are shown by goals.
'$format_goals'(S, F, A) :- ( is_list(A) -> As = A ; As = [A] ), '$format_directives'(F, Ds), '$format_arguments'(Ds, As, Bs), '$format_done'(S, F, Bs).
'$format_arguments'([], As, As) :- !.
'$format_arguments'(_, [], []) :- !.
'$format_arguments'([D|Ds], [A|As], [B|Bs]) :- '$format_argument'(D, A, B), '$format_arguments'(Ds, As, Bs).
'$format_argument'(@, G, '$portrayed'(T)) :- !, with_output_to(string(T), G).
'$format_argument'(p, T, R) :- current_predicate(portray/1), !, '$portrayed'(T, '$user_portray', [portray(true), numbervars(true)], R).
'$format_argument'(_, A, A).
writeln(S, T) :- '$writeln'(S, T).
tab(S, N) :- '$tab'(S, N).
prompt(Old, New) :- '$prompt'(Old, New).
unifiable(A, B, L) :- '$unifiable'(A, B, L).
open_string(T, S) :- '$open_string'(T, S).
stream_property(S, P) :- ( var(S) -> true ; S = '$stream'(_) -> '$stream_term'(S, _) ; atom(S) -> '$stream_term'(S, S1) ; throw(error(domain_error(stream, S), _)) ), ( nonvar(P), \+ '$stream_property'(P) -> throw(error(domain_error(stream_property, P), _)) ; true ), ( nonvar(S1) -> true ; S1 = S ), '$stream_properties'(L), member(p(S1, P), L).
'$stream_property'(P) :- memberchk(P, [input, output, mode(_), end_of_stream(_), eof_action(_), type(_), reposition(_), alias(_), file_name(_), position(_)]).
is_stream(S) :- nonvar(S), catch('$stream_term'(S, _), _, fail).
set_stream(S, alias(A)) :- !, '$must_be'(atom, A), '$alias'(S, A).
set_stream(S, P) :- '$stream_term'(S, _), ( nonvar(P), memberchk(P, [encoding(_), tty(_), buffer(_), line_position(_), newline(_), representation_errors(_), record_position(_), close_on_abort(_)]) -> true ; throw(error(domain_error(stream_property, P), _)) ).
set_stream_position(S, P) :- '$stream_term'(S, _), ( var(P) -> throw(error(instantiation_error, _)) ; P = '$stream_position'(_, _, _, _) -> throw(error(permission_error(reposition, stream, S), _)) ; throw(error(domain_error(stream_position, P), _)) ).
see(F) :- ( F == user -> set_input(user_input) ; nonvar(F), F = '$stream'(_) -> set_input(F) ; open(F, read, S), set_input(S) ).
seen :- current_input(S), close(S), set_input(user_input).
seeing(S) :- current_input(S).
tell(F) :- ( F == user -> set_output(user_output) ; nonvar(F), F = '$stream'(_) -> set_output(F) ; open(F, write, S), set_output(S) ).
told :- current_output(S), close(S), set_output(user_output).
telling(S) :- current_output(S).
read_line_to_string(S, T) :- '$read_line'(S, T).
read_line_to_codes(S, Cs) :- '$read_line'(S, T), ( T == end_of_file -> Cs = -1 ; string_codes(T, Cs) ).
read_stream_to_codes(S, Cs) :- '$read_rest'(S, _, T), string_codes(T, Cs).
read_string(S, N, T) :- '$read_rest'(S, N, T), ( var(N) -> string_length(T, N) ; true ).
read_string(S, Seps, Pad, Sep, T) :- '$read_until'(S, Seps, T0, Sep), split_string(T0, "", Pad, [T]).
format(S, F, A) :- '$is_sink'(S), !, with_output_to(S, format(F, A)).
format(S, F, A) :- '$format'(S, F, A).
'$is_sink'(S) :- nonvar(S), memberchk(S, [atom(_), string(_), codes(_), codes(_, _), chars(_)]).
with_output_to(Sink, G) :- ( var(Sink) -> throw(error(instantiation_error, _)) ; '$is_sink'(Sink) -> true ; throw(error(domain_error(output_sink, Sink), _)) ), '$open_memory'(S, Old), ( catch(G, E, true) -> '$close_memory'(S, Old, T), ( nonvar(E) -> throw(E) ; '$sink'(Sink, T) ) ; '$close_memory'(S, Old, _), fail ).
'$sink'(atom(A), S) :- atom_string(A, S).
'$sink'(string(S), S).
'$sink'(codes(C), S) :- string_codes(S, C).
'$sink'(codes(C, T), S) :- string_codes(S, L), append(L, T, C).
'$sink'(chars(C), S) :- string_chars(S, C).
% A message goes to user_error; the user's message_hook/3 may take it.
print_message(Kind, Term) :- ( var(Kind) ; var(Term) ), !, throw(error(instantiation_error, _)).
print_message(Kind, Term) :- '$message_lines'(Term, Lines), ( '$user_hook'(message_hook(Term, Kind, Lines)) -> true ; '$print_message'(Kind, Lines) ).
'$user_hook'(G) :- functor(G, N, A), current_predicate(N/A), call(G), !.
'$message_lines'(format(F, A), [F-A]) :- !.
'$message_lines'(T, ["~w"-[Text]]) :- T = error(_, _), !, '$message'(T, Text).
'$message_lines'(T, ["Unknown message: ~p"-[T]]).
'$print_message'(silent, _) :- !.
'$print_message'(informational, _) :- !.
'$print_message'(debug(_), _) :- !.
'$print_message'(Kind, Lines) :- '$message_prefix'(Kind, Prefix), !, print_message_lines(user_error, Prefix, Lines).
'$print_message'(Kind, _) :- throw(error(domain_error(message_kind, Kind), _)).
'$message_prefix'(error, 'ERROR: ').
'$message_prefix'(warning, 'Warning: ').
'$message_prefix'(help, '').
'$message_prefix'(information, '').
'$message_prefix'(banner, '').
print_message_lines(S, Prefix, Lines) :- '$must_be'(list, Lines), ( Prefix = kind(_) -> P = '' ; P = Prefix ), '$message_each'(Lines, S, P).
'$message_each'([], _, _).
'$message_each'([L|Ls], S, P) :- write(S, P), '$message_line'([L|Ls], S, Rest), nl(S), '$message_each'(Rest, S, P).
'$message_line'([], _, []).
'$message_line'([nl|Ls], _, Ls) :- !.
'$message_line'([L|Ls], S, Rest) :- '$message_part'(L, S), '$message_line'(Ls, S, Rest).
'$message_part'(F-A, S) :- !, format(S, F, A).
'$message_part'(ansi(_, F, A), S) :- !, format(S, F, A).
'$message_part'(flush, _) :- !.
'$message_part'(F, S) :- format(S, F, []).

% ---- Listings ----
listing :- forall(current_predicate(PI), listing(PI)).
listing(Spec) :- var(Spec), !, throw(error(instantiation_error, _)).
listing([]) :- !.
listing([S|Ss]) :- !, listing(S), listing(Ss).
listing(_:Spec) :- !, listing(Spec).
listing(N/A) :- !, forall(current_predicate(N/A), '$listing'(N, A)).
listing(N) :- atom(N), !, listing(N/_).
listing(Spec) :- throw(error(type_error(predicate_indicator, Spec), _)).
'$listing'(N, A) :- functor(H, N, A), ( predicate_property(H, dynamic) -> format(":- dynamic ~q/~w.~n~n", [N, A]) ; true ), forall(clause(H, B), portray_clause((H :- B))), nl.
portray_clause(S, C) :- with_output_to(string(T), portray_clause(C)), write(S, T).
portray_clause(C) :- \+ \+ ( copy_term(C, T), '$letters'(T), '$portray'(T) ).
'$portray'(C) :- nonvar(C), C = (H :- B), !, ( B == true -> '$write_part'(H, 1199) ; '$write_part'(H, 1199), write(' :-'), '$portray_body'(B, 1) ), write('.'), nl.
'$portray'(C) :- nonvar(C), C = (H --> B), !, '$write_part'(H, 1199), write(' -->'), '$portray_body'(B, 1), write('.'), nl.
'$portray'(C) :- nonvar(C), C = (:- B), !, write(':- '), '$write_part'(B, 1199), write('.'), nl.
'$portray'(C) :- '$write_part'(C, 1199), write('.'), nl.
'$write_part'(T, P) :- '$listed'(T, P, Text), write(Text).
'$indent'(N) :- nl, forall(between(1, N, _), write('    ')).
'$portray_body'(B, N) :- '$indent'(N), '$portray_goal'(B, N, 1199).
'$portray_goal'(G, _, P) :- ( var(G) ; G = '$VAR'(_) ), !, '$write_part'(G, P).
'$portray_goal'((A, B), N, P) :- P >= 1000, !, '$portray_goal'(A, N, 999), write(','), '$indent'(N), '$portray_goal'(B, N, 1000).
'$portray_goal'(G, N, _) :- '$alternatives'(G), !, write('(   '), '$portray_branches'(G, N), '$indent'(N), write(')').
'$portray_goal'((A, B), N, _) :- !, write('(   '), N1 is N+1, '$portray_goal'((A, B), N1, 1000), '$indent'(N), write(')').
'$portray_goal'(\+ G, N, _) :- ( '$alternatives'(G) ; G = (_, _) ), !, write('\\+ '), '$portray_goal'(G, N, 900).
'$portray_goal'(\+ G, _, _) :- !, write('\\+ '), '$write_part'(G, 900).
'$portray_goal'(G, _, P) :- '$write_part'(G, P).
'$alternatives'(G) :- nonvar(G), memberchk(G, [(_ ; _), (_ -> _), (_ *-> _), (_ | _)]).
'$portray_branches'(G, N) :- nonvar(G), G = (A ; B), !, '$portray_branch'(A, N), '$indent'(N), write(';   '), '$portray_branches'(B, N).
'$portray_branches'(G, N) :- '$portray_branch'(G, N).
'$portray_branch'(G, N) :- N1 is N+1, ( nonvar(G), G = (A -> B) -> '$portray_goal'(A, N1, 999), '$indent'(N), write('->  '), '$portray_goal'(B, N1, 1000) ; nonvar(G), G = (A *-> B) -> '$portray_goal'(A, N1, 999), '$indent'(N), write('*-> '), '$portray_goal'(B, N1, 1000) ; '$portray_goal'(G, N1, 1000) ).
