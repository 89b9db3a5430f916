import type { Queries } from '../db/database.ts';

export interface LoggedEvent {
  readonly topic: string;
  /** Starts at 1, without gaps within the topic. */
  readonly seq: number;
  readonly event: string;
  /** JSON text. */
  readonly data: string;
  readonly at: Date;
}

interface Appended {
  readonly topic: string;
  readonly events: readonly { readonly event: string; readonly data: string }[];
  readonly at: Date;
  readonly mostPerTopic: number;
}

/** Locks the topic's row until the transaction ends, so that events become visible in order. */
export async function append(tx: Queries, appended: Appended): Promise<LoggedEvent[]> {
  const { topic, events, at, mostPerTopic } = appended;
  const [row] = await tx.query<{ last: number }>(
    `insert into events.topics (topic, last_seq, at) values ($1, $2, $3)
     on conflict (topic) do update set last_seq = events.topics.last_seq + $2, at = $3
     returning last_seq as last`,
    [topic, events.length, at],
  );
  const first = (row?.last ?? events.length) - events.length + 1;
  const logged = events.map((each, i) => ({ ...each, topic, seq: first + i, at }));
  await tx.query(
    `insert into events.events (topic, seq, event, data, at)
     select $1, r.seq, r.event, r.data, $5 from unnest($2::bigint[], $3::text[], $4::text[]) as r(seq, event, data)`,
    [
      topic,
      logged.map(({ seq }) => seq),
      logged.map(({ event }) => event),
      logged.map(({ data }) => data),
      at,
    ],
  );
  const last = first + events.length - 1;
  if (last > mostPerTopic)
    await tx.query('delete from events.events where topic = $1 and seq <= $2', [topic, last - mostPerTopic]);
  return logged;
}

export const listAfter = (db: Queries, topic: string, after: number, limit: number): Promise<LoggedEvent[]> =>
  db.query<LoggedEvent & Record<string, unknown>>(
    'select topic, seq, event, data, at from events.events where topic = $1 and seq > $2 order by seq limit $3',
    [topic, after, limit],
  );

export async function lastSeq(db: Queries, topic: string): Promise<number> {
  const [row] = await db.query<{ last: number }>(
    'select last_seq as last from events.topics where topic = $1',
    [topic],
  );
  return row?.last ?? 0;
}

export async function deleteTopicsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from events.topics where topic in (select topic from events.topics where at < $1 limit $2)
     returning 1 as done`,
    [moment, limit],
  );
  return rows.length;
}
