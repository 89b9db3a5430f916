import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';
import { deleteTelemetryBefore, startOfDay } from '../telemetry/retention.ts';
import { type ConnectionFilter, countByApp, countByProvider, listConnections, summarise } from './store.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock, db } = service;

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const firstMs = Math.floor(clock.now() / dayMs) * dayMs - 4 * dayMs;

/** A generator of its own, so that a failure can be repeated. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
}

const hosts = ['api.openai.com', 'claude.ai', 'api.anthropic.com', 'example.com', 'chatgpt.com'];
const apps = ['/usr/bin/python3', '/usr/bin/curl', undefined];

/** Connections at odd moments, many at the ends of hours and days; one id may come with another host later. */
function connection(below: (n: number) => number) {
  const edge = firstMs + below(96) * hourMs;
  const time = below(2) === 0 ? edge + below(3) - 1 : firstMs + below(4 * dayMs);
  const device = `d${below(4)}`;
  const app = apps[below(3)];
  return {
    time,
    class_uid: 4001,
    metadata: { uid: `${time}-${below(2)}` },
    device: { uid: device, hostname: device },
    actor: {
      process: {
        uid: `p${below(3)}`,
        ...(app !== undefined && { file: { path: app } }),
        ...(below(4) > 0 && { user: { name: `user${below(3)}` } }),
      },
    },
    connection_info: { direction_id: below(9) === 0 ? 1 : 2 },
    src_endpoint: { ip: '198.51.100.7' },
    dst_endpoint: { ...(below(5) > 0 && { hostname: hosts[below(5)] }), ip: '203.0.113.9', port: 443 },
  };
}

/** The connections as the blocks of events have them. */
const raw = `(
    select b.tenant_id, b.connector_id, p.device_uid, b.first_at + (x ->> 1)::int * interval '1 millisecond' as at,
      x ->> 6 as user_name, x ->> 7 as app_name, x ->> 12 as provider_id, x ->> 11 as inbound
    from shadow_ai.event_blocks b join shadow_ai.processes p on p.id = b.process_id
    cross join lateral json_array_elements(b.events) as x where x ->> 0 = '1') t
  where t.tenant_id = $1 and t.at >= $2 and t.at <= $3
  and t.provider_id is not null and t.inbound is distinct from 'true'
  and ($4::text is null or t.connector_id = $4) and ($5::text is null or t.provider_id = $5)`;

/** The same from the events alone. */
async function truth({ tenantId, from, to, connectorId, providerId }: ConnectionFilter) {
  const values = [tenantId, from, to, connectorId, providerId];
  const [sum] = await db.query(
    `select count(*) as connections, count(distinct t.user_name) as users, count(distinct t.device_uid) as devices,
       count(distinct t.provider_id) as providers from ${raw}`,
    values,
  );
  const providers = await db.query(
    `select t.provider_id as "providerId", count(*) as connections, count(distinct t.user_name) as users,
       count(distinct t.device_uid) as devices, max(t.at) as "lastSeen" from ${raw}
     group by 1 order by connections desc, "providerId"`,
    values,
  );
  const programs = await db.query(
    `select t.app_name as "appName", count(*) as connections, count(distinct t.provider_id) as providers,
       count(distinct t.user_name) as users, max(t.at) as "lastSeen" from ${raw} and t.app_name is not null
     group by 1 order by connections desc, "appName"`,
    values,
  );
  return { sum, providers, programs };
}

async function told(filter: ConnectionFilter) {
  return {
    sum: await summarise(db, filter),
    providers: await countByProvider(db, filter),
    programs: await countByApp(db, filter, 20),
  };
}

async function compare(tenantId: string, below: (n: number) => number, name: string): Promise<void> {
  const moment = () =>
    new Date(firstMs + (below(2) === 0 ? below(97) * hourMs + below(3) - 1 : below(4 * dayMs)));
  for (let i = 0; i < 25; i += 1) {
    const [one, other] = [moment(), moment()];
    const filter = {
      tenantId,
      ...(one < other ? { from: one, to: other } : { from: other, to: one }),
      ...(below(4) === 0 && { connectorId: 'push' }),
      ...(below(4) === 0 && { providerId: 'ai-connect-openai' }),
    };
    assert.deepEqual(await told(filter), await truth(filter), `${name}, window ${JSON.stringify(filter)}`);
    const listed = await listConnections(db, filter, 500);
    assert.equal(listed.length, Math.min(500, (await told(filter)).sum.connections));
  }
}

test('counts are those of the events, for any window, batches, repetitions and replaced rows', async () => {
  const [tenant] = await db.query<{ id: string }>("select id from identity.tenants where name = 'system'");
  const tenantId = tenant!.id;
  for (let round = 1; round <= 3; round += 1) {
    const below = random(round);
    const rows = Array.from({ length: 150 }, () => connection(below));
    const sent = [...rows, ...rows.filter(() => below(3) === 0)];
    while (sent.length > 0) {
      const body = sent.splice(0, 1 + below(40));
      const answer = await call('POST', '/api/v1/shadow-ai/telemetry', { as: tokens.admin, body });
      assert.equal(answer.body.rejected_total, 0);
    }
    await compare(tenantId, below, `round ${round}`);
  }
  const boundary = startOfDay(new Date(firstMs + 2 * dayMs));
  while ((await deleteTelemetryBefore(db, boundary, 100)) === 100);
  await compare(tenantId, random(9), 'after retention');
  for (const whole of ['event_blocks', 'connections']) {
    const days = await db.query(
      `select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass and c.relname <> $2 order by 1`,
      [`shadow_ai.${whole}`, `${whole}_other`],
    );
    const names = [2, 3, 4].map(
      (day) => `${whole}_${new Date(firstMs + day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`,
    );
    assert.ok(days.length > 0);
    assert.deepEqual(
      days.map(({ relname }) => relname),
      names.slice(0, days.length),
    );
  }
});
