% Who is related to whom. Ask: ancestor(X, zoe).
parent(adam, berta).
parent(adam, cyril).
parent(berta, dana).
parent(cyril, emil).
parent(dana, zoe).

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).

sibling(X, Y) :- parent(P, X), parent(P, Y), X \== Y.
cousin(X, Y) :- parent(P, X), parent(Q, Y), sibling(P, Q).
