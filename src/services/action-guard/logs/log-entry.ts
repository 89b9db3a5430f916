/** A rule that an action broke, or came near to, with the words that it had then. */
export interface LoggedFinding {
  readonly ruleId: string;
  readonly ruleKey: string;
  readonly description: string;
  /** Empty where nothing of the sentence was understood. */
  readonly canonical: string;
  readonly severity: 'High' | 'Medium' | 'Low';
  readonly policyId: string;
  readonly policyName: string;
  readonly action: 'deny' | 'ask' | 'allow';
  readonly certainty: 'sure' | 'grey';
  readonly confidence: number;
  /** What in the action breaks it. */
  readonly reason: string;
  readonly threatCategory: string;
  /** Other rules with the same cause. */
  readonly also: readonly {
    readonly ruleId: string;
    readonly description: string;
    readonly policyName: string;
  }[];
}

/** Why an action was blocked, warned of, or allowed although a rule speaks against it. */
export interface LoggedFindings {
  /** Gravest first. */
  readonly violations: readonly LoggedFinding[];
  readonly warnings: readonly LoggedFinding[];
  readonly observation: string;
  readonly facts: readonly string[];
  readonly approvedBy: readonly string[];
  /** Of the approval that the action waits for, or that it was allowed for. */
  readonly approvalId?: string | undefined;
}

/** A log entry as it is written. */
export interface NewLogEntry {
  /** UUID version 7, so that entries of the same millisecond keep their order. */
  readonly logId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly at: Date;
  readonly sessionId: string;
  /** Empty if the call did not come through a gateway. */
  readonly gatewayId: string;
  /** As reported by the gateway. */
  readonly gatewayName: string | null;
  readonly policySetId: string;
  readonly toolName: string | null;
  /** JSON text. */
  readonly toolParams: string;
  /** JSON text; null if outputs are not stored. */
  readonly toolOutput: string | null;
  readonly serverName: string | null;
  readonly allowed: boolean;
  /** Not allowed, and waiting for a person's approval. */
  readonly held: boolean;
  readonly violationsCount: number;
  readonly warningsCount: number;
  readonly threatCategory: string;
  /** The category of each blocking violation. */
  readonly violationCategories: readonly string[];
  readonly ruleIds: readonly string[];
  readonly serviceStatus: string;
  readonly latencyMs: number;
  /** JSON text of `LoggedFindings`; null where nothing was found and nobody had to approve. */
  readonly findings: string | null;
  /** JSON text; null where traces are not kept. */
  readonly trace: string | null;
  /** Whom the agent acted for, as JSON text; null where the trace is not kept. */
  readonly actingUser: string | null;
}
