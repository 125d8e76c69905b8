
% ---- Association lists: AVL trees (Adelson-Velsky and Landis, 1962) ----
% t, or t(Key, Value, Balance, Left, Right); Balance is `<` where the left side is deeper, `>` where
% the right one is, `-` where they are equal.
empty_assoc(t).
is_assoc(A) :- nonvar(A), '$assoc_depth'(A, _), assoc_to_keys(A, Ks), sort(Ks, Sorted), Ks == Sorted.
'$assoc_depth'(A, D) :- nonvar(A), ( A == t -> D = 0 ; A = t(_, _, B, L, R), '$assoc_depth'(L, M), '$assoc_depth'(R, N), '$assoc_balance'(B, M, N), D is 1+max(M, N) ).
'$assoc_balance'(B, M, N) :- ( B == (-) -> M =:= N ; B == (<) -> M =:= N+1 ; B == (>) -> N =:= M+1 ).
get_assoc(K, t(K0, V0, _, L, R), V) :- compare(O, K, K0), '$get_assoc'(O, K, V0, L, R, V).
'$get_assoc'(=, _, V, _, _, V).
'$get_assoc'(<, K, _, L, _, V) :- get_assoc(K, L, V).
'$get_assoc'(>, K, _, _, R, V) :- get_assoc(K, R, V).
put_assoc(K, A, V, B) :- '$put'(A, K, V, B, _).
'$put'(t, K, V, t(K, V, -, t, t), grew).
'$put'(t(K0, V0, B, L, R), K, V, T, G) :- compare(O, K, K0), '$put'(O, K, V, K0, V0, B, L, R, T, G).
'$put'(=, _, V, K, _, B, L, R, t(K, V, B, L, R), same).
'$put'(<, K, V, K0, V0, B, L, R, T, G) :- '$put'(L, K, V, L1, G1), '$left_grew'(G1, B, K0, V0, L1, R, T, G).
'$put'(>, K, V, K0, V0, B, L, R, T, G) :- '$put'(R, K, V, R1, G1), '$right_grew'(G1, B, K0, V0, L, R1, T, G).
'$left_grew'(same, B, K, V, L, R, t(K, V, B, L, R), same) :- !.
'$left_grew'(grew, >, K, V, L, R, t(K, V, -, L, R), same).
'$left_grew'(grew, -, K, V, L, R, t(K, V, <, L, R), grew).
'$left_grew'(grew, <, K, V, L, R, T, same) :- '$turn_right'(L, K, V, R, T, _).
'$right_grew'(same, B, K, V, L, R, t(K, V, B, L, R), same) :- !.
'$right_grew'(grew, <, K, V, L, R, t(K, V, -, L, R), same).
'$right_grew'(grew, -, K, V, L, R, t(K, V, >, L, R), grew).
'$right_grew'(grew, >, K, V, L, R, T, same) :- '$turn_left'(R, K, V, L, T, _).
% The side in the first argument is two levels deeper than the other; the last says whether the
% whole became less deep.
'$turn_right'(t(KL, VL, <, A, B), K, V, R, t(KL, VL, -, A, t(K, V, -, B, R)), shrank).
'$turn_right'(t(KL, VL, -, A, B), K, V, R, t(KL, VL, >, A, t(K, V, <, B, R)), same).
'$turn_right'(t(KL, VL, >, A, t(KM, VM, BM, B, C)), K, V, R, t(KM, VM, -, t(KL, VL, BL, A, B), t(K, V, BR, C, R)), shrank) :- '$halves'(BM, BL, BR).
'$turn_left'(t(KR, VR, >, B, C), K, V, L, t(KR, VR, -, t(K, V, -, L, B), C), shrank).
'$turn_left'(t(KR, VR, -, B, C), K, V, L, t(KR, VR, <, t(K, V, >, L, B), C), same).
'$turn_left'(t(KR, VR, <, t(KM, VM, BM, A, B), C), K, V, L, t(KM, VM, -, t(K, V, BL, L, A), t(KR, VR, BR, B, C)), shrank) :- '$halves'(BM, BL, BR).
'$halves'(<, -, >).
'$halves'(-, -, -).
'$halves'(>, <, -).
del_assoc(K, A, V, B) :- '$del'(A, K, V, B, _).
'$del'(t(K0, V0, B, L, R), K, V, T, S) :- compare(O, K, K0), '$del'(O, K, V, K0, V0, B, L, R, T, S).
'$del'(=, _, V, _, V, B, L, R, T, S) :- ( L == t -> T = R, S = shrank ; R == t -> T = L, S = shrank ; '$del_max'(L, K1, V1, L1, S1), '$left_shrank'(S1, B, K1, V1, L1, R, T, S) ).
'$del'(<, K, V, K0, V0, B, L, R, T, S) :- '$del'(L, K, V, L1, S1), '$left_shrank'(S1, B, K0, V0, L1, R, T, S).
'$del'(>, K, V, K0, V0, B, L, R, T, S) :- '$del'(R, K, V, R1, S1), '$right_shrank'(S1, B, K0, V0, L, R1, T, S).
'$del_max'(t(K, V, _, L, t), K, V, L, shrank) :- !.
'$del_max'(t(K0, V0, B, L, R), K, V, T, S) :- '$del_max'(R, K, V, R1, S1), '$right_shrank'(S1, B, K0, V0, L, R1, T, S).
'$del_min'(t(K, V, _, t, R), K, V, R, shrank) :- !.
'$del_min'(t(K0, V0, B, L, R), K, V, T, S) :- '$del_min'(L, K, V, L1, S1), '$left_shrank'(S1, B, K0, V0, L1, R, T, S).
'$left_shrank'(same, B, K, V, L, R, t(K, V, B, L, R), same) :- !.
'$left_shrank'(shrank, <, K, V, L, R, t(K, V, -, L, R), shrank).
'$left_shrank'(shrank, -, K, V, L, R, t(K, V, >, L, R), same).
'$left_shrank'(shrank, >, K, V, L, R, T, S) :- '$turn_left'(R, K, V, L, T, S).
'$right_shrank'(same, B, K, V, L, R, t(K, V, B, L, R), same) :- !.
'$right_shrank'(shrank, >, K, V, L, R, t(K, V, -, L, R), shrank).
'$right_shrank'(shrank, -, K, V, L, R, t(K, V, <, L, R), same).
'$right_shrank'(shrank, <, K, V, L, R, T, S) :- '$turn_right'(L, K, V, R, T, S).
del_min_assoc(A, K, V, B) :- A \== t, '$del_min'(A, K, V, B, _).
del_max_assoc(A, K, V, B) :- A \== t, '$del_max'(A, K, V, B, _).
list_to_assoc(L, A) :- '$must_be'(list, L), '$must_be_pairs'(L), keysort(L, S), ( '$distinct'(S) -> length(S, N), '$build'(N, S, [], A, _) ; throw(error(domain_error(unique_key_pairs, L), _)) ).
ord_list_to_assoc(L, A) :- '$must_be_pairs'(L), ( '$distinct'(L) -> length(L, N), '$build'(N, L, [], A, _) ; throw(error(domain_error(key_ordered_pairs, L), _)) ).
'$must_be_pairs'([]).
'$must_be_pairs'([P|Ps]) :- '$must_be'(pair, P), '$must_be_pairs'(Ps).
'$distinct'([]).
'$distinct'([K-_|T]) :- '$distinct'(T, K).
'$distinct'([], _).
'$distinct'([K-_|T], K0) :- K0 @< K, '$distinct'(T, K).
'$build'(0, L, L, t, 0) :- !.
'$build'(N, L0, L, t(K, V, B, Left, Right), H) :- NL is N//2, NR is N-1-NL, '$build'(NL, L0, [K-V|L1], Left, HL), '$build'(NR, L1, L, Right, HR), ( HL > HR -> B = (<) ; B = (-) ), H is HL+1.
assoc_to_list(A, L) :- '$assoc_list'(A, L, []).
'$assoc_list'(t, L, L).
'$assoc_list'(t(K, V, _, L, R), L0, L2) :- '$assoc_list'(L, L0, [K-V|L1]), '$assoc_list'(R, L1, L2).
assoc_to_keys(A, Ks) :- assoc_to_list(A, L), pairs_keys(L, Ks).
assoc_to_values(A, Vs) :- assoc_to_list(A, L), pairs_values(L, Vs).
max_assoc(t(K, V, _, _, R), Km, Vm) :- ( R == t -> Km = K, Vm = V ; max_assoc(R, Km, Vm) ).
min_assoc(t(K, V, _, L, _), Km, Vm) :- ( L == t -> Km = K, Vm = V ; min_assoc(L, Km, Vm) ).
gen_assoc(K, A, V) :- ground(K), !, get_assoc(K, A, V).
gen_assoc(K, A, V) :- '$gen_assoc'(K, A, V).
'$gen_assoc'(K, t(_, _, _, L, _), V) :- '$gen_assoc'(K, L, V).
'$gen_assoc'(K, t(K, V, _, _, _), V).
'$gen_assoc'(K, t(_, _, _, _, R), V) :- '$gen_assoc'(K, R, V).
map_assoc(P, A) :- '$map_assoc'(A, P).
'$map_assoc'(t, _).
'$map_assoc'(t(_, V, _, L, R), P) :- '$map_assoc'(L, P), call(P, V), '$map_assoc'(R, P).
map_assoc(P, A, B) :- '$map_assoc'(A, P, B).
'$map_assoc'(t, _, t).
'$map_assoc'(t(K, V, B, L, R), P, t(K, W, B, L1, R1)) :- '$map_assoc'(L, P, L1), call(P, V, W), '$map_assoc'(R, P, R1).
