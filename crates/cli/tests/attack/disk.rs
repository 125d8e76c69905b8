//! Disks that are full or read-only.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use wits_web::testing::{Client, Reply, measured};

use crate::common::{Server, run};

/// A small disk of its own, where this user may mount one.
struct Disk {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn mount(args: &[&str], path: &Path) -> bool {
    Command::new("mount")
        .args(args)
        .arg(path)
        .output()
        .is_ok_and(|o| o.status.success())
}

impl Disk {
    fn new(size: &str) -> Option<Disk> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("disk");
        std::fs::create_dir(&path).unwrap();
        let options = format!("size={size}");
        if mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], &path) {
            return Some(Disk {
                _folder: folder,
                path,
            });
        }
        assert!(
            std::env::var_os("WITS_REQUIRE_MOUNT").is_none(),
            "a small disk cannot be mounted here"
        );
        eprintln!("skipped: this user may not mount a small disk");
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).output();
    }
}

/// Refused because of us, in words.
fn is_a_sentence(reply: &Reply) {
    assert!((500..=503).contains(&reply.status), "{}", reply.body);
    let error = reply.json();
    for key in ["message", "hint"] {
        assert!(
            error["error"][key].as_str().is_some_and(|t| !t.is_empty()),
            "{}",
            reply.body
        );
    }
}

#[test]
fn a_full_disk() {
    let Some(disk) = Disk::new("3m") else {
        return;
    };
    let server = Server::start(&disk.path, &[]);
    let mut me = Client::new(server.address);
    let game = json!({"game": "tictactoe", "seats": ["human", "human"]});
    let page = me.post("/games", &game).unwrap().json()["page"]
        .as_str()
        .unwrap()
        .to_owned();
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    let play = |me: &mut Client, page: &str, ply: usize, text: &str| {
        let body = json!({"ply": ply, "seat": 1 + ply % 2, "move": text});
        me.post(&format!("{page}/move"), &body).unwrap()
    };
    assert_eq!(play(&mut me, &page, 0, "b2").status, 200);
    // All that is left, to the last byte.
    let filler = disk.path.join("filler");
    let mut size = 1 << 20;
    let mut bytes = Vec::new();
    while size > 0 {
        bytes.resize(bytes.len() + size, 0);
        if std::fs::write(&filler, &bytes).is_err() {
            bytes.truncate(bytes.len() - size);
            let _ = std::fs::write(&filler, &bytes);
            size /= 2;
        }
    }
    // Room for a few more: each of them counts.
    bytes.truncate(bytes.len().saturating_sub(400 << 10));
    std::fs::write(&filler, &bytes).unwrap();
    let mut kept = Vec::new();
    let mut refused = None;
    for _ in 0..5_000 {
        let reply = me.post("/games", &game).unwrap();
        if reply.status == 201 {
            let page = reply.json()["page"].as_str().unwrap().to_owned();
            let state = me.get(&format!("{page}/state")).unwrap();
            assert_eq!(
                state.status,
                200,
                "game {}, acknowledged, is not there",
                kept.len() + 1
            );
            kept.push(page);
        } else {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("sooner or later there is no room");
    assert!(!kept.is_empty(), "the first fit");
    is_a_sentence(&refused);
    // A move is smaller than a game: a few may fit, and those that were acknowledged count.
    let played: Vec<bool> = kept
        .iter()
        .map(|page| {
            let reply = play(&mut me, page, 0, "a3");
            if reply.status != 200 {
                is_a_sentence(&reply);
            }
            reply.status == 200
        })
        .collect();
    let moves = |me: &mut Client, page: &str| {
        let state = me.get(&format!("{page}/state")).unwrap();
        assert_eq!(state.status, 200, "{}", state.body);
        state.json()["moves"].as_array().unwrap().len()
    };
    for (page, played) in kept.iter().zip(&played) {
        assert_eq!(moves(&mut me, page), usize::from(*played));
    }
    let unplayed = played.iter().filter(|played| !**played).count();
    assert!(unplayed > 0, "all {} moves found room", kept.len());
    assert_eq!(moves(&mut me, &page), 1);
    std::fs::remove_file(&filler).unwrap();
    let reply = play(&mut me, &page, 1, "a1");
    assert_eq!(
        reply.status, 200,
        "with room again it works: {}",
        reply.body
    );
    server.kill();
    let server = Server::start(&disk.path, &[]);
    me.address = server.address;
    for (page, played) in kept.iter().zip(&played) {
        assert_eq!(moves(&mut me, page), usize::from(*played));
    }
    assert_eq!(moves(&mut me, &page), 2);
    measured(
        "disk-full",
        format!(
            "{} with a sentence for a game and {unplayed} of {games} moves; {games} of {games} acknowledged games readable, all after a restart; works again with room",
            refused.status,
            games = kept.len()
        ),
    );
}

#[test]
fn a_read_only_disk() {
    let Some(disk) = Disk::new("3m") else {
        return;
    };
    drop(Server::start(&disk.path, &[]));
    assert!(
        mount(&["-o", "remount,ro"], &disk.path),
        "it can be made read-only"
    );
    let said = |args: &[&str]| {
        let output = run(&disk.path, args, "");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    let (code, text) = said(&[
        "arena",
        "run",
        "--game",
        "tictactoe",
        "--player",
        "random",
        "--player",
        "perfect",
        "--games",
        "2",
    ]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("hint: "), "it says what to do: {text}");
    assert!(!text.contains("panicked"), "{text}");
    measured(
        "read-only-disk",
        format!(
            "exit code 2: {}",
            text.lines()
                .next()
                .unwrap_or_default()
                .replace(&disk.path.display().to_string(), "DIR")
                .replace('|', "/")
        ),
    );
}
