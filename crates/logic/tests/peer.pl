% Runs each line of a file as a goal and prints what it comes to, in the words of the conformance
% tables. Each goal has a process of its own, so that none sees what another changed.

:- use_module(library(unix)).
:- use_module(library(readutil)).

main :-
    current_prolog_flag(argv, Argv), last(Argv, File),
    open(File, read, S, [encoding(utf8)]),
    set_stream(user_output, encoding(utf8)),
    each(S, 0).

each(S, N) :- read_line_to_string(S, Line), each(Line, S, N).

each(end_of_file, _, _) :- !.
each(Line, S, N) :- flush_output, fork(Child), in(Child, N, Line), M is N+1, each(S, M).

in(child, N, Line) :- !,
    stream_property(Real, alias(user_output)),
    catch(case(Line, Told), _, Told = "fails to tell"),
    format(Real, "~n<~d>~w~n", [N, Told]), flush_output(Real),
    % What `halt/1` cleans up takes longer than most goals.
    exec(true).
in(Child, N, _) :- wait(Child, Status), ( Status == exited(0) -> true ; format("~n<~d>ends the process~n", [N]) ).

case(Line, Told) :-
    string_concat(Line, " .", Text),
    open_string(Text, S),
    catch(read_term(S, Goal, [variable_names(Names), module(user)]), _, Goal = '$wrong'),
    ( Goal == '$wrong' -> Parts = ["throws syntax_error"], Out = ""
    ; caught(solutions(Goal, Names, Parts), Out)
    ),
    atomic_list_concat(Parts, ' | ', Found),
    ( Out == "" -> Told = Found ; format(string(Told), "~w writes ~q", [Found, Out]) ).

solutions(Goal, Names, Parts) :-
    State = found([]),
    ( catch(limited(Goal), E, true),
      arg(1, State, Found),
      ( nonvar(E) -> thrown(E, Part) ; solution(Names, Part) ),
      nb_setarg(1, State, [Part|Found]),
      ( nonvar(E) ; length(Found, 11) ) -> true
    ; true
    ),
    arg(1, State, All),
    ( All == [] -> Parts = ["no"] ; reverse(All, Parts) ).

solution([], "yes") :- !.
solution(Names, Part) :-
    copy_term(Names, Copy, _),
    term_variables(Copy, Vars),
    number(Vars, 1, Called),
    maplist(binding(Called), Copy, Parts),
    atomic_list_concat(Parts, ', ', Atom), atom_string(Atom, Part).

number([], _, []).
number([V|Vs], N, [Name = V|Called]) :- atom_concat('_', N, Name), M is N+1, number(Vs, M, Called).

binding(Called, N = V, Part) :- shown(V, Called, Text), format(string(Part), "~w = ~w", [N, Text]).

shown(T, Called, Text) :-
    with_output_to(string(Text), write_term(T, [quoted(true), numbervars(true), variable_names(Called)])).

thrown(error(syntax_error(_), _), "throws syntax_error") :- !.
thrown(error(Formal, _), Part) :- !, told("throws ~w", Formal, Part).
thrown(Ball, Part) :- told("throws ball ~w", Ball, Part).

told(Format, T0, Part) :-
    copy_term(T0, T, _), term_variables(T, Vars), number(Vars, 1, Called),
    shown(T, Called, Text), format(string(Part), Format, [Text]).

limited(Goal) :-
    call_with_inference_limit(user:Goal, 3000000, Limit),
    ( Limit == inference_limit_exceeded -> throw(runs_out_of_steps) ; true ).

% Runs a goal; what it writes, by whatever name of the stream, is caught.
caught(Goal, Out) :-
    tmp_file(case, File),
    open(File, write, To, [encoding(utf8)]),
    set_stream(To, alias(user_output)), set_stream(To, alias(user_error)), set_output(To),
    call(Goal),
    flush_output(To),
    read_file_to_string(File, Out, [encoding(utf8)]),
    delete_file(File).
