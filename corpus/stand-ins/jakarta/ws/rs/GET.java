package jakarta.ws.rs;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands in for the annotation of this name. */
@Retention(RetentionPolicy.RUNTIME)
public @interface GET {
}
