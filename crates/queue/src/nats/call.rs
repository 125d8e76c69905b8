//! Roll calls and orders: plain messages, answered by whoever is there.

use std::time::Duration;

use async_nats::{Message, Subscriber};
use futures_util::StreamExt;
use futures_util::stream::select_all;
use tokio::time::{Instant, timeout_at};

use super::{Nats, Result};
use crate::sign::{Badge, Order, Presence, Role, Sign};

const CALL: &str = "wits.call";

/// The subject on which one participant, or every worker, hears orders.
fn orders(to: Option<&str>) -> String {
    match to {
        Some(name) => format!("wits.order.one.{name}"),
        None => "wits.order.workers".to_owned(),
    }
}

/// Ends the answering.
struct Leave(tokio::task::JoinHandle<()>);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Nats {
    pub(crate) fn present(&self, sign: Sign) -> Result<Presence> {
        let mut subjects = vec![CALL.to_owned(), orders(Some(&sign.name))];
        if sign.role == Role::Worker {
            subjects.push(orders(None));
        }
        let badge = Badge::new(sign);
        let mut heard: Vec<Subscriber> = Vec::new();
        self.wait(async {
            for subject in subjects {
                let one = self.client.subscribe(subject).await;
                heard.push(one.map_err(|e| self.away(e))?);
            }
            Ok(())
        })?;
        let (client, mine) = (self.client.clone(), badge.clone());
        let answering = self.runtime.spawn(async move {
            let mut heard = select_all(heard);
            while let Some(message) = heard.next().await {
                let sign = hear(&mine, &message);
                if let (Some(reply), Ok(body)) = (message.reply, serde_json::to_vec(&sign)) {
                    let _ = client.publish(reply, body.into()).await;
                }
            }
        });
        Ok(Presence {
            badge,
            _leave: Box::new(Leave(answering)),
        })
    }

    pub(crate) fn roll_call(&self, listen: Duration) -> Result<Vec<Sign>> {
        self.ask(CALL.to_owned(), Vec::new(), listen, false)
    }

    pub(crate) fn order(
        &self,
        to: Option<&str>,
        order: Order,
        listen: Duration,
    ) -> Result<Vec<Sign>> {
        let body = serde_json::to_vec(&order).expect("an order is plain data");
        self.ask(orders(to), body, listen, to.is_some())
    }

    /// Sends a message, and collects the signs of those who answer: the first only, or all that come in time.
    fn ask(&self, to: String, body: Vec<u8>, listen: Duration, one: bool) -> Result<Vec<Sign>> {
        self.wait(async {
            let inbox = self.client.new_inbox();
            let mut answers = self
                .client
                .subscribe(inbox.clone())
                .await
                .map_err(|e| self.away(e))?;
            let sent = self.client.publish_with_reply(to, inbox, body.into()).await;
            sent.map_err(|e| self.away(e))?;
            let until = Instant::now() + listen;
            let mut signs = Vec::new();
            while let Ok(Some(answer)) = timeout_at(until, answers.next()).await {
                // An empty answer says that nobody listens.
                if answer.status.is_some() {
                    break;
                }
                signs.extend(serde_json::from_slice::<Sign>(&answer.payload).ok());
                if one {
                    break;
                }
            }
            Ok(signs)
        })
    }
}

fn hear(badge: &Badge, message: &Message) -> Sign {
    match serde_json::from_slice::<Order>(&message.payload) {
        Ok(order) => badge.tell(order),
        Err(_) => badge.sign(),
    }
}
