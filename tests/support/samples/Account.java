package bank;

import java.util.List;
import static java.lang.Math.max;

/**
 * An account.
 */
@Entity
public class Account extends Base implements Closeable {
    private static final int LIMIT = 100;
    private List<String> owners;

    public Account(String owner) {
        this.owners = List.of(owner);
    }

    /** Closes it. */
    @Override
    public void close() throws IOException {
        helper.release(max(LIMIT, 3));
    }

    enum Kind { SAVINGS, CHECKING; boolean open() { return true; } }

    interface Listener { void onClose(Account account); }
}

record Money(long cents) {
    Money twice() { return new Money(cents * 2); }
}
