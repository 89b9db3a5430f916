import type { Observation } from '../checks/observation.ts';
import type { Step } from '../tasks/task-file.ts';
import type { SandboxSession } from './sandbox-session.ts';

const reference = /\{\{result\.(\d+)\.([\w.]+)\}\}/g;

/** Makes the calls of a replay, as an agent would that does exactly this, and returns what is to be judged. */
export async function replay(session: SandboxSession, steps: readonly Step[]): Promise<Observation> {
  const outputs: string[] = [];
  let response = '';
  await session.tools();
  for (const step of steps)
    if ('respond' in step) response = withResults(step.respond, outputs);
    else {
      const args = JSON.parse(withResults(JSON.stringify(step.args), outputs)) as Record<string, unknown>;
      outputs.push((await session.call(step.call, args)).text);
    }
  return session.observe(response);
}

/** Fills in fields of earlier outputs; `{{result.1.0.id}}` is the id of the first item that the first call returned. */
export function withResults(text: string, outputs: readonly string[]): string {
  return text.replaceAll(reference, (_, call: string, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>(
        (at, key) =>
          at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[key] : undefined,
        parsed(outputs[Number(call) - 1]),
      );
    const printed = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    return JSON.stringify(printed).slice(1, -1);
  });
}

function parsed(output: string | undefined): unknown {
  try {
    return JSON.parse(output ?? 'null');
  } catch {
    return null;
  }
}
