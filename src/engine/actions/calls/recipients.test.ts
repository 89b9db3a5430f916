import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { breaks } from '../../rules/fixtures/try-sentence.ts';
import { ruleOf } from '../../rules/fixtures/rule-of.ts';
import { judgeByForm } from '../../rules/matching/judge-by-form.ts';
import { createActionEngine } from '../engine.ts';
import type { ActionEngine } from '../types.ts';
import { destinationsOf } from './destinations.ts';
import { readCall } from './call.ts';

let engine: ActionEngine;
before(async () => {
  engine = createActionEngine(await loadTextEngine(), judgeByForm);
});

const strangers = [
  'a@evil.com',
  'a@bücher.example',
  'a@münchen.de',
  'a@аcme.com',
  '"a b"@evil.com',
  'a@evil',
  'a@evil.com\u200B',
  'a@ev\u00ADil.com',
  'a@evil.com\u00A0',
  'a＠evil.com',
  'a@evil。com',
  'a@пример.рф',
  'a@💩.la',
  "o'brien@evil.com",
  'Bob <a@bücher.example>',
  '"bob@acme.com"@evil.com',
  'bob@acme.com@evil.com',
  '"bob@acme.com" <a@evil>',
  'bob@acme.com, a@evil',
  'a@acme.com(x).evil.com',
  'a@acme.com/.evil.com',
  'a%40evil.com',
  '/a@evil.com',
  '«a@evil.com»',
  'a @evil.com',
  'a@[8.8.8.8]',
  `${'bob@acme.com, '.repeat(400)}a@evil.com`,
];
const ours = [
  'b@ACME.com',
  'Bob <bob@acme.com>',
  '"Smith, Bob" <bob@acme.com>; jo@mail.acme.com',
  "o'brien@acme.com",
  '"a b"@acme.com',
  'bob@acme.com\u200B',
  'bücher@acme.com',
  'bob',
  '#general',
  '@alice',
  '@john.doe',
  'Bob (@bob)',
  'Zoë Müller',
  '+49 170 1234567',
];

const isOut = (to: unknown, own: string[], key = 'to') =>
  breaks('Deny when it goes outside of the own domains.', [['send_email', { [key]: to }]], {
    ownDomains: own,
  });

test('an address in any letters and of any shape lies outside where its domain is none of ours', () => {
  for (const to of strangers) {
    assert.ok(isOut(to, ['acme.com']), to);
    assert.ok(breaks('Deny when it goes elsewhere than to "acme.com".', [['send_email', { bcc: [to] }]]), to);
  }
});

test('our own addresses and names within a system lie not outside', () => {
  for (const to of ours) {
    assert.ok(!isOut(to, ['acme.com']), to);
    assert.ok(
      !breaks('Deny when it goes elsewhere than to "acme.com".', [['send_email', { recipient: to }]]),
      to,
    );
  }
});

test('an own domain may be given in either form', () => {
  for (const own of ['münchen.de', 'xn--mnchen-3ya.de', 'MÜNCHEN.de', 'mu\u0308nchen.de'])
    for (const to of ['user@münchen.de', 'user@xn--mnchen-3ya.de', 'user@MÜNCHEN.DE', 'x@it.münchen.de'])
      assert.ok(!isOut(to, [own]), `${to} in ${own}`);
  assert.ok(isOut('user@nchen.de', ['münchen.de']));
});

test('sentences name domains in all letters', () => {
  const judged = (sentence: string, to: string) =>
    engine.evaluate(
      [{ role: 'agent', toolName: 'send_email', toolParams: { to, body: 'Customer data: Ann, 4 Elm Road' } }],
      [ruleOf({ description: sentence, severity: 'High' })],
    ).findings.length > 0;
  const acme = 'Never email customer data to addresses outside acme.com.';
  for (const to of strangers) assert.ok(judged(acme, to), to);
  for (const to of ours) assert.ok(!judged(acme, to), to);
  const munich = 'Never email customer data to addresses outside münchen.de.';
  assert.ok(judged(munich, 'a@nchen.de'));
  assert.ok(!judged(munich, 'a@münchen.de'));
  assert.ok(!judged(munich, 'a@xn--mnchen-3ya.de'));
});

test('links and paths with a sign in them are no recipients', () => {
  const valuesOf = (toolParams: Readonly<Record<string, unknown>>) =>
    destinationsOf(readCall({ role: 'agent', toolName: 'copy', toolParams })).map(({ host }) => host);
  assert.deepEqual(valuesOf({ to: 'https://medium.com/@bob/x' }), ['medium.com']);
  assert.deepEqual(valuesOf({ to: '/srv/node_modules/@scope/name' }), ['']);
  assert.deepEqual(valuesOf({ to: 'https://evil.com\\@acme.com/' }), ['evil.com']);
});

test('long lists take linear time', () => {
  for (const part of ['@', 'a@b ', '"a@', 'é@ü.', '@a(', 'a@b@', '%40', '<@']) {
    const started = performance.now();
    destinationsOf(
      readCall({ role: 'agent', toolName: 'send', toolParams: { to: part.repeat(60_000 / part.length) } }),
    );
    assert.ok(performance.now() - started < 500, part);
  }
});
