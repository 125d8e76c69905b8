% Programs as graphs of combinators. The application of F to A is [A|F]: the arguments of a
% combinator lie on a spine, the last one first.
step([X|i], X).
step([_,X|k], X).
step([X,G,F|s], [[X|G],X|F]).
step([X,G,F|b], [[X|G]|F]).
step([X,G,F|c], [G,X|F]).
step([F|y], [[F|y]|F]).
step([_,T,true|if], T).
step([E,_,false|if], E).
step([E,T,C|if], [E,T,V|if]) :- value(C, V), C \== V.
step([B,A|plus], V) :- value(A, X), value(B, Y), V is X+Y.
step([B,A|minus], V) :- value(A, X), value(B, Y), V is X-Y.
step([B,A|times], V) :- value(A, X), value(B, Y), V is X*Y.
step([B,A|less], V) :- value(A, X), value(B, Y), ( X < Y -> V = true ; V = false ).
step([A|F], [A|G]) :- step(F, G).

value(E, V) :- atomic(E), !, V = E.
value(E, V) :- step(E, E1), !, value(E1, V).
value(E, E).

% Variables are taken out of expressions: lam(V, Body) becomes combinators.
graph(lam(V, B), G) :- !, graph(B, B1), out(B1, V, G).
graph(F*A, [A1|F1]) :- !, graph(F, F1), graph(A, A1).
graph(X, X).

out(V, V, i) :- !.
out(E, V, [E|k]) :- \+ inside(E, V), !.
out([A|F], V, F) :- A == V, \+ inside(F, V), !.
out([A|F], V, [G,F|b]) :- \+ inside(F, V), !, out(A, V, G).
out([A|F], V, [A,G|c]) :- \+ inside(A, V), !, out(F, V, G).
out([A|F], V, [G,H|s]) :- out(F, V, H), out(A, V, G).

inside(V, V) :- !.
inside([A|F], V) :- ( inside(A, V) -> true ; inside(F, V) ).

fib(y*lam(f, lam(n, if*(less*n*2)*n*(plus*(f*(minus*n*1))*(f*(minus*n*2)))))).

run(N) :- fib(F), graph(F*N, G), value(G, V), V > 0.
