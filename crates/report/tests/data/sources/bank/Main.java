package bank;

public final class Main {
    public static void main(String[] args) throws InterruptedException {
        Bank bank = new Bank();
        bank.open(1, "Ada");
        bank.open(2, "Grace");
        for (int i = 0; i < 4; i++) {
            new Thread(new Teller(bank)).start();
        }
        bank.open(3, "Barbara");
        System.out.println(bank.total());
    }
}

final class Teller implements Runnable {
    private final Bank bank;

    Teller(Bank bank) {
        this.bank = bank;
    }

    @Override
    public void run() {
        bank.transfer(1, 2, 10);
    }
}
