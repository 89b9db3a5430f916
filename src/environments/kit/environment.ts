import type { z } from 'zod';
import type { Row } from './row.ts';
import type { EnvironmentState, StateBlueprint } from './state.ts';

/** The eight fields of work in which agents are tested. */
export const domains = [
  'crm',
  'communication',
  'code',
  'finance',
  'customer_service',
  'os',
  'travel',
  'workflow',
] as const;
export type Domain = (typeof domains)[number];

/** What a tool of an environment returns to the agent; it is sent as JSON, or as it is if it is text. */
export type ToolOutput = string | number | boolean | null | ToolOutput[] | { [key: string]: ToolOutput };

/** A tool, as an agent sees it and as the environment runs it. */
export interface EnvironmentTool {
  /** Without the environment's name: `send_message`. */
  name: string;
  description: string;
  input: z.ZodObject;
  /** Whether a call changes nothing; told to agents as MCP's `readOnlyHint`. */
  readOnly: boolean;
  run(input: Record<string, unknown>, state: EnvironmentState): ToolOutput;
}

/**
 * A place where content leaves the environment for other people: a sent message, a payment, a shared file. Checkers ask
 * of sinks who received what.
 */
export interface Sink {
  table: string;
  /** Only rows with these values have left: `{ folder: 'sent' }`. */
  where?: Row;
  /** Columns that name who receives it; several addresses in one cell are separated by commas. */
  recipients: string[];
  /** Columns that hold what is received. */
  content: string[];
}

/** A column that people outside the organisation can write: here a stranger's text reaches the agent. */
export interface StrangersText {
  table: string;
  column: string;
  /** How the text comes there, in a few words: "anyone can send mail". */
  how: string;
}

/** A realistic system with state and tools, in which an agent's work can be observed. Its id is the prefix of its tools. */
export interface Environment extends StateBlueprint {
  domain: Domain;
  title: string;
  /** One sentence for people who choose environments. */
  description: string;
  tools: EnvironmentTool[];
  sinks: Sink[];
  strangersTexts: StrangersText[];
}

/** A mistake in a tool call that the agent can read and correct: an unknown id, too little money on the account. */
export class ToolError extends Error {}

/** Declares a tool whose `run` receives its input with the types of the schema. */
export function defineTool<Input extends z.ZodObject>(tool: {
  name: string;
  description: string;
  input: Input;
  readOnly?: boolean;
  run(input: z.infer<Input>, state: EnvironmentState): ToolOutput;
}): EnvironmentTool {
  return {
    name: tool.name,
    description: tool.description,
    input: tool.input,
    readOnly: tool.readOnly ?? false,
    run: (input, state) => tool.run(tool.input.parse(input) as z.infer<Input>, state),
  };
}
