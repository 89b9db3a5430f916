/** The processes of one program: its group, its descendants, and all that carry its mark. */
import { setTimeout as sleep } from 'node:timers/promises';
import { markedProcesses, processTree, stillRuns, type ProcessFacts } from './process-table.ts';

const pollMs = 20;
/** After this only processes stuck in the kernel (a broken disk) can be left. */
const killedWithinMs = 10_000;

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // No process is left.
    return false;
  }
}

export class ProcessGroup {
  readonly #pid: number;
  readonly #mark: string | undefined;
  readonly #hasLauncher: boolean;
  /** All descendants ever seen, including those that were orphaned since. */
  readonly #seen = new Map<string, ProcessFacts>();

  /**
   * @param pid leader of the group
   * @param mark for processes that leave the group; undefined if not needed or not supported
   * @param hasLauncher the leader created the sandbox and must not end before its content
   */
  constructor(pid: number, mark: string | undefined, hasLauncher: boolean) {
    this.#pid = pid;
    this.#mark = mark;
    this.#hasLauncher = hasLauncher;
  }

  /** Sends SIGTERM to all, waits, then SIGKILL to the rest. */
  async end(terminateMs: number): Promise<void> {
    if (terminateMs > 0) {
      this.#signalAll('SIGTERM');
      if (await this.isGoneWithin(terminateMs)) return;
    }
    // Repeatedly, to catch processes that were being started while signals were sent.
    for (const until = Date.now() + killedWithinMs; Date.now() < until;) {
      this.#signalAll('SIGKILL');
      if (await this.isGoneWithin(5 * pollMs)) return;
    }
  }

  async isGoneWithin(ms: number): Promise<boolean> {
    for (const until = Date.now() + ms; Date.now() < until; await sleep(pollMs))
      if (this.#isGone()) return true;
    return this.#isGone();
  }

  #look(): void {
    for (const facts of processTree(this.#pid)) this.#seen.set(`${facts.pid} ${facts.startedAt}`, facts);
  }

  #isGone(): boolean {
    if ([...this.#seen.values(), ...processTree(this.#pid)].some(stillRuns)) return false;
    // A group includes zombies, which may never be reaped; a mark does not.
    return this.#mark === undefined ? !send(-this.#pid, 0) : !markedProcesses(this.#mark).some(stillRuns);
  }

  #signalAll(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#look();
    const spared = this.#hasLauncher && signal === 'SIGTERM' ? this.#pid : undefined;
    if (spared === undefined) send(-this.#pid, signal);
    const marked = this.#mark === undefined ? [] : markedProcesses(this.#mark);
    for (const facts of [...this.#seen.values(), ...marked])
      if (facts.pid !== spared && stillRuns(facts)) send(facts.pid, signal);
  }
}
