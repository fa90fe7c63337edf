//! From the names of our moves to those of the papers' sheets, game by game.

#![allow(unreachable_pub)]

/// What the papers' sheet calls a move: by the role and the words of our name.
pub type Translate = fn(&str, &[&str]) -> String;

/// The same name.
pub fn literally(_: &str, words: &[&str]) -> String {
    match words {
        [word] => (*word).to_owned(),
        words => format!("({})", words.join(" ")),
    }
}

/// The same arguments under another name.
fn renamed(name: &str, arguments: &[&str]) -> String {
    format!("({name} {})", arguments.join(" "))
}

pub fn cube(_: &str, words: &[&str]) -> String {
    renamed("select", &words[1..])
}

pub fn reversi(_: &str, words: &[&str]) -> String {
    renamed("move", &words[1..])
}

pub fn othello(_: &str, words: &[&str]) -> String {
    renamed("mark", &words[1..])
}

/// All numbers are letters.
pub fn lettered(_: &str, words: &[&str]) -> String {
    let letters: Vec<String> = words[1..].iter().map(|word| letter(number(word)).to_string()).collect();
    format!("({} {})", words[0], letters.join(" "))
}

/// All numbers have a `c` before them.
pub fn sheep_and_wolf(_: &str, words: &[&str]) -> String {
    let numbers: Vec<String> = words[1..].iter().map(|word| format!("c{word}")).collect();
    format!("({} {})", words[0], numbers.join(" "))
}

/// Rows come before columns.
pub fn quad(_: &str, words: &[&str]) -> String {
    format!("({} r{} c{})", words[0], words[2], words[1])
}

/// Columns are letters; every move says whether it is on the odd or the even squares, every jump over which square it goes.
pub fn chinook(_: &str, words: &[&str]) -> String {
    let board = |odd| if odd { "odd" } else { "even" };
    if let ["pass", colour] = words {
        return format!("{}noop", board(*colour == "dark"));
    }
    let numbers: Vec<u8> = words[1..].iter().map(|word| number(word)).collect();
    let &[x1, y1, x2, y2] = &numbers[..] else { panic!("{words:?}") };
    let (from, to) = (square(x1, y1), square(x2, y2));
    let board = board((x1 + y1) % 2 == 0);
    match words[0] {
        "move" => format!("({board}move {from} {to})"),
        _ => {
            // The columns form a ring, on which a jump goes two to the right or six, that is two to the left.
            let to_the_right = (x2 + 8 - x1) % 8 == 2;
            let between = (x1 + if to_the_right { 0 } else { 6 }) % 8 + 1;
            format!("({board}jump {from} {} {to})", square(between, (y1 + y2) / 2))
        }
    }
}

/// Holes have a letter for the row, from the top, and a number in the row.
pub fn star(_: &str, words: &[&str]) -> String {
    let hole = |x: &str, y: &str| {
        let row = 9 - number(y);
        let first = [7, 6, 1, 2, 3, 2, 1, 6, 7][usize::from(row)];
        format!("{}{}", letter(row + 1), (number(x) - first) / 2 + 1)
    };
    format!("(move {} {})", hole(words[1], words[2]), hole(words[3], words[4]))
}

/// Columns are letters, and pieces have a letter for their owner, who is white where we say red.
pub fn checkers(role: &str, words: &[&str]) -> String {
    let name = match words[0] {
        "jump-twice" => "doublejump",
        "jump-thrice" => "triplejump",
        name => name,
    };
    let piece = match (role, words[1]) {
        ("red", "man") => "wp",
        ("red", _) => "wk",
        (_, "man") => "bp",
        _ => "bk",
    };
    let squares: Vec<String> = words[2..].chunks(2).map(|at| square(number(at[0]), number(at[1]))).collect();
    format!("({name} {piece} {})", squares.join(" "))
}

/// Every piece has a move of its own name, and a jump says over which square it goes.
pub fn ttcc4(role: &str, words: &[&str]) -> String {
    match words[0] {
        "move" => renamed(&format!("{}Move", words[1]), &words[2..]),
        "jump" => {
            let middle = |a: &str, b: &str| ((number(a) + number(b)) / 2).to_string();
            let (x, y) = (middle(words[1], words[3]), middle(words[2], words[4]));
            renamed("jump", &[words[1], words[2], &x, &y, words[3], words[4]])
        }
        _ => literally(role, words),
    }
}

/// Places are numbered within a quarter; the quarters are numbered counterclockwise from the upper right.
pub fn pentago(_: &str, words: &[&str]) -> String {
    let quarter = |right, upper| match (right, upper) {
        (true, true) => 1,
        (false, true) => 2,
        (false, false) => 3,
        (true, false) => 4,
    };
    if let ["rotate", name, sense] = words {
        return format!("(rotate {} {sense})", quarter(name.ends_with("right"), name.starts_with("upper")));
    }
    let (x, y) = (number(words[1]), number(words[2]));
    format!("(place {} {} {})", quarter(x > 3, y > 3), (x - 1) % 3 + 1, (y - 1) % 3 + 1)
}

fn number(word: &str) -> u8 {
    word.parse().unwrap_or_else(|_| panic!("{word} is no number"))
}

fn letter(number: u8) -> char {
    char::from(b'a' + number - 1)
}

/// A column as a letter and a row.
fn square(x: u8, y: u8) -> String {
    format!("{} {y}", letter(x))
}
