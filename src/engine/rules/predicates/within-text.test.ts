import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsIn } from '../comparing/text-parts.ts';
import { breaks } from '../fixtures/try-sentence.ts';

const run = (command: string) => [['bash', { command }] as const];

test('numbers of a command are compared behind what names them', () => {
  const many = 'Deny when it has in the text of "command" behind "--replicas" a number of more than 10.';
  assert.equal(breaks(many, run('kubectl scale deploy/web --replicas=12')), true);
  assert.equal(breaks(many, run('kubectl scale deploy/web --replicas 12')), true);
  assert.equal(breaks(many, run('kubectl scale deploy/web --replicas=2 --timeout=30s')), false);
  assert.equal(
    breaks(many, run('kubectl scale deploy/web --replicas=2; kubectl scale deploy/a --REPLICAS=11')),
    true,
  );
});

test('words of a command are compared behind what names them', () => {
  const prod = 'Deny when it has in the text of "command" behind "-n" a word that is "prod".';
  assert.equal(breaks(prod, run('kubectl -n prod delete pod a')), true);
  assert.equal(breaks(prod, run('kubectl -n production-like delete pod a')), false);
  assert.equal(breaks(prod, run("kubectl -n 'prod' delete pod a")), true);
  assert.equal(breaks(prod, run('kubectl -nprod delete pod a')), true);
  const other = 'Deny when it has in the text of "command" behind "-n" a word that is not "dev".';
  assert.equal(breaks(other, run('kubectl --namespace dev get pods')), false);
  assert.deepEqual(partsIn('head -n5 a; sort --n 7', 'number', '-n'), ['5']);
});

test('dates of running text are compared however they are written', () => {
  const old = 'Deny when it has in the text of "*" a date that is before "2024-04-01".';
  for (const text of [
    "UPDATE journal SET x = 1 WHERE day = '2024-03-31'",
    'Please book it on 31.3.2024.',
    'as of 31 March 2024',
    'as of Mar. 31st, 2024',
  ])
    assert.equal(breaks(old, [['post', { text }]]), true, text);
  for (const text of ['on 2024-04-01', 'on 1.4.2024', 'version 1.2.2024.5', 'nothing'])
    assert.equal(breaks(old, [['post', { text }]]), false, text);
});

test('amounts of a message are compared with their unit', () => {
  const dear = 'Deny when it has in the text of "body" a number of more than "500 EUR".';
  assert.equal(breaks(dear, [['mail', { body: 'We offer 1,200 EUR for it.' }]]), true);
  assert.equal(breaks(dear, [['mail', { body: 'We offer €450 for it.' }]]), false);
  assert.equal(breaks(dear, [['mail', { body: 'We offer 450 EUR, order 12-345-6.' }]]), false);
});

test('numbers are not found in names, dates and versions', () => {
  assert.deepEqual(partsIn('node18 v1.2.3 2026-11-20 10:30 id_77 10.0.0.1 a/5', 'number'), []);
  assert.deepEqual(partsIn('3 boxes, 4.5 kg, -2', 'number'), ['3', '4.5 kg', '-2']);
});

test('long texts of digits are read in a moment', () => {
  for (const text of [
    '1'.repeat(200_000),
    '1,'.repeat(100_000),
    '1.'.repeat(100_000),
    '2024-'.repeat(40_000),
  ]) {
    const from = process.cpuUsage();
    for (const what of ['number', 'date', 'word'] as const) {
      partsIn(text, what);
      partsIn(text, what, '1');
    }
    const { user } = process.cpuUsage(from);
    assert.ok(user < 500_000, `${user} µs for ${text.slice(0, 8)}…`);
  }
});

test('what an earlier step answered in running text is looked into', () => {
  const again =
    'Deny when it comes after an answer of "history" for the same "client" that has in its text behind "reminder" a date that is after -7 days from now.';
  const now = new Date(2026, 10, 20, 12);
  const of = (answer: string, asked = 'Petit') =>
    [['history', { client: asked }, answer] as const, ['remind', { client: 'Petit' }] as const] as const;
  assert.equal(breaks(again, of('last reminder: 16.11.2026, by phone'), { now }), true);
  assert.equal(breaks(again, of('last reminder: 2.11.2026, by phone'), { now }), false);
  assert.equal(breaks(again, of('last visit: 16.11.2026'), { now }), false);
  assert.equal(breaks(again, of('last reminder: 16.11.2026', 'Grand'), { now }), false);
});
