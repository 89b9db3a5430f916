import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { StoredEvent } from './stored-event.ts';

/** What is counted of a connection. */
type Counted = Pick<
  StoredEvent,
  'at' | 'dimension' | 'inbound' | 'providerId' | 'connectorId' | 'appName' | 'userName' | 'deviceUid'
>;

interface Pair {
  readonly connectorId: string;
  readonly providerId: string;
  readonly appName: string;
  readonly userName: string;
  readonly deviceUid: string;
}

interface Seen extends Pair {
  readonly dayAt: Date;
  firstAt: Date;
  lastAt: Date;
}

/** Of all its days. */
interface SeenEver extends Pair {
  firstAt: Date;
  lastAt: Date;
  /** No two connections in a row are further apart. */
  silenceMs: number;
}

interface Hour {
  readonly hourAt: Date;
  readonly connectorId: string;
  readonly providerId: string;
  readonly appName: string;
  connections: number;
  lastAt: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startOf = (at: Date, lengthMs: number): number => Math.floor(at.getTime() / lengthMs) * lengthMs;

/** Whether the event is a connection to a provider. */
export const isConnection = ({
  dimension,
  providerId,
  inbound,
}: Pick<StoredEvent, 'dimension' | 'providerId' | 'inbound'>): boolean =>
  dimension === 'network' && providerId !== null && inbound !== true;

const pairOf = ({ connectorId, providerId, appName, userName, deviceUid }: Counted): Pair => ({
  connectorId,
  providerId: providerId ?? '',
  appName: appName ?? '',
  userName: userName ?? '',
  deviceUid,
});
const keyOf = (...parts: readonly (string | number)[]): string => parts.join('\u0000');
const keyOfPair = (pair: Pair): string =>
  keyOf(pair.deviceUid, pair.providerId, pair.appName, pair.userName, pair.connectorId);

/**
 * Counts connections to providers, as they come, into `connect_hours`, `connect_days` and `connect_pairs`. Each event is
 * given once: whether it is new is known before.
 */
export class ConnectionCounts {
  readonly #hours = new Map<string, Hour>();
  readonly #days = new Map<string, Seen>();
  /** Events whose counting turned out to be wrong: their hours and days are counted anew. */
  readonly #wrong: Counted[] = [];

  add(event: Counted): void {
    if (!isConnection(event)) return;
    const { at } = event;
    const pair = pairOf(event);
    const { connectorId, providerId, appName } = pair;
    const hourAt = startOf(at, hourMs);
    const hourKey = keyOf(hourAt, connectorId, providerId, appName);
    const hour = this.#hours.get(hourKey);
    if (hour === undefined)
      this.#hours.set(hourKey, {
        hourAt: new Date(hourAt),
        connectorId,
        providerId,
        appName,
        connections: 1,
        lastAt: at,
      });
    else {
      hour.connections += 1;
      if (at > hour.lastAt) hour.lastAt = at;
    }
    const dayAt = startOf(at, dayMs);
    const dayKey = keyOf(dayAt, keyOfPair(pair));
    const day = this.#days.get(dayKey);
    if (day === undefined)
      this.#days.set(dayKey, { ...pair, dayAt: new Date(dayAt), firstAt: at, lastAt: at });
    else widen(day, at, at);
  }

  /** Another row of the event tells more than the one that was counted. */
  replace(before: Counted, after: Counted): void {
    if (!isConnection(before)) {
      this.add(after);
      return;
    }
    if (isConnection(after) && keyOfPair(pairOf(before)) === keyOfPair(pairOf(after))) return;
    this.#wrong.push(before, after);
  }

  async write(tx: Queries, tenantId: string): Promise<void> {
    if (this.#hours.size > 0) await writeHours(tx, tenantId, inOrder(this.#hours));
    if (this.#days.size > 0) {
      await writeDays(tx, tenantId, inOrder(this.#days));
      await writePairs(tx, tenantId, inOrder(this.#pairs()));
    }
    if (this.#wrong.length > 0) await countAnew(tx, tenantId, this.#wrong);
  }

  #pairs(): Map<string, SeenEver> {
    const pairs = new Map<string, SeenEver>();
    for (const day of inOrder(this.#days)) {
      const [firstMs, lastMs] = [day.firstAt.getTime(), day.lastAt.getTime()];
      const key = keyOfPair(day);
      const known = pairs.get(key);
      if (known === undefined) {
        pairs.set(key, { ...day, silenceMs: lastMs - firstMs });
        continue;
      }
      const sinceMs = firstMs - known.lastAt.getTime();
      const untilMs = known.firstAt.getTime() - lastMs;
      known.silenceMs = Math.max(known.silenceMs, lastMs - firstMs, sinceMs, untilMs);
      widen(known, day.firstAt, day.lastAt);
    }
    return pairs;
  }
}

function widen(seen: { firstAt: Date; lastAt: Date }, firstAt: Date, lastAt: Date): void {
  if (firstAt < seen.firstAt) seen.firstAt = firstAt;
  if (lastAt > seen.lastAt) seen.lastAt = lastAt;
}

/** In the same order in all transactions, so that none waits for another that waits for it. */
const inOrder = <T>(byKey: ReadonlyMap<string, T>): T[] =>
  [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);

async function writeHours(tx: Queries, tenantId: string, hours: readonly Hour[]): Promise<void> {
  await tx.query(
    `insert into shadow_ai.connect_hours as known
       (tenant_id, hour_at, connector_id, provider_id, app_name, connections, last_at)
     select $1::uuid, "hourAt", "connectorId", "providerId", "appName", connections, "lastAt"
     from json_to_recordset($2::json) as w ("hourAt" timestamptz, "connectorId" text, "providerId" text, "appName" text,
       connections bigint, "lastAt" timestamptz)
     on conflict (tenant_id, hour_at, connector_id, provider_id, app_name) do update set
       connections = known.connections + excluded.connections, last_at = greatest(known.last_at, excluded.last_at)`,
    [tenantId, json(hours)],
  );
}

const seenRecord = `json_to_recordset($2::json) as w ("dayAt" timestamptz, "connectorId" text, "providerId" text,
  "appName" text, "userName" text, "deviceUid" text, "firstAt" timestamptz, "lastAt" timestamptz, "silenceMs" bigint)`;
const isWider = 'excluded.first_at < known.first_at or excluded.last_at > known.last_at';
const widened = `first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)
  where ${isWider}`;

async function writeDays(tx: Queries, tenantId: string, days: readonly Seen[]): Promise<void> {
  await tx.query(
    `insert into shadow_ai.connect_days as known
       (tenant_id, day_at, connector_id, provider_id, app_name, user_name, device_uid, first_at, last_at)
     select $1::uuid, "dayAt", "connectorId", "providerId", "appName", "userName", "deviceUid", "firstAt", "lastAt"
     from ${seenRecord}
     on conflict (tenant_id, device_uid, provider_id, app_name, user_name, connector_id, day_at) do update set ${widened}`,
    [tenantId, json(days)],
  );
}

async function writePairs(tx: Queries, tenantId: string, pairs: readonly SeenEver[]): Promise<void> {
  await tx.query(
    `insert into shadow_ai.connect_pairs as known
       (tenant_id, connector_id, provider_id, app_name, user_name, device_uid, first_at, last_at, longest_silence)
     select $1::uuid, "connectorId", "providerId", "appName", "userName", "deviceUid", "firstAt", "lastAt",
       "silenceMs" * interval '1 millisecond'
     from ${seenRecord}
     on conflict (tenant_id, device_uid, provider_id, app_name, user_name, connector_id) do update set
       longest_silence = greatest(known.longest_silence, excluded.longest_silence, excluded.first_at - known.last_at,
         known.first_at - excluded.last_at), ${widened}`,
    [tenantId, json(pairs)],
  );
}

/** Deletes the counts of the days before the moment, whose events are deleted. */
export async function deleteCountsBefore(tx: Queries, moment: Date): Promise<void> {
  await tx.query(`delete from shadow_ai.connect_hours where hour_at < date_trunc('hour', $1::timestamptz)`, [
    moment,
  ]);
  await tx.query(`delete from shadow_ai.connect_days where day_at < date_trunc('day', $1::timestamptz)`, [
    moment,
  ]);
  await tx.query('delete from shadow_ai.connect_pairs where last_at < $1', [moment]);
  await tx.query(
    `update shadow_ai.connect_pairs s set first_at = coalesce((
       select min(d.first_at) from shadow_ai.connect_days d
       where d.tenant_id = s.tenant_id and d.device_uid = s.device_uid and d.provider_id = s.provider_id
         and d.app_name = s.app_name and d.user_name = s.user_name and d.connector_id = s.connector_id), s.last_at)
     where s.first_at < $1`,
    [moment],
  );
}

/** Counts the hours and days of these events from what is kept, and then their pairs from the days. */
async function countAnew(tx: Queries, tenantId: string, events: readonly Counted[]): Promise<void> {
  const starts = (lengthMs: number) => [
    ...new Set(events.map(({ at }) => new Date(startOf(at, lengthMs)).toISOString())),
  ];
  const [hours, days] = [starts(hourMs), starts(dayMs)];
  const pairs = json(events.filter(isConnection).map(pairOf));
  // Nobody else counts meanwhile, so that what is counted here is all there is.
  await tx.script('lock table shadow_ai.connect_hours in share row exclusive mode');
  await tx.query(
    'delete from shadow_ai.connect_hours where tenant_id = $1 and hour_at = any($2::timestamptz[])',
    [tenantId, hours],
  );
  await tx.query(
    `insert into shadow_ai.connect_hours
     select t.tenant_id, w.at, t.connector_id, t.provider_id, coalesce(t.app_name, ''), count(*), max(t.at)
     from unnest($2::timestamptz[]) as w (at)
     join shadow_ai.connections t on t.tenant_id = $1 and t.at >= w.at and t.at < w.at + interval '1 hour'
     group by 1, 2, 3, 4, 5`,
    [tenantId, hours],
  );
  await tx.query(
    'delete from shadow_ai.connect_days where tenant_id = $1 and day_at = any($2::timestamptz[])',
    [tenantId, days],
  );
  await tx.query(
    `insert into shadow_ai.connect_days
     select t.tenant_id, w.at, t.connector_id, t.provider_id, coalesce(t.app_name, ''), coalesce(t.user_name, ''),
       t.device_uid, min(t.at), max(t.at)
     from unnest($2::timestamptz[]) as w (at)
     join shadow_ai.connections t on t.tenant_id = $1 and t.at >= w.at and t.at < w.at + interval '1 day'
     group by 1, 2, 3, 4, 5, 6, 7`,
    [tenantId, days],
  );
  const same = (table: string) => `${table}.tenant_id = $1 and ${table}.connector_id = w."connectorId"
    and ${table}.provider_id = w."providerId" and ${table}.app_name = w."appName" and ${table}.user_name = w."userName"
    and ${table}.device_uid = w."deviceUid"`;
  await tx.query(`delete from shadow_ai.connect_pairs k using ${seenRecord} where ${same('k')}`, [
    tenantId,
    pairs,
  ]);
  await tx.query(
    `insert into shadow_ai.connect_pairs
     select d.tenant_id, d.connector_id, d.provider_id, d.app_name, d.user_name, d.device_uid, min(d.first_at), max(d.last_at),
       max(d.last_at) - min(d.first_at)
     from (select distinct "connectorId", "providerId", "appName", "userName", "deviceUid" from ${seenRecord}) w
     join shadow_ai.connect_days d on ${same('d')}
     group by 1, 2, 3, 4, 5, 6`,
    [tenantId, pairs],
  );
}
