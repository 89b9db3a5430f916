import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import type { ActionRule, TraceStep } from '../../actions/types.ts';
import { compileRule } from '../../actions/rules/compile.ts';
import { draftRule } from '../reading/draft.ts';
import { judgeByForm } from './judge-by-form.ts';

const reader = new ContextReader(await loadTextEngine());

function judge(description: string, step: Partial<TraceStep>, more: Partial<ActionRule> = {}) {
  const { compiled, rule: form } = draftRule(description);
  const context = reader.read([{ role: 'agent', ...step }], {});
  assert.ok(context);
  return judgeByForm(context, { ruleId: 'r', description, severity: 'High', compiled, form, ...more });
}

test('a finding has the evidence as its reason, and is less sure where a name is all there is', () => {
  const amount = judge('Deny when it has an amount of more than 5.', {
    toolName: 'pay',
    toolParams: { amount: 6 },
  });
  assert.deepEqual([amount?.confidence, amount?.certainty, amount?.reason], [1, 'sure', 'The amount is 6.']);
  const named = judge('Deny when it deletes.', { toolName: 'delete_user', toolParams: {} });
  assert.deepEqual([named?.confidence, named?.certainty], [0.9, 'sure']);
  assert.equal(judge('Deny when it deletes.', { toolName: 'get_user', toolParams: {} }), undefined);
});

test('a rule that asks wants a person', () => {
  const found = judge('Ask a person when it deletes.', { toolName: 'delete_user', toolParams: {} });
  assert.equal(found?.wantsPerson, true);
  assert.match(found?.reason ?? '', /Nobody who may do so has approved it\./);
});

test('what is not understood is compared by its words, and never sure', () => {
  const found = judge(
    'Blackwater tailings sluice gates.',
    { toolName: 'sluice_gates', toolParams: { tailings: 'blackwater' } },
    { form: undefined },
  );
  assert.notEqual(found?.certainty, 'sure');
});

test('near to a rule that was understood in part and that nobody confirmed, a person is asked', () => {
  const step = { toolName: 'flush_sluice_gates', toolParams: { of: 'blackwater' } };
  const description = 'Never flush blackwater sluice gates.';
  const compiled = compileRule({ description, severity: 'High' }, 'test');
  const form = { when: { is: 'tool', names: ['another'] }, on_missing: 'deny' } as const;
  assert.notEqual(judge(description, step, { form, compiled })?.certainty, 'sure');
  assert.equal(judge(description, step, { form, compiled, isDoubtful: true })?.wantsPerson, true);
  const reading = { ...step, toolName: 'get_sluice_gates' };
  assert.notEqual(judge(description, reading, { form, compiled, isDoubtful: true })?.certainty, 'sure');
});

test('a rule that was understood in part asks where only words of its sentence tell a call from a breach', () => {
  const certainty = (description: string, toolName: string, toolParams: Record<string, unknown> = {}) =>
    judge(
      description,
      { toolName, toolParams },
      { isDoubtful: draftRule(description).understood === 'partly' },
    )?.certainty;
  const optedOut = 'Do not send e-mails to people who have opted out of the newsletter.';
  assert.equal(certainty(optedOut, 'send_email', { to: 'x@y.example' }), 'sure');
  assert.equal(certainty(optedOut, 'delete_file', { path: '/a' }), undefined);
  assert.equal(certainty('Never pay suppliers whose contract has lapsed.', 'pay_invoice', { id: 7 }), 'sure');
  assert.equal(certainty('Never delete files under litigation hold.', 'delete_file', { path: '/a' }), 'sure');
  assert.equal(certainty('Never delete files under litigation hold.', 'delete_user', { id: 7 }), undefined);
  // What is measured, and what the call is about, is told.
  const refunds = 'Refunds over $500 need approval by a manager.';
  assert.equal(certainty(refunds, 'issue_refund', { amount: 20 }), undefined);
});

test('what an agent says it does is compared with rules that were not understood, too', () => {
  const description = 'Be nice to the flumox in a wobbly fashion.';
  const said = judge(description, { action: 'Treat the flumox in a nice, wobbly fashion' });
  assert.equal(said?.certainty, 'grey');
  assert.equal(judge(description, { action: 'Hello, how can I help?' }), undefined);
});
