import type { Queries } from '#base/db/database.ts';

/** Channel on which processes notify each other which group has changed. */
export const changedChannel = 'policy_guard_group_changed';

/** Notifies all listeners when, and only if, the transaction commits. */
export async function announceChange(tx: Queries, groupUuid: string): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [changedChannel, groupUuid]);
}
