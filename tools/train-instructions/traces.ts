/** Traces with and without embedded instructions: those of the data sets folder, and the suites written for this project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { TraceStep } from '#engine/actions/types.ts';
import { fifthSuites, fifthSuitesLater } from '../../test/fixtures/action-traces/fifth-suites.ts';
import { fourthHarmless, fourthSuites } from '../../test/fixtures/action-traces/fourth-suites.ts';
import { otherSuites } from '../../test/fixtures/action-traces/other-suites.ts';
import { harmlessOrders, thirdSuites } from '../../test/fixtures/action-traces/third-suites.ts';
import { tracesOf } from '../../test/fixtures/action-traces/trace-suite.ts';
import { firstSuites } from '../../test/fixtures/action-traces/traces.ts';

/** One trace; `unsafe`: places of the steps that obey an embedded instruction, none in a harmless trace. */
export interface LabelledTrace {
  readonly source: string;
  /** How the instruction is dressed; `none` in a harmless trace. */
  readonly wording: string;
  readonly steps: readonly TraceStep[];
  readonly unsafe: readonly number[];
}

const Step = z.object({
  role: z.string(),
  content: z.string().optional(),
  action: z.string().optional(),
  step_id: z.number(),
  metadata: z
    .object({
      tool_name: z.string().optional(),
      tool_params: z.record(z.string(), z.unknown()).optional(),
      tool_output: z.unknown().optional(),
    })
    .optional(),
});
const Row = z.object({
  session_history: z.object({ trace: z.array(Step) }),
  label: z.union([z.literal(0), z.literal(1)]),
  flag_steps: z.array(z.number()),
  suite: z.string().optional(),
  wording: z.string().optional(),
  attack: z.string().optional(),
  outcome: z.string().optional(),
});

const toStep = ({ role, content, action, metadata = {} }: z.infer<typeof Step>): TraceStep =>
  role === 'user'
    ? { role: 'user', content }
    : {
        role: 'agent',
        action,
        toolName: metadata.tool_name,
        toolParams: metadata.tool_params,
        toolOutput: metadata.tool_output,
      };

function readRows(folder: string, name: string, sourceOf: (suite: string) => string): LabelledTrace[] {
  const text = gunzipSync(readFileSync(join(folder, 'actions', `${name}.jsonl.gz`))).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const row = Row.parse(JSON.parse(line));
      const { trace } = row.session_history;
      const unsafe = row.flag_steps.map((id) => trace.findIndex((step) => step.step_id === id));
      // Unsafe, but not said where: of no use here.
      if (row.label === 1 && unsafe.length === 0) return [];
      const wording = row.label === 0 ? (row.outcome ?? 'none') : (row.wording ?? row.attack ?? 'unknown');
      return [{ source: sourceOf(row.suite ?? ''), wording, steps: trace.map(toStep), unsafe }];
    });
}

type Suites = ReturnType<typeof tracesOf>;

function fromSuites(source: string, { attacks, benign, resisted }: Suites): LabelledTrace[] {
  return [
    ...attacks.map(({ steps, from, wording }) => ({
      source,
      wording,
      steps,
      unsafe: steps.map((_, at) => at).slice(from),
    })),
    ...benign.map(({ steps }) => ({ source, wording: 'no_attack', steps, unsafe: [] })),
    ...resisted.map(({ steps }) => ({ source, wording: 'attack_resisted', steps, unsafe: [] })),
  ];
}

/** What the weights are fitted on. */
export const trainingTraces = (folder: string): LabelledTrace[] => [
  ...readRows(folder, 'agentdojo_wordings_banking_slack', (suite) => `agentdojo ${suite}`),
  ...readRows(folder, 'agentdojo_runs_banking_slack', (suite) => `agentdojo ${suite}`),
  ...readRows(folder, 'tau_airline', () => 'tau airline'),
  ...fromSuites('first suites', tracesOf(firstSuites)),
  ...fromSuites('other suites', tracesOf(otherSuites)),
  ...fromSuites('third suites', tracesOf(thirdSuites)),
  ...fromSuites('fourth suites', tracesOf(fourthSuites)),
  ...fromSuites('fifth suites, first half', fifthSuites()),
  ...[tracesOf(harmlessOrders), tracesOf(fourthHarmless)].flatMap((suites) =>
    fromSuites('harmless orders', { ...suites, attacks: [] }),
  ),
];

/** What they are only measured on. */
export const testTraces = (): LabelledTrace[] => fromSuites('fifth suites, second half', fifthSuitesLater());
