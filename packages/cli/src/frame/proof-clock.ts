/** The clock of proofs, whose answers must not depend on what else the machine does. */

/** How much longer a budget may last by the clock if other programs use the processor. */
const SLOWDOWN = 4;

/**
 * Milliseconds of processor time since an arbitrary start. It is never slower than a quarter of the clock, so that a
 * budget always ends.
 */
export function proofClock(wallMillis = () => performance.now(), processorMillis = processorTime): () => number {
  let [wall, processor, spent] = [wallMillis(), processorMillis(), 0];
  return () => {
    const [wallNow, processorNow] = [wallMillis(), processorMillis()];
    const [passed, used] = [wallNow - wall, processorNow - processor];
    // Other threads of the process, such as those that collect garbage, use the processor too.
    spent += Math.max(Math.min(passed, used), passed / SLOWDOWN);
    [wall, processor] = [wallNow, processorNow];
    return spent;
  };
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
