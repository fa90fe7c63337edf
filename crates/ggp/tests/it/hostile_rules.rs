//! Rules that are meant to hurt, sent as a START message: the player refuses them with the rule that grows, or plays as well as
//! it can, and stays alive.

use ludens_gdl::testing::hostile;
use ludens_ggp::{Journal, NetworkPlayer, Options};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[test]
fn hostile_rules_do_not_end_a_player() {
    for sheet in hostile() {
        let notes = Arc::new(Mutex::new(Vec::<String>::new()));
        let kept = Arc::clone(&notes);
        let journal = Journal::new(move |note: &str| kept.lock().expect("notes").push(note.to_owned()));
        let spec = "uct+mast".parse().expect("a player");
        let player = NetworkPlayer::new(Options { journal, ..Options::new("guest", spec) });
        let rules = sheet.text.replace('\n', " ");
        let role = if rules.contains("(role you)") { "you" } else { "r0" };
        let start = Instant::now();
        let answer = player.answer(&format!("(START m {role} ({rules}) 2 1)"), start).expect("a message");
        assert!(start.elapsed() < Duration::from_secs(20), "{}: {:?}", sheet.name, start.elapsed());
        let said = notes.lock().expect("notes").join("\n");
        match &*answer {
            "busy" => {
                let names_the_rule = said.contains(sheet.error) && said.contains("line ");
                assert!(names_the_rule || said.contains("more than 100 roles"), "{}: {said}", sheet.name);
            }
            // Only the first positions are harmless.
            "ready" => {
                let asked = Instant::now();
                let mv = player.answer("(PLAY m nil)", asked).expect("a message");
                assert!(asked.elapsed() < Duration::from_secs(20), "{}: {:?}", sheet.name, asked.elapsed());
                assert_eq!(mv, "stay", "{}: {said}", sheet.name);
                player.answer("(ABORT m)", Instant::now()).expect("a message");
            }
            other => panic!("{}: {other}", sheet.name),
        }
        assert!(player.answer("(INFO)", Instant::now()).expect("a message").contains("available"), "{}", sheet.name);
    }
}
