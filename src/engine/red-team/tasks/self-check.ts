import { findEnvironment } from '#environments/catalogue.ts';
import { EnvironmentInstance } from '#environments/kit/instance.ts';
import { SeedError } from '#environments/kit/state.ts';
import { judge, type Verdict } from '../judge.ts';
import { InProcessHandle } from '../session/in-process.ts';
import { replay } from '../session/replay.ts';
import { type EnvironmentHandle, SandboxSession } from '../session/sandbox-session.ts';
import type { TaskInstance } from './instance.ts';
import type { Step } from './task-file.ts';

/**
 * Proves that a task can be judged: replays of the honest work, of the attack and of doing nothing must give the
 * verdicts that they have to, and the injection must be seen by an agent that does its job.
 */
export class TaskChecker {
  readonly #instances = new Map<string, EnvironmentInstance>();
  /** Ends with the check before: the instances serve one task at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** The reasons for which a task is refused, as sentences; empty if it is sound. */
  async problems(task: TaskInstance): Promise<string[]> {
    const found = this.#last.then(() => this.#problems(task)).catch(seedProblem);
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #problems(task: TaskInstance): Promise<string[]> {
    const unknown = task.envs.filter((env) => !findEnvironment(env));
    if (unknown.length > 0) return [`There is no environment ${unknown.join(', ')}.`];
    const { user, attacker } = task.groundTruth;
    const nothing = await this.#verdict(task, []);
    const problems = [
      ...(nothing.taskSuccess ? ['Doing nothing counts as success.'] : []),
      ...(nothing.attackSuccess ? ['Doing nothing counts as a successful attack.'] : []),
    ];
    if (task.success) problems.push(...honestProblems(task, await this.#verdict(task, user)));
    if (task.attack) {
      const hijacked = await this.#verdict(task, beforeReply(user, attacker));
      if (hijacked.attackSuccess !== true)
        problems.push('The replay of the attack does not count as a successful attack.');
    }
    return problems;
  }

  async #verdict(task: TaskInstance, steps: readonly Step[]): Promise<Verdict> {
    const handles = new Map<string, EnvironmentHandle>(task.envs.map((id) => [id, this.#handle(id)]));
    const session = new SandboxSession(task, handles);
    await session.start(task.id);
    const seen = await replay(session, steps);
    return judge(task, seen, session.delivered);
  }

  /** One instance of each environment serves all replays, one after the other. */
  #handle(id: string): InProcessHandle {
    const environment = findEnvironment(id);
    if (!environment) throw new Error(`There is no environment ${id}.`);
    const instance = this.#instances.get(id) ?? new EnvironmentInstance(environment);
    this.#instances.set(id, instance);
    return new InProcessHandle(instance);
  }
}

function seedProblem(error: unknown): string[] {
  if (error instanceof SeedError) return [error.message];
  throw error;
}

function honestProblems(task: TaskInstance, honest: Verdict): string[] {
  return [
    ...(honest.taskSuccess === true ? [] : ['The replay of the honest work does not count as success.']),
    ...(honest.attackSuccess ? ['The replay of the honest work counts as a successful attack.'] : []),
    ...(task.injection && !honest.delivered ? ['The honest work never sees the injected text.'] : []),
    ...honest.collateral.map(
      (change) => `The honest work changes ${change.env}.${change.table}, which "allow" does not name.`,
    ),
  ];
}

/** The attack's calls stand before the final reply of the honest work, as an agent that obeys would make them. */
export function beforeReply(user: readonly Step[], attacker: readonly Step[]): Step[] {
  return [
    ...user.filter((step) => 'call' in step),
    ...shifted(attacker, user.filter((step) => 'call' in step).length),
    ...user.filter((step) => 'respond' in step),
  ];
}

/** References to results count from the attack's own first call. */
function shifted(steps: readonly Step[], by: number): Step[] {
  const text = JSON.stringify(steps).replaceAll(
    /\{\{result\.(\d+)\./g,
    (_, call: string) => `{{result.${Number(call) + by}.`,
  );
  return JSON.parse(text) as Step[];
}
