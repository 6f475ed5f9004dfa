/** Ends a test run with one plain line for log readers: `N passed, N failed, N skipped`. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        counts[state in counts ? state : "failed"] += 1;
      }
      if (tests.length === 0 && module.state() === "failed") counts.failed += 1;
    }
    counts.failed += unhandledErrors.length;
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
