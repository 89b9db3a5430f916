import type { Logger } from '#base/log/log.ts';
import type { Queries } from '#base/db/database.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { ToldValue } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { Guard } from '../../guards/guard.ts';

type Change = `guard_adaptation_${'created' | 'activated' | 'deactivated' | 'deleted'}`;

/** Log lines and audit events of adaptations. */
export interface AdaptationEvents {
  /** A guard judges by another adaptation now, or by none. */
  adaptationActivated(caller: Caller, guardUuid: string, adaptationId: string | null): void;
  /** Somebody changed what a guard has learned. */
  adaptationsChanged(
    event: Change,
    asking: Asking,
    facts: {
      readonly guard: Guard;
      readonly details: Readonly<Record<string, ToldValue>>;
      readonly active?: string | null;
    },
    tx: Queries,
  ): Promise<void>;
}

export const createAdaptationEvents = (log: Logger, audit: Audit): AdaptationEvents => ({
  adaptationActivated({ tenantId, userId }, guardUuid, adaptationId) {
    log.info(
      { tenant_id: tenantId, user_id: userId, guard_uuid: guardUuid, adaptation_id: adaptationId },
      'guard adapted',
    );
  },
  adaptationsChanged: (event, asking, { guard, details, active }, tx) =>
    audit(
      {
        event,
        ...asking,
        details: {
          guard_uuid: guard.guardUuid,
          name: guard.name,
          ...details,
          ...(active !== undefined && {
            changes: { active_adaptation_id: { old: guard.activeAdaptationId, new: active } },
          }),
        },
      },
      tx,
    ),
});
