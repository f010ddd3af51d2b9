package com.google.common.annotations;

/** Stands in for the annotation of this name. */
public @interface VisibleForTesting {
}
