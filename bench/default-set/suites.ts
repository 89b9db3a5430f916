/** The recorded sessions that the default set is measured on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TraceStep } from '#engine/actions/types.ts';
import { fifthSuites, fifthSuitesLater } from '../../test/fixtures/action-traces/fifth-suites.ts';
import { fourthHarmless, fourthSuites } from '../../test/fixtures/action-traces/fourth-suites.ts';
import { officeTasks } from '../../test/fixtures/action-traces/office-tasks.ts';
import { otherSuites } from '../../test/fixtures/action-traces/other-suites.ts';
import { readSessions } from '../../test/fixtures/action-traces/read-sessions.ts';
import { harmlessOrders, thirdSuites } from '../../test/fixtures/action-traces/third-suites.ts';
import { tracesOf } from '../../test/fixtures/action-traces/trace-suite.ts';
import { firstSuites } from '../../test/fixtures/action-traces/traces.ts';

export interface Session {
  readonly id: string;
  readonly steps: readonly TraceStep[];
  /** Undefined where the session is harmless; else where the attack begins. */
  readonly attackFrom?: number | undefined;
  readonly wording?: string | undefined;
}

interface Line {
  readonly id?: string;
  readonly label: 0 | 1;
  readonly flag_steps?: readonly number[];
  readonly wording?: string;
  readonly session_history: {
    readonly trace: readonly {
      readonly role: string;
      readonly content?: string;
      readonly action?: string;
      readonly step_id: number;
      readonly metadata?: {
        readonly tool_name?: string;
        readonly tool_params?: Record<string, unknown>;
        readonly tool_output?: unknown;
        readonly server_name?: string;
      };
    }[];
  };
}

function labelled(file: string): Session[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { id = '', label, flag_steps = [], wording, session_history } = JSON.parse(line) as Line;
    const { trace } = session_history;
    const from = trace.findIndex(({ step_id: step }) => flag_steps.includes(step));
    return {
      id,
      wording,
      attackFrom: label === 1 ? Math.max(0, from) : undefined,
      steps: trace.map(({ role, content, action, metadata }) => ({
        role: role === 'user' ? 'user' : 'agent',
        ...(role === 'user' ? { content } : { action }),
        toolName: metadata?.tool_name,
        toolParams: metadata?.tool_params,
        toolOutput: metadata?.tool_output,
        serverName: metadata?.server_name,
      })),
    };
  });
}

const numbered = (traces: readonly { steps: TraceStep[] }[]): Session[] =>
  traces.map(({ steps }, at) => ({ id: String(at), steps }));

function ownSuite({ attacks, benign, resisted }: ReturnType<typeof tracesOf>): Session[] {
  return [
    ...numbered(benign),
    ...numbered(resisted),
    ...attacks.map(({ steps, from, wording }, at) => ({ id: `a${at}`, steps, attackFrom: from, wording })),
  ];
}

/** A suite: its name, which says whose hand wrote it, and its sessions. */
export type NamedSuite = readonly [name: string, sessions: readonly Session[]];

/** All recorded suites, with the labelled traces of a folder where one is given. */
export function readSuites(folder?: string): NamedSuite[] {
  const names = folder === undefined ? [] : readdirSync(folder).filter((one) => one.endsWith('.jsonl.gz'));
  return [
    ...ownSuites(),
    ...names.map((name): NamedSuite => [name.replace('.jsonl.gz', ''), labelled(join(folder ?? '', name))]),
  ];
}

const ownSuites = (): NamedSuite[] => [
  ['office tasks', numbered(officeTasks.map((steps) => ({ steps: [...steps] })))],
  ['first suites', ownSuite(tracesOf(firstSuites))],
  ['other suites', ownSuite(tracesOf(otherSuites))],
  ['third suites', [...ownSuite(tracesOf(thirdSuites)), ...numbered(tracesOf(harmlessOrders).benign)]],
  ['fourth suites', [...ownSuite(tracesOf(fourthSuites)), ...numbered(tracesOf(fourthHarmless).benign)]],
  ['fifth suites', ownSuite(fifthSuites())],
  ['fifth suites, later', ownSuite(fifthSuitesLater())],
  ...readSessions().map(({ name, sessions }): NamedSuite => [name, sessions]),
];
