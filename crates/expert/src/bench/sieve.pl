% The sieve on facts: numbers that are crossed out leave the database.
:- dynamic num/1, prime/1.

run(N) :- retractall(num(_)), retractall(prime(_)), fill(2, N), sieve(2, N), count(K), K > 0.

fill(I, N) :- I > N, !.
fill(I, N) :- assertz(num(I)), J is I+1, fill(J, N).

sieve(I, N) :- I > N, !.
sieve(I, N) :- retract(num(I)), !, assertz(prime(I)), J is I*I, cross(J, I, N), K is I+1, sieve(K, N).
sieve(I, N) :- K is I+1, sieve(K, N).

cross(J, _, N) :- J > N, !.
cross(J, I, N) :- ( retract(num(J)) -> true ; true ), K is J+I, cross(K, I, N).

count(K) :- findall(P, prime(P), L), length(L, K).
