use std::cell::RefCell;
use std::collections::HashMap;

#[derive(Default)]
pub struct Bank {
    balances: RefCell<HashMap<String, i64>>,
    log: RefCell<Vec<String>>,
}

impl Bank {
    pub fn deposit(&self, owner: &str, amount: i64) {
        let mut balances = self.balances.borrow_mut();
        *balances.entry(owner.to_string()).or_insert(0) += amount;
        self.log.borrow_mut().push(format!("deposit {owner} {amount}"));
    }

    pub fn pay_interest(&self) {
        for (owner, balance) in self.balances.borrow().iter() {
            self.deposit(owner, balance / 100);
        }
    }

    pub fn balance(&self, owner: &str) -> i64 {
        *self.balances.borrow().get(owner).unwrap_or(&0)
    }
}
