use std::collections::HashMap;

pub struct Settings {
    values: HashMap<String, String>,
}

impl Settings {
    pub fn parse(text: &str) -> Self {
        let mut values = HashMap::new();
        for line in text.lines() {
            if let Some((key, value)) = line.split_once('=') {
                values.insert(key.to_string(), value.trim().to_string());
            }
        }
        Settings { values }
    }

    pub fn get(&self, key: &str) -> Option<&String> {
        self.values.get(key)
    }
}
