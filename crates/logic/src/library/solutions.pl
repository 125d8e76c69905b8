
% ---- Solutions: how many, which ones, in what order ----
call_nth(G, N) :- '$nth_wanted'(N), S = count(0), call(G), arg(1, S, K0), K is K0+1, nb_setarg(1, S, K), ( integer(N) -> K =:= N, ! ; N = K ).
'$nth_wanted'(N) :- var(N), !.
'$nth_wanted'(N) :- '$must_int'(N), ( N > 0 -> true ; throw(error(domain_error(not_less_than_one, N), _)) ).
limit(N, G) :- N == infinite, !, call(G).
limit(N, G) :- '$must_be'(nonneg, N), N > 0, S = count(0), call(G), arg(1, S, K0), K is K0+1, ( K =:= N -> ! ; nb_setarg(1, S, K) ).
offset(N, G) :- '$must_be'(nonneg, N), S = count(0), call(G), arg(1, S, K), ( K < N -> K1 is K+1, nb_setarg(1, S, K1), fail ; true ).
order_by(Specs, G) :- '$must_be'(list, Specs), '$order_keys'(Specs, Ks), term_variables(G, Vs), findall(Ks-Vs, G, Rows0), '$order_rows'(Specs, 1, Rows0, Rows), member(_-Vs, Rows).
'$order_keys'([], []).
'$order_keys'([S|Ss], [K|Ks]) :- '$order_key'(S, K), '$order_keys'(Ss, Ks).
'$order_key'(S, _) :- var(S), !, throw(error(instantiation_error, _)).
'$order_key'(asc(K), K) :- !.
'$order_key'(desc(K), K) :- !.
'$order_key'(S, _) :- throw(error(domain_error(order_specifier, S), _)).
% The last key sorts first, so that the first one decides.
'$order_rows'([], _, Rows, Rows).
'$order_rows'([S|Ss], I, Rows0, Rows) :- I1 is I+1, '$order_rows'(Ss, I1, Rows0, Rows1), '$row_keys'(Rows1, I, Keyed0), ( S = asc(_) -> O = (@=<) ; O = (@>=) ), sort(1, O, Keyed0, Keyed), pairs_values(Keyed, Rows).
'$row_keys'([], _, []).
'$row_keys'([Ks-R|Rows], I, [K-(Ks-R)|Keyed]) :- nth1(I, Ks, K), '$row_keys'(Rows, I, Keyed).
findnsols(N, T, G, L) :- findnsols(N, T, G, L, []).
findnsols(N, T0, G0, L, Tail) :- '$must_be'(positive_integer, N), copy_term(T0-G0, T-G), S = found(0, []), ( call(G), arg(1, S, K0), arg(2, S, Xs), K is K0+1, ( K < N -> nb_setarg(1, S, K), nb_setarg(2, S, [T|Xs]), fail ; copy_term([T|Xs], Ys), nb_setarg(1, S, 0), nb_setarg(2, S, []) ) ; arg(2, S, Ys) ), '$reverse'(Ys, Tail, L).
tabled_call(G) :- call(G).
% Solutions whose witness no solution before had.
distinct(G) :- distinct(G, G).
distinct(W, G) :- S = seen(t), call(G), copy_term(W, K), numbervars(K, 0, _), arg(1, S, A0), \+ get_assoc(K, A0, _), put_assoc(K, A0, x, A), nb_setarg(1, S, A).
group_by(By, T, G, Bag) :- term_variables(G, Vs), term_variables(By+T, Own), '$shared_variables'(Vs, Own, _, Others), bagof(T, Others^G, Bag).

% ---- Option lists: Name(Value) or Name=Value ----
option(O, Os) :- '$option'(O, N, V), '$select_option'(Os, N, V0, _), !, V = V0.
option(O, Os, Default) :- '$option'(O, N, V), ( '$select_option'(Os, N, V0, _) -> V = V0 ; V = Default ).
select_option(O, Os, Rest) :- '$option'(O, N, V), '$select_option'(Os, N, V, Rest), !.
select_option(O, Os, Rest, Default) :- '$option'(O, N, V), ( '$select_option'(Os, N, V0, Rest0) -> V = V0, Rest = Rest0 ; V = Default, Rest = Os ).
'$option'(O, _, _) :- var(O), !, throw(error(instantiation_error, _)).
'$option'(N=V, N, V) :- !.
'$option'(O, N, V) :- compound(O), O =.. [N, V], !.
'$option'(O, _, _) :- throw(error(type_error(option, O), _)).
'$select_option'(Os, _, _, _) :- var(Os), !, throw(error(instantiation_error, _)).
'$select_option'([O|Os], N, V, Rest) :- ( nonvar(O), '$named'(O, N, V0) -> V = V0, Rest = Os ; Rest = [O|Rest1], '$select_option'(Os, N, V, Rest1) ).
'$named'(N=V, N, V).
'$named'(O, N, V) :- O =.. [N, V].
merge_options(New, Old, Merged) :- '$canonical_options'(New, N0), '$canonical_options'(Old, O0), '$older'(O0, N0, O1), append(N0, O1, M0), keysort(M0, M1), pairs_values(M1, Merged).
'$canonical_options'([], []).
'$canonical_options'([O|Os], [N-P|Ps]) :- ( O = (N=V) -> P =.. [N, V] ; O =.. [N|_], P = O ), '$canonical_options'(Os, Ps0), ( memberchk(N-_, Ps0) -> '$drop_key'(Ps0, N, Ps) ; Ps = Ps0 ).
'$drop_key'([], _, []).
'$drop_key'([K-V|T], N, R) :- ( K == N -> R = R1 ; R = [K-V|R1] ), '$drop_key'(T, N, R1).
'$older'([], _, []).
'$older'([N-O|Os], New, R) :- ( memberchk(N-_, New) -> R = R1 ; R = [N-O|R1] ), '$older'(Os, New, R1).

% ---- Lines of texts ----
string_lines(S, Ls) :- nonvar(S), !, split_string(S, "\n", "", All), ( append(Most, [""], All), Ls = Most ; Ls = All ), !.
string_lines(S, Ls) :- '$must_be'(list, Ls), '$ended'(Ls, Es), atomic_list_concat(Es, A), atom_string(A, S).
'$ended'([], []).
'$ended'([L|Ls], [L, '\n'|Es]) :- '$ended'(Ls, Es).
% The white space that all lines begin with is taken away; lines of white space become empty.
dedent_lines(In, Out, _) :- split_string(In, "\n", "", Ls0), '$blanked'(Ls0, Ls), '$margins'(Ls, Ms), ( Ms = [M|More] -> foldl('$common_start', More, M, Margin), length(Margin, N) ; N = 0 ), '$each_cut'(Ls, N, Es), atomic_list_concat(Es, '\n', A), atom_string(A, Out).
'$blanked'([], []).
'$blanked'([L|Ls], [B|Bs]) :- ( split_string(L, "", " \t", [""]) -> B = "" ; B = L ), '$blanked'(Ls, Bs).
'$margins'([], []).
'$margins'([L|Ls], Ms) :- ( L == "" -> Ms = Ms1 ; string_codes(L, Cs), '$margin'(Cs, M), Ms = [M|Ms1] ), '$margins'(Ls, Ms1).
'$margin'([C|Cs], M) :- ( ( C =:= 0'\s ; C =:= 0'\t ) -> M = [C|M1], '$margin'(Cs, M1) ; M = [] ).
'$common_start'([C|As], [D|Bs], R) :- C == D, !, R = [C|Cs], '$common_start'(As, Bs, Cs).
'$common_start'(_, _, []).
'$each_cut'([], _, []).
'$each_cut'([L|Ls], N, [E|Es]) :- ( L == "" -> E = L ; sub_string(L, N, _, 0, E) ), '$each_cut'(Ls, N, Es).
indent_lines(Prefix, In, Out) :- indent_lines('$not_blank', Prefix, In, Out).
'$not_blank'(L) :- \+ split_string(L, "", " \t", [""]).
indent_lines(Filter, Prefix, In, Out) :- split_string(In, "\n", "", Ls), '$each_indented'(Ls, Filter, Prefix, Es), atomic_list_concat(Es, '\n', A), atom_string(A, Out).
'$each_indented'([], _, _, []).
'$each_indented'([L|Ls], Filter, Prefix, [E|Es]) :- ( Ls == [], L == "" -> E = L ; call(Filter, L) -> string_concat(Prefix, L, E) ; E = L ), '$each_indented'(Ls, Filter, Prefix, Es).

% ---- The recorded database ----
recorda(K, T) :- recorda(K, T, _).
recorda(K, T, R) :- '$record'(K, T, R, C), asserta(C).
recordz(K, T) :- recordz(K, T, _).
recordz(K, T, R) :- '$record'(K, T, R, C), assertz(C).
'$record'(K, _, _, _) :- var(K), !, throw(error(instantiation_error, _)).
'$record'(_, _, R, _) :- nonvar(R), !, throw(error(uninstantiation_error(R), _)).
'$record'(K0, T, R, '$recorded'(K, T, R)) :- '$record_key'(K0, K), flag('$records', N, N+1), R = '$record'(N).
% A key is a name with a number of arguments.
'$record_key'(K0, K) :- ( compound(K0) -> functor(K0, N, A), functor(K, N, A) ; K = K0 ).
recorded(K, T) :- recorded(K, T, _).
recorded(K0, T, R) :- '$record_key'(K0, K), '$fact'('$recorded'(K, T, R)).
% Facts are the program's; a call in here would be of a predicate of the library.
'$fact'(F) :- predicate_property(F, dynamic), !, call(F).
instance('$record'(N), T) :- '$fact'('$recorded'(_, T, '$record'(N))), !.
instance('$clause'(I, B), (H :- G)) :- '$clause_at'(I, B), '$clause'(I, H, G).
current_key(K) :- findall(K, '$fact'('$recorded'(K, _, _)), Ks0), sort(Ks0, Ks), member(K, Ks).
erase(R) :- var(R), !, throw(error(instantiation_error, _)).
erase('$record'(N)) :- retract('$recorded'(_, _, '$record'(N))), !.
erase('$clause'(I, B)) :- '$clause_at'(I, B), !, '$erase'(I).
% What is gone already cannot be erased.
erase(R) :- ( ( R = '$record'(_) ; R = '$clause'(_, _) ) -> fail ; throw(error(type_error(db_reference, R), _)) ).

% ---- Messages for those who ask ----
debug(T, F, A) :- ( '$debugged'(T) -> write(user_error, '% '), format(user_error, F, A), nl(user_error) ; true ).
debug(T) :- '$debug_topics'(Ts), nb_setval('$debug', [T|Ts]).
nodebug(T) :- '$debug_topics'(Ts0), delete(Ts0, T, Ts), nb_setval('$debug', Ts).
debugging(T) :- '$debugged'(T).
'$debugged'(T) :- '$debug_topics'(Ts), memberchk(T, Ts).
'$debug_topics'(Ts) :- catch(nb_getval('$debug', Ts), _, Ts = []).
