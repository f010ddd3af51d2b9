package io.netty.channel;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands in for the interface of this name. */
public interface ChannelHandler {
    /** Stands in for the annotation of this name. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Sharable {
    }
}
