% A grammar that both reads and writes sentences.
% Ask: phrase(sentence(Tree), [the, cat, sees, a, mouse]).
sentence(s(Subject, Action)) --> noun_phrase(Subject), verb_phrase(Action).

noun_phrase(np(Article, Noun)) --> article(Article), noun(Noun).

verb_phrase(vp(Verb, Object)) --> verb(Verb), noun_phrase(Object).
verb_phrase(vp(Verb)) --> rest(Verb).

article(the) --> [the].
article(a) --> [a].
noun(cat) --> [cat].
noun(mouse) --> [mouse].
verb(sees) --> [sees].
verb(chases) --> [chases].
rest(sleeps) --> [sleeps].
