
% ---- Chance: numbers drawn from a generator whose state is the machine's ----
% Every machine begins at the same state, so that a run can be repeated; set_random/1 chooses another.
% The states are those of a linear congruential generator of 64 bits (Knuth), and the upper half is drawn.
'$draw'(X) :- '$chance'(S0), S is (S0*6364136223846793005+1442695040888963407) /\ 0xffffffffffffffff, nb_setval('$chance', S), X is S >> 32.
'$chance'(S) :- catch(nb_getval('$chance', S), _, S = 0x853c49e6748fea9b).
'$draw_below'(N, X) :- Words is msb(N)//32+2, '$draw_words'(Words, 0, W), X is W mod N.
'$draw_words'(0, W, W) :- !.
'$draw_words'(K, W0, W) :- '$draw'(X), W1 is W0 << 32 \/ X, K1 is K-1, '$draw_words'(K1, W1, W).
% A float between 0 and 1 that is neither.
'$draw_float'(F) :- '$draw_words'(2, 0, W), F is ((W >> 12)+0.5)/4503599627370496.0.
set_random(Option) :- '$must_be'(nonvar, Option), ( Option = seed(Seed) -> '$must_be'(integer, Seed), S is (Seed*0x9e3779b97f4a7c15+0x853c49e6748fea9b) /\ 0xffffffffffffffff, nb_setval('$chance', S), '$draw'(_) ; throw(error(domain_error(set_random_option, Option), _)) ).
random(X) :- '$draw_float'(X).
random_between(L, H, X) :- '$must_int'(L), '$must_int'(H), H >= L, N is H-L+1, '$draw_below'(N, D), X is L+D.
random(L, H, X) :- '$must_be'(number, L), '$must_be'(number, H), ( integer(L), integer(H) -> H > L, N is H-L, '$draw_below'(N, D), X is L+D ; '$draw_float'(F), X is L+(H-L)*F ).
random_member(X, L) :- '$must_be'(list, L), length(L, N), N > 0, '$draw_below'(N, I), nth0(I, L, X).
random_select(X, L, Rest) :- ( is_list(L) -> length(L, N), N > 0, '$draw_below'(N, I), nth0(I, L, X, Rest) ; '$must_be'(list, Rest), length(Rest, N0), N is N0+1, '$draw_below'(N, I), nth0(I, L, X, Rest) ).
random_permutation(L, P) :- ( is_list(L) -> '$shuffled'(L, P) ; '$must_be'(list, P), '$shuffled'(P, L) ).
'$shuffled'(L, P) :- '$drawn_keys'(L, 0, Ks), keysort(Ks, Sorted), pairs_values(Sorted, P).
'$drawn_keys'([], _, []).
'$drawn_keys'([X|Xs], N, [(K-N)-X|Ks]) :- '$draw_words'(2, 0, K), N1 is N+1, '$drawn_keys'(Xs, N1, Ks).
random_subseq([], [], []).
random_subseq([X|Xs], S, R) :- '$draw'(D), ( D /\ 0x80000000 =:= 0 -> S = [X|S1], R = R1 ; S = S1, R = [X|R1] ), random_subseq(Xs, S1, R1).
random_perm2(A, B, X, Y) :- '$draw'(D), ( D /\ 0x80000000 =:= 0 -> X = A, Y = B ; X = B, Y = A ).
randset(K, N, S) :- '$must_be'(nonneg, K), '$must_be'(nonneg, N), ( K =< N -> true ; throw(error(domain_error(at_most(N), K), _)) ), '$randset'(K, N, [], S).
'$randset'(0, _, S, S) :- !.
% The largest number that is still to be decided on belongs to the set with chance K/N.
'$randset'(K, N, S0, S) :- '$draw_below'(N, D), N1 is N-1, ( D < K -> K1 is K-1, '$randset'(K1, N1, [N|S0], S) ; '$randset'(K, N1, S0, S) ).
randseq(K, N, L) :- randset(K, N, S), '$shuffled'(S, L).
maybe :- '$draw'(D), D /\ 0x80000000 =:= 0.
maybe(P) :- '$must_be'(between(0.0, 1.0), P), '$draw_float'(F), F < P.
maybe(K, N) :- '$must_be'(nonneg, K), '$must_be'(positive_integer, N), '$draw_below'(N, D), D < K.
