import type { CallResult, ListedTool } from '../kit/instance.ts';
import type { Row } from '../kit/row.ts';
import type { RowChange } from '../kit/state.ts';

/** What an environment in a process of its own can be asked, and what it answers. */
export interface EnvironmentMethods {
  reset(parameters: { seed: string; additions: Record<string, Row[]> }): null;
  tools(parameters: object): ListedTool[];
  call(parameters: { tool: string; args: Record<string, unknown> }): CallResult;
  changes(parameters: object): RowChange[];
  rows(parameters: { table: string }): Row[];
  ping(parameters: object): null;
}
export type EnvironmentMethod = keyof EnvironmentMethods;

/** A request, one JSON text a line on standard input. */
export interface EnvironmentRequest {
  id: number;
  method: EnvironmentMethod;
  parameters: object;
}

/** The answer, one JSON text a line on standard output. `error` is a fault of the environment, no mistake of an agent. */
export type EnvironmentAnswer = { id: number; result: unknown } | { id: number; error: string };
