import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { newUuid } from '#base/ids.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '../caller.ts';
import { toldValue, type Changes } from './changes.ts';
import { insertAuditEvent } from './store.ts';

/** The request that changes something, and in whose name. */
export interface Asking {
  readonly caller: Caller;
  /** Undefined for what the product does by itself. */
  readonly request?: { readonly id: string; readonly ip: string } | undefined;
}

/** A security-relevant event. Never contains secrets. */
export interface AuditEvent {
  /** A past tense in snake_case, such as `api_key_created`. */
  event: string;
  /** Who did it; before authentication, `tenantId` and `userId` hold what is known. */
  caller?: Caller | undefined;
  tenantId?: string | undefined;
  userId?: string | undefined;
  /** The client's address and the request id, which is also in the log. */
  request?: { readonly id: string; readonly ip: string } | undefined;
  /** Ids and names of the affected resources; in `changes`, what each field was and is. */
  details?:
    | (Readonly<
        Record<string, string | number | boolean | null | readonly string[] | Changes | undefined>
      > & {
        readonly changes?: Changes | undefined;
      })
    | undefined;
}

/** @param tx the transaction of the change: either both are kept, or neither is; the database where nothing is changed */
export type Audit = (event: AuditEvent, tx: Queries) => Promise<void>;

/** Stores events in `identity.audit_events` and also logs them. */
export const createAudit =
  ({ log, clock }: { log: Logger; clock: Clock }): Audit =>
  async ({ event, caller, tenantId, userId, request, details: said = {} }, tx) => {
    const details = bounded(said);
    const row = {
      id: newUuid(clock.now()),
      at: new Date(clock.now()),
      event,
      tenantId: tenantId ?? caller?.tenantId,
      userId: userId ?? caller?.userId,
      address: request?.ip,
      requestId: request?.id,
      details: caller?.apiKeyId === undefined ? details : { ...details, by_api_key: caller.apiKeyId },
    };
    await insertAuditEvent(tx, row);
    log.info(
      {
        event,
        tenant_id: row.tenantId,
        user_id: row.userId,
        request_id: row.requestId,
        ...withoutChanges(details),
      },
      'audit',
    );
  };

/** Names and notes are as long as users make them. */
const bounded = ({ changes, ...rest }: NonNullable<AuditEvent['details']>) => ({
  ...Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, toldValue(value)]])),
  ),
  ...(changes && { changes }),
});

/** The trail alone holds values: they may be long. */
const withoutChanges = (details: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(details).filter(([name]) => name !== 'changes'));
