package lib;

/** Implemented by clients. */
public interface Listener {
    Container<?> changed(Shelf<?> shelf, int how) throws Exception;
    @interface Marker { }
}
