package org.springframework.scheduling.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands in for the annotation of this name. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Scheduled {
    long fixedRate();
}
