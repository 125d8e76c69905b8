% Queens on an N by N board, none of which attacks another. Ask: queens(6, Rows).
queens(N, Rows) :-
    numlist(1, N, All),
    place(All, [], Rows).

place([], Rows, Rows).
place(Free, Placed, Rows) :-
    select(Row, Free, Rest),
    safe(Row, 1, Placed),
    place(Rest, [Row|Placed], Rows).

safe(_, _, []).
safe(Row, Distance, [Other|Others]) :-
    Row =\= Other + Distance,
    Row =\= Other - Distance,
    Next is Distance + 1,
    safe(Row, Next, Others).
