import java.util.ArrayList;
import java.util.List;

/** Idioms with monitors. Marks label the accesses of a line, and say what two of them hold in common. */
public class Monitors {
    static int rounds = 2;

    //: sync.inc sync.inc proof
    //: sync.inc sync.get none
    static class Sync {
        int n;
        synchronized void inc() {
            n++; //@ sync.inc
        }
        int get() {
            return n; //@ sync.get
        }
    }

    //: final.a final.b proof
    static class FinalField {
        final Object lock = new Object();
        int n;
        void a() {
            synchronized (lock) {
                n++; //@ final.a
            }
        }
        int b() {
            synchronized (this.lock) {
                return n; //@ final.b
            }
        }
    }

    //: init.a init.a proof
    static class NeverReassigned {
        private Object lock = new Object();
        int n;
        void a() {
            synchronized (lock) {
                n++; //@ init.a
            }
        }
    }

    //: reassigned.a reassigned.a none
    static class Reassigned {
        Object lock = new Object();
        int n;
        void a() {
            synchronized (lock) {
                n++; //@ reassigned.a
            }
            lock = new Object();
        }
    }

    //: class.a class.b proof
    //: class.a class.c none
    static class ClassObject {
        static int n;
        static synchronized void a() {
            n++; //@ class.a
        }
        void b() {
            synchronized (ClassObject.class) {
                n++; //@ class.b
            }
        }
        synchronized void c() {
            n++; //@ class.c
        }
    }

    //: static.a static.a proof
    static class StaticLock {
        static final Object LOCK = new Object();
        int n;
        void a() {
            synchronized (LOCK) {
                n++; //@ static.a
            }
        }
    }

    //: fresh.a fresh.a none
    static class FreshLock {
        int n;
        void a() {
            synchronized (new Object()) {
                n++; //@ fresh.a
            }
        }
    }

    //: helper.a helper.a proof
    //: helper.b helper.b none
    //: helper.c helper.c proof
    static class Helper {
        int n, m, k;
        synchronized void outer() {
            safe();
            unsafe();
            twice();
            k++; //@ helper.c
        }
        private void safe() {
            n++; //@ helper.a
        }
        void unsafe() {
            m++; //@ helper.b
        }
        synchronized void twice() {
        }
    }

    //: lambda.a lambda.a proof
    static class Lambda {
        int n;
        synchronized void a(List<String> list) {
            list.forEach(text -> {
                n++; //@ lambda.a
            });
        }
    }

    //: inner.a inner.b proof
    static class Outer {
        int n;
        class Inner {
            void a() {
                synchronized (Outer.this) {
                    n++; //@ inner.a
                }
            }
        }
        synchronized void b() {
            n++; //@ inner.b
        }
    }

    //: owner.a owner.b proof
    //: owner.c owner.c proof
    //: owner.d owner.d proof
    static class Owner {
        private List<String> list = new ArrayList<>();
        private int[] data = new int[4];
        private final Sync part = new Sync();
        synchronized void a() {
            list.add("x"); //@ owner.a
        }
        synchronized int b() {
            return list.size(); //@ owner.b
        }
        synchronized void c(int i) {
            data[i]++; //@ owner.c
        }
        synchronized void d() {
            part.n++; //@ owner.d
        }
    }

    //: shared.a shared.a none
    static class Sharing {
        final Sync part;
        Sharing(Sync part) {
            this.part = part;
        }
        synchronized void a() {
            part.n--; //@ shared.a
        }
    }

    //: wait.a wait.a proof
    //: wait.b wait.b proof
    static class Waiting {
        int n, m;
        synchronized void a() {
            try {
                wait(1);
            } catch (InterruptedException e) {
                m++; //@ wait.b
            }
            n++; //@ wait.a
        }
    }

    //: leaves.a leaves.a proof
    //: leaves.b leaves.b none
    static class LeavesByException {
        int n, m;
        void a(int[] array) {
            try {
                synchronized (this) {
                    n++; //@ leaves.a
                    array[5] = 1;
                }
            } catch (IndexOutOfBoundsException e) {
                m++; //@ leaves.b
            }
        }
    }

    //: getter.a getter.a proof
    static class Getter {
        private final Object lock = new Object();
        int n;
        Object lock() {
            return lock;
        }
        void a() {
            synchronized (lock()) {
                n++; //@ getter.a
            }
        }
    }

    //: element.a element.a proof
    static class Elements {
        final Sync[] all = {new Sync(), new Sync()};
        void a() {
            for (Sync one : all) {
                synchronized (one) {
                    one.n += 2; //@ element.a
                }
            }
        }
    }

    //: before.a before.a none
    //: after.a after.a none
    static class Around {
        int n, m;
        void a() {
            n++; //@ before.a
            synchronized (this) {
                rounds += 0;
            }
            m++; //@ after.a
        }
    }

    //: two.a two.b none
    static class TwoLocks {
        final Object first = new Object(), second = new Object();
        int n;
        void a() {
            synchronized (first) {
                n++; //@ two.a
            }
        }
        void b() {
            synchronized (second) {
                n++; //@ two.b
            }
        }
    }

    //: passed.a passed.a likely
    static class PassedIn {
        private Object lock;
        int n;
        void set(Object lock) {
            this.lock = lock;
        }
        void a() {
            synchronized (lock) {
                n++; //@ passed.a
            }
        }
    }

    //: stripe.a stripe.a proof
    //: stripe.b stripe.b none
    static class Striping {
        private final Object[] locks = new Object[4];
        private final int[] counts = new int[4], wrong = new int[4];
        Striping() {
            for (int i = 0; i < 4; i++) {
                locks[i] = new Object();
            }
        }
        void a(int key) {
            int stripe = Math.floorMod(key, 4);
            synchronized (locks[stripe]) {
                counts[stripe]++; //@ stripe.a
                wrong[key]++; //@ stripe.b
            }
        }
    }

    static void both(Runnable a, Runnable b) {
        Thread first = new Thread(a);
        Thread second = new Thread(b);
        first.start();
        second.start();
    }

    public static void main(String[] args) {
        List<String> list = new ArrayList<>();
        list.add("one");
        for (int i = 0; i < rounds; i++) {
            Sync sync = new Sync();
            both(sync::inc, sync::inc);
            both(sync::get, sync::inc);
            FinalField finalField = new FinalField();
            both(finalField::a, finalField::b);
            NeverReassigned init = new NeverReassigned();
            both(init::a, init::a);
            Reassigned reassigned = new Reassigned();
            both(reassigned::a, reassigned::a);
            ClassObject object = new ClassObject();
            both(ClassObject::a, object::b);
            both(ClassObject::a, object::c);
            StaticLock locked = new StaticLock();
            both(locked::a, locked::a);
            FreshLock fresh = new FreshLock();
            both(fresh::a, fresh::a);
            Helper helper = new Helper();
            both(helper::outer, helper::outer);
            both(helper::unsafe, helper::twice);
            Lambda lambda = new Lambda();
            both(() -> lambda.a(list), () -> lambda.a(list));
            Outer outer = new Outer();
            Outer.Inner inner = outer.new Inner();
            both(inner::a, outer::b);
            Owner owner = new Owner();
            both(owner::a, owner::b);
            both(() -> owner.c(1), () -> owner.c(1));
            both(owner::d, owner::d);
            Sync part = new Sync();
            Sharing one = new Sharing(part), other = new Sharing(part);
            both(one::a, other::a);
            Waiting waiting = new Waiting();
            both(waiting::a, waiting::a);
            LeavesByException leaves = new LeavesByException();
            both(() -> leaves.a(new int[2]), () -> leaves.a(new int[2]));
            Getter getter = new Getter();
            both(getter::a, getter::a);
            Elements elements = new Elements();
            both(elements::a, elements::a);
            Around around = new Around();
            both(around::a, around::a);
            TwoLocks two = new TwoLocks();
            both(two::a, two::b);
            PassedIn passed = new PassedIn();
            passed.set(new Object());
            both(passed::a, passed::a);
            Striping striping = new Striping();
            both(() -> striping.a(1), () -> striping.a(2));
        }
    }
}
