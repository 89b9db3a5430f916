/**
 * Processor time of this thread in milliseconds: a limit by it counts what was done, and not how long
 * others had the processor, so that a busy machine reads the same files as a quiet one.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
