/** An entry of the log as it is written. */
export interface NewLogEntry {
  /** Of version 7, so that entries of one moment keep their order. */
  readonly logId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly at: Date;
  readonly sessionId: string;
  /** Empty where the call came through no gateway. */
  readonly gatewayId: string;
  /** As the gateway said it. */
  readonly gatewayName: string | null;
  readonly policySetId: string;
  readonly toolName: string | null;
  /** JSON text. */
  readonly toolParams: string;
  /** JSON text; null where outputs are not kept. */
  readonly toolOutput: string | null;
  readonly serverName: string | null;
  readonly allowed: boolean;
  readonly violationsCount: number;
  readonly warningsCount: number;
  readonly threatCategory: string;
  /** The category of each blocking violation. */
  readonly violationCategories: readonly string[];
  readonly ruleIds: readonly string[];
  readonly serviceStatus: string;
  readonly latencyMs: number;
}
