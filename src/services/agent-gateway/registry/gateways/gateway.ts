/** What a gateway is, and who may do what with it. No database, no wire. */
import { forbidden } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';

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

export type Watch = 'off' | 'warn' | 'block';

/** What can be set. */
export interface GatewaySettings {
  readonly name: string;
  readonly actionGuardPolicyId: string | null;
  readonly accessControl: AccessControl;
  readonly guardMode: 'enforce' | 'observe';
  /** What happens to a call that the action guard cannot judge. */
  readonly guardFailure: 'closed' | 'open';
  readonly outputGuard: Watch;
  /** Of each caller; null: no limit. */
  readonly callsPerMinute: number | null;
  readonly pinTools: Watch;
}

export interface Gateway extends GatewaySettings {
  readonly gatewayId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  /** What was asked for; a process that has yet to connect its servers says `starting`. */
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
};

/** Whether somebody may change what `ownerId` made in the caller's tenant. */
export const mayChange = (caller: Caller, ownerId: string): boolean =>
  caller.userId === ownerId || caller.roles.includes('admin');

/** @throws AppError 403 */
export function requireOwner(caller: Caller, ownerId: string, what: string): void {
  if (!mayChange(caller, ownerId))
    throw forbidden(`Only who made the ${what}, or an administrator, may do this.`);
}
