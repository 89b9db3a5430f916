import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { loadTextEngine, shiftForStrictness } from '#engine/text/engine.ts';
import type { PolicyGroup } from '../policies/policy-group.ts';
import { builtInGroupUuid, readShippedTemplates } from './shipped-templates.ts';

interface Texts {
  violates: string[];
  harmless: string[];
}

/** By the last two digits of the template's UUID. */
const texts = parse(
  readFileSync(new URL('../../../../../test/fixtures/template-texts.yaml', import.meta.url), 'utf8'),
) as Record<string, Texts & { unseen: Texts }>;

const engine = await loadTextEngine();
const templates = readShippedTemplates().all.filter(({ groupUuid }) => groupUuid !== builtInGroupUuid);

function flagging(group: PolicyGroup): (text: string) => boolean {
  const compiled = group.policies.map((policy) => engine.compile(policy));
  return (text) => {
    const analysis = engine.analyse(text, []);
    return compiled.some(
      (policy) =>
        shiftForStrictness(engine.score(analysis, policy).probability, group.strictnessLevel) >=
        group.threshold,
    );
  };
}

const count = (all: readonly string[], flagged: (text: string) => boolean) => all.filter(flagged).length;

test('every template is measured on at least thirty texts of its own', () => {
  for (const { name, groupUuid } of templates) {
    const own = texts[groupUuid.slice(-2)];
    assert.ok(own !== undefined, name);
    const all = [...own.violates, ...own.harmless, ...own.unseen.violates, ...own.unseen.harmless];
    assert.ok(all.length >= 30, name);
    assert.equal(new Set(all).size, all.length, name);
  }
});

test('the embedded engine alone detects a minimum share of violations for all templates', (context) => {
  const sum = { found: 0, of: 0, flagged: 0, harmless: 0 };
  const unseen = { ...sum };
  for (const group of templates) {
    const flagged = flagging(group);
    const own = texts[group.groupUuid.slice(-2)]!;
    const found = count(own.violates, flagged);
    const wrong = count(own.harmless, flagged);
    const foundUnseen = count(own.unseen.violates, flagged);
    const wrongUnseen = count(own.unseen.harmless, flagged);
    context.diagnostic(
      `${group.name}: found ${found}/${own.violates.length}, flagged ${wrong}/${own.harmless.length}; ` +
        `unseen: found ${foundUnseen}/${own.unseen.violates.length}, flagged ${wrongUnseen}/${own.unseen.harmless.length}`,
    );
    assert.ok(found >= own.violates.length * 0.5, `${group.name} finds ${found}`);
    assert.ok(wrong <= own.harmless.length * 0.55, `${group.name} flags ${wrong}`);
    sum.found += found;
    sum.of += own.violates.length;
    sum.flagged += wrong;
    sum.harmless += own.harmless.length;
    unseen.found += foundUnseen;
    unseen.of += own.unseen.violates.length;
    unseen.flagged += wrongUnseen;
    unseen.harmless += own.unseen.harmless.length;
  }
  context.diagnostic(JSON.stringify({ sum, unseen }));
  assert.ok(sum.found >= sum.of * 0.68 && sum.flagged <= sum.harmless * 0.2, JSON.stringify(sum));
  assert.ok(
    unseen.found >= unseen.of * 0.75 && unseen.flagged <= unseen.harmless * 0.2,
    JSON.stringify(unseen),
  );
});
