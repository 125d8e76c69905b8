% Five houses in a row: colour, person, drink, pet, profession.
% Who keeps the zebra, and who drinks water? Ask: puzzle(Zebra, Water).
puzzle(Zebra, Water) :-
    Street = [_, _, _, _, _],
    member(house(red, baker, _, _, _), Street),
    member(house(_, tailor, _, dog, _), Street),
    member(house(green, _, coffee, _, _), Street),
    member(house(_, smith, tea, _, _), Street),
    right_of(house(green, _, _, _, _), house(white, _, _, _, _), Street),
    member(house(_, _, _, snail, painter), Street),
    member(house(yellow, _, _, _, doctor), Street),
    Street = [_, _, house(_, _, milk, _, _), _, _],
    Street = [house(_, miller, _, _, _)|_],
    beside(house(_, _, _, _, judge), house(_, _, _, fox, _), Street),
    beside(house(_, _, _, _, doctor), house(_, _, _, horse, _), Street),
    member(house(_, _, juice, _, acrobat), Street),
    member(house(_, cooper, _, _, diplomat), Street),
    beside(house(_, miller, _, _, _), house(blue, _, _, _, _), Street),
    member(house(_, Zebra, _, zebra, _), Street),
    member(house(_, Water, water, _, _), Street).

right_of(A, B, [B, A|_]).
right_of(A, B, [_|Rest]) :- right_of(A, B, Rest).

beside(A, B, Street) :- right_of(A, B, Street).
beside(A, B, Street) :- right_of(B, A, Street).
