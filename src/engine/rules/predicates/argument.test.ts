import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkForm } from '../check-form.ts';
import { breaks } from '../fixtures/try-sentence.ts';

const cases: readonly [says: string, params: Record<string, unknown>, isBroken: boolean][] = [
  ['"amount" of more than 500', { amount: 500.01 }, true],
  ['"amount" of more than 500', { amount: 500 }, false],
  ['"amount" of more than 500', { amount: '1,200.50' }, true],
  ['"amount" of more than "500 EUR"', { amount: '700 EUR' }, true],
  ['"amount" of more than "500 EUR"', { amount: '€700' }, true],
  ['"amount" of more than "500 EUR"', { amount: 'much' }, false],
  ['"size" of at least "2 GB"', { size: '1999 MB' }, false],
  ['"size" of at least "2 GB"', { size: '2000 MB' }, true],
  ['"wait" of less than "1 hour"', { wait: '59 min' }, true],
  ['"wait" of less than "1 hour"', { wait: '59 GB' }, false],
  ['"items.price" of more than 10', { items: [{ price: 3 }, { price: 11 }] }, true],
  ['"items.price" of more than 10', { items: [{ price: 3 }], price: 11 }, false],
  ['"price" of more than 10', { order: { items: [{ price: 11 }] } }, true],
  ['"status" that is one of "open" or "new"', { status: 'NEW' }, true],
  ['"to" that is none of "a@x.test" or "b@x.test"', { to: ['a@x.test', 'c@x.test'] }, true],
  ['"to" that is none of "a@x.test" or "b@x.test"', { to: ['a@x.test'] }, false],
  ['"path" that is like "/etc/*"', { path: '/etc/passwd' }, true],
  ['"path" that is not like "/srv/*.txt"', { path: '/srv/a.exe' }, true],
  ['"force" that is true', { force: true }, true],
  ['"force" that is true', { force: false }, false],
  ['"ticket" that is empty or missing', { ticket: '' }, true],
  ['"ticket" that is empty or missing', {}, true],
  ['"ticket" that is there', { ticket: 'T-1' }, true],
  ['"until" that is after "2026-11-30"', { until: '2026-12-01T08:00:00Z' }, true],
  ['"until" that is after "2026-11-30"', { until: 'tomorrow' }, false],
  ['"cidr" that takes in the network "0.0.0.0/0"', { cidr: '0.0.0.0/0' }, true],
  ['"cidr" that takes in the network "0.0.0.0/0"', { cidr: '10.1.0.0/16' }, false],
  ['"cidr" that reaches beyond the network "10.0.0.0/8"', { cidr: '10.1.0.0/16' }, false],
  ['"cidr" that reaches beyond the network "10.0.0.0/8"', { cidr: '0.0.0.0/0' }, true],
  ['"ip" that lies in the network "fd00::/8"', { ip: 'fd12::1' }, true],
  ['"after" of more than the argument "before"', { before: 3, after: 4 }, true],
  ['"after" of more than the argument "before"', { after: 4 }, false],
];

test('values at a path are compared as numbers with units, lists, globs, dates and networks', () => {
  for (const [says, params, isBroken] of cases)
    assert.equal(
      breaks(`Deny when it has an argument ${says}.`, [['do_it', params]]),
      isBroken,
      `${says} ${JSON.stringify(params)}`,
    );
});

test('a glob with many stars needs no backtracking', () => {
  const text = 'a'.repeat(4000);
  assert.equal(
    breaks('Deny when it has an argument "x" that is like "*a*a*a*a*a*a*ab".', [['t', { x: text }]]),
    false,
  );
});

test('a value that cannot be compared so is refused with its name', () => {
  const refused: readonly [object, RegExp][] = [
    [{ is: 'argument', path: 'a', operator: 'over', value: 'many' }, /'value' must be a number/],
    [{ is: 'argument', path: 'a', operator: 'after', value: 'soon' }, /'value' must be a date/],
    [
      { is: 'argument', path: 'a', operator: 'in_network', value: '10.0.0.0/33' },
      /'value' must be a network/,
    ],
    [{ is: 'argument', path: 'a', operator: 'exists', value: 1 }, /must not stand with `exists`/],
    [{ is: 'argument', path: 'a', operator: 'is' }, /'value' must stand with `is`/],
    [{ is: 'argument', path: 'a', operator: 'like', value: '*'.repeat(9) }, /at most 8 stars/],
    [{ is: 'argument', path: 'a', operator: 'matches', value: 'x' }, /'rule.when.operator' must be one of/],
    [{ is: 'argument', path: 'a', operator: 'is', value: 'x', why: 1 }, /'rule.when.why' is no field/],
    [{ is: 'toString' }, /'rule.when.is' must be the name of a predicate/],
    [{ all: [] }, /'rule.when.all' must be a list/],
    [{ is: 'tool', all: [] }, /must have one of/],
  ];
  for (const [when, reason] of refused) {
    const checked = checkForm({ when });
    assert.ok('problem' in checked, JSON.stringify(when));
    assert.match(checked.problem, reason);
  }
  let deep: object = { is: 'changes' };
  for (let at = 0; at < 5000; at++) deep = { not: deep };
  const checked = checkForm({ when: deep });
  assert.match('problem' in checked ? checked.problem : '', /nested more than 8 deep/);
});
