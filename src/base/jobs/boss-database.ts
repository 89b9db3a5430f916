import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from 'pg-boss';
import type { Database, Queries } from '../db/database.ts';
import { jsonText } from '../db/values.ts';

/**
 * Adapts our database for pg-boss: its statements share the connections, the ordering and the error mapping
 * of all others. Without parameters pg-boss sends whole scripts with their own `begin … commit`.
 */
const bossQueries = (queries: Queries): Db => ({
  async executeSql(text, values) {
    if (values === undefined || values.length === 0) return { rows: await queries.script(text) };
    return { rows: await queries.query(text, values.map(storable)) };
  },
});

/** pg-boss sends data and outcomes as JSON text: values that jsonb cannot hold must not fail a finished job. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && /^[[{"]/.test(value) ? jsonText(value) : value;

/**
 * The same with notifications, so that any process can start a new job at once. Statements made while `joined`
 * holds a transaction run in it, since a send sometimes has to read its queue's definition first.
 */
export const bossDatabase = (db: Database, joined: AsyncLocalStorage<Queries>): Db => ({
  executeSql: async (text, values) => bossQueries(joined.getStore() ?? db).executeSql(text, values),
  async listen(channel, onNotification, onReconnect) {
    const subscription = await db.listen(channel, onNotification, onReconnect);
    onReconnect();
    return { close: async () => subscription[Symbol.asyncDispose]() };
  },
});
