% All placements of N queens.
queens(N, Qs) :- numlist(1, N, Ns), place(Ns, [], Qs).
place([], Qs, Qs).
place(Left, Done, Qs) :- select(Q, Left, Rest), safe(Done, Q, 1), place(Rest, [Q|Done], Qs).
safe([], _, _).
safe([P|Ps], Q, D) :- P =\= Q+D, P =\= Q-D, D1 is D+1, safe(Ps, Q, D1).
run(N) :- findall(Q, queens(N, Q), L), length(L, K), K > 0.
