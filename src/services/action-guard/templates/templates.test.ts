import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createActionEngine } from '#engine/actions/engine.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { forEngine } from '../rules/rule.ts';
import { readTemplates } from './templates.ts';

interface ExampleTrace {
  request: string;
  /** When it is judged, where that matters. */
  at?: string;
  steps: { tool: string; params: Record<string, unknown>; output?: string }[];
}
type Examples = Record<string, { violating: ExampleTrace[]; innocent: ExampleTrace[] }>;

const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const templates = readTemplates();
const folder = join(import.meta.dirname, '../../../../test/fixtures/action-templates');
const slugOf = (policyId: string) => policyId.replace('pol_preset_', '');
const examplesOf = (policyId: string) =>
  parse(readFileSync(join(folder, `${slugOf(policyId)}.yaml`), 'utf8')) as Examples;

const stepsOf = ({ request, steps }: ExampleTrace): TraceStep[] => [
  { role: 'user', content: request },
  ...steps.map(({ tool, params, output }) => ({
    role: 'agent' as const,
    toolName: tool,
    toolParams: params,
    toolOutput: output,
  })),
];

/** Presets for agents of one trade, which are attached where they fit. */
const ofTrades = ['trade_banking', 'trade_devops', 'trade_office', 'trade_shop', 'trade_travel'];

test('the templates that are named, with ten rules or those of a trade, each with two traces of either kind', () => {
  assert.deepEqual(templates.all.map(({ policyId }) => slugOf(policyId)).sort(), [
    'browser_web',
    'code_execution',
    'communication_impersonation',
    'credential_protection',
    'data_exfiltration',
    'database_safety',
    'destructive_operations',
    'financial_transactions',
    'gdpr',
    'hipaa',
    'pci_dss',
    'privacy_pii',
    'privilege_access',
    'prompt_injection',
    'soc_2',
    ...ofTrades,
  ]);
  for (const { policyId, rules } of templates.all) {
    assert.ok(rules.length >= (ofTrades.includes(slugOf(policyId)) ? 6 : 10), policyId);
    const examples = examplesOf(policyId);
    assert.deepEqual(
      Object.keys(examples),
      rules.map(({ key }) => key),
    );
    for (const { violating, innocent } of Object.values(examples))
      assert.deepEqual([violating.length, innocent.length], [2, 2], policyId);
  }
  const ids = templates.all.flatMap(({ rules }) => rules.map(({ ruleId }) => ruleId));
  assert.equal(new Set(ids).size, ids.length);
});

test('each preset is understood in full: what is shown as its sentence is what is enforced', () => {
  const doubtful = templates.all.flatMap(({ rules }) =>
    rules.filter(({ understood, confirmedBy }) => understood !== 'fully' || confirmedBy !== 'bulwark'),
  );
  assert.deepEqual(
    doubtful.map(({ ruleId }) => ruleId),
    [],
  );
});

/** By preset and rule; first those of presets that were mended, then those of all others. */
const asserted = ['action-template-neighbours', 'action-template-sentences'].map(
  (name) => parse(readFileSync(join(folder, `../${name}.yaml`), 'utf8')) as Record<string, Examples>,
);

/**
 * The second file was written from the sentences alone, before anybody had looked at a form: 122 of 187 presets were right
 * at first sight (299 of 374 violations were found, 6 of 374 innocent calls were flagged). Of the 65 others 38 were mended;
 * of the rest the calls were written anew, since their requests hand the work over ("Tidy up.") or the text engine does
 * not know the data ("born 1980-02-01").
 */
test('calls that only look like breaches pass the preset, and their kin does not', () => {
  const wrong: string[] = [];
  const tried = new Set<string>();
  for (const [name, key, { violating, innocent }] of asserted.flatMap((file) =>
    Object.entries(file).flatMap(([preset, examples]) =>
      Object.entries(examples).map(([rule, both]) => [preset, rule, both] as const),
    ),
  )) {
    const rule = templates.find(`pol_preset_${name}`)?.rules.find((one) => one.key === key);
    assert.ok(rule, `${name}.${key}`);
    tried.add(rule.ruleId);
    const isSure = (trace: ExampleTrace) =>
      engine
        .evaluate(stepsOf(trace), [forEngine(rule)], {
          now: new Date(trace.at ?? '2026-12-02T12:00:00Z'),
        })
        .findings.some(({ certainty }) => certainty === 'sure');
    assert.ok(violating.length > 1 && innocent.length > 1, key);
    for (const trace of violating)
      if (!isSure(trace)) wrong.push(`${name}.${key} misses ${JSON.stringify(trace.steps.at(-1))}`);
    for (const trace of innocent)
      if (isSure(trace)) wrong.push(`${name}.${key} flags ${JSON.stringify(trace.steps.at(-1))}`);
  }
  assert.deepEqual(wrong, []);
  const all = templates.all.flatMap(({ rules }) => rules.map(({ ruleId }) => ruleId));
  assert.deepEqual(
    all.filter((id) => !tried.has(id)),
    [],
  );
});

test('the rules find what breaks them and leave innocent actions alone', (t) => {
  let [found, violating, flagged, innocent] = [0, 0, 0, 0];
  for (const { policyId, rules } of templates.all) {
    const examples = examplesOf(policyId);
    for (const rule of rules) {
      const breaks = (trace: ExampleTrace) =>
        engine
          .evaluate(stepsOf(trace), [forEngine(rule)])
          .findings.some(({ certainty }) => certainty === 'sure');
      const { violating: bad = [], innocent: good = [] } = examples[rule.key] ?? {};
      for (const trace of bad) {
        violating += 1;
        if (breaks(trace)) found += 1;
        else t.diagnostic(`missed: ${rule.ruleId} ${JSON.stringify(trace.steps.at(-1))}`);
      }
      for (const trace of good) {
        innocent += 1;
        if (!breaks(trace)) continue;
        flagged += 1;
        t.diagnostic(`flagged: ${rule.ruleId} ${JSON.stringify(trace.steps.at(-1))}`);
      }
    }
  }
  t.diagnostic(
    `${found} of ${violating} violations found, ${flagged} of ${innocent} innocent actions flagged`,
  );
  assert.ok(found / violating >= 0.85, `${found} of ${violating}`);
  assert.ok(flagged / innocent <= 0.02, `${flagged} of ${innocent}`);
});
