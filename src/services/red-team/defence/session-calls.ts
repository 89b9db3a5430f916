/** The calls of sessions, as the action guard judges them. */
import { findEnvironment } from '#environments/catalogue.ts';
import { EnvironmentInstance } from '#environments/kit/instance.ts';
import type { ObservedCall } from '#engine/red-team/checks/observation.ts';
import { InProcessHandle } from '#engine/red-team/session/in-process.ts';
import { replay } from '#engine/red-team/session/replay.ts';
import { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import type { StoredTrajectory } from '../runs/trajectory.ts';

/** A call with everything before it. */
export interface CallInSession {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Place of the call in the trajectory, from 1. */
  readonly step: number;
  /** As the action guard takes it; the last step is this call. */
  readonly trace: readonly TraceStep[];
}

interface TraceStep {
  readonly role: 'user' | 'agent';
  readonly content?: string;
  readonly metadata?: { tool_name: string; tool_params: Record<string, unknown>; tool_output?: string };
}

type Made = Pick<ObservedCall, 'tool' | 'args' | 'output'> & { readonly step: number };

function inSession(prompt: string, calls: readonly Made[]): CallInSession[] {
  const before: TraceStep[] = [{ role: 'user', content: prompt }];
  return calls.map(({ tool, args, output, step }) => {
    const metadata = { tool_name: tool, tool_params: args };
    const trace = [...before, { role: 'agent' as const, metadata }];
    before.push({ role: 'agent', metadata: { ...metadata, tool_output: output } });
    return { tool, input: args, step, trace };
  });
}

/** The calls of a recorded trajectory, in order. */
export function callsOfTrajectory({ prompt, steps }: StoredTrajectory): CallInSession[] {
  const calls = steps.flatMap((step, i): Made[] => {
    if (step.role !== 'agent' || step.tool === null) return [];
    const next = steps[i + 1];
    const output = next?.role === 'tool' ? (next.content ?? '') : '';
    return [{ tool: step.tool, args: step.input ?? {}, output, step: i + 1 }];
  });
  return inSession(prompt, calls);
}

/** The calls of a task that is worked on as its ground truth says, in environments of its own. */
export async function callsOfWork(task: TaskInstance): Promise<CallInSession[]> {
  const handles = new Map(
    task.envs.map((id) => {
      const environment = findEnvironment(id);
      if (environment === undefined) throw new Error(`There is no environment ${id}.`);
      return [id, new InProcessHandle(new EnvironmentInstance(environment))] as const;
    }),
  );
  const session = new SandboxSession(task, handles);
  await session.start(task.id);
  await replay(session, task.groundTruth.user);
  return inSession(
    task.prompt,
    session.calls.map((call, i) => ({ ...call, step: 2 + 2 * i })),
  );
}
