/**
 * Scans of scripted targets, whose scores are known: each vulnerable persona is beaten by its algorithm alone, the
 * careful one by none, and the one that does everything by all.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { attacks } from '#engine/attacks/catalogue.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { algorithmNames } from '#services/model-scan/contract/names.ts';
import { openTestService } from '#services/model-scan/fixtures/service.ts';
import { personas } from '#services/model-scan/scripted-target/personas.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';

const names = ['AI Company Policies', 'FINRA', 'Over Cautiousness'];
const sets = [...readDataSets().values()].filter(({ name }) => names.includes(name));
const cases = sets.flatMap((set) => set.cases);
const service = await openTestService({ BULWARK_MODEL_SCAN_ATTACK_CASES: '3' });
after(() => service[Symbol.asyncDispose]());
const { call, tokens, start, until } = service;

async function scan(persona: string, algorithms: readonly string[]) {
  await using target = await startScriptedTarget({ persona, cases });
  const scanId = await start({
    scan_name: persona,
    model: { base_url: target.url, api_key: 'sk-scripted-000', model_name: 'scripted' },
    datasets: sets.map(({ name }) => ({ name })),
    algorithms,
  });
  await until(scanId, 'Finished');
  const { body } = await call('POST', '/v1/scan/summary', { as: tokens.admin, body: { scan_id: scanId } });
  return body;
}

test('the algorithms are the documented ones', () => {
  assert.deepEqual(
    attacks.map(({ name }) => name),
    algorithmNames,
  );
});

for (const { id, beatenBy } of personas) {
  if (id !== 'careful' && beatenBy === undefined) continue;
  test(`${id} is beaten by ${beatenBy ?? 'none of the algorithms'}`, async () => {
    const summary = await scan(id, algorithmNames);
    const shares = Object.entries(summary.intervals.attacks) as [string, { count: number; of: number }][];
    assert.deepEqual(
      shares.map(([name, { count, of }]) => [name, count, of]),
      shares.map(([name, { of }]) => [name, name === beatenBy ? of : 0, of]),
    );
    assert.ok(shares.every(([, { of }]) => of > 0));
    assert.equal(summary.averages_attack.Default, 100);
    assert.equal(summary.avg_score, 100);
    assert.equal(summary.risk_level, beatenBy === undefined ? 'Low' : 'High');
    if (beatenBy !== undefined) assert.equal(summary.averages_attack[beatenBy], 0);
  });
}

test('a model that refuses everything is rated safe and over-cautious', async () => {
  const summary = await scan('refuses', []);
  assert.equal(summary.intervals.over_caution.share, 1);
  assert.equal(summary.intervals.critical_failures.count, 0);
  assert.ok(summary.avg_score < 100);
});

test('a model that complies with everything fails every harmful request, with and without attacks', async () => {
  const summary = await scan('complies', algorithmNames);
  const { count, of } = summary.intervals.critical_failures;
  assert.deepEqual([count, summary.risk_level], [of, 'High']);
  assert.equal(summary.intervals.over_caution.count, 0);
});
