/**
 * Measures shadow AI: `node bench/shadow-ai.ts [pglite|postgres] [rows]`.
 *
 * Matching of command lines on one core; ingestion of rows, compared with a plain insert of the same events without
 * sessions (`json_to_recordset` into a table without indexes, the fastest way that both databases have) in the same
 * run; and the read queries on the ingested rows. PostgreSQL is the server of `BULWARK_TEST_DATABASE_URL` (default:
 * the local one). Goals: 200,000 matches per second and core; each read within 50 ms on PGlite and 150 ms on
 * PostgreSQL.
 */
import { randomUUID } from 'node:crypto';
import { migrate } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { makeTestDatabase } from '#base/db/testing.ts';
import { json } from '#base/db/values.ts';
import { readCatalogue } from '#engine/shadow-ai/catalogue.ts';
import { createMatcher } from '#engine/shadow-ai/matcher.ts';
import {
  countByApp,
  countByProvider,
  listConnections,
  summarise,
} from '#services/shadow-ai/connect/store.ts';
import { countDetections, listDetections } from '#services/shadow-ai/detections/store.ts';
import { shadowAiMigrations } from '#services/shadow-ai/service.ts';
import { scenarioEvents } from '#services/shadow-ai/simulator/scenarios.ts';
import { createIngest } from '#services/shadow-ai/telemetry/ingest.ts';
import { readRow } from '#services/shadow-ai/telemetry/read-row.ts';
import { listFound } from '#services/shadow-ai/tools/store.ts';
import { asPushRow } from '#services/shadow-ai/simulator/neutral.ts';

const [kind = 'pglite', count = '20000'] = process.argv.slice(2);
process.env['BULWARK_TEST_DATABASE'] = kind;
const goalMs = kind === 'postgres' ? 150 : 50;
const batchRows = 1000;
const perSecond = (n: number, ms: number) => `${Math.round(n / (ms / 1000)).toLocaleString('en')}/s`;

const catalogue = readCatalogue();
const matcher = createMatcher(catalogue);
const lines = catalogue.rules.flatMap(({ examples }) => [...examples.match, ...examples.no_match]);
const matchAll = () => {
  for (const { image, command_line: line } of lines) matcher.matchProcess(image, line);
};
for (let i = 0; i < 5; i += 1) matchAll();
const begun = process.cpuUsage();
let matched = 0;
while (process.cpuUsage(begun).user < 1_000_000) {
  matchAll();
  matched += lines.length;
}
const used = process.cpuUsage(begun);
console.log(
  `matching          ${perSecond(matched, (used.user + used.system) / 1000)} of a core (goal 200,000/s)`,
);

const nowMs = Date.now();
const fleet = scenarioEvents('fleet', nowMs);
/** Repeats the fleet with other devices until there are enough rows. */
const rows = Array.from({ length: Number(count) }, (_, i) => {
  const event = fleet[i % fleet.length];
  if (event === undefined) throw new RangeError('The fleet has no events.');
  const device = { ...event.device, uid: `${event.device.uid}-${Math.floor(i / fleet.length)}` };
  return readRow(asPushRow({ ...event, device }), nowMs);
});

await using database = await makeTestDatabase();
await using db = await openDatabase(database.settings);
await migrate(db, [shadowAiMigrations], 'bench');
const batches = Array.from({ length: Math.ceil(rows.length / batchRows) }, (_, i) =>
  rows.slice(i * batchRows, (i + 1) * batchRows),
);

await db.script('create table shadow_ai.plain (key text, at timestamptz, device text, event json)');
const plainStarted = performance.now();
for (const batch of batches)
  await db.query(
    `insert into shadow_ai.plain select * from json_to_recordset($1::json)
       as e (key text, at timestamptz, device text, event json)`,
    [
      json(
        batch.map(({ event }) => ({
          key: event.key,
          at: new Date(event.atMs),
          device: event.deviceUid,
          event,
        })),
      ),
    ],
  );
const plainMs = performance.now() - plainStarted;
await db.script('drop table shadow_ai.plain');

const tenantId = randomUUID();
const ingest = createIngest({
  db,
  clock: { now: Date.now },
  matcher,
  wantsPrompts: () => Promise.resolve(false),
});
const started = performance.now();
for (const batch of batches) await ingest.ingest(batch, { tenantId, connectorId: 'push' });
const ingestMs = performance.now() - started;
console.log(`plain insert      ${perSecond(rows.length, plainMs)}`);
console.log(
  `taken in          ${perSecond(rows.length, ingestMs)}, ${(ingestMs / plainMs).toFixed(1)} times the time`,
);

const from = new Date(nowMs - 15 * 86_400_000);
const window = { tenantId, from, to: new Date(nowMs) };
const detections = { ...window, disabled: [] };
const reads: Record<string, () => Promise<unknown>> = {
  'connections, sum': () => summarise(db, window),
  'by provider': () => countByProvider(db, window),
  'by program': () => countByApp(db, window, 20),
  'latest connections': () => listConnections(db, window, 50),
  'newest detections': () => listDetections(db, detections, { limit: 50, offset: 0 }),
  'count of detections': () => countDetections(db, detections),
  'inventory of tools': () => listFound(db, detections),
};
const times = 20;
for (const [name, read] of Object.entries(reads)) {
  const took: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const at = performance.now();
    await read();
    took.push(performance.now() - at);
  }
  const p95 = took.sort((a, b) => a - b)[Math.floor(times * 0.95) - 1] ?? 0;
  console.log(
    `${name.padEnd(20)} ${p95.toFixed(1).padStart(8)} ms p95 ${p95 <= goalMs ? '' : `(goal ${goalMs} ms)`}`,
  );
}
