import type { Unread } from './calls/reach.ts';
import type { Effect, RuleClause } from './clauses.ts';

export type Severity = 'High' | 'Medium' | 'Low';

export type ThreatCategory =
  | 'none'
  | 'data_exfiltration'
  | 'credential_exposure'
  | 'destructive_action'
  | 'privilege_escalation'
  | 'prompt_injection'
  | 'unauthorized_transaction'
  | 'privacy_violation'
  | 'malicious_code'
  | 'off_task_action'
  | 'policy_violation';

export interface RuleSource {
  description: string;
  severity: Severity;
}

/** What will be enforced: JSON-serialisable, readable by the author of the rule. */
export interface CompiledRule {
  engineVersion: string;
  /** `similarity`: the sentence was not understood; it is compared with the action and may only warn. */
  kind: 'matcher' | 'similarity';
  /** Plain-language lines of what is matched. */
  summary: string[];
  threatCategory: ThreatCategory;
  /** The rule is broken when one of these is. */
  clauses: RuleClause[];
  /** Stems of the sentence with a weight each, for similarity. */
  stems: [stem: string, weight: number][];
}

/** One turn of the user or one step of the agent, oldest first. */
export interface TraceStep {
  role: 'user' | 'agent';
  content?: string | undefined;
  action?: string | undefined;
  stepId?: number | undefined;
  toolName?: string | undefined;
  toolDescription?: string | undefined;
  /** What an administrator says the tool does; goes before our own reading of its name. */
  toolEffects?: readonly Effect[] | undefined;
  toolParams?: Readonly<Record<string, unknown>> | undefined;
  serverName?: string | undefined;
  serverId?: string | undefined;
  toolOutput?: unknown;
}

/**
 * Name of a first step whose answer is the descriptions of the tools: the agent has read them before it began. They tell
 * what tools do, so a call obeys them only where it takes something telling from them.
 */
export const listingStep = 'tools';

export interface ActionRule {
  ruleId: string;
  compiled: CompiledRule;
  /** A rule of `engine/rules` that judges in the place of the clauses; known there alone, so that no way leads back. */
  form?: { readonly on_missing: 'deny' | 'ask' } | undefined;
  /** Understood in part, and confirmed by nobody. */
  isDoubtful?: boolean | undefined;
  severity: Severity;
  description: string;
}

export interface RuleFinding {
  ruleId: string;
  /** 0..1 */
  confidence: number;
  /** `grey`: similarity, or evidence that a person or a model should look at; it warns and never blocks alone. */
  certainty: 'sure' | 'grey';
  /** One plain sentence: what in the action breaks the rule. */
  reason: string;
  threatCategory: ThreatCategory;
  /** The rule asks for a person's yes, which is missing. */
  wantsPerson: boolean;
  /** Found by no form: by words of a rule that was understood in part, or since the call was not read whole. */
  isByWords?: boolean | undefined;
}

export interface ActionVerdict {
  findings: RuleFinding[];
  /** Summary of what the user asked. */
  observation: string;
  /** The action judged: the last step of the agent. */
  action: string;
  /** What was seen, as plain sentences. */
  facts: readonly string[];
  /** What of the action was not read, whether or not a rule could concern it. */
  unread: readonly Unread[];
}

export interface EvaluateOptions {
  /** Looks at the last user turns and the last steps only. */
  fastMode?: boolean | undefined;
  /** For rules about hours; default now. Hours are those of the machine's time zone. */
  now?: Date | undefined;
  /** What is known of the call besides its trace, for rules that are forms: user, approvals, counts. */
  known?: object | undefined;
  /** Mail and web domains that are the caller's own, for rules such as "outside our company". */
  ownDomains?: readonly string[] | undefined;
}

export interface ActionEngine {
  /** Changes whenever the reading of rules or of traces changes. */
  readonly version: string;
  /** What a call has for effect, as far as its name and arguments tell. */
  effectsOf(step: TraceStep): ReadonlySet<string>;
  /** Judges the last agent step of the trace against the rules. A trace without one has no findings. */
  evaluate(
    steps: readonly TraceStep[],
    rules: readonly ActionRule[],
    options?: EvaluateOptions,
  ): ActionVerdict;
}
