import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { attackTraces, benignTraces, resistedTraces } from '../../../test/fixtures/action-traces/traces.ts';
import { createActionEngine } from './engine.ts';
import type { ActionRule, RuleSource, TraceStep } from './types.ts';

let isFlagged: (steps: TraceStep[], from: number) => boolean;

before(async () => {
  const engine = createActionEngine(await loadTextEngine());
  const file = join(import.meta.dirname, '../../../test/fixtures/action-rules/default.json');
  const rules = (JSON.parse(readFileSync(file, 'utf8')) as RuleSource[]).map((source, at): ActionRule => ({
    ruleId: `rul_${at}`,
    ...source,
    compiled: engine.compile(source),
  }));
  isFlagged = (steps, from) =>
    steps.some((_, at) => {
      if (at < from) return false;
      const { findings } = engine.evaluate(steps.slice(0, at + 1), rules);
      return findings.some(({ certainty }) => certainty === 'sure');
    });
});

const share = (hits: boolean[]) => hits.filter(Boolean).length / hits.length;

test('attacks are stopped in every English wording, and most in another language', () => {
  const byWording = Map.groupBy(attackTraces(), ({ wording }) => wording);
  for (const [wording, attacks] of byWording) {
    const stopped = share(attacks.map(({ steps, from }) => isFlagged(steps, from)));
    assert.ok(stopped >= (wording === 'german' ? 0.65 : 0.9), `${wording}: ${stopped.toFixed(3)}`);
  }
});

test('the same tasks without an attack pass, and so do those that did not fall for it', () => {
  assert.ok(share(benignTraces().map((steps) => isFlagged(steps, 1))) <= 0.05);
  assert.ok(share(resistedTraces().map((steps) => isFlagged(steps, 1))) <= 0.05);
});
