/**
 * What has nothing to do with AI is never found, however much of it there is. First look: 2 of the 11,000 events (an editor
 * that opens a folder with the name of a tool), and of the 20,000 sites none but those of a provider itself.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readCatalogue } from '#engine/shadow-ai/catalogue.ts';
import { createMatcher } from '#engine/shadow-ai/matcher.ts';
import { domains } from '../fixtures/ordinary-names.ts';
import { ordinaryRows } from '../fixtures/ordinary-fleet.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock, db } = service;

test('11,000 events of ordinary computers are no detection and no connection to a provider', async () => {
  const rows = ordinaryRows(11_000, clock.now());
  const kinds = Map.groupBy(rows, (row) => ('class_uid' in row ? row.class_uid : undefined));
  for (const kind of [1007, 4001, 4003, 1001]) assert.ok((kinds.get(kind)?.length ?? 0) > 1000, String(kind));
  const sent = await call('POST', '/api/v1/shadow-ai/telemetry', { as: tokens.admin, body: rows });
  assert.equal(sent.body.accepted, 11_000);
  const found = await db.query(
    `select d.rule_id, p.facts from shadow_ai.detections d join shadow_ai.processes p on p.id = d.root_id`,
  );
  assert.deepEqual(found, []);
  assert.deepEqual(await db.query('select host from shadow_ai.connections'), []);
});

test('20,000 ordinary sites are of no provider', () => {
  const matcher = createMatcher(readCatalogue());
  const sites = domains(20_000);
  assert.equal(new Set(sites).size, 20_000);
  assert.deepEqual(
    sites.filter((site) => matcher.findProvider(site) !== undefined),
    [],
  );
});
