mod grid;

use grid::Grid;

fn fill(grid: &mut Grid) {
    for y in 0..grid.height {
        for x in 0..grid.width {
            grid.set(x, y, 1);
        }
    }
}

fn main() {
    let mut square = Grid::new(3, 3);
    fill(&mut square);
    let mut wide = Grid::new(2, 5);
    fill(&mut wide);
}
