% Five houses in a row, and who keeps the zebra.
right(A, B, [A,B|_]).
right(A, B, [_|T]) :- right(A, B, T).
next(A, B, L) :- right(A, B, L).
next(A, B, L) :- right(B, A, L).
houses(Hs) :-
    Hs = [h(norwegian,_,_,_,_),_,h(_,_,_,milk,_),_,_],
    member(h(english,red,_,_,_), Hs),
    member(h(spanish,_,dog,_,_), Hs),
    member(h(_,green,_,coffee,_), Hs),
    member(h(ukrainian,_,_,tea,_), Hs),
    right(h(_,ivory,_,_,_), h(_,green,_,_,_), Hs),
    member(h(_,_,snail,_,winston), Hs),
    member(h(_,yellow,_,_,kools), Hs),
    next(h(_,_,_,_,chesterfield), h(_,_,fox,_,_), Hs),
    next(h(_,_,_,_,kools), h(_,_,horse,_,_), Hs),
    member(h(_,_,_,juice,lucky), Hs),
    member(h(japanese,_,_,_,parliament), Hs),
    next(h(norwegian,_,_,_,_), h(_,blue,_,_,_), Hs),
    member(h(_,_,zebra,_,_), Hs).
run(N) :- between(1, N, _), houses(_), fail.
run(_).
