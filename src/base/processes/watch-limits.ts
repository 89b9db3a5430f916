/** Monitors the resource use of a program and its descendants, and reports exceeded limits. */
import type { EndReason, ProcessLimits } from './process-limits.ts';
import { processTree, proportionalBytes, type ProcessFacts } from './process-table.ts';

export interface Usage {
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
}

export interface LimitWatch {
  usage(): Usage;
  stop(): void;
}

const leastPauseMs = 40;
/** Monitoring uses at most this share of one processor. */
const mostShare = 0.05;

/** Counts shared pages once, but measures that (slow) only if the quick sum exceeds the limit. */
function memoryOf(tree: readonly ProcessFacts[], limitBytes: number): number {
  const quick = tree.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
  if (quick <= limitBytes) return quick;
  return tree.reduce((sum, { pid, residentBytes }) => sum + (proportionalBytes(pid) ?? residentBytes), 0);
}

/**
 * @param launchers how many processes of the tree, from its root on, belong to the sandbox
 * @param onExceeded called once
 */
export function watchLimits(
  pid: number,
  limits: ProcessLimits,
  launchers: number,
  onExceeded: (reason: EndReason) => void,
): LimitWatch {
  const { memoryBytes = Infinity, cpuMs = Infinity, processes = Infinity } = limits;
  const pauseMs = limits.watchEveryMs ?? leastPauseMs;
  let peakMemoryBytes = 0;
  let usedCpuMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;

  const exceeded = (): EndReason | undefined => {
    const tree = processTree(pid);
    peakMemoryBytes = Math.max(peakMemoryBytes, memoryOf(tree, memoryBytes));
    const total = tree.reduce((sum, each) => sum + each.cpuMs, 0);
    // Processes that ended without being reaped drop out of the sum.
    usedCpuMs = Math.max(usedCpuMs, total);
    const running = tree.filter(({ isZombie }) => !isZombie).reduce((sum, { threads }) => sum + threads, 0);
    if (peakMemoryBytes > memoryBytes) return 'memory';
    if (usedCpuMs > cpuMs) return 'cpu_time';
    if (running - launchers > processes) return 'processes';
    return undefined;
  };
  const look = () => {
    const begun = performance.now();
    const reason = exceeded();
    if (hasEnded) return;
    if (reason !== undefined) {
      hasEnded = true;
      onExceeded(reason);
      return;
    }
    const tookMs = performance.now() - begun;
    timer = setTimeout(look, Math.max(pauseMs, tookMs / mostShare)).unref();
  };
  look();
  return {
    usage: () => ({ cpuMs: usedCpuMs, peakMemoryBytes }),
    stop() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}
