
% ---- What other systems have besides: lists ----
prefix(P, L) :- append(P, _, L).
selectchk(X, Xs, Y, Ys) :- select(X, Xs, Y, Ys), !.
group_pairs_by_key([], []).
group_pairs_by_key([K-V|Ps], [K-[V|Vs]|Gs]) :- '$same_key'(Ps, K, Vs, Rest), group_pairs_by_key(Rest, Gs).
'$same_key'([K1-V|Ps], K, [V|Vs], Rest) :- K1 == K, !, '$same_key'(Ps, K, Vs, Rest).
'$same_key'(Rest, _, [], Rest).
ord_intersect(A, B, C) :- ord_intersection(A, B, C).
locale_sort(L, S) :- msort(L, S).
scanl(G, L, V0, [V0|Vs]) :- '$scan'(L, G, V0, Vs).
'$scan'([], _, _, []).
'$scan'([X|Xs], G, V0, [V|Vs]) :- call(G, X, V0, V), '$scan'(Xs, G, V, Vs).
scanl(G, L, M, V0, [V0|Vs]) :- '$scan'(L, M, G, V0, Vs).
'$scan'([], [], _, _, []).
'$scan'([X|Xs], [Y|Ys], G, V0, [V|Vs]) :- call(G, X, Y, V0, V), '$scan'(Xs, Ys, G, V, Vs).
meta_options(_, Os, Os).
is_lambda(T) :- nonvar(T), ( T = _>>_ -> true ; T = Free/L, nonvar(Free), Free = {_}, nonvar(L), L = _>>_ ).

% ---- Tables of keys and values that are changed in place, until backtracking ----
ht_new(ht(t, 0)).
ht_is_hashtable(H) :- nonvar(H), H = ht(A, N), integer(N), is_assoc(A).
ht_size(ht(_, N), N).
ht_get(ht(A, _), K, V) :- get_assoc(K, A, V0), V = V0.
ht_put(H, K, V) :- arg(1, H, A0), ( get_assoc(K, A0, _) -> true ; arg(2, H, N0), N is N0+1, setarg(2, H, N) ), put_assoc(K, A0, V, A), setarg(1, H, A).
ht_put_new(H, K, V) :- arg(1, H, A), \+ get_assoc(K, A, _), ht_put(H, K, V).
ht_put(H, K, V, Default, Old) :- arg(1, H, A), ( get_assoc(K, A, V0) -> Old = V0 ; Old = Default ), ht_put(H, K, V).
ht_update(H, K, Old, New) :- arg(1, H, A), get_assoc(K, A, V), Old = V, ht_put(H, K, New).
ht_del(H, K, V) :- arg(1, H, A0), del_assoc(K, A0, V0, A), V = V0, arg(2, H, N0), N is N0-1, setarg(1, H, A), setarg(2, H, N).
ht_gen(ht(A, _), K, V) :- gen_assoc(K, A, V).
ht_pairs(H, Ps) :- ( nonvar(H) -> arg(1, H, A), assoc_to_list(A, Ps) ; ht_new(H), '$ht_fill'(Ps, H) ).
'$ht_fill'([], _).
'$ht_fill'([P|Ps], H) :- ( P = K-V ; P = (K=V) ), !, ht_put(H, K, V), '$ht_fill'(Ps, H).
ht_keys(ht(A, _), Ks) :- assoc_to_keys(A, Ks).
ht_values(ht(A, _), Vs) :- assoc_to_values(A, Vs).

% ---- Control, flags and values ----
call_cleanup(G, Catcher, C) :- setup_call_catcher_cleanup(true, G, Catcher, C).
catch_with_backtrace(G, E, R) :- catch(G, E, R).
sig_atomic(G) :- once(G).
nb_current(K, V) :- ( var(K) -> '$globals'(Ks), member(K, Ks) ; true ), '$must_be'(atom, K), catch(nb_getval(K, V0), _, fail), V = V0.
get_flag(K, V) :- flag(K, V, V).
set_flag(K, V) :- flag(K, _, V).
current_flag(K) :- '$globals'(Ks), member(F, Ks), atom_concat('$flag ', K, F).
reset_gensym :- '$globals'(Ks), forall(( member(F, Ks), sub_atom(F, 0, _, _, '$flag gensym ') ), nb_setval(F, 0)).
garbage_collect_atoms.
garbage_collect_clauses.
trim_heap.
reduced(G) :- distinct(G).
reduced(W, G) :- distinct(W, G).
reduced(W, G, _) :- distinct(W, G).
existence_error(Kind, X, In) :- throw(error(existence_error(Kind, X, In), _)).
syntax_error(What) :- throw(error(syntax_error(What), _)).
uninstantiation_error(X) :- throw(error(uninstantiation_error(X), _)).
unknown(Old, New) :- current_prolog_flag(unknown, Old), ( Old == New -> true ; set_prolog_flag(unknown, New) ).

% ---- Numbers ----
rational(X, N, D) :- integer(X), N = X, D = 1.
% Exclusive bounds; those that are not known are the nearest.
bounded_number(L, H, X) :- '$must_be'(number, X), ( var(L) -> '$next_to'(X, -1, L) ; X > L ), ( var(H) -> '$next_to'(X, 1, H) ; X < H ).
'$next_to'(X, Step, Y) :- ( integer(X) -> Y is X+Step ; Y is nexttoward(X, Step*inf) ).
float_class(F, C) :- '$must_be'(float, F), ( F =\= F -> C = nan ; F =:= 0.0 -> C = zero ; A is abs(F), ( A =:= inf -> C = infinite ; A < 2.2250738585072014e-308 -> C = subnormal ; C = normal ) ).
% F = M * 2**E, and M is at least a half and less than one.
float_parts(F, M, 2, E) :- '$must_be'(float, F), float_class(F, C), ( memberchk(C, [zero, nan, infinite]) -> M = F, E = 0 ; '$float_parts'(F, 0, M, E) ).
'$float_parts'(F, E0, M, E) :- A is abs(F), ( A >= 1.0 -> '$halvings'(A, 512, K), E1 is E0+K, F1 is F/2.0**K, '$float_parts'(F1, E1, M, E) ; A < 0.5 -> B is 0.5/A, '$halvings'(B, 512, K), E1 is E0-K, F1 is F*2.0**K, '$float_parts'(F1, E1, M, E) ; M = F, E = E0 ).
'$halvings'(A, K0, K) :- ( K0 =< 1 -> K = 1 ; A >= 2.0**K0 -> K = K0 ; K1 is K0//2, '$halvings'(A, K1, K) ).
current_arithmetic_function(H) :- '$arithmetic'(N, As), ( var(H) -> true ; functor(H, N, A) ), member(A, As), functor(H, N, A).
'$arithmetic'(N, [0]) :- member(N, [pi, e, inf, nan, epsilon, max_tagged_integer, min_tagged_integer, max_integer, min_integer]).
'$arithmetic'(N, [1]) :- member(N, [abs, sign, sqrt, log2, exp, sin, cos, tan, asin, acos, sinh, cosh, tanh, asinh, acosh, atanh, cot, acot, gamma, lgamma, erf, erfc, float, integer, float_integer_part, float_fractional_part, truncate, round, ceiling, floor, \, msb, succ]).
'$arithmetic'(N, [1,2]) :- member(N, [-, +, log, atan]).
'$arithmetic'(N, [2]) :- member(N, [*, /, //, mod, rem, div, min, max, getbit, nexttoward, **, ^, >>, <<, /\, \/, xor, atan2, copysign, gcd, lcm]).
'$arithmetic'(powm, [3]).

% ---- Terms without attributes ----
attvar(_) :- fail.
term_attvars(_, []).
copy_term(T, C, []) :- copy_term(T, C).
is_dict(_) :- fail.
is_dict(_, _) :- fail.
blob(X, text) :- atom(X).
variant_hash(T, H) :- '$must_be'(acyclic, T), copy_term(T, C), numbervars(C, 0, _), term_hash(C, N), format(atom(H), "~|~`0t~16r~16+", [N]).
variant_sha1(T, H) :- variant_hash(T, H).

% ---- Texts and streams ----
get_string_code(I, S, C) :- '$must_int'(I), '$string_code'(I, S, C).
collation_key(A, K) :- atom_string(A, K).
atomic_concat(A, B, C) :- atomic_list_concat([A, B], C).
write_length(T, N, Os) :- '$must_be'(list, Os), ( select_option(max_length(Max), Os, Rest) -> true ; Rest = Os ), with_output_to(string(S), write_term(T, Rest)), string_length(S, N0), ( nonvar(Max) -> N0 =< Max ; true ), N = N0.
% Names in braces are replaced by their values, the value after a comma where there is none.
interpolate_string(In, Out, Map, _) :- string_codes(In, Cs), '$interpolated'(Cs, Map, Ds), string_codes(Out, Ds).
'$interpolated'([], _, []).
'$interpolated'([0'{|Cs], Map, Ds) :- append(Inside, [0'}|Rest], Cs), '$interpolation'(Inside, Map, Value), !, append(Value, Ds1, Ds), '$interpolated'(Rest, Map, Ds1).
'$interpolated'([C|Cs], Map, [C|Ds]) :- '$interpolated'(Cs, Map, Ds).
'$interpolation'(Inside, Map, Value) :- ( append(NameCs, [0',|DefaultCs], Inside) -> true ; NameCs = Inside ), NameCs = [C|_], code_type(C, csymf), \+ ( member(D, NameCs), \+ code_type(D, csym) ), atom_codes(Name, NameCs), ( memberchk(Name=V, Map) -> format(codes(Value), "~w", [V]) ; nonvar(DefaultCs), Value = DefaultCs ).
read_line_to_codes(S, Cs, Tail) :- '$read_line'(S, T), ( T == end_of_file -> Cs = Tail ; string_codes(T, L), ( at_end_of_stream(S) -> append(L, Tail, Cs) ; append(L, [0'\n|Tail], Cs) ) ).
read_stream_to_codes(S, Cs, Tail) :- '$read_rest'(S, _, T), string_codes(T, L), append(L, Tail, Cs).
copy_stream_data(In, Out) :- '$read_rest'(In, _, T), write(Out, T).
copy_stream_data(In, Out, N) :- '$must_be'(nonneg, N), read_string(In, N, T), write(Out, T).
display(T) :- write_term(T, [ignore_ops(true)]).
display(S, T) :- write_term(S, T, [ignore_ops(true)]).
get0(C) :- get_code(C).
get0(S, C) :- get_code(S, C).
get(C) :- current_input(S), get(S, C).
get(S, C) :- get_code(S, C0), ( C0 =\= -1, code_type(C0, space) -> get(S, C) ; C = C0 ).
put(C) :- current_output(S), put(S, C).
put(S, C) :- ( integer(C) -> put_code(S, C) ; put_char(S, C) ).
skip(C) :- current_input(S), skip(S, C).
skip(S, C) :- ( integer(C) -> Code = C ; char_code(C, Code) ), get_code(S, D), ( D =:= Code -> true ; D =:= -1 -> true ; skip(S, Code) ).
ttyflush :- flush_output.
portray_clause(S, C, _) :- portray_clause(S, C).
listing(Spec, _) :- listing(Spec).
is_alnum(C) :- code_type(C, alnum).
is_alpha(C) :- code_type(C, alpha).
is_ascii(C) :- integer(C), C < 128.
is_csym(C) :- code_type(C, csym).
is_csymf(C) :- code_type(C, csymf).
is_digit(C) :- code_type(C, digit).
is_digit(C, Base, W) :- between(2, 36, Base), ( code_type(C, digit(W)) -> true ; code_type(C, alpha), code_type(C, to_upper(U)), W is U-0'A+10, W >= 10 ), W < Base.
is_endfile(-1).
is_endline(C) :- code_type(C, end_of_line).
is_graph(C) :- code_type(C, graph).
is_lower(C) :- code_type(C, lower).
is_print(C) :- code_type(C, print).
is_punct(C) :- code_type(C, punct).
is_space(C) :- code_type(C, space).
is_upper(C) :- code_type(C, upper).
is_white(C) :- code_type(C, white).
to_lower(U, L) :- char_code(A, U), downcase_atom(A, B), char_code(B, L).
to_upper(L, U) :- char_code(A, L), upcase_atom(A, B), char_code(B, U).
upper_lower(U, L) :- nonvar(U), !, to_lower(U, L).
upper_lower(U, L) :- to_upper(L, U).
