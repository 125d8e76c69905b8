
% ---- What grammars are made of: lists of codes ----
eos([], []).
eol(L, R) :- ( L = [10|R0] -> R = R0 ; L = [13,10|R0] -> R = R0 ; L == [], R = [] ).
remainder(L, L, []).
blank([C|R], R) :- nonvar(C), code_type(C, space).
blanks(L, R) :- ( blank(L, R0) -> blanks(R0, R) ; R = L ).
white([C|R], R) :- nonvar(C), code_type(C, white).
whites(L, R) :- ( white(L, R0) -> whites(R0, R) ; R = L ).
blanks_to_nl(L, R) :- '$to_nl'(L, R).
'$to_nl'(L, R) :- ( L == [] -> R = [] ; L = [10|R0] -> R = R0 ; L = [C|L1], code_type(C, space), '$to_nl'(L1, R) ).
nonblank(C, [C|R], R) :- code_type(C, graph).
nonblanks(Cs, L, R) :- ( L = [C|L1], code_type(C, graph) -> Cs = [C|Cs1], nonblanks(Cs1, L1, R) ; Cs = [], R = L ).
string([], L, L).
string([C|Cs], [C|L], R) :- string(Cs, L, R).
string_without(Ends, Cs, L, R) :- '$codes_of'(Ends, Es), '$string_without'(Es, Cs0, L, R0), Cs = Cs0, R = R0.
'$string_without'(Es, Cs, L, R) :- ( L = [C|L1], \+ memberchk(C, Es) -> Cs = [C|Cs1], '$string_without'(Es, Cs1, L1, R) ; Cs = [], R = L ).
'$codes_of'(T, Cs) :- ( is_list(T) -> Cs = T ; string_codes(T, Cs) ).
alpha_to_lower(L, [C|R], R) :- ( integer(C) -> code_type(C, alpha), code_type(C, to_upper(U)), L = U ; L = C ).
digits([C|Cs], L, R) :- digit(C, L, L1), !, digits(Cs, L1, R).
digits([], L, L).
digit(C, [C|R], R) :- code_type(C, digit).
integer(I, L, R) :- integer(I), !, format(codes(L, R), "~d", [I]).
integer(I, L, R) :- '$signed'(L, L1, Sign), digits([D|Ds], L1, R), append(Sign, [D|Ds], Cs), number_codes(I, Cs).
'$signed'([0'-|L], L, [0'-]) :- !.
'$signed'([0'+|L], L, []) :- !.
'$signed'(L, L, []).
float(F, L, R) :- float(F), !, format(codes(L, R), "~w", [F]).
float(F, L, R) :- number(N, L, R), F is float(N).
number(N, L, R) :- number(N), !, format(codes(L, R), "~w", [N]).
number(N, _, _) :- nonvar(N), !, throw(error(type_error(number, N), _)).
number(N, L, R) :- '$signed'(L, L1, Sign), digits([D|Ds], L1, L2), '$fraction'(L2, L3, Fraction), '$exponent'(L3, R, Fraction, Exponent), append([Sign, [D|Ds], Fraction, Exponent], Cs), number_codes(N, Cs).
'$fraction'([0'.|L], R, [0'.,D|Ds]) :- digits([D|Ds], L, R), !.
'$fraction'(L, L, []).
'$exponent'([E|L], R, Fraction, Cs) :- ( E =:= 0'e ; E =:= 0'E ), '$signed'(L, L1, Sign), digits([D|Ds], L1, R), !, ( Fraction == [] -> Dot = `.0` ; Dot = [] ), append([Dot, [E], Sign, [D|Ds]], Cs).
'$exponent'(L, L, _, []).
xinteger(I, L, R) :- integer(I), !, format(codes(L, R), "~16r", [I]).
xinteger(I, L, R) :- xdigit(W, L, L1), xdigits(Ws, L1, R), '$hex'([W|Ws], 0, I).
'$hex'([], I, I).
'$hex'([W|Ws], I0, I) :- I1 is I0*16+W, '$hex'(Ws, I1, I).
xdigits([W|Ws], L, R) :- xdigit(W, L, L1), !, xdigits(Ws, L1, R).
xdigits([], L, L).
xdigit(W, [C|R], R) :- code_type(C, xdigit(W)).
prolog_symbol(S, L, R) :- '$symbols'(L, R, Cs), Cs = [_|_], atom_codes(S, Cs).
'$symbols'([C|L], R, [C|Cs]) :- code_type(C, prolog_symbol), !, '$symbols'(L, R, Cs).
'$symbols'(L, L, []).
csym(C, [C|R], R) :- code_type(C, csym).
csyms([C|Cs], L, R) :- csym(C, L, L1), !, csyms(Cs, L1, R).
csyms([], L, L).
prolog_var_name(Name, [C|L], R) :- code_type(C, prolog_var_start), csyms(Cs, L, R), atom_codes(Name, [C|Cs]).
atom(T, L, R) :- '$must_be'(nonvar, T), format(codes(L, R), "~w", [T]).
sequence(G, Items, L, R) :- '$sequence'(Items, G, L, R).
'$sequence'([X|Xs], G, L, R) :- call(G, X, L, L1), '$sequence'(Xs, G, L1, R).
'$sequence'([], _, L, L).
sequence(_, _, Items, L, R) :- Items == [], !, R = L.
sequence(G, Separator, Items, L, R) :- ( \+ call(G, _, L, _) -> Items = [], R = L ; '$separated'(Items, G, Separator, L, R) ).
'$separated'([X|Xs], G, S, L, R) :- call(G, X, L, L1), ( Xs == [] -> R = L1 ; '$phrase'(S, L1, L2) -> !, '$separated'(Xs, G, S, L2, R) ; Xs = [], R = L1 ).
sequence(Start, G, Separator, End, Items, L, R) :- '$phrase'(Start, L, L1), sequence(G, Separator, Items, L1, L2), '$phrase'(End, L2, R), !.
optional(Match, Default, L, R) :- ( '$phrase'(Match, L, R0) -> R = R0 ; '$phrase'(Default, L, R) ).
foreach(Generator, Element, L, R) :- foreach(Generator, Element, [], L, R).
foreach(Generator, Element, Separator, L, R) :- term_variables(Generator, Vs), findall(Vs, Generator, Rows), '$foreach_rows'(Rows, Vs, Element, Separator, L, R).
'$foreach_rows'([], _, _, _, L, L).
'$foreach_rows'([Row|Rows], Vs, E, S, L, R) :- copy_term(Vs/E, Row/E1), '$phrase'(E1, L, L1), '$foreach_more'(Rows, Vs, E, S, L1, R).
'$foreach_more'([], _, _, _, L, L).
'$foreach_more'([Row|Rows], Vs, E, S, L, R) :- '$phrase'(S, L, L1), copy_term(Vs/E, Row/E1), '$phrase'(E1, L1, L2), '$foreach_more'(Rows, Vs, E, S, L2, R).
