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
apply(G, Args) :- '$must_callable'(G), G =.. L0, append(L0, Args, L1), G2 =.. L1, call(G2).
repeat.
repeat :- repeat.
between(L, H, X) :- '$must_int'(L), '$upper'(H), ( integer(X) -> X >= L, '$within'(H, X) ; var(X) -> '$within'(H, L), '$between'(L, H, X) ; '$must_int'(X) ).
'$upper'(H) :- ( H == inf -> true ; H == infinite -> true ; '$must_int'(H) ).
'$within'(H, X) :- ( integer(H) -> X =< H ; true ).
'$between'(L, H, X) :- L == H, !, X = L.
'$between'(L, _, L).
'$between'(L, H, X) :- L1 is L+1, '$between'(L1, H, X).
'$must_int'(X) :- integer(X), !.
'$must_int'(X) :- var(X), !, throw(error(instantiation_error, _)).
'$must_int'(X) :- throw(error(type_error(integer, X), _)).
succ(X, Y) :- integer(X), !, ( X >= 0 -> true ; throw(error(domain_error(not_less_than_zero, X), _)) ), Y is X+1.
succ(X, Y) :- integer(Y), !, ( Y > 0 -> true ; Y =:= 0 -> fail ; throw(error(domain_error(not_less_than_zero, Y), _)) ), X is Y-1.
succ(X, Y) :- var(X), var(Y), !, throw(error(instantiation_error, _)).
succ(X, _) :- nonvar(X), !, throw(error(type_error(integer, X), _)).
succ(_, Y) :- throw(error(type_error(integer, Y), _)).
plus(X, Y, Z) :- nonvar(X), nonvar(Y), !, '$must_int'(X), '$must_int'(Y), Z is X+Y.
plus(X, Y, Z) :- nonvar(X), nonvar(Z), !, '$must_int'(X), '$must_int'(Z), Y is Z-X.
plus(X, Y, Z) :- '$must_int'(Y), '$must_int'(Z), X is Z-Y.
divmod(A, B, Q, R) :- Q is div(A, B), R is mod(A, B).
nth_integer_root_and_remainder(N, I, Root, Rest) :- '$must_int'(N), '$must_int'(I), ( N > 0 -> true ; throw(error(domain_error(not_less_than_one, N), _)) ), '$root'(N, I, Root), Rest is I-Root^N.
'$root'(N, I, Root) :- I < 0, !, ( N mod 2 =:= 0 -> throw(error(evaluation_error(undefined), _)) ; J is -I, '$root'(N, J, R), Root is -R ).
'$root'(N, I, Root) :- H is 1 << (msb(I+1)//N+1), '$root'(0, H, N, I, Root).
'$root'(L, H, _, _, L) :- H =< L+1, !.
'$root'(L, H, N, I, R) :- M is (L+H)//2, ( M^N =< I -> '$root'(M, H, N, I, R) ; '$root'(L, M, N, I, R) ).
call_cleanup(G, C) :- setup_call_cleanup(true, G, C).
setup_call_cleanup(S, G, C) :- setup_call_catcher_cleanup(S, G, _, C).
setup_call_catcher_cleanup(S, G, Catcher, C) :- once(S), '$must_callable'(C), '$guarded'(G, Catcher, C).
'$guarded'(G, Catcher, C) :- '$cleanup'(C, Catcher, Level), call(G), '$cleanup_exit'(Level, Done), ( Done == true -> ignore('$clean'(Catcher, exit, C)) ; true ).
'$clean'(Reason, Reason, C) :- call(C), !.
'$must_callable'(C) :- var(C), !, throw(error(instantiation_error, _)).
'$must_callable'(C) :- callable(C), !.
'$must_callable'(C) :- throw(error(type_error(callable, C), _)).
assertion(G) :- \+ \+ catch(G, _, fail), !.
assertion(G) :- throw(error(assertion_failed(G), _)).
flag(Key, Old, New) :- '$must_be'(atom, Key), atom_concat('$flag ', Key, K), catch(nb_getval(K, Old0), _, Old0 = 0), Old = Old0, Value is New, nb_setval(K, Value).
gensym(Base, Name) :- atom_concat('gensym ', Base, K), flag(K, N, N+1), N1 is N+1, atom_concat(Base, N1, Name).
reset_gensym(Base) :- atom_concat('gensym ', Base, K), flag(K, _, 0).

% ---- Collecting ----
findall(T, G, L) :- findall(T, G, L, []).
findall(T, G, L, Tail) :- '$list_or_partial'(L), '$bag_new'(B), '$collect'(B, T, G), '$bag_take'(B, L, Tail).
'$collect'(B, T, G) :- call(G), '$bag_add'(B, T), fail.
'$collect'(_, _, _).
bagof(T, G, L) :- '$list_or_partial'(L), '$free_variables'(T, G, Inner, Free), '$bagof'(Free, T, Inner, L).
'$bagof'([], T, G, L) :- !, findall(T, G, L), L \== [].
'$bagof'(Free, T, G, L) :- W =.. [v|Free], findall(W-T, G, Pairs), Pairs \== [], keysort(Pairs, Sorted), '$groups'(Sorted, Groups), member(W-L, Groups).
'$groups'([], []).
'$groups'([W-T|Rest], [W-[T|Ts]|Groups]) :- '$same'(Rest, W, Ts, Left), '$groups'(Left, Groups).
'$same'([V-T|Rest], W, [T|Ts], Left) :- V =@= W, !, V = W, '$same'(Rest, W, Ts, Left).
'$same'(Rest, _, [], Rest).
setof(T, G, S) :- bagof(T, G, L), sort(L, S).
'$list_or_partial'(L) :- '$skip'(L, T, _), ( var(T) -> true ; T == [] -> true ; throw(error(type_error(list, L), _)) ).

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
length(L, N) :- '$length'(L, N0), !, ( var(N) -> N = N0 ; integer(N) -> N = N0 ; throw(error(type_error(integer, N), _)) ).
length(L, N) :- '$skip'(L, T, K), '$length'(L, N, T, K).
'$length'(L, N, T, K) :- var(T), !, ( integer(N) -> '$natural'(N), R is N-K, R >= 0, '$make_list'(R, T) ; var(N) -> T \== N, '$lengths'(T, K, N) ; throw(error(type_error(integer, N), _)) ), L = L.
'$length'(L, N, T, _) :- ( var(N) ; integer(N) ), !, ( T == [] -> fail ; throw(error(type_error(list, L), _)) ).
'$length'(_, N, _, _) :- throw(error(type_error(integer, N), _)).
'$natural'(N) :- N >= 0, !.
'$natural'(N) :- throw(error(domain_error(not_less_than_zero, N), _)).
'$make_list'(N, L) :- N =:= 0, !, L = [].
'$make_list'(N, [_|T]) :- N1 is N-1, '$make_list'(N1, T).
'$lengths'([], N, N).
'$lengths'([_|T], N0, N) :- N1 is N0+1, '$lengths'(T, N1, N).
reverse(L, R) :- '$reverse'(L, [], R).
'$reverse'([], A, A).
'$reverse'([H|T], A, R) :- '$reverse'(T, [H|A], R).
nth0(I, L, E) :- '$index'(I), '$nth'(I, L, E, 0).
nth1(I, L, E) :- '$index'(I), '$nth'(I, L, E, 1).
'$index'(I) :- var(I), !.
'$index'(I) :- '$must_int'(I).
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
last([X|Xs], L) :- '$last'(Xs, X, L).
'$last'([], L, L).
'$last'([X|Xs], _, L) :- '$last'(Xs, X, L).
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
numlist(L, H, R) :- '$must_int'(L), '$must_int'(H), L =< H, '$numlist'(L, H, R).
'$numlist'(H, H, R) :- !, R = [H].
'$numlist'(L, H, [L|T]) :- L1 is L+1, '$numlist'(L1, H, T).
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
maplist(G, L, M, N, O, P) :- '$map'(L, M, N, O, P, G).
'$map'([], [], [], [], [], _).
'$map'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], G) :- call(G, A, B, C, D, E), '$map'(As, Bs, Cs, Ds, Es, G).
maplist(G, L, M, N, O, P, Q) :- '$map'(L, M, N, O, P, Q, G).
'$map'([], [], [], [], [], [], _).
'$map'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], G) :- call(G, A, B, C, D, E, F), '$map'(As, Bs, Cs, Ds, Es, Fs, G).
foldl(G, L, A, R) :- '$fold'(L, G, A, R).
'$fold'([], _, A, A).
'$fold'([X|Xs], G, A, R) :- call(G, X, A, B), '$fold'(Xs, G, B, R).
foldl(G, L, M, A, R) :- '$fold'(L, M, G, A, R).
'$fold'([], [], _, A, A).
'$fold'([X|Xs], [Y|Ys], G, A, R) :- call(G, X, Y, A, B), '$fold'(Xs, Ys, G, B, R).
foldl(G, L, M, N, O, A, R) :- '$fold'(L, M, N, O, G, A, R).
'$fold'([], [], [], [], _, A, A).
'$fold'([X|Xs], [Y|Ys], [Z|Zs], [W|Ws], G, A, R) :- call(G, X, Y, Z, W, A, B), '$fold'(Xs, Ys, Zs, Ws, G, B, R).
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
transpose_pairs(Ps, Ts) :- '$flip'(Ps, Fs), keysort(Fs, Ts).
'$flip'([], []).
'$flip'([K-V|T], [V-K|R]) :- '$flip'(T, R).
map_list_to_pairs(F, L, Ps) :- '$keyed'(L, F, Ps).
'$keyed'([], _, []).
'$keyed'([H|T], F, [K-H|R]) :- call(F, H, K), '$keyed'(T, F, R).
convlist(G, L, R) :- '$convlist'(L, G, R).
'$convlist'([], _, []).
'$convlist'([X|Xs], G, R) :- ( call(G, X, Y) -> R = [Y|R1] ; R = R1 ), '$convlist'(Xs, G, R1).
partition(P, L, Less, Equal, Greater) :- '$partition'(L, P, Less, Equal, Greater).
'$partition'([], _, [], [], []).
'$partition'([H|T], P, L, E, G) :- call(P, H, O), '$part'(O, H, L, E, G, L1, E1, G1), '$partition'(T, P, L1, E1, G1).
'$part'(<, H, [H|L], E, G, L, E, G).
'$part'(=, H, L, [H|E], G, L, E, G).
'$part'(>, H, L, E, [H|G], L, E, G).
nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|T]) :- nextto(X, Y, T).
same_length([], []).
same_length([_|A], [_|B]) :- same_length(A, B).
proper_length(L, N) :- is_list(L), length(L, N).
is_set(L) :- is_list(L), length(L, N), sort(L, S), length(S, N).
is_ordset(L) :- is_list(L), sort(L, S), S == L.
ord_intersection(A, B, C, D) :- ord_intersection(A, B, C), ord_subtract(B, A, D).
ord_intersection([L|Ls], S) :- foldl('$ord_meet', Ls, L, S).
'$ord_meet'(A, B, C) :- ord_intersection(B, A, C).
ord_union(A, B, C, New) :- ord_union(A, B, C), ord_subtract(B, A, New).
ord_symdiff(A, B, C) :- ord_subtract(A, B, D), ord_subtract(B, A, E), ord_union(D, E, C).
ord_selectchk(X, S, R) :- ord_memberchk(X, S), ord_subtract(S, [X], R).
max_member(P, M, [H|T]) :- foldl('$max_by'(P), T, H, M).
'$max_by'(P, X, Y, Z) :- ( call(P, Y, X) -> Z = X ; Z = Y ).
min_member(P, M, [H|T]) :- foldl('$min_by'(P), T, H, M).
'$min_by'(P, X, Y, Z) :- ( call(P, X, Y) -> Z = X ; Z = Y ).
clumped([], []).
clumped([H|T], [H-N|R]) :- '$clump'(T, H, 1, N, Rest), clumped(Rest, R).
'$clump'([X|Xs], H, N0, N, Rest) :- X == H, !, N1 is N0+1, '$clump'(Xs, H, N1, N, Rest).
'$clump'(Rest, _, N, N, Rest).
list_to_ord_set(L, S) :- sort(L, S).
ord_empty([]).
ord_union(Ls, S) :- append(Ls, L), sort(L, S).
ord_add_element(S, X, R) :- ord_union(S, [X], R).
ord_del_element(S, X, R) :- ord_subtract(S, [X], R).
ord_intersection(A, B, C) :- '$ord_subtract'(A, B, D), '$ord_subtract'(A, D, C).
ord_seteq(A, B) :- A == B.
ord_disjoint(A, B) :- ord_intersection(A, B, []).
ord_intersect(A, B) :- \+ ord_disjoint(A, B).
ord_union(A, B, C) :- append(A, B, L), sort(L, C).
ord_subtract(A, B, C) :- '$ord_subtract'(A, B, C).
'$ord_subtract'([], _, []).
'$ord_subtract'([X|Xs], B, C) :- '$ord_skip'(B, X, B1, O), ( O == (=) -> C = C1 ; C = [X|C1] ), '$ord_subtract'(Xs, B1, C1).
% What is left of an ordered list from the first item that is not before X, and how X compares with it.
'$ord_skip'([], _, [], <).
'$ord_skip'([Y|Ys], X, B, O) :- compare(O1, X, Y), ( O1 == (>) -> '$ord_skip'(Ys, X, B, O) ; B = [Y|Ys], O = O1 ).
'$identical'(X, [Y|Ys]) :- ( X == Y -> true ; '$identical'(X, Ys) ).
ord_memberchk(X, L) :- '$ord_skip'(L, X, _, =).
ord_insert(S, X, R) :- ord_union(S, [X], R).
ord_subset(A, B) :- '$ord_subtract'(A, B, []).
predsort(P, L, S) :- '$must_be'(list, L), length(L, N), ( N =:= 0 -> S = [] ; '$predsort'(P, N, L, _, S) ).
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
'>>'(Ps, B, A1, A2, A3, A4, A5, A6) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1,A2,A3,A4,A5,A6], Rest), '$apply'(B1, Rest).
'>>'(Ps, B, A1, A2, A3, A4, A5, A6, A7) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1,A2,A3,A4,A5,A6,A7], Rest), '$apply'(B1, Rest).
'>>'(Ps, B, A1, A2, A3, A4, A5) :- '$lambda'(Ps>>B, Q, B1, _), '$bind'(Q, [A1,A2,A3,A4,A5], Rest), '$apply'(B1, Rest).
% Free/Lambda keeps the variables in Free, \X^Body renames X.
/(Free, L, A1) :- copy_term(Free/L, Free/L1), call(L1, A1).
/(Free, L, A1, A2) :- copy_term(Free/L, Free/L1), call(L1, A1, A2).
/(Free, L, A1, A2, A3) :- copy_term(Free/L, Free/L1), call(L1, A1, A2, A3).
/(Free, L, A1, A2, A3, A4) :- copy_term(Free/L, Free/L1), call(L1, A1, A2, A3, A4).
\(L, A1) :- '$renamed'(L, L1), call(L1, A1).
\(L, A1, A2) :- '$renamed'(L, L1), call(L1, A1, A2).
\(L, A1, A2, A3) :- '$renamed'(L, L1), call(L1, A1, A2, A3).
/(Free, L) :- copy_term(Free/L, Free/L1), call(L1).
'$renamed'(X^B, X1^B1) :- copy_term(X, B, X1, B1).
^(A1, B, A1) :- call(B).
^(A1, B, A1, A2) :- call(B, A2).
^(A1, B, A1, A2, A3) :- call(B, A2, A3).
^(A1, B, A1, A2, A3, A4) :- call(B, A2, A3, A4).
'$bind'([P|Ps], [A|As], Rest) :- !, P = A, '$bind'(Ps, As, Rest).
'$bind'(_, Rest, Rest).
'$apply'(G, []) :- !, call(G).
'$apply'(G, Rest) :- G =.. L0, append(L0, Rest, L1), G1 =.. L1, call(G1).

% ---- Terms ----
'$any_arg'(N, T, A) :- ( compound(T) -> functor(T, _, M), between(1, M, N), arg(N, T, A) ; arg(1, T, A) ).
subsumes_term(G, S) :- \+ \+ ( term_variables(S, V1), G = S, term_variables(V1, V2), V1 == V2 ).
numbervars(T) :- numbervars(T, 0, _).
numbervars(T, N0, N, Options0) :- '$named_options'(Options0, Options), '$numbervars_options'(Options), ( option(singletons(true), Options) -> term_singletons(T, Vs), '$all_equal'(Vs, '$VAR'('_')) ; true ), option(functor_name(F), Options, '$VAR'), ( F == '$VAR' -> numbervars(T, N0, N) ; term_variables(T, Ws), '$number_variables'(Ws, F, N0, N) ).
% An option without a value is one that is true.
'$named_options'(Os0, Os) :- ( is_list(Os0) -> '$named_each'(Os0, Os) ; Os = Os0 ).
'$named_each'([], []).
'$named_each'([O|Os], [P|Ps]) :- ( atom(O) -> P =.. [O, true] ; P = O ), '$named_each'(Os, Ps).
'$numbervars_options'(Os) :- '$must_be'(list, Os), \+ ( member(O, Os), \+ '$numbervars_option'(O) ).
'$numbervars_option'(O) :- '$option'(O, N, V), ( N == singletons -> '$must_be'(bool, V) ; true ).
'$all_equal'([], _).
'$all_equal'([X|Xs], X) :- '$all_equal'(Xs, X).
'$number_variables'([], _, N, N).
'$number_variables'([V|Vs], F, N0, N) :- V =.. [F, N0], N1 is N0+1, '$number_variables'(Vs, F, N1, N).
var_number('$VAR'(N), N).
varnumbers(T, C) :- varnumbers(T, 0, C).
varnumbers(T, Min, C) :- '$must_be'(integer, Min), '$varnumbers'(T, Min, C, t, _).
'$varnumbers'(T, _, T, A, A) :- ( var(T) ; atomic(T) ), !.
'$varnumbers'('$VAR'(N), Min, V, A0, A) :- integer(N), N >= Min, !, ( get_assoc(N, A0, V) -> A = A0 ; put_assoc(N, A0, V, A) ).
'$varnumbers'(T, Min, C, A0, A) :- compound_name_arguments(T, F, As), '$varnumbers_each'(As, Min, Bs, A0, A), compound_name_arguments(C, F, Bs).
'$varnumbers_each'([], _, [], A, A).
'$varnumbers_each'([X|Xs], Min, [Y|Ys], A0, A) :- '$varnumbers'(X, Min, Y, A0, A1), '$varnumbers_each'(Xs, Min, Ys, A1, A).
is_most_general_term(T) :- ( is_list(T) -> Vs = T ; compound(T) -> T \= [_|_], T =.. [_|Vs] ; atom(T), Vs = [] ), \+ ( member(V, Vs), nonvar(V) ), is_set(Vs).
subsumes(G, S) :- subsumes_term(G, S), G = S.
subsumes_chk(G, S) :- subsumes_term(G, S).
variant(A, B) :- A =@= B.
copy_term_nat(T, C) :- copy_term(T, C).
copy_term(Vs, T, Ws, C) :- term_variables(Vs, Own), term_variables(T, All), '$shared_variables'(All, Own, _, Kept), copy_term(Kept/Vs/T, Kept/Ws/C).
copy_term_nat(Vs, T, Ws, C) :- copy_term(Vs, T, Ws, C).
functor(T, N, A, Type) :- ( var(T) -> ( Type == compound -> compound_name_arity(T, N, A) ; functor(T, N, A) ) ; compound(T) -> Type = compound, compound_name_arity(T, N, A) ; functor(T, N, A), ( atom(T) -> Type = atom ; Type = atomic ) ).
'$skip_list'(N, L, T) :- '$skip'(L, T, N).
nonground(T, V) :- term_variables(T, [V|_]).
compound_name_arity(T, N, A) :- compound(T), !, compound_name_arguments(T, N, As), length(As, A).
compound_name_arity(T, N, A) :- var(T), !, '$must_int'(A), length(As, A), compound_name_arguments(T, N, As).
compound_name_arity(T, _, _) :- throw(error(type_error(compound, T), _)).

% ---- Texts ----
atom_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$concat'(A, B, C, atom).
atom_concat(A, B, C) :- '$must_be'(atomic, C), '$part'(A, P), '$part'(B, Q), sub_atom(C, 0, L, R, P), sub_atom(C, L, R, 0, Q).
'$part'(A, P) :- ( number(A) -> atom_number(P, A) ; P = A ).
string_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$concat'(A, B, C, string).
string_concat(A, B, C) :- '$must_be'(atomic, C), sub_string(C, 0, L, R, A), sub_string(C, L, R, 0, B).
sub_string(T, B, L, A, S) :- '$sub_text'(T, B, L, A, S, string-All), ( var(S) -> S1 = S ; text_to_string(S, S1) ), member(s(B, L, A, S1), All).
sub_atom(T, B, L, A, S) :- '$sub_text'(T, B, L, A, S, atom-All), ( string(S) -> atom_string(S1, S) ; S1 = S ), member(s(B, L, A, S1), All).
normalize_space(Sink, T) :- text_to_string(T, S0), normalize_space_text(S0, A), atom_string(A, S), '$sink'(Sink, S).
read_term_from_chars(A, T, Options) :- '$text_term'(A, T, Options).
read_term_from_atom(A, T, Options) :- '$text_term'(A, T, Options).
'$text_term'(A, T, Options) :- '$must_be'(nonvar, A), string_concat(A, "\n.", Text), open_string(Text, S), read_term(S, T, Options), close(S).
term_string(T, S, Options) :- ( var(S) -> term_string(T, S) ; '$text_term'(S, T, Options) ).
sformat(S, F, A) :- format(string(S), F, A).
atom_to_term(A, T, Bs) :- '$term_of'(A, T, Bs).
sformat(S, F) :- format(string(S), F, []).
concat_atom(L, A) :- atomic_list_concat(L, A).
concat_atom(L, S, A) :- atomic_list_concat(L, S, A).
atomics_to_string(L, S) :- atomic_list_concat(L, A), atom_string(A, S).
sub_atom_icasechk(Text, Start, Part) :- downcase_atom(Text, T), downcase_atom(Part, P), sub_atom(T, Start, _, _, P), !.
string_code(I, S, C) :- var(I), !, string_length(S, L), between(1, L, I), '$string_code'(I, S, C).
string_code(I, S, C) :- '$string_code'(I, S, C).
text_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$text_concat'(A, B, C).
text_concat(A, B, C) :- string(C), !, string_concat(A, B, C).
text_concat(A, B, C) :- atom_concat(A, B, C).
char_type(C, T) :- nonvar(C), !, '$char_type_of'(T, C, false).
char_type(C, T) :- nonvar(T), T = digit(_), !, between(48, 57, N), char_code(C, N), '$char_type'(C, T, false).
char_type(C, T) :- '$code'(N), '$char_type_of'(T, N, false), char_code(C, N).
code_type(C, T) :- nonvar(C), !, '$char_type_of'(T, C, true).
code_type(C, T) :- '$code'(C), '$char_type_of'(T, C, true).
'$char_type_of'(T, C, Code) :- nonvar(T), !, '$char_type'(C, T, Code).
'$char_type_of'(T, C, Code) :- member(T, [alnum,alpha,csym,csymf,ascii,white,cntrl,space,end_of_line,lower,upper,punct,graph,print,period,quote,paren,digit(_),xdigit(_),to_lower(_),to_upper(_),lower(_),upper(_)]), '$char_type'(C, T, Code).
'$code'(N) :- between(0, 55295, N).
'$code'(N) :- between(57344, 1114111, N).

% ---- Goals replaced while a text is loaded ----
'$expand_goals'((H :- B), (H :- C)) :- '$expand_goal'(B, C), B \== C.
'$expand_goal'(G, G) :- var(G), !.
'$expand_goal'(G, E) :- call(goal_expansion, G, F), G \== F, !, '$expand_goal'(F, E).
'$expand_goal'(G, E) :- '$goal_args'(G, Spec), !, G =.. [N|As], '$expand_args'(Spec, As, Bs), E =.. [N|Bs].
'$expand_goal'(G, G).
'$goal_args'((_, _), [g, g]). '$goal_args'((_ ; _), [g, g]). '$goal_args'((_ -> _), [g, g]). '$goal_args'((_ *-> _), [g, g]).
'$goal_args'(\+ _, [g]). '$goal_args'(call(_), [g]). '$goal_args'(once(_), [g]). '$goal_args'(ignore(_), [g]). '$goal_args'(forall(_, _), [g, g]).
'$goal_args'(findall(_, _, _), [t, g, t]). '$goal_args'(findall(_, _, _, _), [t, g, t, t]). '$goal_args'(aggregate_all(_, _, _), [t, g, t]).
'$goal_args'(catch(_, _, _), [g, t, g]). '$goal_args'(setup_call_cleanup(_, _, _), [g, g, g]). '$goal_args'(call_cleanup(_, _), [g, g]).
'$expand_args'([], [], []).
'$expand_args'([g|Ss], [A|As], [B|Bs]) :- !, '$expand_goal'(A, B), '$expand_args'(Ss, As, Bs).
'$expand_args'([_|Ss], [A|As], [A|Bs]) :- '$expand_args'(Ss, As, Bs).

% ---- The database ----
% A place and a generation stand for the clauses that are still to be tried: tidying up looks for calls of '$clause_one'.
clause(H, B) :- '$clause_body'(B), '$first_clause'(H, At, Gen), '$clause_from'(At, Gen, H, B, _).
'$clause_from'(At, Gen, H, B, R) :- '$next_clause'(H, At, Gen, R0, More), '$clause_one'(More, Gen, R0, H, B, R).
'$clause_one'([], _, R, H, B, R) :- !, '$clause'(R, H, B).
'$clause_one'(_, _, R, H, B, R) :- '$clause'(R, H, B).
'$clause_one'(At, Gen, _, H, B, R) :- '$clause_from'(At, Gen, H, B, R).
'$clause_body'(B) :- ( number(B) -> throw(error(type_error(callable, B), _)) ; true ).
clause(H, B, Ref) :- nonvar(Ref), !, ( Ref = '$clause'(R, At) -> '$clause_at'(R, At), '$clause'(R, H, B) ; throw(error(type_error(db_reference, Ref), _)) ).
clause(H, B, '$clause'(R, At)) :- '$first_clause'(H, From, Gen), '$clause_from'(From, Gen, H, B, R), '$clause_at'(R, At).
nth_clause(H, N, Ref) :- nonvar(Ref), !, Ref = '$clause'(R, At), '$clause_at'(R, At), '$clause'(R, H0, _), functor(H0, F, A), functor(H, F, A), '$clauses'(H, Refs), nth1(N, Refs, R).
nth_clause(H, N, '$clause'(R, At)) :- functor(H, F, A), functor(G, F, A), '$clauses'(G, Refs), nth1(N, Refs, R), '$clause_at'(R, At).
assert(C, Ref) :- assertz(C, Ref).
assertz(C, Ref) :- '$new_reference'(Ref), assertz(C), '$added'(R), '$reference'(R, Ref).
asserta(C, Ref) :- '$new_reference'(Ref), asserta(C), '$added'(R), '$reference'(R, Ref).
'$new_reference'(Ref) :- ( var(Ref) -> true ; throw(error(uninstantiation_error(Ref), _)) ).
'$reference'(R, '$clause'(R, At)) :- '$clause_at'(R, At).
retract(C) :- '$retract'(C, At, Gen), ( var(Gen) -> true ; '$split'(C, H, B), '$clause_from'(At, Gen, H, B, R), '$erase'(R) ).
'$split'(C, _, _) :- var(C), !, throw(error(instantiation_error, _)).
'$split'((H :- B), H, B) :- !.
'$split'(H, H, true).
retractall(H) :- '$must_callable'(H), '$plain'(H, H1), functor(H1, N, A), '$declare_if_new'(N/A), '$retract_all'(H1).
'$plain'(H, H1) :- ( H = _:H0 -> '$plain'(H0, H1) ; H1 = H ).
'$declare_if_new'(PI) :- '$known'(PI), !.
'$declare_if_new'(PI) :- dynamic(PI).
'$known'(N/A) :- functor(H, N, A), '$property'(H, _).
'$retract_all'(H) :- '$retract_each'(H), !.
'$retract_all'(H) :- '$first_clause'(H, At, Gen), '$clause_from'(At, Gen, H, _, R), '$erase'(R), fail.
'$retract_all'(_).
abolish(PI) :- '$abolish'(PI).
dynamic(L) :- '$each_pi'(L, dynamic).
discontiguous(L) :- '$each_pi'(L, discontiguous).
% There is one name space and one text at a time, so these declarations only have to be well formed.
multifile(L) :- '$each_pi'(L, discontiguous).
public(L) :- '$each_pi'(L, public).
volatile(L) :- '$each_pi'(L, volatile).
module_transparent(L) :- '$each_pi'(L, module_transparent).
thread_local(L) :- '$each_pi'(L, dynamic).
mode(M) :- meta_predicate(M).
meta_predicate(V) :- var(V), !, throw(error(instantiation_error, _)).
meta_predicate((A, B)) :- !, meta_predicate(A), meta_predicate(B).
meta_predicate([]) :- !.
meta_predicate([H|T]) :- !, meta_predicate(H), meta_predicate(T).
meta_predicate(_:H) :- !, meta_predicate(H).
meta_predicate(H) :- '$must_callable'(H).
initialization(G) :- call(G), !.
initialization(G, When) :- ( memberchk(When, [now, after_load, main, program, restore]) -> call(G), ! ; throw(error(domain_error(initialization_type, When), _)) ).

table(L) :- '$each_pi'(L, table).
'$each_pi'(V, _) :- var(V), !, throw(error(instantiation_error, _)).
'$each_pi'([], _) :- !.
'$each_pi'([H|T], W) :- !, '$each_pi'(H, W), '$each_pi'(T, W).
'$each_pi'((A, B), W) :- !, '$each_pi'(A, W), '$each_pi'(B, W).
'$each_pi'(_:PI, W) :- !, '$each_pi'(PI, W).
'$each_pi'(T, table) :- !, '$table'(T).
'$each_pi'(PI, W) :- memberchk(W, [public, volatile, module_transparent]), !, ( nonvar(PI), PI = N/A, atom(N), integer(A) -> true ; throw(error(type_error(predicate_indicator, PI), _)) ).
'$each_pi'(PI, W) :- '$declare'(W, PI).
current_predicate(PI) :- nonvar(PI), PI = _:P, !, ( ( var(P) ; P = _/_ ) -> current_predicate(P) ; throw(error(type_error(predicate_indicator, PI), _)) ).
current_predicate(PI) :- ( '$indicator'(PI) -> true ; throw(error(type_error(predicate_indicator, PI), _)) ), '$predicates'(L), member(PI, L), '$has_clauses'(PI).
current_predicate(N, H) :- ( nonvar(H), H = _:H1 -> true ; H1 = H ), ( var(H1) -> true ; functor(H1, N, A) ), current_predicate(N/A), functor(H1, N, A).
'$indicator'(PI) :- var(PI), !.
'$indicator'(N/A) :- ( var(N) ; atom(N) ), ( var(A) ; integer(A) ), !.
'$has_clauses'(N/A) :- functor(H, N, A), '$property'(H, Ps), memberchk(number_of_clauses(K), Ps), K > 0.
predicate_property(H, P) :- nonvar(H), '$property'(H, Ps), member(P, Ps).
current_op(P, T, N) :- '$op_argument'(P, T, N), '$operators'(L), member(op(P, T, N), L).
'$op_argument'(P, T, N) :- ( var(P) -> true ; integer(P), P >= 0, P =< 1200 -> true ; throw(error(domain_error(operator_priority, P), _)) ), ( var(T) -> true ; memberchk(T, [xfx,xfy,yfx,fy,fx,xf,yf]) -> true ; throw(error(domain_error(operator_specifier, T), _)) ), ( var(N) -> true ; atom(N) -> true ; throw(error(type_error(atom, N), _)) ).
set_prolog_flag(F, V) :- '$free_flag'(F), !, '$must_be'(nonvar, V), '$keep_flag'(F, V).
set_prolog_flag(F, V) :- '$set_flag'(F, V).
create_prolog_flag(F, V, Options) :- '$must_be'(atom, F), '$must_be'(nonvar, V), '$must_be'(list, Options), '$keep_flag'(F, V).
'$keep_flag'(F, V) :- '$kept_flags'(L0), '$drop_key'(L0, F, L), nb_setval('$flags', [F-V|L]).
'$kept_flags'(L) :- catch(nb_getval('$flags', L), _, L = []).
% Flags of the program's own, and those that change nothing that a program could tell.
'$free_flag'(F) :- atom(F), ( '$hint_flag'(F) -> true ; '$kept_flags'(L), memberchk(F-_, L) ).
'$hint_flag'(F) :- memberchk(F, [optimise, optimise_unify, generate_debug_info, verbose, verbose_load, verbose_autoload, gc, agc_margin, autoload]).
% Flags of other systems, which programs ask for to tell where they are.
'$other_flag'(F) :- memberchk(F, [threads, max_threads, windows, unix, apple, swi, version, version_data, version_git, arch, home, executable, pid, argv, os_argv, readline, tty_control, encoding, character_escapes, character_escapes_unicode, rational_syntax, compiled_at, emacs_inferior_process, executable_format, pipe, large_files, timezone, traditional, sandboxed_load, warn_override_implicit_import, xref, toplevel_prompt]).
debug :- set_prolog_flag(debug, on).
nodebug :- set_prolog_flag(debug, off).
% Conversions are kept; as long as the flag `char_conversion` is off, they change nothing that is read.
char_conversion(A, B) :- '$must_be'(char, A), '$must_be'(char, B), '$conversions'(L0), ( select(A-_, L0, L1) -> true ; L1 = L0 ), nb_setval('$char_conversion', [A-B|L1]).
current_char_conversion(A, B) :- '$conversions'(L), ( nonvar(A) -> '$must_be'(char, A), ( memberchk(A-B0, L) -> B = B0 ; B = A ) ; member(A-B, L) ).
'$conversions'(L) :- catch(nb_getval('$char_conversion', L), _, L = []).
current_prolog_flag(F, V) :- nonvar(F), !, ( '$flag'(F, V0) -> V = V0 ; '$kept_flags'(L), memberchk(F-V0, L) -> V = V0 ; ( '$hint_flag'(F) ; '$other_flag'(F) ) -> fail ; throw(error(domain_error(prolog_flag, F), _)) ).
current_prolog_flag(F, V) :- '$kept_flags'(L), member(F-V, L).
current_prolog_flag(F, V) :- member(F, [bounded,max_integer,min_integer,integer_rounding_function,char_conversion,debug,max_arity,unknown,double_quotes,occurs_check,dialect,iso,prefer_rationals,max_tagged_integer,min_tagged_integer,max_procedure_arity]), '$flag'(F, V).
% ---- Modules and libraries: everything there is is always there ----
use_module(F) :- '$library'(F).
use_module(F, _) :- '$library'(F).
ensure_loaded(F) :- '$library'(F).
consult(F) :- ( nonvar(F), F = [_|_] -> maplist('$library', F) ; F == [] -> true ; '$library'(F) ).
'[|]'(F, Fs) :- consult([F|Fs]).
load_files(F, _) :- consult(F).
strip_module(T, M, P) :- ( nonvar(T), T = M0:T0 -> strip_module(T0, M1, P), ( T0 = _:_ -> M = M1 ; M = M0 ) ; M = user, P = T ).
context_module(user).
@(G, _) :- call(G).
'$library'(F) :- var(F), !, throw(error(instantiation_error, _)).
'$library'(library(L)) :- nonvar(L), '$has_library'(L), !.
'$library'(F) :- throw(error(existence_error(source_sink, F), _)).
'$has_library'(L) :- memberchk(L, [lists,apply,aggregate,assoc,pairs,ordsets,readutil,error,yall,listing,tabling,gensym,apply_macros,backcomp,system,option,strings,solution_sequences,terms,occurs,debug,dcg/basics,dcg/high_order,heaps,rbtrees,nb_set,ugraphs,random,varnumbers,prolog_code,codesio,charsio,ctypes,hashtable,edinburgh,sort,arithmetic]).
module(_, _).
trim_stacks.
encoding(E) :- ( memberchk(E, [utf8, ascii, text]) -> true ; throw(error(domain_error(encoding, E), _)) ).
export(L) :- '$each_pi'(L, public).
import(L) :- '$each_pi'(L, public).
style_check(S) :- ( nonvar(S), S =.. [Op, F], memberchk(Op, [+, -]), atom(F) -> true ; var(S) -> throw(error(instantiation_error, _)) ; throw(error(domain_error(style_name, S), _)) ).
'$foreign'(G, N) :- '$foreign_one'(G, N, [G]).
'$foreign_all'(G, N) :- '$foreign_one'(G, N, [New]), '$foreign_all'(G, N, New).
'$foreign_all'(G, _, G).
'$foreign_all'(G, N, _) :- N1 is N+1, '$foreign_all'(G, N1).

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
phrase(B, L, R) :- ( string(B) -> true ; '$must_callable'(B) ), '$list_or_partial'(L), '$list_or_partial'(R), '$phrase'(B, L, R).
call_dcg(B, L, R) :- '$must_callable'(B), '$phrase'(B, L, R).
'$phrase'(B, L, R) :- '$dcg_body'(B, S0, S, G), S0 = L, S = R, call(G).
expand_term(T, T1) :- ( nonvar(T), T = (_ --> _) -> dcg_translate_rule(T, T1) ; T1 = T ).
expand_goal(G, G).
dcg_translate_rule(R, C) :- '$dcg_rule'(R, C).
'$dcg_rule'((H0 --> B), (H1 :- G)) :- nonvar(H0), H0 = (H, P), !, '$dcg_extend'(H, S0, S, H1), '$dcg_body'(B, S0, S1, G1), '$dcg_terminals'(P, S, S1, G2), G = (G1, G2).
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
