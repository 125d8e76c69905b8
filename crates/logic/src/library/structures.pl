
% ---- Priority queues: pairing heaps (Fredman, Sedgewick, Sleator and Tarjan, 1986) ----
% heap(Tree, Size); a tree is nil, or t(Key, Priority, Trees) with no smaller priority below.
empty_heap(heap(nil, 0)).
singleton_heap(heap(t(K, P, []), 1), P, K).
is_heap(H) :- nonvar(H), H = heap(T, N), integer(N), ( T == nil -> N =:= 0 ; '$is_heap'([T], 0, N) ).
'$is_heap'([], N, N).
'$is_heap'([T|Ts], N0, N) :- nonvar(T), T = t(_, P, Below), is_list(Below), '$not_before'(Below, P), N1 is N0+1, append(Below, Ts, Next), '$is_heap'(Next, N1, N).
'$not_before'([], _).
'$not_before'([T|Ts], P) :- nonvar(T), T = t(_, Q, _), P @=< Q, '$not_before'(Ts, P).
add_to_heap(heap(T0, N0), P, K, heap(T, N)) :- '$meld'(T0, t(K, P, []), T), N is N0+1.
get_from_heap(heap(t(K, P, Ts), N0), P, K, heap(T, N)) :- '$pairing'(Ts, T), N is N0-1.
min_of_heap(heap(t(K, P, _), _), P, K).
min_of_heap(H, P1, K1, P2, K2) :- get_from_heap(H, P1, K1, H1), min_of_heap(H1, P2, K2).
merge_heaps(heap(A, M), heap(B, N), heap(C, K)) :- '$meld'(A, B, C), K is M+N.
heap_size(heap(_, N), N).
heap_to_list(H, L) :- ( get_from_heap(H, P, K, H1) -> L = [P-K|L1], heap_to_list(H1, L1) ; L = [] ).
list_to_heap(Ps, H) :- '$must_be'(list, Ps), empty_heap(H0), foldl('$add_to_heap', Ps, H0, H).
'$add_to_heap'(P-K, H0, H) :- add_to_heap(H0, P, K, H).
delete_from_heap(heap(T0, N0), P, K, heap(T, N)) :- '$heap_path'([T0], [], K, P, T), !, N is N0-1.
% The first tree with the key is taken out, and what is below it put together with the rest.
'$heap_path'([T|Ts], Rest, K, P, R) :- T = t(K0, P0, Below), ( K0 = K, P0 = P -> '$pairing'(Below, A), append(Rest, Ts, Others), '$pairing'([A|Others], R) ; append(Below, Ts, Next), '$heap_path'(Next, [t(K0, P0, [])|Rest], K, P, R) ).
'$meld'(nil, T, T) :- !.
'$meld'(T, nil, T) :- !.
'$meld'(t(K1, P1, A), t(K2, P2, B), T) :- ( P2 @< P1 -> T = t(K2, P2, [t(K1, P1, A)|B]) ; T = t(K1, P1, [t(K2, P2, B)|A]) ).
'$pairing'([], nil).
'$pairing'([T], T) :- !.
'$pairing'([A,B|Ts], T) :- '$meld'(A, B, C), '$pairing'(Ts, D), '$meld'(C, D, T).

% ---- Balanced trees under the names of library(rbtrees); they are the trees of association lists ----
rb_new(t).
rb_empty(t).
is_rbtree(T) :- is_assoc(T).
list_to_rbtree(L, T) :- '$must_be'(list, L), '$must_be_pairs'(L), foldl('$rb_put', L, t, T).
ord_list_to_rbtree(L, T) :- ord_list_to_assoc(L, T).
'$rb_put'(K-V, T0, T) :- put_assoc(K, T0, V, T).
rb_insert(T0, K, V, T) :- put_assoc(K, T0, V, T).
rb_insert_new(T0, K, V, T) :- \+ get_assoc(K, T0, _), put_assoc(K, T0, V, T).
rb_lookup(K, V, T) :- get_assoc(K, T, V0), V = V0.
rb_in(K, V, T) :- gen_assoc(K, T, V).
rb_min(T, K, V) :- min_assoc(T, K, V).
rb_max(T, K, V) :- max_assoc(T, K, V).
rb_next(T, K, N, V) :- '$rb_after'(T, K, none, N-V).
'$rb_after'(t, _, R, R) :- R \== none.
'$rb_after'(t(K0, V0, _, L, R), K, Best, Found) :- ( K @< K0 -> '$rb_after'(L, K, K0-V0, Found) ; '$rb_after'(R, K, Best, Found) ).
rb_previous(T, K, N, V) :- '$rb_before'(T, K, none, N-V).
'$rb_before'(t, _, R, R) :- R \== none.
'$rb_before'(t(K0, V0, _, L, R), K, Best, Found) :- ( K @> K0 -> '$rb_before'(R, K, K0-V0, Found) ; '$rb_before'(L, K, Best, Found) ).
rb_update(T0, K, V, T) :- get_assoc(K, T0, _), put_assoc(K, T0, V, T).
rb_update(T0, K, V0, V, T) :- get_assoc(K, T0, V1), V0 = V1, put_assoc(K, T0, V, T).
rb_apply(T0, K, G, T) :- get_assoc(K, T0, V0), call(G, V0, V), !, put_assoc(K, T0, V, T).
rb_delete(T0, K, T) :- del_assoc(K, T0, _, T).
rb_delete(T0, K, V, T) :- del_assoc(K, T0, V0, T), V = V0.
rb_del_min(T0, K, V, T) :- del_min_assoc(T0, K, V, T).
rb_del_max(T0, K, V, T) :- del_max_assoc(T0, K, V, T).
rb_visit(T, Ps) :- assoc_to_list(T, Ps).
rb_keys(T, Ks) :- assoc_to_keys(T, Ks).
rb_size(T, N) :- assoc_to_list(T, L), length(L, N).
rb_map(T, G) :- map_assoc(G, T).
rb_map(T0, G, T) :- map_assoc(G, T0, T).
rb_fold(G, T, S0, S) :- assoc_to_list(T, Ps), foldl(G, Ps, S0, S).
rb_clone(T0, T, Ps) :- map_assoc('$rb_fresh', T0, T), assoc_to_list(T, Ps).
'$rb_fresh'(_, _).
rb_partial_map(T0, Ks, G, T) :- foldl('$rb_partial'(G), Ks, T0, T).
'$rb_partial'(G, K, T0, T) :- ( get_assoc(K, T0, V0) -> call(G, V0, V), put_assoc(K, T0, V, T) ; T = T0 ).

% ---- Sets that are changed in place ----
empty_nb_set(nb_set(t, 0)).
add_nb_set(K, S) :- add_nb_set(K, S, _).
add_nb_set(K0, S, New) :- S = nb_set(T0, N0), copy_term(K0, K), '$nb_key'(K, Key), ( get_assoc(Key, T0, _) -> New = false ; New = true, put_assoc(Key, T0, K, T), N is N0+1, nb_setarg(1, S, T), nb_setarg(2, S, N) ).
% Variants are one element.
'$nb_key'(K, Key) :- copy_term(K, Key), numbervars(Key, 0, _).
nb_set_to_list(nb_set(T, _), L) :- assoc_to_values(T, Vs), sort(Vs, L).
gen_nb_set(S, K) :- nb_set_to_list(S, L), member(K, L).
size_nb_set(nb_set(_, N), N).

% ---- Directed graphs: sorted lists of Vertex-Neighbours ----
vertices_edges_to_ugraph(Vs, Es, G) :- '$must_be'(list, Vs), '$must_be'(list, Es), '$edge_ends'(Es, Ends), append(Vs, Ends, All0), sort(All0, All), sort(Es, Sorted), '$grouped'(All, Sorted, G).
'$edge_ends'([], []).
'$edge_ends'([A-B|Es], [A,B|Vs]) :- '$edge_ends'(Es, Vs).
'$grouped'([], _, []).
'$grouped'([V|Vs], Es, [V-Ns|G]) :- '$targets'(Es, V, Ns, Rest), '$grouped'(Vs, Rest, G).
'$targets'([A-B|Es], V, [B|Ns], Rest) :- A == V, !, '$targets'(Es, V, Ns, Rest).
'$targets'(Rest, _, [], Rest).
vertices(G, Vs) :- pairs_keys(G, Vs).
edges(G, Es) :- findall(A-B, ( member(A-Ns, G), member(B, Ns) ), Es).
add_vertices(G, Vs, H) :- sort(Vs, Sorted), '$with_none'(Sorted, New), '$graph_union'(G, New, H).
'$with_none'([], []).
'$with_none'([V|Vs], [V-[]|G]) :- '$with_none'(Vs, G).
add_edges(G, Es, H) :- vertices_edges_to_ugraph([], Es, New), '$graph_union'(G, New, H).
ugraph_union(A, B, C) :- '$graph_union'(A, B, C).
'$graph_union'([], G, G) :- !.
'$graph_union'(G, [], G) :- !.
'$graph_union'([V-A|G], [W-B|H], U) :- compare(O, V, W), '$graph_union'(O, V-A, W-B, G, H, U).
'$graph_union'(<, P, Q, G, H, [P|U]) :- '$graph_union'(G, [Q|H], U).
'$graph_union'(>, P, Q, G, H, [Q|U]) :- '$graph_union'([P|G], H, U).
'$graph_union'(=, V-A, _-B, G, H, [V-C|U]) :- ord_union(A, B, C), '$graph_union'(G, H, U).
del_vertices(G, Vs, H) :- sort(Vs, Sorted), '$without'(G, Sorted, H).
'$without'([], _, []).
'$without'([V-Ns|G], Vs, H) :- ( ord_memberchk(V, Vs) -> H = H1 ; ord_subtract(Ns, Vs, Ms), H = [V-Ms|H1] ), '$without'(G, Vs, H1).
del_edges(G, Es, H) :- sort(Es, Sorted), '$less_edges'(G, Sorted, H).
'$less_edges'([], _, []).
'$less_edges'([V-Ns|G], Es, [V-Ms|H]) :- '$kept_targets'(Ns, V, Es, Ms), '$less_edges'(G, Es, H).
'$kept_targets'([], _, _, []).
'$kept_targets'([N|Ns], V, Es, Ms) :- ( ord_memberchk(V-N, Es) -> Ms = Ms1 ; Ms = [N|Ms1] ), '$kept_targets'(Ns, V, Es, Ms1).
neighbours(V, G, Ns) :- member(W-Ns0, G), V == W, !, Ns = Ns0.
neighbors(V, G, Ns) :- neighbours(V, G, Ns).
transpose_ugraph(G, T) :- pairs_keys(G, Vs), findall(B-A, ( member(A-Ns, G), member(B, Ns) ), Es), vertices_edges_to_ugraph(Vs, Es, T).
compose(G, H, C) :- pairs_keys(G, Vs), pairs_keys(H, Ws), ord_union(Vs, Ws, All), list_to_assoc(G, A), list_to_assoc(H, B), '$composed'(All, A, B, C).
'$composed'([], _, _, []).
'$composed'([V|Vs], A, B, [V-Ns|C]) :- ( get_assoc(V, A, Ms) -> '$all_targets'(Ms, B, Lists), ord_union(Lists, Ns) ; Ns = [] ), '$composed'(Vs, A, B, C).
'$all_targets'([], _, []).
'$all_targets'([M|Ms], B, Ls) :- ( get_assoc(M, B, L) -> Ls = [L|Ls1] ; Ls = Ls1 ), '$all_targets'(Ms, B, Ls1).
reachable(V, G, Vs) :- list_to_assoc(G, A), empty_assoc(Seen0), put_assoc(V, Seen0, x, Seen), '$reach'([V], A, Seen, All), assoc_to_keys(All, Vs).
'$reach'([], _, Seen, Seen).
'$reach'([V|Vs], A, Seen0, Seen) :- ( get_assoc(V, A, Ns) -> true ; Ns = [] ), '$unseen'(Ns, Vs, Next, Seen0, Seen1), '$reach'(Next, A, Seen1, Seen).
'$unseen'([], Vs, Vs, S, S).
'$unseen'([N|Ns], Vs0, Vs, S0, S) :- ( get_assoc(N, S0, _) -> '$unseen'(Ns, Vs0, Vs, S0, S) ; put_assoc(N, S0, x, S1), '$unseen'(Ns, [N|Vs0], Vs, S1, S) ).
transitive_closure(G, C) :- list_to_assoc(G, A), '$closure'(G, A, C).
'$closure'([], _, []).
'$closure'([V-Ns|G], A, [V-Rs|C]) :- empty_assoc(S0), '$unseen'(Ns, [], Next, S0, S), '$reach'(Next, A, S, All), assoc_to_keys(All, Rs), '$closure'(G, A, C).
top_sort(G, L) :- '$degrees'(G, t, D0), '$entered'(G, D0, D), list_to_assoc(G, A), '$roots'(G, D, Roots), '$top_sort'(Roots, A, D, L), length(G, N), length(L, N).
'$degrees'([], D, D).
'$degrees'([V-_|G], D0, D) :- put_assoc(V, D0, 0, D1), '$degrees'(G, D1, D).
'$entered'([], D, D).
'$entered'([_-Ns|G], D0, D) :- foldl('$one_more', Ns, D0, D1), '$entered'(G, D1, D).
'$one_more'(V, D0, D) :- ( get_assoc(V, D0, N0) -> true ; N0 = 0 ), N is N0+1, put_assoc(V, D0, N, D).
'$roots'([], _, []).
'$roots'([V-_|G], D, R) :- ( get_assoc(V, D, 0) -> R = [V|R1] ; R = R1 ), '$roots'(G, D, R1).
'$top_sort'([], _, _, []).
'$top_sort'([V|Vs], A, D0, [V|L]) :- ( get_assoc(V, A, Ns) -> true ; Ns = [] ), '$one_less'(Ns, D0, D, Vs, Next), '$top_sort'(Next, A, D, L).
'$one_less'([], D, D, Vs, Vs).
'$one_less'([N|Ns], D0, D, Vs0, Vs) :- get_assoc(N, D0, K0), K is K0-1, put_assoc(N, D0, K, D1), ( K =:= 0 -> Vs1 = [N|Vs0] ; Vs1 = Vs0 ), '$one_less'(Ns, D1, D, Vs1, Vs).
complement(G, C) :- pairs_keys(G, Vs), '$complement'(G, Vs, C).
'$complement'([], _, []).
'$complement'([V-Ns|G], Vs, [V-Ms|C]) :- ord_subtract(Vs, Ns, Ms0), ord_del_element(Ms0, V, Ms), '$complement'(G, Vs, C).
