% The library: predicates that are easiest to say in Prolog itself.

% ---- Control ----
'$and'(A, B, L) :- '$body'(A, L), '$body'(B, L).
'$or'(A, _, L) :- '$body'(A, L).
'$or'(_, B, L) :- '$body'(B, L).
'$if'(C, T, _, L) :- call(C), !, '$body'(T, L).
'$if'(_, _, E, L) :- '$body'(E, L).
'$soft'(C, T, E, L) :- ( call(C) *-> '$body'(T, L) ; '$body'(E, L) ).
\+ G :- call(G), !, fail.
\+ _.
not(G) :- \+ call(G).
once(G) :- call(G), !.
ignore(G) :- call(G), !.
ignore(_).
forall(C, A) :- \+ ( call(C), \+ call(A) ).
apply(G, Args) :- G =.. L0, append(L0, Args, L1), G2 =.. L1, call(G2).
repeat.
repeat :- repeat.
between(L, H, X) :- integer(X), !, integer(L), X >= L, ( H == inf -> true ; H == infinite -> true ; X =< H ).
between(L, H, X) :- '$must_int'(L), ( H == inf -> true ; H == infinite -> true ; '$must_int'(H), L =< H ), '$between'(L, H, X).
'$between'(L, H, X) :- L == H, !, X = L.
'$between'(L, _, L).
'$between'(L, H, X) :- L1 is L+1, '$between'(L1, H, X).
'$must_int'(X) :- integer(X), !.
'$must_int'(X) :- var(X), !, throw(error(instantiation_error, _)).
'$must_int'(X) :- throw(error(type_error(integer, X), _)).
must_be(Type, X) :- '$must_be'(Type, X).
'$must_be'(integer, X) :- !, '$must_int'(X).
'$must_be'(nonneg, X) :- !, '$must_int'(X), ( X >= 0 -> true ; throw(error(type_error(nonneg, X), _)) ).
'$must_be'(positive_integer, X) :- !, '$must_int'(X), ( X > 0 -> true ; throw(error(type_error(positive_integer, X), _)) ).
'$must_be'(_, X) :- var(X), !, throw(error(instantiation_error, _)).
'$must_be'(boolean, X) :- !, ( ( X == true ; X == false ) -> true ; throw(error(type_error(bool, X), _)) ).
'$must_be'(list, X) :- !, ( is_list(X) -> true ; throw(error(type_error(list, X), _)) ).
'$must_be'(Type, X) :- G =.. [Type, X], ( call(G) -> true ; throw(error(type_error(Type, X), _)) ).
succ(X, Y) :- integer(X), !, ( X >= 0 -> true ; throw(error(type_error(not_less_than_zero, X), _)) ), Y is X+1.
succ(X, Y) :- integer(Y), !, ( Y > 0 -> true ; Y =:= 0 -> fail ; throw(error(type_error(not_less_than_zero, Y), _)) ), X is Y-1.
succ(X, Y) :- var(X), var(Y), !, throw(error(instantiation_error, _)).
succ(X, _) :- nonvar(X), !, throw(error(type_error(integer, X), _)).
succ(_, Y) :- throw(error(type_error(integer, Y), _)).
plus(X, Y, Z) :- nonvar(X), nonvar(Y), !, Z is X+Y.
plus(X, Y, Z) :- nonvar(X), nonvar(Z), !, Y is Z-X.
plus(X, Y, Z) :- X is Z-Y.
call_cleanup(G, C) :- setup_call_cleanup(true, G, C).
setup_call_cleanup(S, G, C) :- once(S), catch(G, E, true) -> ignore(C), ( nonvar(E) -> throw(E) ; true ) ; ignore(C), fail.

% ---- Collecting ----
findall(T, G, L) :- findall(T, G, L, []).
findall(T, G, L, Tail) :- '$bag_new'(B), '$collect'(B, T, G), '$bag_take'(B, L, Tail).
'$collect'(B, T, G) :- call(G), '$bag_add'(B, T), fail.
'$collect'(_, _, _).
aggregate_all(count, G, N) :- !, '$bag_new'(B), '$collect'(B, x, G), '$bag_count'(B, N).
aggregate_all(count(T), G, N) :- !, findall(T, G, L), length(L, N).
aggregate_all(sum(E), G, S) :- !, findall(E, G, L), sum_list(L, S).
aggregate_all(bag(E), G, L) :- !, findall(E, G, L).
aggregate_all(set(E), G, S) :- !, findall(E, G, L), sort(L, S).
aggregate_all(max(X-W), G, max(M, Wm)) :- !, aggregate_all(max(X, W), G, max(M, Wm)).
aggregate_all(max(X, W), G, max(M, Wm)) :- !, findall(X-W, G, L), L = [H|T], '$max_pair'(T, H, M-Wm).
aggregate_all(min(X, W), G, min(M, Wm)) :- !, findall(X-W, G, L), L = [H|T], '$min_pair'(T, H, M-Wm).
aggregate_all(max(E), G, M) :- !, findall(E, G, L), L = [H|T], foldl('$max', T, H, M0), M is M0.
aggregate_all(min(E), G, M) :- !, findall(E, G, L), L = [H|T], foldl('$min', T, H, M0), M is M0.
'$max'(X, Y, Z) :- Z is max(X, Y).
'$min'(X, Y, Z) :- Z is min(X, Y).
'$max_pair'([], M, M).
'$max_pair'([X-W|T], M0-W0, M) :- ( X > M0 -> '$max_pair'(T, X-W, M) ; '$max_pair'(T, M0-W0, M) ).
'$min_pair'([], M, M).
'$min_pair'([X-W|T], M0-W0, M) :- ( X < M0 -> '$min_pair'(T, X-W, M) ; '$min_pair'(T, M0-W0, M) ).
bagof(T, G, L) :- '$free_variables'(T, G, Inner, Free), '$bagof'(Free, T, Inner, L).
'$bagof'([], T, G, L) :- !, findall(T, G, L), L \== [].
'$bagof'(Free, T, G, L) :- W =.. [v|Free], findall(W-T, G, Pairs), Pairs \== [], keysort(Pairs, Sorted), '$groups'(Sorted, Groups), member(W-L, Groups).
'$groups'([], []).
'$groups'([W-T|Rest], [W-[T|Ts]|Groups]) :- '$same'(Rest, W, Ts, Left), '$groups'(Left, Groups).
'$same'([V-T|Rest], W, [T|Ts], Left) :- V =@= W, !, V = W, '$same'(Rest, W, Ts, Left).
'$same'(Rest, _, [], Rest).
setof(T, G, S) :- bagof(T, G, L), sort(L, S).
_ ^ G :- call(G).

% ---- Lists ----
append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
append(Ls, L) :- '$append'(Ls, L).
'$append'([], []).
'$append'([L|Ls], R) :- append(L, R0, R), '$append'(Ls, R0).
member(X, [Y|Ys]) :- '$member'(Ys, X, Y).
'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).
memberchk(X, L) :- member(X, L), !.
length(L, N) :- '$length'(L, N0), !, N = N0.
length(L, N) :- integer(N), !, N >= 0, '$make_list'(N, L).
length(L, N) :- var(N), !, '$skip'(L, 0, T, K), '$partial'(T), '$lengths'(T, K, N).
length(_, N) :- throw(error(type_error(integer, N), _)).
'$partial'(T) :- var(T), !.
'$partial'(T) :- throw(error(type_error(list, T), _)).
'$skip'(L, N, L, N) :- var(L), !.
'$skip'([_|T], N, R, K) :- !, N1 is N+1, '$skip'(T, N1, R, K).
'$skip'(L, N, L, N).
'$make_list'(N, L) :- N =:= 0, !, L = [].
'$make_list'(N, [_|T]) :- N1 is N-1, '$make_list'(N1, T).
'$lengths'([], N, N).
'$lengths'([_|T], N0, N) :- N1 is N0+1, '$lengths'(T, N1, N).
reverse(L, R) :- '$reverse'(L, [], R).
'$reverse'([], A, A).
'$reverse'([H|T], A, R) :- '$reverse'(T, [H|A], R).
nth0(I, L, E) :- '$nth'(I, L, E, 0).
nth1(I, L, E) :- '$nth'(I, L, E, 1).
'$nth'(I, L, E, B) :- integer(I), !, K is I-B, K >= 0, '$nth_at'(K, L, E).
'$nth'(I, [H|T], E, B) :- var(I), '$nth_any'(T, H, E, B, I).
'$nth_at'(0, [E|_], E) :- !.
'$nth_at'(K, [_|T], E) :- K1 is K-1, '$nth_at'(K1, T, E).
'$nth_any'(_, H, H, I, I).
'$nth_any'([H|T], _, E, I0, I) :- I1 is I0+1, '$nth_any'(T, H, E, I1, I).
nth0(I, L, E, R) :- '$nth_rest'(I, L, E, R, 0).
nth1(I, L, E, R) :- '$nth_rest'(I, L, E, R, 1).
'$nth_rest'(I, L, E, R, B) :- integer(I), !, K is I-B, K >= 0, '$nth_cut'(K, L, E, R).
'$nth_rest'(I, L, E, R, B) :- '$nth_gen'(L, E, R, B, I).
'$nth_cut'(0, [E|R], E, R) :- !.
'$nth_cut'(K, [H|T], E, [H|R]) :- K1 is K-1, '$nth_cut'(K1, T, E, R).
'$nth_gen'([E|R], E, R, I, I).
'$nth_gen'([H|T], E, [H|R], I0, I) :- I1 is I0+1, '$nth_gen'(T, E, R, I1, I).
last([X], Y) :- !, X = Y.
last([_|T], X) :- last(T, X).
sum_list(L, S) :- '$sum'(L, 0, S).
sumlist(L, S) :- '$sum'(L, 0, S).
'$sum'([], S, S).
'$sum'([H|T], S0, S) :- S1 is S0+H, '$sum'(T, S1, S).
max_list([H|T], M) :- foldl('$max', T, H, M).
min_list([H|T], M) :- foldl('$min', T, H, M).
max_member(M, L) :- '$max_member'(L, M).
'$max_member'([H|T], M) :- foldl('$max_std', T, H, M).
'$max_std'(X, Y, Z) :- ( X @> Y -> Z = X ; Z = Y ).
min_member(M, [H|T]) :- foldl('$min_std', T, H, M).
'$min_std'(X, Y, Z) :- ( X @< Y -> Z = X ; Z = Y ).
numlist(L, H, R) :- L > H, !, R = [].
numlist(L, H, [L|T]) :- L1 is L+1, numlist(L1, H, T).
select(X, [X|T], T).
select(X, [H|T], [H|R]) :- select(X, T, R).
selectchk(X, L, R) :- select(X, L, R), !.
select(X, Xs, Y, Ys) :- '$select4'(Xs, X, Y, Ys).
'$select4'([X|T], X, Y, [Y|T]).
'$select4'([H|T], X, Y, [H|T2]) :- '$select4'(T, X, Y, T2).
exclude(P, L, R) :- '$exclude'(L, P, R).
'$exclude'([], _, []).
'$exclude'([H|T], P, R) :- ( call(P, H) -> R = R1 ; R = [H|R1] ), '$exclude'(T, P, R1).
include(P, L, R) :- '$include'(L, P, R).
'$include'([], _, []).
'$include'([H|T], P, R) :- ( call(P, H) -> R = [H|R1] ; R = R1 ), '$include'(T, P, R1).
partition(P, L, I, E) :- '$partition'(L, P, I, E).
'$partition'([], _, [], []).
'$partition'([H|T], P, I, E) :- ( call(P, H) -> I = [H|I1], E = E1 ; I = I1, E = [H|E1] ), '$partition'(T, P, I1, E1).
maplist(G, L) :- '$map'(L, G).
'$map'([], _).
'$map'([A|As], G) :- call(G, A), '$map'(As, G).
maplist(G, L, M) :- '$map'(L, M, G).
'$map'([], [], _).
'$map'([A|As], [B|Bs], G) :- call(G, A, B), '$map'(As, Bs, G).
maplist(G, L, M, N) :- '$map'(L, M, N, G).
'$map'([], [], [], _).
'$map'([A|As], [B|Bs], [C|Cs], G) :- call(G, A, B, C), '$map'(As, Bs, Cs, G).
maplist(G, L, M, N, O) :- '$map'(L, M, N, O, G).
'$map'([], [], [], [], _).
'$map'([A|As], [B|Bs], [C|Cs], [D|Ds], G) :- call(G, A, B, C, D), '$map'(As, Bs, Cs, Ds, G).
foldl(G, L, A, R) :- '$fold'(L, G, A, R).
'$fold'([], _, A, A).
'$fold'([X|Xs], G, A, R) :- call(G, X, A, B), '$fold'(Xs, G, B, R).
foldl(G, L, M, A, R) :- '$fold'(L, M, G, A, R).
'$fold'([], [], _, A, A).
'$fold'([X|Xs], [Y|Ys], G, A, R) :- call(G, X, Y, A, B), '$fold'(Xs, Ys, G, B, R).
foldl(G, L, M, N, A, R) :- '$fold'(L, M, N, G, A, R).
'$fold'([], [], [], _, A, A).
'$fold'([X|Xs], [Y|Ys], [Z|Zs], G, A, R) :- call(G, X, Y, Z, A, B), '$fold'(Xs, Ys, Zs, G, B, R).
delete([], _, []).
delete([H|T], X, R) :- ( H \= X -> R = [H|R1] ; R = R1 ), delete(T, X, R1).
subtract([], _, []).
subtract([H|T], L, R) :- ( memberchk(H, L) -> R = R1 ; R = [H|R1] ), subtract(T, L, R1).
intersection([], _, []).
intersection([H|T], L, R) :- ( memberchk(H, L) -> R = [H|R1] ; R = R1 ), intersection(T, L, R1).
union([], L, L).
union([H|T], L, R) :- ( memberchk(H, L) -> R = R1 ; R = [H|R1] ), union(T, L, R1).
subset([], _).
subset([H|T], L) :- memberchk(H, L), subset(T, L).
permutation(L, P) :- is_list(L), !, '$perm'(L, P).
permutation(L, P) :- is_list(P), length(P, N), length(L, N), '$perm'(P, L).
'$perm'([], []).
'$perm'(L, [H|T]) :- select(H, L, R), '$perm'(R, T).
flatten(L, F) :- '$flatten'(L, [], F0), !, F = F0.
'$flatten'(V, T, [V|T]) :- var(V), !.
'$flatten'([], T, T) :- !.
'$flatten'([H|R], T, F) :- !, '$flatten'(H, F1, F), '$flatten'(R, T, F1).
'$flatten'(X, T, [X|T]).
pairs_keys_values([], [], []).
pairs_keys_values([K-V|T], [K|Ks], [V|Vs]) :- pairs_keys_values(T, Ks, Vs).
pairs_keys([], []).
pairs_keys([K-_|T], [K|Ks]) :- pairs_keys(T, Ks).
pairs_values([], []).
pairs_values([_-V|T], [V|Vs]) :- pairs_values(T, Vs).
list_to_ord_set(L, S) :- sort(L, S).
ord_union(A, B, C) :- append(A, B, L), sort(L, C).
ord_subtract(A, B, C) :- exclude([X]>>memberchk(X, B), A, C).
ord_memberchk(X, L) :- memberchk(X, L).
ord_insert(S, X, R) :- ord_union(S, [X], R).
ord_subset(A, B) :- subset(A, B).
predsort(P, L, S) :- length(L, N), ( N =:= 0 -> S = [] ; '$predsort'(P, N, L, _, S) ).
'$predsort'(_, 1, [X|L], L, [X]) :- !.
'$predsort'(P, 2, [X,Y|L], L, S) :- !, call(P, O, X, Y), '$sort2'(O, X, Y, S).
'$predsort'(P, N, L0, L, S) :- N1 is N//2, N2 is N-N1, '$predsort'(P, N1, L0, L1, S1), '$predsort'(P, N2, L1, L, S2), '$predmerge'(P, S1, S2, S).
'$sort2'(<, X, Y, [X,Y]).
'$sort2'(=, X, _, [X]).
'$sort2'(>, X, Y, [Y,X]).
'$predmerge'(_, [], R, R) :- !.
'$predmerge'(_, R, [], R) :- !.
'$predmerge'(P, [H1|T1], [H2|T2], R) :- call(P, O, H1, H2), !, '$predmerge'(O, P, H1, H2, T1, T2, R).
'$predmerge'(<, P, H1, H2, T1, T2, [H1|R]) :- '$predmerge'(P, T1, [H2|T2], R).
'$predmerge'(=, P, H1, _, T1, T2, [H1|R]) :- '$predmerge'(P, T1, T2, R).
'$predmerge'(>, P, H1, H2, T1, T2, [H2|R]) :- '$predmerge'(P, [H1|T1], T2, R).

% ---- Lambda ----
'>>'(Ps, B) :- '$lambda'(Ps>>B, _, B1, _), call(B1).
'>>'(Ps, B, A1) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1], Rest), '$apply'(B1, Rest).
'>>'(Ps, B, A1, A2) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1,A2], Rest), '$apply'(B1, Rest).
'>>'(Ps, B, A1, A2, A3) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1,A2,A3], Rest), '$apply'(B1, Rest).
'>>'(Ps, B, A1, A2, A3, A4) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1,A2,A3,A4], Rest), '$apply'(B1, Rest).
'>>'(Ps, B, A1, A2, A3, A4, A5) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1,A2,A3,A4,A5], Rest), '$apply'(B1, Rest).
'$bind'([P|Ps], [A|As], Rest) :- !, P = A, '$bind'(Ps, As, Rest).
'$bind'(_, Rest, Rest).
'$apply'(G, []) :- !, call(G).
'$apply'(G, Rest) :- G =.. L0, append(L0, Rest, L1), G1 =.. L1, call(G1).

% ---- Terms ----
arg(N, T, A) :- integer(N), !, '$arg'(N, T, A).
arg(N, T, A) :- var(N), !, functor(T, _, M), between(1, M, N), '$arg'(N, T, A).
arg(N, _, _) :- throw(error(type_error(integer, N), _)).
subsumes_term(G, S) :- \+ \+ ( term_variables(S, V1), G = S, term_variables(V1, V2), V1 == V2 ).
numbervars(T) :- numbervars(T, 0, _).
tab(_, N) :- tab(N).
nl(_) :- nl.
write(_, T) :- write(T).
writeln(_, T) :- writeln(T).
writeq(_, T) :- writeq(T).
print(_, T) :- print(T).
put_char(_, C) :- put_char(C).
write_term(T, O) :- '$write_term'(T, O).
write_term(_, T, O) :- '$write_term'(T, O).
print_message(_, _).
print_message_lines(_, _, _).
flush_output.
flush_output(_).
read(end_of_file).
read_term(end_of_file, _).
format(S, F, A) :- nonvar(S), '$format_to'(S, F, A), !.
format(_, F, A) :- format(F, A).
'$format_to'(atom(X), F, A) :- '$format'(S, F, A), atom_string(X, S).
'$format_to'(string(S), F, A) :- '$format'(S, F, A).
'$format_to'(codes(C), F, A) :- '$format'(S, F, A), string_codes(S, C).
'$format_to'(chars(C), F, A) :- '$format'(S, F, A), string_chars(S, C).
sformat(S, F, A) :- '$format'(S, F, A).
with_output_to(Sink, G) :- '$out_mark'(N), ( catch(G, E, true) -> '$out_take'(N, S), ( nonvar(E) -> throw(E) ; '$sink'(Sink, S) ) ; '$out_take'(N, _), fail ).
'$sink'(atom(A), S) :- atom_string(A, S).
'$sink'(string(S), S).
'$sink'(codes(C), S) :- string_codes(S, C).
'$sink'(chars(C), S) :- string_chars(S, C).

% ---- Texts ----
atom_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$concat'(A, B, C, atom).
atom_concat(A, B, C) :- atom_length(C, _), sub_atom(C, 0, L, R, A), sub_atom(C, L, R, 0, B).
string_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$concat'(A, B, C, string).
string_concat(A, B, C) :- string_length(C, _), sub_string(C, 0, L, R, A), sub_string(C, L, R, 0, B).
sub_string(T, B, L, A, S) :- '$sub_text'(T, B, L, A, S, string-All), ( var(S) -> S1 = S ; text_to_string(S, S1) ), member(s(B, L, A, S1), All).
sub_atom(T, B, L, A, S) :- '$sub_text'(T, B, L, A, S, atom-All), member(s(B, L, A, S), All).
char_type(C, T) :- nonvar(C), !, '$char_type'(C, T).
char_type(C, digit(W)) :- between(0, 9, W), K is W+48, char_code(C, K).
code_type(C, T) :- '$char_type'(C, T).
normalize_space(Sink, T) :- text_to_string(T, S0), normalize_space_text(S0, A), atom_string(A, S), '$sink'(Sink, S).
read_term_from_atom(A, T, _) :- term_to_atom(T, A).

% ---- The database ----
clause(H, B) :- '$clauses'(H, Refs), member(R, Refs), '$clause'(R, H, B).
retract(C) :- '$split'(C, H, B), '$clauses'(H, Refs), member(R, Refs), '$clause'(R, H, B), '$erase'(R).
'$split'(C, _, _) :- var(C), !, throw(error(instantiation_error, _)).
'$split'((H :- B), H, B) :- !.
'$split'(H, H, true).
retractall(H) :- functor(H, N, A), '$declare_if_new'(N/A), '$retract_all'(H).
'$declare_if_new'(PI) :- '$known'(PI), !.
'$declare_if_new'(PI) :- dynamic(PI).
'$known'(N/A) :- functor(H, N, A), '$property'(H, _).
'$retract_all'(H) :- '$clauses'(H, Refs), member(R, Refs), \+ \+ '$clause'(R, H, _), '$erase'(R), fail.
'$retract_all'(_).
abolish(PI) :- '$abolish'(PI).
dynamic(L) :- '$each_pi'(L, dynamic).
discontiguous(L) :- '$each_pi'(L, discontiguous).
table(L) :- '$each_pi'(L, table).
'$each_pi'(V, _) :- var(V), !, throw(error(instantiation_error, _)).
'$each_pi'([], _) :- !.
'$each_pi'([H|T], W) :- !, '$each_pi'(H, W), '$each_pi'(T, W).
'$each_pi'((A, B), W) :- !, '$each_pi'(A, W), '$each_pi'(B, W).
'$each_pi'(_:PI, W) :- !, '$each_pi'(PI, W).
'$each_pi'(T, table) :- !, '$table'(T).
'$each_pi'(PI, W) :- '$declare'(W, PI).
current_predicate(PI) :- nonvar(PI), PI = _:P, !, current_predicate(P).
current_predicate(PI) :- ( var(PI) -> true ; PI = _/_ -> true ; throw(error(type_error(predicate_indicator, PI), _)) ), '$predicates'(L), member(PI, L), '$has_clauses'(PI).
'$has_clauses'(N/A) :- functor(H, N, A), '$property'(H, Ps), memberchk(number_of_clauses(K), Ps), K > 0.
predicate_property(H, P) :- nonvar(H), '$property'(H, Ps), member(P, Ps).
current_op(P, T, N) :- '$operators'(L), member(op(P, T, N), L).
set_prolog_flag(F, V) :- '$set_flag'(F, V).
current_prolog_flag(F, V) :- nonvar(F), !, '$flag'(F, V).
current_prolog_flag(F, V) :- member(F, [double_quotes,unknown,occurs_check,bounded,max_integer,min_integer]), '$flag'(F, V).
use_module(_).
use_module(_, _).
ensure_loaded(_).
set_stream(_, _).
style_check(_).
module(_, _).

% ---- Tabling ----
% Answers that predicates of the program bring together.
'$table_join'(Id, Key, Log, Ms, Olds, News) :- '$table_values'(Ms, Olds, News, Vs), Vs \== Olds, '$table_put'(Id, Key, Log, News, Vs).
'$table_values'([], [], [], []).
'$table_values'([M|Ms], [O|Os], [N|Ns], [V|Vs]) :- '$table_value'(M, O, N, V), !, '$table_values'(Ms, Os, Ns, Vs).
'$table_value'(lattice(P), O, N, V) :- call(P, O, N, V), !.
'$table_value'(po(P), O, N, N) :- call(P, O, N), !.
'$table_value'(min, O, N, N) :- N @< O.
'$table_value'(max, O, N, N) :- N @> O.
'$table_value'(sum, O, N, V) :- V is O+N.
'$table_value'(last, _, N, N).
'$table_value'(_, O, _, O).

% ---- Grammars ----
phrase(B, L) :- phrase(B, L, []).
phrase(B, L, R) :- var(B), !, throw(error(instantiation_error, _)), L = R.
phrase(B, L, R) :- '$dcg_body'(B, S0, S, G), S0 = L, S = R, call(G).
dcg_translate_rule(R, C) :- '$dcg_rule'(R, C).
'$dcg_rule'((H, P --> B), (H1 :- G)) :- nonvar(H), !, '$dcg_extend'(H, S0, S, H1), '$dcg_body'(B, S0, S1, G1), '$dcg_terminals'(P, S, S1, G2), G = (G1, G2).
'$dcg_rule'((H --> B), (H1 :- G)) :- '$dcg_extend'(H, S0, S, H1), '$dcg_body'(B, S0, S, G).
'$dcg_extend'(V, _, _, _) :- var(V), !, throw(error(instantiation_error, _)).
'$dcg_extend'(H, S0, S, H1) :- callable(H), !, H =.. L0, append(L0, [S0, S], L1), H1 =.. L1.
'$dcg_extend'(H, _, _, _) :- throw(error(type_error(callable, H), _)).
'$dcg_body'(V, S0, S, phrase(V, S0, S)) :- var(V), !.
'$dcg_body'((A, B), S0, S, (G, H)) :- !, '$dcg_body'(A, S0, S1, G), '$dcg_body'(B, S1, S, H).
'$dcg_body'((A ; B), S0, S, (G ; H)) :- !, '$dcg_body'(A, S0, S, G), '$dcg_body'(B, S0, S, H).
'$dcg_body'((A | B), S0, S, (G ; H)) :- !, '$dcg_body'(A, S0, S, G), '$dcg_body'(B, S0, S, H).
'$dcg_body'((A -> B), S0, S, (G -> H)) :- !, '$dcg_body'(A, S0, S1, G), '$dcg_body'(B, S1, S, H).
'$dcg_body'((A *-> B), S0, S, (G *-> H)) :- !, '$dcg_body'(A, S0, S1, G), '$dcg_body'(B, S1, S, H).
'$dcg_body'(\+ A, S0, S, (\+ G, S0 = S)) :- !, '$dcg_body'(A, S0, _, G).
'$dcg_body'(!, S0, S, (!, S0 = S)) :- !.
'$dcg_body'([], S0, S, S0 = S) :- !.
'$dcg_body'({G}, S0, S, (G, S0 = S)) :- !.
'$dcg_body'(L, S0, S, G) :- is_list(L), !, '$dcg_terminals'(L, S0, S, G).
'$dcg_body'(L, S0, S, G) :- string(L), !, string_codes(L, Cs), '$dcg_terminals'(Cs, S0, S, G).
'$dcg_body'(call(G, As), S0, S, call(G, As, S0, S)) :- !.
'$dcg_body'(call(G), S0, S, call(G, S0, S)) :- !.
'$dcg_body'(A, S0, S, G) :- '$dcg_extend'(A, S0, S, G).
'$dcg_terminals'(L, S0, S, S0 = Full) :- append(L, S, Full).
