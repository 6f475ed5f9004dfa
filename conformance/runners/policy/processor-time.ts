/** Processor time, so that verdicts do not depend on what else the machine does. */
export function processorMillis(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
