package dev.portcullis.junit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A Kubernetes API server in memory, on a free port, as a child process. */
public final class ApiServer implements AutoCloseable {
  private static final int LAST_LINES = 40;
  private static final int START_SECONDS = 30;

  private final List<String> load;
  private final List<String> args;
  private final Deque<String> lines = new ArrayDeque<>();
  private Path folder;
  private Process process;

  /**
   * @param load files or folders with objects that are there from the start, such as CRDs
   * @param args more flags of {@code portcullis serve}
   */
  public ApiServer(List<String> load, List<String> args) {
    this.load = List.copyOf(load);
    this.args = List.copyOf(args);
  }

  /** Starts the server and waits until it is ready. */
  public ApiServer start() throws IOException, InterruptedException {
    folder = Files.createTempDirectory("portcullis-");
    List<String> command = new ArrayList<>(command());
    command.addAll(List.of("serve", "--in-memory", "--secure-port", "0", "--kubeconfig-out", kubeconfig().toString()));
    for (String path : load) {
      command.addAll(List.of("--load", path));
    }
    command.addAll(args);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    CompletableFuture<Boolean> ready = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, ready), "portcullis");
    reader.setDaemon(true);
    reader.start();
    try {
      if (!ready.get(START_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("Portcullis ended before it was ready:\n" + output());
      }
    } catch (TimeoutException | ExecutionException problem) {
      throw new IOException("Portcullis was not ready after " + START_SECONDS + " s:\n" + output(), problem);
    } finally {
      if (!ready.isDone() || !ready.getNow(false)) {
        close();
      }
    }
    return this;
  }

  /** The path of a kubeconfig for an administrator. */
  public Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  /** Back to the state after {@link #start()}. The address changes: make new clients. */
  public void reset() throws IOException, InterruptedException {
    close();
    start();
  }

  /** The last lines that the server printed. */
  public String output() {
    synchronized (lines) {
      return String.join("\n", lines);
    }
  }

  @Override
  public void close() throws IOException {
    if (process != null) {
      process.destroy();
      try {
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException problem) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
      process = null;
    }
    if (folder != null && Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  private void read(Process from, CompletableFuture<Boolean> ready) {
    try (BufferedReader reader = from.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lines) {
          lines.addLast(line);
          if (lines.size() > LAST_LINES) {
            lines.removeFirst();
          }
        }
        if (line.contains("listens on http")) {
          ready.complete(true);
        }
      }
    } catch (IOException problem) {
      // The process has ended.
    }
    ready.complete(false);
  }

  /** $PORTCULLIS, else `portcullis` on the path, else npx. */
  private static List<String> command() {
    String given = System.getenv("PORTCULLIS");
    if (given != null && !given.isBlank()) {
      return Arrays.asList(given.trim().split("\\s+"));
    }
    return isOnPath("portcullis") ? List.of("portcullis") : List.of("npx", "--yes", "portcullis");
  }

  private static boolean isOnPath(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":")).anyMatch(place -> Files.isExecutable(Path.of(place, name)));
  }
}
