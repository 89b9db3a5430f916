/** The processes of one program: all in its group, all that descend from it, and all that carry its mark. */
import { setTimeout as sleep } from 'node:timers/promises';
import { markedProcesses, processTree, stillRuns, type ProcessFacts } from './process-table.ts';

const pollMs = 20;
/** After this only what the kernel itself holds (a broken disk) can be left. */
const killedWithinMs = 10_000;

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // Nobody is left.
    return false;
  }
}

export class ProcessGroup {
  readonly #pid: number;
  readonly #mark: string | undefined;
  readonly #hasLauncher: boolean;
  /** All that were ever seen below the program, since they stay known when they are nobody's children any more. */
  readonly #seen = new Map<string, ProcessFacts>();

  /**
   * @param pid leader of the group
   * @param mark of what may leave the group; undefined where nothing can, or nothing has one
   * @param hasLauncher the leader makes the sandbox, and must not end before what is in it
   */
  constructor(pid: number, mark: string | undefined, hasLauncher: boolean) {
    this.#pid = pid;
    this.#mark = mark;
    this.#hasLauncher = hasLauncher;
  }

  /** Asks all to end, waits, then ends whoever is left. */
  async end(terminateMs: number): Promise<void> {
    if (terminateMs > 0) {
      this.#signalAll('SIGTERM');
      if (await this.isGoneWithin(terminateMs)) return;
    }
    // Again and again: what was being started while the signals went out.
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
    // A group counts its zombies, which nobody may ever wait for; a mark does not.
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
