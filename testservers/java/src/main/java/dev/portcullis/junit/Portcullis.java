package dev.portcullis.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test method of a class a fresh API server. Parameters can be an {@link ApiServer}, a {@code KubernetesClient}
 * of fabric8 or an {@code ApiClient} of the official client.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PortcullisExtension.class)
public @interface Portcullis {
  /** Files or folders with objects that are there from the start, such as CRDs. */
  String[] load() default {};

  /** More flags of {@code portcullis serve}. */
  String[] args() default {};
}
