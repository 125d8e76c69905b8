
% ---- Types: must_be/2 and is_of_type/2 ----
must_be(Type, X) :- '$must_be'(Type, X).
'$must_be'(Type, _) :- var(Type), !, throw(error(instantiation_error, _)).
'$must_be'(Type, X) :- '$has_type'(Type, X), !.
'$must_be'(Type, X) :- '$not_of_type'(Type, X).
is_of_type(Type, X) :- '$must_know'(Type), '$has_type'(Type, X), !.
'$must_know'(Type) :- '$type'(Type), !.
'$must_know'(Type) :- throw(error(existence_error(type, Type), _)).
'$not_of_type'(Type, _) :- \+ '$type'(Type), throw(error(existence_error(type, Type), _)).
'$not_of_type'(var, X) :- throw(error(uninstantiation_error(X), _)).
'$not_of_type'(Type, X) :- var(X), Type \== var, throw(error(instantiation_error, _)).
'$not_of_type'(Type, X) :- memberchk(Type, [rational, string, text, ground]), \+ ground(X), throw(error(instantiation_error, _)).
'$not_of_type'(list, X) :- '$not_a_list'(X, X).
'$not_of_type'(proper_list, X) :- '$not_a_list'(X, X).
'$not_of_type'(list(Of), X) :- ( is_list(X) -> '$each_must_be'(X, Of) ; '$skip'(X, T, _), var(T) -> throw(error(instantiation_error, _)) ; throw(error(type_error(list(Of), X), _)) ).
'$not_of_type'(list_or_partial, X) :- throw(error(type_error(list_or_partial, X), _)).
'$not_of_type'(nonneg, X) :- '$must_int'(X), throw(error(type_error(nonneg, X), _)).
'$not_of_type'(positive_integer, X) :- '$must_int'(X), ( X < 1 -> throw(error(type_error(positive_integer, X), _)) ; true ).
'$not_of_type'(oneof(L), X) :- throw(error(domain_error(oneof(L), X), _)).
'$not_of_type'(between(L, U), X) :- ( integer(L), integer(U) -> '$must_int'(X) ; number(X) -> true ; throw(error(type_error(number, X), _)) ), throw(error(domain_error(between(L, U), X), _)).
'$not_of_type'(encoding, X) :- throw(error(domain_error(encoding, X), _)).
'$not_of_type'(boolean, X) :- throw(error(type_error(bool, X), _)).
'$not_of_type'(Type, X) :- throw(error(type_error(Type, X), _)).
'$not_a_list'(X, _) :- '$skip'(X, T, _), var(T), throw(error(instantiation_error, _)).
'$not_a_list'(_, X) :- throw(error(type_error(list, X), _)).
'$each_must_be'([], _).
'$each_must_be'([X|Xs], Type) :- '$must_be'(Type, X), '$each_must_be'(Xs, Type).
'$type'(T) :- '$known_type'(T).
'$known_type'(T) :- memberchk(T, [any,atom,atomic,callable,char,chars,code,codes,text,compound,constant,float,integer,nonneg,positive_integer,negative_integer,nonvar,number,oneof(_),list,proper_list,list(_),list_or_partial,symbol,var,rational,string,boolean,bool,ground,cyclic,acyclic,pair,between(_,_),order]).
'$has_type'(any, _).
'$has_type'(atom, X) :- atom(X).
'$has_type'(symbol, X) :- atom(X).
'$has_type'(atomic, X) :- atomic(X).
'$has_type'(constant, X) :- atomic(X).
'$has_type'(callable, X) :- callable(X).
'$has_type'(char, X) :- atom(X), atom_length(X, 1).
'$has_type'(chars, X) :- is_list(X), \+ ( member(C, X), \+ '$has_type'(char, C) ).
'$has_type'(code, X) :- integer(X), X >= 0, X =< 0x10ffff.
'$has_type'(codes, X) :- is_list(X), \+ ( member(C, X), \+ '$has_type'(code, C) ).
'$has_type'(text, X) :- ( atom(X) ; string(X) ; '$has_type'(chars, X) ; '$has_type'(codes, X) ), !.
'$has_type'(compound, X) :- compound(X).
'$has_type'(float, X) :- float(X).
'$has_type'(integer, X) :- integer(X).
'$has_type'(nonneg, X) :- integer(X), X >= 0.
'$has_type'(positive_integer, X) :- integer(X), X >= 1.
'$has_type'(negative_integer, X) :- integer(X), X < 0.
'$has_type'(nonvar, X) :- nonvar(X).
'$has_type'(number, X) :- number(X).
'$has_type'(rational, X) :- rational(X).
'$has_type'(oneof(L), X) :- nonvar(X), memberchk(X, L).
'$has_type'(boolean, X) :- ( X == true ; X == false ), !.
'$has_type'(bool, X) :- ( X == true ; X == false ), !.
'$has_type'(list, X) :- is_list(X).
'$has_type'(proper_list, X) :- is_list(X).
'$has_type'(list(Of), X) :- is_list(X), \+ ( member(E, X), \+ '$has_type'(Of, E) ).
'$has_type'(list_or_partial, X) :- '$skip'(X, T, _), ( var(T) ; T == [] ), !.
'$has_type'(var, X) :- var(X).
'$has_type'(cyclic, X) :- cyclic_term(X).
'$has_type'(acyclic, X) :- acyclic_term(X).
'$has_type'(string, X) :- string(X).
'$has_type'(ground, X) :- ground(X).
'$has_type'(pair, X) :- nonvar(X), X = _-_.
'$has_type'(order, X) :- nonvar(X), memberchk(X, [<, =, >]).
'$has_type'(between(L, U), X) :- ( integer(L), integer(U) -> integer(X) ; number(X) ), X >= L, X =< U.
type_error(Type, X) :- throw(error(type_error(Type, X), _)).
domain_error(Domain, X) :- throw(error(domain_error(Domain, X), _)).
existence_error(Kind, X) :- throw(error(existence_error(Kind, X), _)).
permission_error(Action, Kind, X) :- throw(error(permission_error(Action, Kind, X), _)).
instantiation_error(_) :- throw(error(instantiation_error, _)).
representation_error(What) :- throw(error(representation_error(What), _)).
resource_error(What) :- throw(error(resource_error(What), _)).
