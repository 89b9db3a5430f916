import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceRows } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock } = service;
const startMs = clock.now() - 10 * 3_600_000;

/** More than a page, many of one moment. */
const count = 1203;
const names = ['=cmd|calc', 'a "quoted", name', 'plain'];
await call('POST', '/api/v1/shadow-ai/telemetry', {
  as: tokens.admin,
  body: Array.from({ length: count }, (_, i) => {
    const device = deviceRows(`${names[i % 3]}-${i}`, startMs, ['Windows', 'macOS', 'Plan 9'][i % 3]);
    const agent = { uid: 'a', image: '/usr/bin/claude', cmd: 'claude', user: '+ana' };
    return device.start(Math.floor(i / 400), agent);
  }),
});

const exported = async (path: string, as = tokens.member) =>
  call('GET', `/api/v1/shadow-ai/export/${path}`, { as });

test('CSV has each detection once, newest first, and no formula', async () => {
  const { status, body: text, headers } = await exported('csv');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/csv/);
  const [header, ...lines] = text.trimEnd().split('\r\n');
  assert.match(header!, /^id,started_at,/);
  assert.equal(lines.length, count);
  assert.equal(new Set(lines.map((line: string) => line.split(',', 1)[0])).size, count);
  const times = lines.map((line: string) => line.split(',')[1]!);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.ok(lines.some((line: string) => line.includes(`"a ""quoted"", name-1"`)));
  assert.ok(lines.some((line: string) => line.includes(`,'=cmd|calc-0,Windows,'+ana,claude-code,`)));
  assert.ok(!/(?:^|,)[=+@]/m.test(lines.join('\n')));
});

test('OCSF has Detection Findings with what the class requires', async () => {
  const { body: text } = await exported('ocsf?device_os=macOS');
  const findings = text
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line));
  assert.equal(findings.length, count / 3);
  const systems = findings.map((finding: { device: { os: object } }) => finding.device.os);
  assert.deepEqual(systems[0], { name: 'macOS', type_id: 300 });
  for (const finding of findings) {
    assert.equal(finding.type_uid, finding.class_uid * 100 + finding.activity_id);
    assert.ok(Number.isInteger(finding.time) && finding.severity_id >= 1 && finding.severity_id <= 5);
    assert.ok(finding.metadata.version && finding.metadata.product.vendor_name);
    assert.ok(finding.finding_info.title && finding.finding_info.uid);
    assert.equal(finding.finding_info.analytic.uid, 'claude-code');
  }
  assert.equal((await exported('ocsf', tokens.stranger)).body, '');
  assert.equal((await exported('csv?start_date=soon')).status, 422);
});
