import { tryCases } from '../fixtures/try-cases.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseComparison } from './operand.ts';

for (const [operator, value, isBroken, own] of [
  ['that is there', '', true, 'x'],
  ['that is empty or missing', '', true, ''],
  ['that is', '"a"', true, 'A'],
  ['that is not', '"a"', true, 'b'],
  ['that is one of', '"a" or "b"', true, 'b'],
  ['that is none of', '"a" or "b"', false, 'a'],
  ['that is like', '"a*c"', true, 'abbc'],
  ['that is not like', '"a*c"', false, 'ac'],
  ['that contains', '"bb"', true, 'ABBC'],
  ['that stands in', '"abcdef"', true, 'bcd'],
  ['that stands in', '"abcdef"', false, 'bc'],
  ['with more characters than', '3', true, 'abcd'],
  ['with fewer characters than', '3', false, 'abc'],
  ['with more words than', '2', true, 'one two three'],
  ['with fewer words than', '2', false, 'well-known fact'],
  ['that is before', '"2026-03-01"', true, '2026-02-28'],
  ['that is after', '"2026-03-01"', false, '2026-03-01T10:00'],
  ['that lies in the network', '"10.0.0.0/8"', true, '10.1.0.0/16'],
  ['that reaches beyond the network', '"10.0.0.0/8"', true, '10.0.0.0/7'],
  ['that takes in the network', '"10.0.0.0/8"', true, '0.0.0.0/0'],
] as const)
  tryCases(
    `a value ${operator} ${value}: ${own === '' ? 'nothing' : own}`,
    `Deny when it has an argument "v" ${`${operator} ${value}`.trim()}.`,
    [
      ['it', [['x', { v: own }]], isBroken],
      ['what cannot be compared', [['x', { v: {} }]], operator === 'that is empty or missing'],
    ],
  );

test('a value that an operator cannot have is refused', () => {
  for (const [operator, value] of [
    ['over', 'many'],
    ['before', 'soon'],
    ['in_network', 'home'],
    ['longer', 1.5],
    ['exists', 'x'],
    ['is', undefined],
  ] as const)
    assert.match(
      refuseComparison({ path: 'v', operator, ...(value !== undefined && { value }) }) ?? 'taken',
      /'value'/,
      `${operator} ${String(value)}`,
    );
});
