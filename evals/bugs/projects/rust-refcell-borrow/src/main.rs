mod bank;

fn main() {
    let bank = bank::Bank::default();
    bank.deposit("ada", 5000);
    bank.pay_interest();
    println!("{}", bank.balance("ada"));
}
