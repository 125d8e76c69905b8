
% ---- Looking into terms ----
sub_term(X, T) :- '$sub_term'(T, X).
'$sub_term'(T, T).
'$sub_term'(T, X) :- compound(T), compound_name_arguments(T, _, As), member(A, As), '$sub_term'(A, X).
sub_term_shared_variables(Sub, T, Vs) :- term_variables(Sub, Own), '$other_variables'(T, Sub, Others), '$shared_variables'(Own, Others, Vs, _).
'$other_variables'(T, Sub, Vs) :- '$outside'(T, Sub, Parts, []), term_variables(Parts, Vs).
'$outside'(T, Sub, Ps0, Ps) :- ( T == Sub -> Ps0 = Ps ; compound(T) -> compound_name_arguments(T, _, As), '$outside_each'(As, Sub, Ps0, Ps) ; Ps0 = [T|Ps] ).
'$outside_each'([], _, Ps, Ps).
'$outside_each'([A|As], Sub, Ps0, Ps) :- '$outside'(A, Sub, Ps0, Ps1), '$outside_each'(As, Sub, Ps1, Ps).
sub_var(X, T) :- '$occurrence'(T, X), !.
contains_var(X, T) :- '$occurrence'(T, X), !.
contains_term(X, T) :- '$sub_term'(T, Y), \+ X \= Y, !, X = Y.
free_of_var(X, T) :- \+ '$occurrence'(T, X).
free_of_term(X, T) :- \+ ( '$sub_term'(T, Y), \+ X \= Y ).
'$occurrence'(T, X) :- '$sub_term'(T, Y), X == Y.
occurrences_of_var(X, T, N) :- aggregate_all(count, '$occurrence'(T, X), N).
occurrences_of_term(X, T, N) :- aggregate_all(count, ( '$sub_term'(T, Y), subsumes_term(X, Y) ), N).
term_size(T, N) :- '$must_be'(acyclic, T), '$term_size'(T, N).
'$term_size'(T, N) :- ( compound(T) -> compound_name_arguments(T, _, As), length(As, L), foldl('$size_of', As, L, N0), N is N0+1 ; string(T) -> string_length(T, L), N is L//8+3 ; float(T) -> N = 4 ; N = 0 ).
'$size_of'(T, N0, N) :- '$term_size'(T, M), N is N0+M.
same_functor(A, B) :- same_functor(A, B, _, _).
same_functor(A, B, N) :- same_functor(A, B, _, N).
same_functor(A, B, Name, N) :- ( nonvar(A) -> functor(A, Name, N), functor(B, Name, N) ; functor(B, Name, N), functor(A, Name, N) ).
mapargs(G, A, B) :- ( compound(A) -> compound_name_arguments(A, N, As), length(As, L), length(Bs, L), compound_name_arguments(B, N, Bs) ; compound(B) -> compound_name_arguments(B, N, Bs), length(Bs, L), length(As, L), compound_name_arguments(A, N, As) ; As = [], Bs = [], A = B ), maplist(G, As, Bs).
mapsubterms(G, A, B) :- '$mapsub'(A, G, nonvar, B).
mapsubterms_var(G, A, B) :- '$mapsub'(A, G, any, B).
'$mapsub'(A, G, Kind, B) :- ( var(A), Kind == nonvar -> B = A ; call(G, A, B0) -> B = B0 ; compound(A) -> compound_name_arguments(A, N, As), '$mapsub_each'(As, G, Kind, Bs), compound_name_arguments(B, N, Bs) ; B = A ).
'$mapsub_each'([], _, _, []).
'$mapsub_each'([A|As], G, Kind, [B|Bs]) :- '$mapsub'(A, G, Kind, B), '$mapsub_each'(As, G, Kind, Bs).
foldsubterms(G, T, S0, S) :- '$foldsub'(T, G, S0, S).
'$foldsub'(T, G, S0, S) :- ( call(G, T, S0, S1) -> S = S1 ; compound(T) -> compound_name_arguments(T, _, As), '$foldsub_each'(As, G, S0, S) ; S = S0 ).
'$foldsub_each'([], _, S, S).
'$foldsub_each'([A|As], G, S0, S) :- '$foldsub'(A, G, S0, S1), '$foldsub_each'(As, G, S1, S).
foldsubterms(G, T, U, S0, S) :- '$foldsub'(T, G, U, S0, S).
'$foldsub'(T, G, U, S0, S) :- ( call(G, T, U0, S0, S1) -> U = U0, S = S1 ; compound(T) -> compound_name_arguments(T, N, As), '$foldsub_each'(As, G, Bs, S0, S), compound_name_arguments(U, N, Bs) ; U = T, S = S0 ).
'$foldsub_each'([], _, [], S, S).
'$foldsub_each'([A|As], G, [B|Bs], S0, S) :- '$foldsub'(A, G, B, S0, S1), '$foldsub_each'(As, G, Bs, S1, S).
% The most specific term that has both as instances (Plotkin, 1970).
term_subsumer(A, B, G) :- '$must_be'(acyclic, A), '$must_be'(acyclic, B), '$anti'(A, B, G, [], _).
'$anti'(A, B, G, S, S) :- A == B, !, G = A.
'$anti'(A, B, G, S0, S) :- compound(A), compound(B), compound_name_arguments(A, N, As), compound_name_arguments(B, N, Bs), same_length(As, Bs), !, '$anti_each'(As, Bs, Gs, S0, S), compound_name_arguments(G, N, Gs).
'$anti'(A, B, G, S0, S) :- ( member(p(A1, B1, G1), S0), A1 == A, B1 == B -> G = G1, S = S0 ; S = [p(A, B, G)|S0] ).
'$anti_each'([], [], [], S, S).
'$anti_each'([A|As], [B|Bs], [G|Gs], S0, S) :- '$anti'(A, B, G, S0, S1), '$anti_each'(As, Bs, Gs, S1, S).
% Compound terms that stand twice, and those that cycles go through, become variables with an equation each.
term_factorized(T, U, Es) :- '$compounds'([T], [], Ss), '$factored'(T, Ss, U, [], Defs), '$equations'(Defs, Ss, Es, []).
% Every compound part with how often it stands there, as seen(Part, Count, Variable).
'$compounds'([], Ss, Ss).
'$compounds'([T|Ts], Ss0, Ss) :- ( compound(T) -> ( '$seen'(Ss0, T, C) -> arg(1, C, K0), K is K0+1, setarg(1, C, K), '$compounds'(Ts, Ss0, Ss) ; compound_name_arguments(T, _, As), append(As, Ts, Next), '$compounds'(Next, [seen(T, count(1), _)|Ss0], Ss) ) ; '$compounds'(Ts, Ss0, Ss) ).
'$seen'([seen(T1, C1, _)|Ss], T, C) :- ( T1 == T -> C = C1 ; '$seen'(Ss, T, C) ).
'$factored'(T, Ss, U, Ds0, Ds) :- ( compound(T), member(seen(T1, count(K), V), Ss), T1 == T, K > 1 -> U = V, ( '$identical'(V, Ds0) -> Ds = Ds0 ; Ds = [V|Ds0] ) ; '$unfactored'(T, Ss, U, Ds0, Ds) ).
'$unfactored'(T, Ss, U, Ds0, Ds) :- ( compound(T) -> compound_name_arguments(T, N, As), '$factored_each'(As, Ss, Bs, Ds0, Ds), compound_name_arguments(U, N, Bs) ; U = T, Ds = Ds0 ).
'$factored_each'([], _, [], Ds, Ds).
'$factored_each'([A|As], Ss, [B|Bs], Ds0, Ds) :- '$factored'(A, Ss, B, Ds0, Ds1), '$factored_each'(As, Ss, Bs, Ds1, Ds).
'$equations'([], _, [], _).
'$equations'([V|Vs], Ss, Es, Done) :- ( '$identical'(V, Done) -> '$equations'(Vs, Ss, Es, Done) ; member(seen(T, _, W), Ss), W == V -> '$unfactored'(T, Ss, U, [], More), Es = [V=U|Es1], append(Vs, More, Next), '$equations'(Next, Ss, Es1, [V|Done]) ).
max_var_number(T, N0, N) :- findall(K, ( '$sub_term'(T, '$VAR'(K0)), integer(K0), K = K0 ), Ks), max_list([N0|Ks], N).
varnumbers_names(T, C, Bs) :- '$varnumbers'(T, 0, C, t, A), assoc_to_list(A, L), findall(Name, ( member(N-_, L), '$letter_name'(N, Name) ), Names), pairs_values(L, Vs), '$named_pairs'(Names, Vs, Bs).
'$letter_name'(N, Name) :- C is 0'A + N mod 26, K is N//26, ( K =:= 0 -> char_code(Name, C) ; char_code(L, C), atom_concat(L, K, Name) ).
'$named_pairs'([], [], []).
'$named_pairs'([N|Ns], [V|Vs], [N=V|Bs]) :- '$named_pairs'(Ns, Vs, Bs).

% ---- Looking into goals ----
comma_list(T, L) :- '$joined'(T, ',', L).
semicolon_list(T, L) :- '$joined'(T, ;, L).
'$joined'(T, F, L) :- nonvar(T), !, '$disjoined'(T, F, L, []).
'$joined'(T, F, L) :- '$must_be'(list, L), L = [X|Xs], '$join'(Xs, X, F, T).
'$disjoined'(T, F, L0, L) :- ( nonvar(T), compound_name_arguments(T, F, [A,B]) -> '$disjoined'(A, F, L0, L1), '$disjoined'(B, F, L1, L) ; L0 = [T|L] ).
'$join'([], X, _, X).
'$join'([Y|Ys], X, F, T) :- compound_name_arguments(T, F, [X,R]), '$join'(Ys, Y, F, R).
mkconj(A, B, C) :- ( A == true -> C = B ; B == true -> C = A ; C = (A, B) ).
mkdisj(A, B, C) :- ( A == false -> C = B ; B == false -> C = A ; A == true -> C = true ; B == true -> C = true ; C = (A ; B) ).
pi_head(PI, Head) :- var(PI), var(Head), !, throw(error(instantiation_error, _)).
pi_head(M:PI, M:Head) :- !, pi_head(PI, Head).
pi_head(N/A, Head) :- !, functor(Head, N, A).
pi_head(N//A, Head) :- nonvar(A), A2 is A+2, functor(Head, N, A2).
head_name_arity(H, N, A) :- functor(H, N, A).
most_general_goal(G, H) :- ( var(G) -> throw(error(instantiation_error, _)) ; G = M:G1 -> H = M:H1, most_general_goal(G1, H1) ; functor(G, N, A), functor(H, N, A) ).
extend_goal(G, Extra, H) :- ( Extra == [] -> H = G ; nonvar(G), G = M:G1 -> H = M:H1, extend_goal(G1, Extra, H1) ; '$must_callable'(G), G =.. L0, append(L0, Extra, L1), H =.. L1 ).
is_control_goal(G) :- nonvar(G), memberchk(G, [(_, _), (_ ; _), (_ -> _), (_ *-> _), \+ _]).
is_predicate_indicator(PI) :- '$must_be'(ground, PI), ( PI = _:P -> true ; P = PI ), ( P = N/A ; P = N//A ), !, atom(N), integer(A), A >= 0.
body_term_calls(B, Called) :- ( var(B) -> B = Called ; B = Called ; is_control_goal(B), B =.. [_|Gs], member(G, Gs), body_term_calls(G, Called) ).

% ---- Texts to and from terms, as libraries of other systems call it ----
format_to_codes(F, A, Cs) :- format(codes(Cs), F, A).
format_to_codes(F, A, Cs, Tail) :- format(codes(Cs, Tail), F, A).
write_to_codes(T, Cs) :- format(codes(Cs), "~w", [T]).
write_to_codes(T, Cs, Tail) :- format(codes(Cs, Tail), "~w", [T]).
write_term_to_codes(T, Cs, Os) :- with_output_to(codes(Cs), write_term(T, Os)).
write_term_to_codes(T, Cs, Tail, Os) :- with_output_to(codes(Cs, Tail), write_term(T, Os)).
read_from_codes(Cs, T) :- '$text_term'(Cs, T, []).
read_term_from_codes(Cs, T, Os) :- '$text_term'(Cs, T, Os).
open_codes_stream(Cs, S) :- open_string(Cs, S).
with_output_to_codes(G, Cs) :- with_output_to(codes(Cs), G).
with_output_to_codes(G, Cs, Tail) :- with_output_to(codes(Cs, Tail), G).
format_to_chars(F, A, Cs) :- format(codes(Cs), F, A).
format_to_chars(F, A, Cs, Tail) :- format(codes(Cs, Tail), F, A).
write_to_chars(T, Cs) :- format(codes(Cs), "~w", [T]).
write_to_chars(T, Cs, Tail) :- format(codes(Cs, Tail), "~w", [T]).
atom_to_chars(A, Cs) :- atom_codes(A, Cs).
atom_to_chars(A, Cs, Tail) :- format(codes(Cs, Tail), "~w", [A]).
number_to_chars(N, Cs) :- '$must_be'(number, N), number_codes(N, Cs).
number_to_chars(N, Cs, Tail) :- '$must_be'(number, N), format(codes(Cs, Tail), "~w", [N]).
read_from_chars(Cs, T) :- '$text_term'(Cs, T, []).
open_chars_stream(Cs, S) :- open_string(Cs, S).
with_output_to_chars(G, Cs) :- with_output_to(codes(Cs), G).
with_output_to_chars(G, Cs, Tail) :- with_output_to(codes(Cs, Tail), G).
file_base_name(File, Base) :- atomic_list_concat(Parts0, '/', File), '$no_last_empty'(Parts0, Parts), last(Parts, Base0), ( Base0 == '', Parts0 = [_,_|_] -> Base = '/' ; Base = Base0 ).
'$no_last_empty'(Ps0, Ps) :- ( append(Front, [''], Ps0), Front \== [] -> '$no_last_empty'(Front, Ps) ; Ps = Ps0 ).
file_directory_name(File, Dir) :- atomic_list_concat(Parts, '/', File), append(Front, [_], Parts), !, ( Front == [] -> Dir = '.' ; Front == [''] -> Dir = '/' ; atomic_list_concat(Front, '/', Dir) ).
file_name_extension(Base, Ext, Name) :- nonvar(Name), !, ( nonvar(Ext) -> '$dotted'(Ext, Dot), atom_concat(Base0, Dot, Name), Base = Base0 ; sub_atom(Name, B, 1, A, '.'), sub_atom(Name, _, A, 0, Ext0), \+ sub_atom(Ext0, _, _, _, '.'), \+ sub_atom(Ext0, _, _, _, '/') -> sub_atom(Name, 0, B, _, Base), Ext = Ext0 ; Base = Name, Ext = '' ).
file_name_extension(Base, Ext, Name) :- ( Ext == '' -> Name = Base ; '$dotted'(Ext, Dot), ( sub_atom(Base, _, _, 0, Dot) -> Name = Base ; atom_concat(Base, Dot, Name) ) ).
'$dotted'(Ext, Dot) :- ( sub_atom(Ext, 0, 1, _, '.') -> Dot = Ext ; atom_concat('.', Ext, Dot) ).
% ?, *, [...] and {..., ...}, matched against a whole text.
wildcard_match(P, T) :- wildcard_match(P, T, []).
wildcard_match(P0, T0, Os) :- text_to_string(P0, P1), text_to_string(T0, T1), ( option(case_sensitive(false), Os) -> string_lower(P1, P), string_lower(T1, T) ; P = P1, T = T1 ), string_chars(P, Ps), string_chars(T, Ts), '$wild'(Ps, Ts), !.
'$wild'([], []).
'$wild'([P|Ps], Ts) :- '$wild'(P, Ps, Ts).
'$wild'('\\', [C|Ps], [C|Ts]) :- !, '$wild'(Ps, Ts).
'$wild'(?, Ps, [_|Ts]) :- !, '$wild'(Ps, Ts).
'$wild'(*, Ps, Ts) :- !, ( '$wild'(Ps, Ts) ; Ts = [_|Ts1], '$wild'(*, Ps, Ts1) ).
'$wild'('[', Ps, [T|Ts]) :- append(Set, [']'|Rest], Ps), !, '$in_set'(Set, T), '$wild'(Rest, Ts).
'$wild'('{', Ps, Ts) :- append(Inside, ['}'|Rest], Ps), !, '$alternative'(Inside, A), append(A, Rest, Ps1), '$wild'(Ps1, Ts).
'$wild'(C, Ps, [C|Ts]) :- '$wild'(Ps, Ts).
'$in_set'([A,-,B|Set], T) :- !, ( A @=< T, T @=< B -> true ; '$in_set'(Set, T) ).
'$in_set'([A|Set], T) :- ( A == T -> true ; '$in_set'(Set, T) ).
'$alternative'(Cs, A) :- ( append(First, [','|Rest], Cs) -> ( A = First ; '$alternative'(Rest, A) ) ; A = Cs ).
