//! The bases that come with the program, every answer path of them.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use wits_expert::{
    BASES, Base, Case, History, Misfit, Reply, Said, Session, TEMPLATE, Turn, explain, lint,
    network, next_question, next_sign,
};

fn base(name: &str) -> Base {
    let text = wits_expert::built_in(name).unwrap();
    Base::read(&format!("{name}.pl"), text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn sizes() {
    let p = base("printer");
    assert_eq!(
        (p.parts.len(), p.categories.len(), p.problems.len()),
        (19, 4, 20)
    );
    let b = base("bicycle");
    assert!(b.parts.len() >= 12 && b.categories.len() >= 4 && b.problems.len() >= 15);
    assert!(b.path_count() >= 30, "{}", b.path_count());
    println!(
        "printer {} paths, bicycle {} paths",
        p.path_count(),
        b.path_count()
    );
}

#[test]
fn every_path_ends_in_advice_with_an_accepted_proof() {
    for (name, _) in BASES {
        let b = base(name);
        for p in &b.problems {
            for path in b.paths(&p.id) {
                assert!(path.advice.is_some(), "{name} {} {:?}", p.id, path.answers);
                assert!(path.judged.is_ok(), "{name} {} {:?}", p.id, path.judged);
            }
        }
    }
}

#[test]
fn the_linter_is_content() {
    for (name, text) in BASES.iter().chain([&("template", TEMPLATE)]) {
        let r = lint::check(name, text);
        assert!(r.errors.is_empty(), "{name}: {:#?}", r.errors);
        assert_eq!(r.advised, r.paths);
        assert!(r.warnings.is_empty(), "{name}: {:#?}", r.warnings);
    }
}

/// Chooses by enumerating every assignment of answers and running the rules on each.
fn brute_force(b: &Base, problem: &str, known: &BTreeMap<String, bool>) -> Option<String> {
    let mut questions: Vec<String> = Vec::new();
    for p in b.paths(problem) {
        for (q, _) in &p.answers {
            if !questions.contains(q) {
                questions.push(q.clone());
            }
        }
    }
    let n = questions.len();
    // Chance and advice of every assignment that agrees with what is known.
    let mut worlds: Vec<(Vec<bool>, f64, String)> = Vec::new();
    for bits in 0..1u32 << n {
        let world: Vec<bool> = (0..n).map(|i| bits >> i & 1 == 1).collect();
        if questions
            .iter()
            .zip(&world)
            .any(|(q, v)| known.get(q).is_some_and(|k| k != v))
        {
            continue;
        }
        let mut s = Session::new(b);
        s.problem = Some(problem.to_owned());
        for (q, v) in questions.iter().zip(&world) {
            s.answers
                .push((q.clone(), if *v { Reply::Yes } else { Reply::No }));
        }
        let Turn::Advice { advice, .. } = s.turn(b).unwrap() else {
            panic!()
        };
        let chance: f64 = questions
            .iter()
            .zip(&world)
            .filter(|(q, _)| !known.contains_key(*q))
            .map(|(q, v)| {
                if *v {
                    b.question(q).rate
                } else {
                    1.0 - b.question(q).rate
                }
            })
            .product();
        worlds.push((world, chance, format!("{advice:?}")));
    }
    let entropy = |pick: &dyn Fn(&[bool]) -> bool| {
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        let mut total = 0.0;
        for (w, c, a) in &worlds {
            if pick(w) {
                *sums.entry(a).or_default() += c;
                total += c;
            }
        }
        let h: f64 = sums
            .values()
            .filter(|s| **s > 0.0)
            .map(|s| -(s / total) * (s / total).log2())
            .sum();
        (h, total)
    };
    let (before, all) = entropy(&|_| true);
    let mut best: Option<(String, f64)> = None;
    for (i, q) in questions.iter().enumerate() {
        // A question that no rule would reach any more is not asked.
        let reached = b.paths(problem).iter().any(|p| {
            p.answers.iter().any(|(x, _)| x == q)
                && p.answers
                    .iter()
                    .all(|(x, v)| known.get(x).is_none_or(|k| *k == (*v == Case::Yes)))
        });
        if known.contains_key(q) || !reached {
            continue;
        }
        let after: f64 = [true, false]
            .iter()
            .map(|v| {
                let (h, t) = entropy(&|w| w[i] == *v);
                h * t / all
            })
            .sum();
        let worth = (before - after) / b.question(q).cost;
        if best.as_ref().is_none_or(|(_, w)| worth > w + 1e-9) {
            best = Some((q.clone(), worth));
        }
    }
    best.map(|b| b.0)
}

#[test]
fn the_next_question_equals_brute_force() {
    let mut compared = 0;
    for (name, _) in BASES {
        let b = base(name);
        for p in &b.problems {
            // Every situation that can come up along any path.
            for path in b.paths(&p.id) {
                let mut known = BTreeMap::new();
                for (q, v) in &path.answers {
                    let said = |yes: bool| if yes { Reply::Yes } else { Reply::No };
                    let replies = known
                        .iter()
                        .map(|(q, v): (&String, &bool)| (q.clone(), said(*v)));
                    let quick = next_question(&b, &p.id, &replies.collect()).map(|x| x.0);
                    assert_eq!(
                        quick,
                        brute_force(&b, &p.id, &known),
                        "{name} {} {known:?}",
                        p.id
                    );
                    compared += 1;
                    known.insert(q.clone(), *v == Case::Yes);
                }
            }
        }
    }
    assert!(compared > 60, "{compared}");
}

/// Expected number of questions, from symptoms to advice, asking by information or in file order.
fn expected_questions(b: &Base, by_information: bool) -> f64 {
    let total: f64 = b.problems.iter().map(|p| p.weight).sum();
    let signs: Vec<String> = b
        .questions
        .iter()
        .map(|q| q.id.clone())
        .filter(|q| b.problems.iter().any(|p| p.signs.contains(q)))
        .collect();
    let mut sum = 0.0;
    for truth in &b.problems {
        let mut known = BTreeMap::new();
        let mut asked = 0;
        let likely =
            |known: &BTreeMap<String, bool>| wits_expert::candidates(b, known, &[])[0].1 > 0.9;
        if by_information {
            while !likely(&known)
                && let Some((q, _)) = next_sign(b, &known, &[], &[])
            {
                known.insert(q.clone(), truth.signs.contains(&q));
                asked += 1;
            }
        } else {
            for q in &signs {
                if likely(&known) {
                    break;
                }
                known.insert(q.clone(), truth.signs.contains(q));
                asked += 1;
            }
        }
        let mut inside = 0.0;
        for path in b.paths(&truth.id) {
            let chance: f64 = path
                .answers
                .iter()
                .map(|(q, v)| {
                    if *v == Case::Yes {
                        b.question(q).rate
                    } else {
                        1.0 - b.question(q).rate
                    }
                })
                .product();
            inside += chance * path.answers.len() as f64;
        }
        sum += truth.weight / total * (f64::from(asked) + inside);
    }
    sum
}

#[test]
fn information_needs_fewer_questions_than_the_fixed_order() {
    for (name, _) in BASES {
        let b = base(name);
        let (fixed, best) = (expected_questions(&b, false), expected_questions(&b, true));
        println!("{name}: fixed order {fixed:.2} questions on average, by information {best:.2}");
        assert!(best < fixed, "{name}: {best} is not fewer than {fixed}");
    }
}

#[test]
fn a_conversation_with_undo_and_changes() {
    let b = base("printer");
    let mut s = Session::new(&b);
    let Turn::Category(list) = s.turn(&b).unwrap() else {
        panic!()
    };
    assert_eq!(list.len(), 4);
    assert!(s.choose(&b, "kitchen").is_err());
    s.choose(&b, "printing").unwrap();
    s.choose(&b, "jam").unwrap();
    let Turn::Question { id, .. } = s.turn(&b).unwrap() else {
        panic!()
    };
    assert!(!explain::why(&b, &s, &s.turn(&b).unwrap()).is_empty());
    s.reply(&b, Reply::No).unwrap();
    let Turn::Question { id: second, .. } = s.turn(&b).unwrap() else {
        panic!()
    };
    assert_ne!(id, second);
    s.reply(&b, Reply::Yes).unwrap();
    let Turn::Advice { advice, proof, .. } = s.turn(&b).unwrap() else {
        panic!("{:?}", s.turn(&b))
    };
    assert!(!explain::how(&b, &proof).is_empty());
    assert!(!explain::why_not(&b, "jam", &s.known(), "clear(inside)").is_empty());
    // Stored and read back, it goes on in the same place.
    let kept = serde_json::to_string(&s).unwrap();
    let mut s: Session = serde_json::from_str(&kept).unwrap();
    assert!(s.report(&b).contains(&advice.steps[0]));
    s.change(&b, &id, Reply::Yes).unwrap();
    assert!(matches!(
        s.turn(&b).unwrap(),
        Turn::Question { .. } | Turn::Advice { .. }
    ));
    // A base that changed is noticed.
    let other = Base::read(
        "p",
        &(wits_expert::built_in("printer").unwrap().to_owned() + "\n% changed\n"),
    )
    .unwrap();
    assert!(s.turn(&other).is_err());
    assert!(s.replay(&other).turn(&other).is_ok());
}

/// Everything that can be said can be taken back, whatever came after it.
#[test]
fn undo_goes_back_through_everything() {
    let b = base("printer");
    let mut talk = History::new(Session::new(&b));
    let mut states = vec![talk.now().clone()];
    let said = [
        Said::Choose("symptoms".into()),
        Said::Reply("paper_moves".into(), Reply::Unknown),
        Said::Reopen,
        Said::Choose("printing".into()),
        Said::Choose("jam".into()),
        Said::Reply("sheet_in_front".into(), Reply::No),
        Said::Reply("sheet_in_tray".into(), Reply::Yes),
        Said::Change("sheet_in_front".into(), Reply::Yes),
        Said::Judge(false),
        Said::Change("sheet_in_front".into(), Reply::No),
        Said::Judge(true),
        Said::Restart,
    ];
    let mut kept = Vec::new();
    for one in said {
        let moment = talk.hear(&b, one.clone());
        let moment = moment.unwrap_or_else(|e| panic!("{one:?}: {e}"));
        kept.push(serde_json::to_string(&moment).unwrap());
        talk.recall(moment);
        states.push(talk.now().clone());
    }
    // Read back from what was kept, it is the same conversation.
    let mut again = History::new(Session::new(&b));
    for line in &kept {
        again.recall(serde_json::from_str(line).unwrap());
    }
    assert_eq!(again, talk);
    while let Some(expected) = states.pop() {
        assert_eq!(*talk.now(), expected);
        match talk.hear(&b, Said::Undo) {
            Ok(moment) => talk.recall(moment),
            Err(e) => assert_eq!((e, states.len()), (Misfit::NothingToUndo, 0)),
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_with_what_does() {
    let b = base("printer");
    let mut talk = History::new(Session::new(&b));
    let refused = |talk: &History, said: Said| talk.hear(&b, said).unwrap_err();
    let e = refused(&talk, Said::Choose("kitchen".into()));
    assert!(e.to_string().contains("hardware, printing"), "{e}");
    assert_eq!(refused(&talk, Said::Judge(true)), Misfit::NoAdvice);
    assert_eq!(
        refused(&talk, Said::Reply("dead".into(), Reply::Yes)),
        Misfit::NoQuestion
    );
    for id in ["printing", "jam"] {
        let moment = talk.hear(&b, Said::Choose(id.into())).unwrap();
        talk.recall(moment);
    }
    let e = refused(&talk, Said::Reply("tray_loaded".into(), Reply::Yes));
    assert!(e.to_string().contains("Has a sheet come"), "{e}");
    let e = refused(&talk, Said::Change("tray_loaded".into(), Reply::Yes));
    assert_eq!(e, Misfit::NotAnswered("tray_loaded".into()));
}

/// Every sentence has its text: a key that no page has would show as `expert.key(…)`.
#[test]
fn explanations_are_sentences() {
    for (name, _) in BASES {
        let b = base(name);
        let mut starts: Vec<Session> = Vec::new();
        for p in &b.problems {
            let mut s = Session::new(&b);
            s.problem = Some(p.id.clone());
            starts.push(s);
        }
        let mut s = Session::new(&b);
        s.start = wits_expert::Start::Symptoms;
        starts.push(s);
        for mut s in starts {
            for round in 0.. {
                let turn = s.turn(&b).unwrap();
                let mut told: Vec<String> = Vec::new();
                let mut say = |m: &wits_game::Message| told.push(m.to_string());
                explain::why(&b, &s, &turn).iter().for_each(&mut say);
                for (_, why) in explain::others(&b, &s, &turn) {
                    assert!(!why.is_empty());
                    why.iter().for_each(&mut say);
                }
                for c in wits_expert::ranked(&b, &s, &turn) {
                    c.supports.iter().chain(&c.against).for_each(&mut say);
                    assert!((0.0..=1.0).contains(&c.chance));
                }
                match &turn {
                    Turn::Question { .. } => {
                        assert!(told.len() >= 2, "why: {told:?}");
                        let reply = [Reply::No, Reply::Yes, Reply::Unknown][round % 3].clone();
                        s.reply(&b, reply).unwrap();
                    }
                    Turn::Problem(list) => s.choose(&b, &list[0].id.clone()).unwrap(),
                    Turn::Advice { problem, proof, .. } => {
                        let how = explain::how(&b, proof);
                        assert!(!how.is_empty());
                        for (_, m) in &how {
                            say(m);
                        }
                        explain::standing(&b, &s, problem).iter().for_each(&mut say);
                        let lit = network::lit(&b, &s, &turn);
                        assert!(lit.keys().all(|id| b.parts.iter().any(|p| p.id == *id)));
                        let report = s.report(&b);
                        assert!(!report.contains("expert."), "{report}");
                        break;
                    }
                    other => panic!("{other:?}"),
                }
                for text in told {
                    assert!(!text.contains("expert.") && !text.contains('{'), "{text}");
                }
            }
        }
    }
}

#[test]
fn every_part_has_one_spot() {
    for (name, _) in BASES {
        let b = base(name);
        let spots = network::spots(&b);
        assert_eq!(spots.len(), b.parts.len());
        for s in &spots {
            let parent = s.parent.map(|p| &b.parts[p].id);
            assert_eq!(parent, b.parts[s.part].parent.as_ref());
            let same = |t: &&network::Spot| (t.depth, t.row) == (s.depth, s.row);
            assert_eq!(spots.iter().filter(same).count(), 1, "{name} {s:?}");
        }
    }
    // Parts in a circle are drawn all the same.
    let text = wits_expert::built_in("printer").unwrap().replace(
        "part(camera,           \"docked camera\",      [],        printer)",
        "part(camera, \"docked camera\", [], camera_button)",
    );
    let b = Base::read("p", &text).unwrap();
    assert_eq!(network::spots(&b).len(), b.parts.len());
}

/// Bases that would never end, or ask without end, are refused with the problem's name.
#[test]
fn runaway_bases_end_with_a_sentence() {
    let head = "base(b, \"B\", 1). category(c, \"C\"). problem(p, \"P\", c).\n";
    for (rules, expected) in [
        ("fix(p, A) :- fix(p, A).", "busy in fix/2"),
        (
            "fix(p, advice(a, [\"x\"])) :- length(L, 100000000), L = [].",
            "p",
        ),
        (
            "fix(p, advice(a, [\"x\"])) :- between(1, inf, N), ask(q(N)), fail.",
            "more than 40 questions",
        ),
        (
            "problem(x(N), \"X\", c) :- between(1, 100000, N).",
            "more than 2000 problems",
        ),
    ] {
        let e = Base::read("b", &format!("{head}{rules}")).unwrap_err();
        assert!(e.to_string().contains(expected), "{rules}: {e}");
        let report = lint::check("b", &format!("{head}{rules}"));
        assert_eq!(report.errors.len(), 1, "{:?}", report.errors);
    }
    let choose = "fix(p, advice(a, [\"x\"])) :- choose(colour, [red, green], _).";
    let report = lint::check("b", &format!("{head}{choose}"));
    assert!(report.errors.iter().any(|f| f.rule == "no-wording"));
}

#[test]
fn never_the_same_question_twice_whatever_is_answered() {
    let b = base("printer");
    for p in &b.problems {
        for pattern in 0..27 {
            let mut s = Session::new(&b);
            s.problem = Some(p.id.clone());
            let mut k = pattern;
            let mut rounds = 0;
            while let Turn::Question { id, .. } = s.turn(&b).unwrap() {
                assert!(!s.answers.iter().any(|a| a.0 == id), "{id} again");
                s.reply(&b, [Reply::Yes, Reply::No, Reply::Unknown][k % 3].clone())
                    .unwrap();
                k /= 3;
                rounds += 1;
                assert!(rounds < 12);
            }
            assert!(
                matches!(s.turn(&b).unwrap(), Turn::Advice { .. }),
                "{} {:?}",
                p.id,
                s.answers
            );
            s.judge(&b, false).unwrap();
        }
    }
}

#[test]
fn symptoms_lead_to_the_problem() {
    for (name, _) in BASES {
        let b = base(name);
        let mut found = 0;
        for truth in &b.problems {
            let mut s = Session::new(&b);
            s.choose(&b, "symptoms").unwrap();
            let mut rounds = 0;
            loop {
                rounds += 1;
                assert!(rounds < 40);
                match s.turn(&b).unwrap() {
                    Turn::Question { id, .. } => {
                        let yes = truth.signs.contains(&id);
                        s.reply(&b, if yes { Reply::Yes } else { Reply::No })
                            .unwrap();
                    }
                    Turn::Problem(list) => {
                        assert!(
                            list.iter().any(|e| e.id == truth.id),
                            "{} not in {list:?}",
                            truth.id
                        );
                        s.choose(&b, &truth.id).unwrap();
                        found += 1;
                    }
                    Turn::Advice { .. } => break,
                    other => panic!("{other:?}"),
                }
            }
        }
        println!(
            "{name}: {found} of {} needed the final menu",
            b.problems.len()
        );
    }
}

#[test]
fn the_linter_finds_planted_faults() {
    let text = wits_expert::built_in("printer").unwrap();
    let plant = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        lint::check("p", &text.replace(from, to))
    };
    let rules = |r: &lint::Report| {
        r.errors
            .iter()
            .chain(&r.warnings)
            .map(|f| f.rule.clone())
            .collect::<Vec<_>>()
    };
    // A hole, an inverted rule, a shadowed rule, a cycle, a broken text, an unused question.
    let hole = plant(
        "fix(dead, advice(right_power,",
        "fix(deaf, advice(right_power,",
    );
    assert!(rules(&hole).contains(&"no-advice".into()));
    assert!(rules(&hole).contains(&"unreachable".into()));
    let inverted = plant(
        "fix(no_pictures, advice(restart, Steps)) :- ask(names_standard)",
        "fix(no_pictures, advice(restart, Steps)) :- \\+ ask(names_standard)",
    );
    assert!(rules(&inverted).contains(&"no-advice".into()));
    assert!(rules(&inverted).contains(&"sample".into()));
    let cycle = plant(
        "part(camera,           \"docked camera\",      [],        printer)",
        "part(camera, \"docked camera\", [], camera_button)",
    );
    assert!(rules(&cycle).contains(&"cycle".into()));
    let broken = plant(
        "category(printing,  \"Printing\").",
        "category(printing,  \"Printing\"",
    );
    assert_eq!(broken.errors[0].rule, "syntax");
    assert!(broken.errors[0].line.is_some());
    let unused = plant(
        "% ---- Signs:",
        "question(zodiac, \"Is it Tuesday?\", 1, 0.1).\n% ---- Signs:",
    );
    assert!(rules(&unused).contains(&"never-asked".into()));
    let never = unused.warnings.iter().find(|f| f.rule == "never-asked");
    let line = text.lines().position(|l| l.starts_with("% ---- Signs:"));
    assert_eq!(never.unwrap().line, line.map(|n| n + 1));
    let loose = cycle.errors.iter().find(|f| f.rule == "cycle").unwrap();
    assert!(loose.line.is_some(), "{loose:?}");
    let mute = plant("question(adapter_flashes,", "question(adapter_flushes,");
    assert!(rules(&mute).contains(&"no-wording".into()));
    let slow = plant(
        "part_parent(P, Parent) :- part(P, _, _, Parent), Parent \\== null.",
        "part_parent(P, Parent) :- is_part(Parent), part(P, _, _, Parent).",
    );
    assert!(rules(&slow).contains(&"order".into()), "{:?}", rules(&slow));
    let both = plant(
        "fix(noises,",
        "contradicts(normal_noise, panic). fix(noises, advice(panic, [\"Run.\"])). fix(noises,",
    );
    assert!(
        rules(&both).contains(&"contradiction".into()),
        "{:?}",
        rules(&both)
    );
    let version = plant("\"Photo printer\", 1)", "\"Photo printer\", 7)");
    assert_eq!(version.errors[0].rule, "header");
    let line = text.lines().position(|l| l.starts_with("base("));
    assert_eq!(version.errors[0].line, line.map(|n| n + 1));
    let version = plant("\"Photo printer\", 1)", "\"Photo printer\", next)");
    let says = version.errors[0].message.to_string();
    assert!(says.contains("format next"), "{says}");
}

#[test]
fn the_report_s_queries_work() {
    use wits_expert::query::{Wish, query};
    let text = wits_expert::built_in("printer").unwrap();
    let a = query(
        "printer.pl",
        text,
        "part_parent(X, printer).",
        Wish {
            proof: true,
            ..Wish::default()
        },
    );
    assert_eq!(a.status, "true");
    let found: Vec<&str> = a
        .solutions
        .iter()
        .map(|s| s["X"].as_str().unwrap())
        .collect();
    assert_eq!(
        found,
        [
            "paper_tray",
            "cartridge_door",
            "internal_battery",
            "camera",
            "control_panel",
            "rear_panel",
            "top_panel"
        ]
    );
    assert_eq!(a.proofs.len(), 7);
    let a = query(
        "printer.pl",
        text,
        "below(camera, printer).",
        Wish {
            trace: Some(100),
            ..Wish::default()
        },
    );
    assert_eq!(a.status, "true");
    assert!(a.steps.len() > 5);
    let a = query(
        "printer.pl",
        text,
        "part_parnt(X, printer).",
        Wish::default(),
    );
    assert_eq!(a.status, "error");
    assert!(a.error.unwrap().hint.unwrap().contains("part_parent/2"));
}

#[test]
fn a_thread_of_a_query_says_what_was_left_out() {
    use wits_expert::query::{Wish, query};
    let text = "p(X) :- q(X), X > 2. q(1). q(2). q(3).";
    let asked = |most| {
        let wish = Wish {
            trace: Some(most),
            ..Wish::default()
        };
        query("numbers", text, "p(X).", wish)
    };
    let whole = asked(1_000);
    let thread = wits_expert::thread("numbers", "p(X).", &whole);
    assert_eq!(thread.steps.len(), whole.steps.len());
    let part = asked(6);
    assert_eq!(
        part.steps.len() as u64 + part.dropped,
        whole.steps.len() as u64
    );
    let thread = wits_expert::thread("numbers", "p(X).", &part);
    assert_eq!(thread.steps.last().unwrap().data["left_out"], part.dropped);
    let summary = &thread.header.summary;
    assert!(summary.starts_with("In the first 6 steps"), "{summary}");
}

/// A conversation about any problem leaves a thread that can be followed, even after a single answer: what was
/// chosen, what the rules tried, and what came of it.
#[test]
fn conversations_leave_threads_of_ten_steps() {
    use wits_search::Kind::{Answer, Ask, Choose};
    let mut advised = 0;
    for (name, _) in BASES {
        let b = base(name);
        for p in &b.problems {
            for reply in [Reply::Yes, Reply::No] {
                let mut session = Session::new(&b);
                session.choose(&b, &p.category).unwrap();
                session.choose(&b, &p.id).unwrap();
                let mut turn = session.turn(&b).unwrap();
                while let Turn::Question {
                    kind: wits_expert::Kind::YesNo,
                    ..
                } = &turn
                {
                    session.reply(&b, reply.clone()).unwrap();
                    turn = session.turn(&b).unwrap();
                }
                if !matches!(turn, Turn::Advice { .. }) || session.answers.is_empty() {
                    continue;
                }
                advised += 1;
                let steps = session
                    .steps(&b, &turn, wits_expert::STEPS)
                    .unwrap()
                    .unwrap();
                let thread = wits_expert::conversation((&b, name), &session, &turn, &steps);
                let kinds: Vec<_> = thread.steps.iter().map(|line| line.kind).collect();
                assert!(kinds.len() >= 10, "{name} {} {reply:?}: {kinds:?}", p.id);
                assert_eq!(kinds[..4], [Ask, Answer, Ask, Answer], "{name} {}", p.id);
                assert_eq!(kinds.last(), Some(&Choose), "{name} {}", p.id);
            }
        }
    }
    assert!(advised >= 20, "{advised}");
}
