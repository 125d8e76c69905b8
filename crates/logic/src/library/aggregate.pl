
% ---- Aggregation ----
aggregate_all(Spec, _, _) :- var(Spec), !, throw(error(instantiation_error, _)).
aggregate_all(count, G, N) :- !, '$bag_new'(B), '$collect'(B, x, G), '$bag_count'(B, N).
aggregate_all(Spec, G, R) :- '$pattern'(Spec, T), findall(T, G, L), '$aggregated'(Spec, L, R).
aggregate_all(Spec, Once, G, R) :- '$pattern'(Spec, T), findall(Once-T, G, L0), sort(L0, L1), pairs_values(L1, L), '$aggregated'(Spec, L, R).
aggregate(Spec, G, R) :- '$pattern'(Spec, T), bagof(T, G, L), '$aggregated'(Spec, L, R).
aggregate(Spec, Once, G, R) :- '$pattern'(Spec, T), setof(Once-T, G, L0), pairs_values(L0, L), '$aggregated'(Spec, L, R).
'$pattern'(V, _) :- var(V), !, throw(error(instantiation_error, _)).
'$pattern'(count, x) :- !.
'$pattern'(count(T), T) :- !.
'$pattern'(sum(E), E) :- !.
'$pattern'(max(E), E) :- !.
'$pattern'(min(E), E) :- !.
'$pattern'(max(E, W), E-W) :- !.
'$pattern'(min(E, W), E-W) :- !.
'$pattern'(bag(E), E) :- !.
'$pattern'(set(E), E) :- !.
'$pattern'(Specs, T) :- compound(Specs), !, Specs =.. [_|Ss], maplist('$pattern', Ss, Ts), T =.. [v|Ts].
'$pattern'(Spec, _) :- throw(error(domain_error(aggregate_spec, Spec), _)).
'$aggregated'(count, L, N) :- !, length(L, N).
'$aggregated'(count(_), L, N) :- !, length(L, N).
'$aggregated'(sum(_), L, S) :- !, '$sum'(L, 0, S).
'$aggregated'(bag(_), L, L) :- !.
'$aggregated'(set(_), L, S) :- !, sort(L, S).
'$aggregated'(max(_), [H|T], M) :- !, H1 is H, foldl('$max', T, H1, M).
'$aggregated'(min(_), [H|T], M) :- !, H1 is H, foldl('$min', T, H1, M).
'$aggregated'(max(_, _), [X-W|T], max(M, Wm)) :- !, X1 is X, '$max_pair'(T, X1-W, M-Wm).
'$aggregated'(min(_, _), [X-W|T], min(M, Wm)) :- !, X1 is X, '$min_pair'(T, X1-W, M-Wm).
'$aggregated'(Spec, [], _) :- memberchk(Spec, [max(_), min(_), max(_, _), min(_, _)]), !, fail.
'$aggregated'(Specs, L, R) :- Specs =.. [F|Ss], '$columns'(Ss, 1, L, Rs), R =.. [F|Rs].
'$columns'([], _, _, []).
'$columns'([S|Ss], N, L, [R|Rs]) :- '$column'(L, N, C), '$aggregated'(S, C, R), N1 is N+1, '$columns'(Ss, N1, L, Rs).
'$column'([], _, []).
'$column'([T|Ts], N, [X|Xs]) :- arg(N, T, X), '$column'(Ts, N, Xs).
'$max'(X, Y, Z) :- Z is max(X, Y).
'$min'(X, Y, Z) :- Z is min(X, Y).
'$max_pair'([], M, M).
'$max_pair'([E-W|T], M0-W0, M) :- X is E, ( X > M0 -> '$max_pair'(T, X-W, M) ; '$max_pair'(T, M0-W0, M) ).
'$min_pair'([], M, M).
'$min_pair'([E-W|T], M0-W0, M) :- X is E, ( X < M0 -> '$min_pair'(T, X-W, M) ; '$min_pair'(T, M0-W0, M) ).
foreach(Gen, Goal) :- term_variables(Gen, GV), term_variables(Goal, LV), '$shared_variables'(LV, GV, Shared, Free), findall(Shared, Gen, Rows), '$foreach'(Rows, Shared, Free, Goal).
'$shared_variables'([], _, [], []).
'$shared_variables'([V|Vs], GV, S, F) :- ( '$identical'(V, GV) -> S = [V|S1], F = F1 ; S = S1, F = [V|F1] ), '$shared_variables'(Vs, GV, S1, F1).
'$foreach'([], _, _, _).
'$foreach'([Row|Rows], Shared, Free, Goal) :- copy_term(Shared/Free/Goal, Row/Free/G), call(G), '$foreach'(Rows, Shared, Free, Goal).
