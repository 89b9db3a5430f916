/** Information about running processes from /proc. Empty on systems without it. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  readonly pid: number;
  /** Identifies a process together with the pid, since the kernel reuses pids. */
  readonly startedAt: string;
  readonly isZombie: boolean;
  readonly threads: number;
  readonly residentBytes: number;
  /** Its own, plus that of reaped children. */
  readonly cpuMs: number;
}

/** The time unit in /proc: 100 per second on all architectures. */
const tickMs = 10;

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has ended in the meantime.
    return undefined;
  }
}

let knownPageBytes: number | undefined;

/** Of this machine: 4 KiB, or up to 64 KiB on some ARM systems. */
function pageBytes(): number {
  if (knownPageBytes !== undefined) return knownPageBytes;
  const pages = Number(read('/proc/self/statm')?.split(' ')[1] ?? 1);
  const ratio = process.memoryUsage.rss() / pages;
  knownPageBytes = [4096, 16_384, 65_536].find((size) => ratio < size * 2) ?? 65_536;
  return knownPageBytes;
}

function findProcess(pid: number): ProcessFacts | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the name in parentheses, and may have any character in it. See proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const at = (number: number) => Number(fields[number - 3] ?? 0);
  return {
    pid,
    startedAt: fields[22 - 3] ?? '',
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
    threads: at(20),
    residentBytes: at(24) * pageBytes(),
    cpuMs: (at(14) + at(15) + at(16) + at(17)) * tickMs,
  };
}

const childrenOf = (pid: number): number[] => {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return threads.flatMap((thread) =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
};

/** The process, if still running, and its descendants, parents first. */
export function processTree(pid: number): ProcessFacts[] {
  const found: ProcessFacts[] = [];
  const next = [pid];
  const seen = new Set<number>();
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const facts = findProcess(at);
    if (facts === undefined) continue;
    found.push(facts);
    next.push(...childrenOf(at));
  }
  return found;
}

export const stillRuns = ({ pid, startedAt }: ProcessFacts): boolean => {
  const now = findProcess(pid);
  return now !== undefined && now.startedAt === startedAt && !now.isZombie;
};

/** Proportional set size (PSS) of the process; undefined without permission. */
export function proportionalBytes(pid: number): number | undefined {
  const found = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '');
  return found === null ? undefined : Number(found[1]) * 1024;
}

/** Processes that carry the mark (see `process-mark.ts`), in any process group. */
export function markedProcesses(mark: string): ProcessFacts[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/limits`)?.includes(` ${mark} `))
    .flatMap((name) => findProcess(Number(name)) ?? []);
}
