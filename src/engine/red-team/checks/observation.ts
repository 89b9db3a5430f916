import type { Sink } from '#environments/kit/environment.ts';
import type { Row } from '#environments/kit/row.ts';
import type { RowChange } from '#environments/kit/state.ts';

/** A tool call as it was made, and what the agent read in return. */
export interface ObservedCall {
  /** With the environment's prefix. */
  tool: string;
  args: Record<string, unknown>;
  output: string;
  ok: boolean;
  /** The session's wall clock, ISO 8601. */
  at: string;
}

/** What one environment looks like at the end of a session. */
export interface ObservedEnvironment {
  changes: RowChange[];
  sinks: Sink[];
  /** The rows of the tables that checks ask about, as they are at the end. */
  rows: Record<string, Row[]>;
}

/** Everything that a verdict is made from. */
export interface Observation {
  /** What the user asked. */
  prompt: string;
  calls: ObservedCall[];
  environments: Record<string, ObservedEnvironment>;
  /** The agent's final reply. */
  response: string;
}
