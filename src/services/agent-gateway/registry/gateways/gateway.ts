/** The gateway type. No database, no wire format. */
import type { Severity } from '#findings/severity.ts';
import type { Visibility } from '#identity/sharing.ts';

export type Effect = 'allow' | 'deny';

export interface AccessRule {
  readonly principals: readonly string[];
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  readonly effect: Effect;
}

export interface AccessControl {
  readonly default: Effect;
  readonly rules: readonly AccessRule[];
}

/** Every name that the rules have as a principal: ids of users and clients, roles, patterns. */
export const principalsOf = ({ rules }: AccessControl): string[] => [
  ...new Set(rules.flatMap(({ principals }) => principals)),
];

/** What happens to tools whose descriptions speak to the model. */
export type DescriptionGuard = 'off' | 'warn' | 'quarantine';
/** What is taken out of results. */
export type Redaction = 'off' | 'secrets' | 'all';

export type Watch = 'off' | 'warn' | 'block';

/** Whether a server is scanned before it is attached, and from which severity on it is refused. */
export interface ScanGate {
  readonly mode: Watch;
  readonly level: Severity;
}

/** Settings that users can change. */
export interface GatewaySettings {
  readonly name: string;
  readonly actionGuardPolicyId: string | null;
  readonly accessControl: AccessControl;
  readonly guardMode: 'enforce' | 'observe';
  /** What happens to a call if the action guard is unavailable. */
  readonly guardFailure: 'closed' | 'open';
  readonly outputGuard: Watch;
  /** Rate limit of each caller; null: no limit. */
  readonly callsPerMinute: number | null;
  readonly pinTools: Watch;
  readonly descriptionGuard: DescriptionGuard;
  readonly resultRedaction: Redaction;
  readonly scanGate: ScanGate;
  readonly visibility: Visibility;
}

export interface Gateway extends GatewaySettings {
  readonly gatewayId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  /** Name of the policy set at the time it was chosen. */
  readonly actionGuardPolicyName: string | null;
  /** The requested state; a process that has not connected its servers yet reports `starting`. */
  readonly running: boolean;
  readonly startedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const presetSettings: Omit<GatewaySettings, 'name'> = {
  actionGuardPolicyId: null,
  accessControl: { default: 'allow', rules: [] },
  guardMode: 'enforce',
  guardFailure: 'closed',
  outputGuard: 'warn',
  callsPerMinute: null,
  pinTools: 'warn',
  descriptionGuard: 'warn',
  resultRedaction: 'off',
  scanGate: { mode: 'off', level: 'high' },
  visibility: 'private',
};
