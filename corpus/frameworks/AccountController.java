// selvedge: container=frameworks.AccountController
// A Spring controller with an injected service: the service keeps a concurrent map and immutable records; fields that
// injection sets are only read.
package frameworks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class AccountController {
    private final AccountService service;

    public AccountController() {
        this.service = new AccountService();
    }

    @GetMapping("/open")
    public String open(String owner) {
        return String.valueOf(service.open(owner));
    }

    @GetMapping("/owner")
    public String owner(String number) {
        return service.owner(Long.parseLong(number));
    }

    record Account(long number, String owner) {
    }

    static class AccountService {
        private final Map<Long, Account> accounts = new ConcurrentHashMap<>();
        private final AtomicLong numbers = new AtomicLong();

        long open(String owner) {
            long number = numbers.incrementAndGet();
            accounts.put(number, new Account(number, owner));
            return number;
        }

        String owner(long number) {
            Account account = accounts.get(number);
            return account == null ? "" : account.owner(); //~ NORACE: a record
        }
    }
}
