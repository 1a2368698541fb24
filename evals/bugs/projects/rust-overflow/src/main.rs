struct Shift {
    begin: u32,
    end: u32,
}

fn parse(text: &str) -> Shift {
    let mut parts = text.split('-').map(|part| part.parse::<u32>().unwrap());
    let end = parts.next().unwrap();
    let begin = parts.next().unwrap();
    Shift { begin, end }
}

fn hours(shift: &Shift) -> u32 {
    shift.end - shift.begin
}

fn total(lines: &[&str]) -> u32 {
    lines.iter().map(|line| hours(&parse(line))).sum()
}

fn main() {
    println!("{}", total(&["9-17", "8-12"]));
}
