package java.lang;

/** Something through which threads are ordered, a lock or a variable, and whose turn it is: as long as one thread alone uses it, it is biased to that one. */
abstract class SelvedgeTurns {
    /** The thread that alone has used it, and how often; null before the first, and, with -1, after a second thread. */
    SelvedgeOrder only;
    int turns;
}
