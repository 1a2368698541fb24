pub struct Grid {
    pub width: usize,
    pub height: usize,
    cells: Vec<u8>,
}

impl Grid {
    pub fn new(width: usize, height: usize) -> Self {
        Grid { width, height, cells: vec![0; width * height] }
    }

    fn index(&self, x: usize, y: usize) -> usize {
        y * self.height + x
    }

    pub fn set(&mut self, x: usize, y: usize, value: u8) {
        let at = self.index(x, y);
        self.cells[at] = value;
    }
}
