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
  readonly violationsCount: number;
  readonly warningsCount: number;
  readonly threatCategory: string;
  /** The category of each blocking violation. */
  readonly violationCategories: readonly string[];
  readonly ruleIds: readonly string[];
  readonly serviceStatus: string;
  readonly latencyMs: number;
}
