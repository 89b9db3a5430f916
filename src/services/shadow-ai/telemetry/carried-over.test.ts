/** The migration to blocks keeps what was there: the same blocks and connections as if the events were taken in now. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Database } from '#base/db/database.ts';
import { migrate } from '#base/db/migrate.ts';
import { openTestDatabase } from '#base/db/testing.ts';
import { readCatalogue } from '#engine/shadow-ai/catalogue.ts';
import { createMatcher } from '#engine/shadow-ai/matcher.ts';
import { shadowAiMigrations } from '../service.ts';
import { asPushRow } from '../simulator/neutral.ts';
import { scenarioEvents } from '../simulator/scenarios.ts';
import { type EventBlock, unpackEvents } from './event-block.ts';
import { blockColumns } from './event-store.ts';
import { createIngest } from './ingest.ts';
import { readRow } from './read-row.ts';

const nowMs = Date.now();
const tenantId = randomUUID();

/** The folder with the migrations before this one. */
async function earlier(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-migrations-'));
  after(async () => rm(folder, { recursive: true }));
  for (const name of await readdir(shadowAiMigrations.folder))
    if (name < '0007') await cp(join(shadowAiMigrations.folder, name), join(folder, name));
  return folder;
}

const blocksIn = (db: Database) =>
  db.query<EventBlock & { tenantId: string } & Record<string, unknown>>(
    `select b.tenant_id as "tenantId", ${blockColumns} from shadow_ai.event_blocks b order by b.first_at, b.id`,
  );
const connectionsIn = (db: Database) => db.query('select * from shadow_ai.connections c order by c.at, c.id');
const partsIn = (db: Database) =>
  db.query(
    `select relname from pg_class where relname ~ '^(?:event_blocks|connections)_[0-9]{8}$' and relkind = 'r' order by 1`,
  );

test('events that were kept one by one are carried over', async () => {
  await using fresh = await openTestDatabase([shadowAiMigrations]);
  const ingest = createIngest({
    db: fresh,
    clock: { now: () => nowMs },
    matcher: createMatcher(readCatalogue()),
    wantsPrompts: () => Promise.resolve(false),
  });
  // The busiest process has more events than a block, and there are events too old for a day of their own.
  const events = scenarioEvents('fleet', nowMs).slice(0, 3000);
  const [busy] = events.filter(({ dimension }) => dimension === 'network');
  const many = Array.from({ length: 1200 }, (_, i) => ({
    ...busy!,
    id: 1_000_000 + i,
    atMs: busy!.atMs + i,
  }));
  const old = events.slice(0, 50).map((event) => ({ ...event, atMs: event.atMs - 500 * 86_400_000 }));
  const rows = [...events, ...many, ...old].map((event) => readRow(asPushRow(event), nowMs));
  const batch = ingest.open({ tenantId, connectorId: 'push' });
  for (const row of rows) batch.add(row);
  await ingest.keep(batch);
  const blocks = await blocksIn(fresh);
  assert.ok(blocks.length > 500);

  await using carried = await openTestDatabase();
  await migrate(carried, [{ ...shadowAiMigrations, folder: await earlier() }], 'test');
  const days = new Set(blocks.map(({ firstAt }) => Math.floor(firstAt.getTime() / 86_400_000)));
  for (const day of days) {
    const [from, to] = [day, day + 1].map((each) => new Date(each * 86_400_000).toISOString());
    const name = `telemetry_${from!.slice(0, 10).replaceAll('-', '')}`;
    if (day * 86_400_000 > nowMs - 400 * 86_400_000)
      await carried.script(
        `create table shadow_ai.${name} partition of shadow_ai.telemetry for values from ('${from}') to ('${to}')`,
      );
  }
  const columns = `tenant_id, at, id, content, dimension, process_id, device_uid, connector_id, user_name, app_name,
    command_line, host, ip, port, inbound, file_path, action, provider_id, is_api, file_rule, tags`;
  const devices = new Map(
    (
      await fresh.query<{ id: string; uid: string }>('select id, device_uid as uid from shadow_ai.processes')
    ).map(({ id, uid }) => [id, uid]),
  );
  await carried.copy(
    'shadow_ai.telemetry',
    columns.split(/,\s*/),
    blocks.flatMap((block) =>
      unpackEvents(block).map((e) => [
        tenantId,
        e.at,
        e.id,
        e.content,
        e.dimension,
        e.processId,
        devices.get(e.processId),
        e.connectorId,
        e.userName,
        e.appName,
        e.commandLine,
        e.host,
        e.ip,
        e.port,
        e.inbound,
        e.filePath,
        e.action,
        e.providerId,
        e.isApi,
        e.fileRule,
        e.tags,
      ]),
    ),
  );
  await migrate(carried, [shadowAiMigrations], 'test');
  assert.deepEqual(await blocksIn(carried), blocks);
  assert.deepEqual(await connectionsIn(carried), await connectionsIn(fresh));
  assert.deepEqual(await partsIn(carried), await partsIn(fresh));
});
