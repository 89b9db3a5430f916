/** A call as a model made it and as AgentDojo answered it. */
interface RecordedCall {
  tool: string;
  args: Record<string, unknown>;
  /** Null: asked for, but the run stopped before. */
  output: string | null;
  error: string | null;
}

/** One run of a model (`pipeline`), with AgentDojo's verdicts. */
export interface RecordedRun {
  pipeline: string;
  suite: string;
  /** `injection_task_N` where the attacker's goal was given to the agent as the user's own request. */
  user_task: string;
  injection_task: string | null;
  attack: string | null;
  /** Versions of the benchmark whose wording agrees with the run. */
  suite_versions_possible: string[];
  injections: Record<string, string>;
  calls: RecordedCall[];
  final_output: string | null;
  utility: boolean;
  /** True: the attack succeeded. Always true where there was no attack. */
  security: boolean;
}

/** A task definition of AgentDojo, in one of its versions. */
export interface SuiteTask {
  suite: string;
  kind: 'user' | 'injection';
  id: string;
  active_in: string[];
  prompt?: string;
  goal?: string;
  ground_truth: { tool: string; args: Record<string, unknown> }[] | null;
}
