import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';

/** Log lines and audit events of adaptations. */
export interface AdaptationEvents {
  /** A guard judges by another adaptation now, or by none. */
  adaptationActivated(caller: Caller, guardUuid: string, adaptationId: string | null): void;
}

export const createAdaptationEvents = (log: Logger): AdaptationEvents => ({
  adaptationActivated({ tenantId, userId }, guardUuid, adaptationId) {
    log.info(
      { tenant_id: tenantId, user_id: userId, guard_uuid: guardUuid, adaptation_id: adaptationId },
      'guard adapted',
    );
  },
});
