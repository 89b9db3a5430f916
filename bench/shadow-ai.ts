/**
 * Measures shadow AI: `node bench/shadow-ai.ts [pglite|postgres] [rows]`.
 *
 * Matching of command lines on one core; ingestion of rows, in turns with a plain COPY of the same events into a table
 * without keys and indexes, once of rows that are read already and once of the body of a request, as the service takes
 * it: lines of JSON are parsed and read too (sign-in and the network are not part of it); and the read queries on the
 * ingested rows. PostgreSQL is the server of
 * `BULWARK_TEST_DATABASE_URL` (default: the local one). Goals: 200,000 matches per second and core; 20,000 rows per second
 * on PGlite and 60,000 on PostgreSQL; each read within 50 ms on PGlite with a million rows, and within 150 ms on
 * PostgreSQL with five million.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { migrate } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { makeTestDatabase } from '#base/db/testing.ts';
import { rowsOf } from '#base/http/rows.ts';
import { readCatalogue } from '#engine/shadow-ai/catalogue.ts';
import { createMatcher } from '#engine/shadow-ai/matcher.ts';
import {
  countByApp,
  countByProvider,
  countConnections,
  listConnections,
  summarise,
} from '#services/shadow-ai/connect/store.ts';
import { countDetections, findTopRule, listDetections } from '#services/shadow-ai/detections/store.ts';
import { shadowAiMigrations } from '#services/shadow-ai/service.ts';
import { scenarioEvents } from '#services/shadow-ai/simulator/scenarios.ts';
import { createIngest } from '#services/shadow-ai/telemetry/ingest.ts';
import { Intake } from '#services/shadow-ai/telemetry/intake.ts';
import { type Incoming, readRow } from '#services/shadow-ai/telemetry/read-row.ts';
import { takeRows } from '#services/shadow-ai/telemetry/routes.ts';
import { countDays, listFound } from '#services/shadow-ai/tools/store.ts';
import { asPushRow } from '#services/shadow-ai/simulator/neutral.ts';

const [kind = 'pglite', count = '20000'] = process.argv.slice(2);
process.env['BULWARK_TEST_DATABASE'] = kind;
const goalMs = kind === 'postgres' ? 150 : 50;
const batchRows = 4000;
const sliceRows = 50_000;
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
/** Repeats the fleet with other devices. */
const sentAt = (i: number): object => {
  const event = fleet[i % fleet.length];
  if (event === undefined) throw new RangeError('The fleet has no events.');
  const device = { ...event.device, uid: `${event.device.uid}-${Math.floor(i / fleet.length)}` };
  return asPushRow({ ...event, device });
};

await using database = await makeTestDatabase();
await using db = await openDatabase(database.settings);
await migrate(db, [shadowAiMigrations], 'bench');
const tenantId = randomUUID();
const clock = { now: Date.now };
const ingest = createIngest({
  db,
  clock,
  matcher,
  wantsPrompts: () => Promise.resolve(false),
});
const columns = ['key', 'at', 'device', 'dimension', 'process', 'host', 'ip', 'port', 'file_path'];
await db.script(
  `create table shadow_ai.plain (key uuid, at timestamptz, device text, dimension text, process json, host text, ip text,
     port int, file_path text)`,
);

/** The limit: the same events in a table without keys and indexes, in batches of the same size. */
async function copyPlainly(rows: readonly Incoming[]): Promise<void> {
  for (let i = 0; i < rows.length; i += batchRows)
    await db.copy(
      'shadow_ai.plain',
      columns,
      rows
        .slice(i, i + batchRows)
        .map(({ event: e }) => [
          e.key,
          new Date(e.atMs),
          e.deviceUid,
          e.dimension,
          e.process,
          e.host,
          e.ip,
          e.port,
          e.filePath,
        ]),
    );
}

async function takeIn(rows: readonly Incoming[]): Promise<void> {
  const intake = new Intake(ingest, { tenantId, connectorId: 'push' });
  for (const row of rows) await intake.add(row);
  await intake.end();
}

/** As a connection gives it. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}

/** Of another tenant, and not more than so many rows, so that the reads below have as many rows as were asked for. */
const mostSent = 200_000;
const another = { tenantId: randomUUID(), connectorId: 'push' };
async function takeBody(body: Buffer): Promise<void> {
  const { accepted } = await takeRows(
    rowsOf(Readable.from(piecesOf(body)), { bytes: body.length, rows: Number.MAX_SAFE_INTEGER }),
    new Intake(ingest, another),
    clock,
  );
  if (accepted === 0) throw new Error('No row was understood.');
}

/** Wall time, and what this process spent on its cores: of an embedded database all, of a server the client's part. */
class Spent {
  rows = 0;
  wallMs = 0;
  cpuMs = 0;

  async on(rows: number, run: () => Promise<void>): Promise<void> {
    const [at, used] = [performance.now(), process.cpuUsage()];
    await run();
    const { user, system } = process.cpuUsage(used);
    this.rows += rows;
    this.wallMs += performance.now() - at;
    this.cpuMs += (user + system) / 1000;
  }

  get cpuUs(): number {
    return (this.cpuMs * 1000) / this.rows;
  }

  told(): string {
    return `${perSecond(this.rows, this.wallMs)}, ${this.cpuUs.toFixed(1)} µs of processor time a row`;
  }
}

// In turns, so that what else the machine does falls on both.
const [plain, taken, sent] = [new Spent(), new Spent(), new Spent()];
for (let first = 0; first < Number(count); first += sliceRows) {
  const length = Math.min(sliceRows, Number(count) - first);
  const lines = Array.from({ length }, (_, i) => sentAt(first + i));
  const rows = lines.map((line) => readRow(line, nowMs));
  await plain.on(length, () => copyPlainly(rows));
  await db.script('truncate shadow_ai.plain');
  await taken.on(length, () => takeIn(rows));
  if (sent.rows >= mostSent) continue;
  const body = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  await sent.on(length, () => takeBody(body));
}
await db.script('drop table shadow_ai.plain');
console.log(`plain COPY        ${plain.told()}`);
console.log(`taken in          ${taken.told()}`);
console.log(
  `                  ${(taken.wallMs / plain.wallMs).toFixed(2)} times the time of a COPY, ` +
    `${(taken.cpuUs / plain.cpuUs).toFixed(2)} times its processor time`,
);
console.log(`from the body     ${sent.told()}`);

const dayMs = 86_400_000;
const windowOf = (fromDays: number, untilDays: number) => ({
  tenantId,
  from: new Date(nowMs - fromDays * dayMs),
  to: new Date(nowMs - untilDays * dayMs),
});
const windows = {
  '15 days': windowOf(15, 0),
  '24 hours': windowOf(1, 0),
  'a week before': windowOf(9.3, 2.1),
};
const times = 20;
await db.script('analyze');
for (const [name, window] of Object.entries(windows)) {
  const detections = { ...window, disabled: [] };
  const reads: Record<string, () => Promise<unknown>> = {
    'connections, sum': () => summarise(db, window),
    'by provider': () => countByProvider(db, window),
    'by program': () => countByApp(db, window, 20),
    'latest connections': () => Promise.all([listConnections(db, window, 50), countConnections(db, window)]),
    'newest detections': () =>
      Promise.all([
        listDetections(db, detections, { limit: 50, offset: 0 }),
        countDetections(db, detections),
      ]),
    statistics: () => findTopRule(db, detections),
    'inventory of tools': () => Promise.all([listFound(db, detections), countDays(db, detections)]),
  };
  for (const [read, run] of Object.entries(reads)) {
    const took: number[] = [];
    for (let i = 0; i < times; i += 1) {
      const at = performance.now();
      await run();
      took.push(performance.now() - at);
    }
    took.sort((a, b) => a - b);
    const [half = 0, p95 = 0] = [took[times / 2], took[Math.floor(times * 0.95) - 1]];
    console.log(
      `${name.padEnd(14)} ${read.padEnd(20)} ${half.toFixed(1).padStart(7)} ms median ${p95.toFixed(1).padStart(7)} ms p95` +
        (p95 <= goalMs ? '' : `  (goal ${goalMs} ms)`),
    );
  }
}
