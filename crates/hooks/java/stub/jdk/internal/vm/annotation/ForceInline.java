package jdk.internal.vm.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As the real one, which the JIT compilers heed in classes of the boot loader. */
@Retention(RetentionPolicy.RUNTIME)
public @interface ForceInline {}
