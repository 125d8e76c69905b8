//! The hops of a day in the order of departure.

use std::collections::{HashMap, HashSet};

use super::{CALL, Connection, Schedule};
use crate::limits::{Gate, Halt};

/// Hops in order, and the call of each.
type Hops = (Vec<Connection>, Vec<u32>);

/// All hops that depart from midnight on, sorted by departure (a counting sort by second).
pub(super) fn connections(day: &Schedule, gate: &mut Gate<'_>) -> Result<Hops, Halt> {
    let last = day
        .times
        .iter()
        .map(|c| c.departure)
        .max()
        .unwrap_or(0)
        .max(0) as usize;
    gate.hold(4 * last as u64)?;
    let mut count = vec![0u32; last + 2];
    let each = |gate: &mut Gate<'_>, visit: &mut dyn FnMut(Connection, u32)| {
        for route in &day.routes {
            let stops = &day.route_stops[route.first_stop as usize..];
            for run in route.first_run..route.first_run + route.runs {
                gate.work(u64::from(route.len))?;
                let first = route.first_time + (run - route.first_run) * route.len;
                for (i, w) in day.calls(run).windows(2).enumerate() {
                    if w[0].departure >= 0 {
                        let hop = Connection {
                            departure: w[0].departure,
                            arrival: w[1].arrival,
                            from: stops[i],
                            to: stops[i + 1],
                            run,
                        };
                        visit(hop, first + i as u32);
                    }
                }
            }
        }
        Ok(())
    };
    let mut instant = false;
    each(gate, &mut |c, _| {
        count[c.departure as usize + 1] += 1;
        instant |= c.arrival == c.departure;
    })?;
    for i in 0..=last {
        count[i + 1] += count[i];
    }
    let nothing = Connection {
        departure: 0,
        arrival: 0,
        from: 0,
        to: 0,
        run: 0,
    };
    let mut sorted = vec![nothing; count[last + 1] as usize];
    let mut calls = vec![0; sorted.len()];
    each(gate, &mut |c, call| {
        let at = &mut count[c.departure as usize];
        sorted[*at as usize] = c;
        calls[*at as usize] = call;
        *at += 1;
    })?;
    gate.release(4 * last as u64);
    if instant && !order_in_place(&mut sorted, &mut calls, gate)? {
        return order_instant_hops(&sorted, &calls, gate);
    }
    Ok((sorted, calls))
}

/// As [`order_instant_hops`], without a copy of the whole list; false (and unfinished) if there is
/// a ring.
fn order_in_place(
    sorted: &mut [Connection],
    calls: &mut [u32],
    gate: &mut Gate<'_>,
) -> Result<bool, Halt> {
    let mut first = 0;
    while first < sorted.len() {
        let second = sorted[first].departure;
        let len = sorted[first..]
            .iter()
            .take_while(|c| c.departure == second)
            .count();
        let span = first..first + len;
        first += len;
        if sorted[span.clone()].iter().any(|c| c.arrival == second) {
            let (ordered, their_calls) =
                order_instant_hops(&sorted[span.clone()], &calls[span.clone()], gate)?;
            if ordered.len() != len {
                return Ok(false);
            }
            sorted[span.clone()].copy_from_slice(&ordered);
            calls[span].copy_from_slice(&their_calls);
        }
        gate.work(len as u64)?;
    }
    Ok(true)
}

/// Puts hops that take no time first within their second, each before the hops it leads to.
fn order_instant_hops(
    sorted: &[Connection],
    calls: &[u32],
    gate: &mut Gate<'_>,
) -> Result<Hops, Halt> {
    let mut order: Vec<u32> = Vec::with_capacity(sorted.len());
    let mut first = 0u32;
    // Waiting hops that lead to each stop, and those that begin there.
    let mut into: HashMap<u32, u32> = HashMap::new();
    let mut out: HashMap<u32, Vec<u32>> = HashMap::new();
    for second in sorted.chunk_by(|a, b| a.departure == b.departure) {
        let hop = |i: &u32| &sorted[*i as usize];
        let all = first..first + second.len() as u32;
        first = all.end;
        let instant: Vec<u32> = all
            .clone()
            .filter(|i| hop(i).arrival == hop(i).departure)
            .collect();
        gate.work(second.len() as u64)?;
        into.clear();
        out.clear();
        for i in &instant {
            *into.entry(hop(i).to).or_default() += 1;
            out.entry(hop(i).from).or_default().push(*i);
        }
        // Take hops whose beginning no other waiting hop leads to, round by round (Kahn 1962).
        let mut free: Vec<u32> = instant
            .iter()
            .copied()
            .filter(|i| !into.contains_key(&hop(i).from))
            .collect();
        let begin = order.len();
        while !free.is_empty() {
            gate.work(4 * free.len() as u64)?;
            let mut next = Vec::new();
            for i in &free {
                let to = hop(i).to;
                let waiting = into.get_mut(&to).expect("counted above");
                *waiting -= 1;
                if *waiting == 0 {
                    next.extend(out.get(&to).into_iter().flatten().copied());
                }
            }
            order.append(&mut free);
            next.sort_unstable();
            free = next;
        }
        // The rest runs in rings or hangs on one: as many rounds as hops reach everything.
        if order.len() - begin < instant.len() {
            let done: HashSet<u32> = order[begin..].iter().copied().collect();
            let rest: Vec<u32> = instant.into_iter().filter(|i| !done.contains(i)).collect();
            let rounds = rest.len() as u64;
            gate.hold(rounds * rounds * (CALL + 4))?;
            for _ in 0..rounds {
                gate.work(rounds)?;
                order.extend_from_slice(&rest);
            }
        }
        order.extend(all.filter(|i| hop(i).arrival > hop(i).departure));
    }
    Ok((
        order.iter().map(|&i| sorted[i as usize]).collect(),
        order.iter().map(|&i| calls[i as usize]).collect(),
    ))
}
