//! Which address does what.

mod again;
mod events;
mod games;
mod login;
mod mine;
mod operator;
mod scene;
mod threads;
mod wish;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;

pub(crate) use games::{
    Fields, affordable, affordable_seat, answer, blocking, fields, followable, lacking,
    not_a_number, one_thread, open, put_up,
};
pub(crate) use mine::day;
pub(crate) use wish::Wish;

use crate::{
    App, Fault, assets, bots, desk, docs, glossary, guard, lang, lessons, log, metrics, pages,
    rooms, uploads,
};

/// The whole house as one service.
pub(crate) fn router(app: App) -> Router {
    let calm = Router::new()
        .route("/", get(pages::home))
        .route("/new/{game}", get(pages::new_game))
        .route(
            "/threads",
            get(pages::threads::list).merge(brought(threads::keep)),
        )
        .route("/threads/{name}", get(pages::threads::show))
        .route("/threads/{name}/file", get(pages::threads::file))
        .route("/threads/{name}/delete", post(threads::delete))
        .route("/language", post(lang::choose))
        .route("/login", get(login::show).post(login::enter))
        .route("/run", post(pages::run))
        .route("/mine", get(mine::show))
        .route("/mine/delete", post(mine::delete))
        .route(
            "/mine/everything",
            get(mine::confirm).post(mine::delete_everything),
        )
        .route("/mine/link", post(mine::link))
        .route("/take", get(mine::arrive).post(mine::take))
        .route("/operator", get(operator::show).post(operator::enter))
        .route("/operator/remove", post(operator::remove))
        .route("/operator/close", post(operator::close))
        .route("/operator/end", post(operator::end))
        .route("/api/house/scene", post(scene::scenes))
        .route("/api/house/again", post(again::again))
        .route("/api/house/check", brought(threads::check))
        .route("/games", get(pages::my_games).post(games::create))
        .route("/games/{id}", get(pages::game))
        .route("/games/{id}/state", get(games::state))
        .route("/games/{id}/move", post(games::play))
        .route("/games/{id}/undo", post(games::undo))
        .route("/games/{id}/resign", post(games::resign))
        .route("/games/{id}/hint", post(games::hint))
        .route("/games/{id}/sit", post(games::sit))
        .route("/games/{id}/delete", post(games::delete))
        .route("/games/{id}/again", post(games::again))
        .route("/games/{id}/at/{ply}", get(games::at))
        .route("/games/{id}/review", get(pages::review))
        .route("/games/{id}/remarks", get(pages::remarks))
        .route("/games/{id}/turning", get(pages::turning))
        .route("/games/{id}/record", get(games::record))
        .route("/games/{id}/thread/{ply}", get(games::thread))
        .route("/games/{id}/why-not/{ply}", post(games::why_not))
        .route("/games/{id}/forbid/{ply}", post(games::forbid))
        .route("/assets/{name}", get(assets::serve))
        .route("/health", get(metrics::health))
        .merge(bots::routes())
        .merge(rooms::routes())
        .merge(desk::routes())
        .merge(lessons::routes())
        .merge(docs::routes())
        .merge(glossary::routes())
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            app.config.request_time,
        ));
    let all = Router::new()
        .merge(calm)
        .route("/games/{id}/events", get(events::stream))
        .route("/api/bot/stream", get(bots::listen))
        .fallback(nothing);
    guarded(all, app)
}

/// An address that takes a whole thread.
fn brought<T: 'static>(handler: impl Handler<T, App>) -> MethodRouter<App> {
    uploads::taking(post(handler), threads::LARGEST)
}

/// What stands between every address and the world.
fn guarded(router: Router<App>, app: App) -> Router {
    router
        .layer(DefaultBodyLimit::max(app.config.body_limit))
        .layer(CatchPanicLayer::custom(breakdown))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(from_fn(lang::speak))
        .layer(from_fn_with_state(app.clone(), log::observe))
        .with_state(app)
}

async fn nothing(headers: axum::http::HeaderMap) -> Fault {
    Fault::missing().for_reader(&headers)
}

/// A handler that panicked: the asker gets a sentence, everybody else notices nothing.
fn breakdown(_: Box<dyn std::any::Any + Send>) -> Response {
    Fault::breakdown().into_response()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::http::Request;
    use tower::ServiceExt;
    use wits_play::{Catalog, Shelf};
    use wits_store::Store;

    use super::*;
    use crate::Config;

    async fn broken() -> StatusCode {
        panic!("a secret in the handler")
    }

    #[tokio::test]
    async fn a_handler_that_panics_ends_its_request_only() {
        let store = Arc::new(Store::memory().expect("memory"));
        let app = App::new(
            Config::default(),
            Catalog::new(Vec::new()),
            Shelf::new(),
            store,
        );
        let router = Router::new()
            .route("/broken", get(broken))
            .route("/whole", get(|| async { "whole" }));
        let house = guarded(router, app);
        let mut answered = 0;
        for (path, status) in [("/broken", 500), ("/whole", 200)].repeat(20) {
            let request = Request::get(path).header("host", "localhost");
            let request = request.body(Body::empty()).expect("a request");
            let response = house.clone().oneshot(request).await.expect("an answer");
            assert_eq!(response.status().as_u16(), status, "{path}");
            assert!(response.headers().contains_key("content-security-policy"));
            let body = axum::body::to_bytes(response.into_body(), 10_000).await;
            let text = String::from_utf8_lossy(&body.expect("a body")).into_owned();
            assert!(!text.contains("secret"), "{text}");
            assert!(status == 200 || text.contains("hint"), "{text}");
            answered += 1;
        }
        #[cfg(feature = "testing")]
        crate::testing::measured(
            "handler-panic",
            format!("20 panics, {answered} of 40 requests answered, each 500 with a sentence"),
        );
        assert_eq!(answered, 40);
    }
}
