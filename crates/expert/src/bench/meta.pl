% Quicksort run by an interpreter: rules are facts, goals are terms.
rule(sort([], S, S), true).
rule(sort([P|L], S, S0), (split(L, P, A, B), sort(A, S, [P|S1]), sort(B, S1, S0))).
rule(split([], _, [], []), true).
rule(split([X|L], P, [X|A], B), (X =< P, !, split(L, P, A, B))).
rule(split([X|L], P, A, [X|B]), split(L, P, A, B)).

solve(G) :- solve(G, _).

solve(true, _) :- !.
solve(!, cut) :- !.
solve((A, B), Cut) :- !, solve(A, C1), follow(C1, B, Cut).
solve((A ; _), Cut) :- solve(A, Cut).
solve((_ ; B), Cut) :- !, solve(B, Cut).
solve(G, _) :- known(G), !, call(G).
solve(G, _) :- functor(G, N, A), functor(H, N, A), G = H, try(H).

try(G) :- rule(G, Body), solve(Body, Cut), ( Cut == cut -> ! ; true ).

follow(C1, B, Cut) :- solve(B, C2), ( C1 == cut -> Cut = cut ; Cut = C2 ).

known(_ =< _).
known(_ = _).

list([27,74,17,33,94,18,46,83,65,2,32,53,28,85,99,47,28,82,6,11,55,29,39,81,90,37,10,0,66,51,7,21,85,27,31,63,75,4,95,99,11,28,61,74,18,92,40,53,59,8]).

run(N) :- between(1, N, _), list(L), solve(sort(L, _, [])), fail.
run(_).
