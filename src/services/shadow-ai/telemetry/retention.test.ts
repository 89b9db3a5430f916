import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceRows, type Proc } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';
import { deleteProcessesBefore, deleteTelemetryBefore } from './retention.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock, db } = service;
const as = tokens.admin;

const startMs = clock.now() - 12 * 3_600_000;
const at = (seconds: number) => new Date(startMs + seconds * 1000);
const push = async (body: readonly object[]) => {
  const { body: answer } = await call('POST', '/api/v1/shadow-ai/telemetry', { as, body });
  assert.equal(answer.rejected_total, 0);
};

interface Seen {
  id: number;
  agent_framework: string;
  started_at: string;
  ended_at: string;
  process_count: number;
  network_count: number;
  file_count: number;
  activity_tags: string[];
}
async function detectionsOn(device: string): Promise<Seen[]> {
  const { body } = await call('GET', '/api/v1/shadow-ai/events?limit=1000', { as });
  return body.events
    .filter((each: { device_name: string }) => each.device_name === device)
    .sort((a: Seen, b: Seen) => (a.started_at < b.started_at ? -1 : 1));
}

/** As a job with small batches does it. */
async function deleteBefore(moment: Date, batch = 3): Promise<void> {
  while ((await deleteTelemetryBefore(db, moment, batch)) === batch);
  await deleteProcessesBefore(db, moment);
}

const claude: Proc = { uid: 'claude', image: '/usr/bin/claude', cmd: 'claude' };
const tool: Proc = { uid: 'tool', image: '/usr/bin/bash', cmd: 'bash -c ls', parent: claude };
const script: Proc = { uid: 'py', image: '/usr/bin/python3', cmd: 'python3 report.py' };
const goose: Proc = { uid: 'goose', image: '/usr/bin/goose', cmd: 'goose' };

/** Three sessions of an agent, one of a script, one of a weak name, one event a minute or so. */
function story(device: string): object[] {
  const d = deviceRows(device, startMs);
  const minutes = (from: number, to: number, make: (seconds: number) => object[]) =>
    Array.from({ length: to - from }, (_, i) => make((from + i) * 60)).flat();
  return [
    d.start(0, claude),
    ...minutes(0, 12, (s) => [d.connect(s + 1, claude, 'api.anthropic.com')]),
    d.start(700, tool),
    d.file(701, tool, '/home/ana/.ssh/id_rsa', 'Read'),
    ...minutes(60, 66, (s) => [d.file(s, tool, `/src/${s}.ts`)]),
    ...minutes(120, 124, (s) => [d.connect(s, claude, 'api.anthropic.com')]),
    d.start(30, script),
    ...minutes(2, 8, (s) => [d.connect(s, script, 'api.openai.com')]),
    d.start(40, goose),
    d.connect(50, goose, 'api.anthropic.com'),
  ];
}

const counts = ({ process_count: p, network_count: n, file_count: f }: Seen) => [p, n, f];
const plain = (seen: readonly Seen[]) =>
  seen.map(({ agent_framework: rule, started_at: from, ended_at: to, activity_tags: tags, ...rest }) => [
    rule,
    from,
    to,
    tags,
    counts(rest as Seen),
  ]);

/** A generator of its own, so that a failure can be repeated. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % n;
  };
}

test('what is deleted stays counted, and what comes late is added to it', async () => {
  const d = deviceRows('counted', startMs);
  await push(story('counted'));
  const before = await detectionsOn('counted');
  assert.equal(before.length, 5);
  await deleteBefore(at(400));
  assert.deepEqual(await detectionsOn('counted'), before);
  await push([d.connect(710, claude, 'api.anthropic.com'), d.file(720, tool, '/src/late.ts')]);
  const [first, ...others] = await detectionsOn('counted');
  assert.equal(first!.id, before[0]!.id);
  assert.deepEqual(counts(first!), [2, 13, 2]);
  assert.deepEqual(others, before.slice(1));
  await deleteBefore(at(86_400));
  await push([d.connect(3, claude, 'api.anthropic.com'), d.connect(9000, tool, 'api.anthropic.com')]);
  const last = await detectionsOn('counted');
  assert.equal(last.length, 5);
  assert.deepEqual(counts(last[0]!), [2, 13, 2]);
  assert.ok(last.some(({ ended_at: ended }) => ended === at(9000).toISOString()));
  const [left] = await db.query<{ count: number }>(
    `select sum(json_array_length(b.events)) as count from shadow_ai.event_blocks b
     join shadow_ai.processes p on p.id = b.process_id where p.device_uid = $1`,
    ['counted-uid'],
  );
  assert.equal(Number(left?.count), 2);
});

test('detections only grow, whatever is deleted, late or sent again', async () => {
  await push(story('whole'));
  const truth = plain(await detectionsOn('whole'));
  for (let round = 0; round < 6; round += 1) {
    const device = `kept-${round}`;
    const below = random(round + 1);
    const rows = story(device);
    await push(rows);
    let known = await detectionsOn(device);
    for (let step = 0; step < 5; step += 1) {
      if (below(2) === 0) await deleteBefore(at(below(9000)), 1 + below(5));
      const again = rows.filter(() => below(3) === 0);
      if (again.length > 0) await push(again);
      const now = await detectionsOn(device);
      for (const each of known) {
        const same = now.find(({ id }) => id === each.id);
        assert.ok(same, `round ${round}, step ${step}: the detection of ${each.agent_framework} is gone`);
        assert.ok(same.started_at <= each.started_at && same.ended_at >= each.ended_at);
        counts(same).forEach((count, i) => assert.ok(count >= counts(each)[i]!, `round ${round}`));
        assert.ok(each.activity_tags.every((tag) => same.activity_tags.includes(tag)));
      }
      known = now;
    }
    await push(rows);
    assert.deepEqual(plain(await detectionsOn(device)), truth, `round ${round}`);
  }
});
