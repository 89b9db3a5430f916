/** Calls that wait for approval and that nobody can send again, since their gateway's process ended with the session. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { isUuid } from '#base/ids.ts';
import type { Logger } from '#base/log/log.ts';
import { heldCallsEnded } from '../contract/approval-news.ts';
import { expireUnsendable } from './store.ts';

const note = 'The process that held this call ended, and its session with it.';

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onChanged: (tenantId: string) => void;
}

/** Expires them as gateways tell of them, until the result is disposed. */
export function followEndedCalls({ db, clock, log, onChanged }: Deps): Promise<AsyncDisposable> {
  const expire = async (payload: string) => {
    const [approvalId = '', gatewayId = ''] = payload.split(' ');
    if (!isUuid(approvalId)) return;
    const at = new Date(clock.now());
    const tenantId = await expireUnsendable(db, { approvalId, gatewayId }, { at, note });
    if (tenantId !== undefined) onChanged(tenantId);
  };
  return db.listen(heldCallsEnded, (payload) => {
    expire(payload).catch((err: unknown) => log.warn({ err }, 'a call that ended still waits for approval'));
  });
}
