//! A house on a free port, with a runtime that lives as long as the test.

use std::net::SocketAddr;
use std::sync::Arc;

use wits_play::{Catalog, Limits, Shelf};
use wits_store::Store;

use super::Client;
use crate::{App, Config, Door, Engine};

/// A server inside the test.
pub struct House {
    runtime: tokio::runtime::Runtime,
    door: Option<Door>,
    /// Where everything is kept.
    pub store: Arc<Store>,
    /// Who thinks.
    pub engine: Engine,
}

impl House {
    /// Opens one with these games over this store; `change` may change how it is set up.
    ///
    /// # Panics
    /// When the system gives no thread or no port.
    pub fn open(catalog: Catalog, store: Store, change: impl FnOnce(&mut Config)) -> House {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("the system has threads to spare");
        let mut config = Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            thinking: Limits::nodes(20_000),
            ..Config::default()
        };
        change(&mut config);
        let store = Arc::new(store);
        let app = App::new(config, catalog, Shelf::new(), Arc::clone(&store));
        let engine = app.engine.clone();
        let door = runtime.block_on(Door::open(app)).expect("a port is free");
        House {
            runtime,
            door: Some(door),
            store,
            engine,
        }
    }

    /// Where it listens.
    ///
    /// # Panics
    /// Never while it is open.
    pub fn address(&self) -> SocketAddr {
        self.door.as_ref().expect("open until dropped").address
    }

    /// Somebody new.
    pub fn visitor(&self) -> Client {
        Client::new(self.address())
    }

    /// Somebody who has looked at the first page, and may ask machines to work.
    pub fn guest(&self) -> Client {
        let at = self.address();
        Client::at(at, at.ip())
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(door) = self.door.take() {
            self.runtime.block_on(door.close());
        }
    }
}
