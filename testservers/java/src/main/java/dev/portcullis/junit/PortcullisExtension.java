package dev.portcullis.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts a server when a test method first asks for one, and ends it after the method. */
public final class PortcullisExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(PortcullisExtension.class);
  private static final String FABRIC8 = "io.fabric8.kubernetes.client.KubernetesClient";
  private static final String OFFICIAL = "io.kubernetes.client.openapi.ApiClient";

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == ApiServer.class || List.of(FABRIC8, OFFICIAL).contains(type.getName());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ApiServer server = context.getStore(NAMESPACE).getOrComputeIfAbsent(ApiServer.class, key -> start(context), ApiServer.class);
    try {
      return switch (parameter.getParameter().getType().getName()) {
        case FABRIC8 -> Clients.fabric8(server);
        case OFFICIAL -> Clients.official(server);
        default -> server;
      };
    } catch (IOException problem) {
      throw new ParameterResolutionException(problem.getMessage(), problem);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    ApiServer server = context.getStore(NAMESPACE).remove(ApiServer.class, ApiServer.class);
    if (server == null) {
      return;
    }
    if (context.getExecutionException().isPresent()) {
      context.publishReportEntry("output of the API server", server.output());
    }
    server.close();
  }

  private static ApiServer start(ExtensionContext context) {
    Portcullis options = context.getRequiredTestClass().getAnnotation(Portcullis.class);
    List<String> load = options == null ? List.of() : List.of(options.load());
    List<String> args = options == null ? List.of() : List.of(options.args());
    try {
      return new ApiServer(load, args).start();
    } catch (IOException problem) {
      throw new ParameterResolutionException(problem.getMessage(), problem);
    } catch (InterruptedException problem) {
      Thread.currentThread().interrupt();
      throw new ParameterResolutionException("interrupted", problem);
    }
  }

  /** Loaded only if a parameter asks for a client, so that the clients stay optional. */
  private static final class Clients {
    static Object fabric8(ApiServer server) throws IOException {
      var config = io.fabric8.kubernetes.client.Config.fromKubeconfig(Files.readString(server.kubeconfig()));
      return new io.fabric8.kubernetes.client.KubernetesClientBuilder().withConfig(config).build();
    }

    static Object official(ApiServer server) throws IOException {
      return io.kubernetes.client.util.Config.fromConfig(server.kubeconfig().toString());
    }
  }
}
