mod settings;

use settings::Settings;

fn port_of(settings: &Settings) -> u16 {
    let text = settings.get("port").unwrap();
    text.parse().unwrap_or(8080)
}

fn main() {
    let settings = Settings::parse("host=localhost\nport = 9090\n");
    println!("listening on {}", port_of(&settings));
}
