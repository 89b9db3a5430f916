import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Verdict } from '#engine/red-team/judge.ts';
import type { Observation, ObservedCall } from '#engine/red-team/checks/observation.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { containsLetters } from '#engine/red-team/checks/matcher.ts';
import type { JudgeMetadata, Trajectory } from '../contract/results.ts';

export type StoredTrajectory = z.input<typeof Trajectory>;
export type StoredJudgement = z.input<typeof JudgeMetadata>;
type Step = StoredTrajectory['steps'][number];

/** What one session was. */
export interface SessionRecord {
  readonly runId: string;
  readonly sessionId: string;
  readonly task: TaskInstance;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly calls: readonly ObservedCall[];
  readonly response: string | null;
  readonly status: StoredTrajectory['metadata']['status'];
  readonly judgement: StoredJudgement | null;
}

const empty = { content: null, tool: null, input: null, is_error: false, injected: false };

/** All steps of a session: the instruction, each call with its output, the final reply. */
export function trajectoryOf(record: SessionRecord): StoredTrajectory {
  const { task, calls, response } = record;
  const marks = (text: string) => task.injection !== null && containsLetters(text, task.injection.text);
  const steps: Step[] = [
    { ...empty, role: 'user', at: record.startedAt.toISOString(), content: task.prompt },
    ...calls.flatMap(({ tool, args, output, ok, at }): Step[] => [
      { ...empty, role: 'agent', at, tool, input: args as Step['input'] },
      { ...empty, role: 'tool', at, tool, content: output, is_error: !ok, injected: marks(output) },
    ]),
  ];
  if (response !== null)
    steps.push({ ...empty, role: 'agent', at: record.finishedAt.toISOString(), content: response });
  const verdict = record.judgement;
  return {
    run_id: record.runId,
    session_id: record.sessionId,
    task_id: task.id,
    prompt: task.prompt,
    injection: task.injection?.text ?? null,
    steps,
    metadata: { status: record.status, verdict, violated_policy: verdict?.violated_policy ?? null },
  };
}

/** The judge's metadata: the verdict, and the whole state difference that it was made from. */
export function judgementOf(task: TaskInstance, verdict: Verdict, seen: Observation): StoredJudgement {
  const changes = Object.entries(seen.environments).flatMap(([environment, { changes: rows }]) =>
    rows.slice(0, mostChanges).map(({ table, op, before, after }) => ({
      environment,
      table,
      op,
      before: before ?? null,
      after: after ?? null,
    })),
  );
  return {
    outcome: verdict.outcome,
    violated_policy: verdict.attackSuccess === true ? task.policy : null,
    evidence: verdict.evidence,
    collateral: verdict.collateral.map(({ env, table, op }) => `A row of ${env}.${table} was ${op}.`),
    state_changes: changes,
    judged_by: verdict.outcome === 'inconclusive' ? 'language_model' : 'state',
  };
}

/** Rows of one environment that are kept with a verdict. */
const mostChanges = 500;

/** The files of trajectories: `<data_dir>/trajectories/<run>/<session>.json`, the same as the API answers. */
export class TrajectoryFiles {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'trajectories');
  }

  /** Writes a file as a whole: a reader never sees a part of it. */
  async write(trajectory: StoredTrajectory): Promise<void> {
    const folder = join(this.#folder, trajectory.run_id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${trajectory.session_id}.json`);
    const part = `${path}.part`;
    await writeFile(part, `${JSON.stringify(trajectory, null, 2)}\n`, { mode: 0o600 });
    await rename(part, path);
  }

  /** Whether the file is there; after a crash it may be missing although its result is stored. */
  async has(runId: string, sessionId: string): Promise<boolean> {
    return stat(join(this.#folder, runId, `${sessionId}.json`)).then(
      () => true,
      () => false,
    );
  }

  async deleteRun(runId: string): Promise<void> {
    await rm(join(this.#folder, runId), { recursive: true, force: true });
  }
}
