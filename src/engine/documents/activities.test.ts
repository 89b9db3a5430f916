import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activitiesOf } from './activities.ts';
import { normOf } from './norms.ts';

const cases: readonly (readonly [statement: string, block: string[], safe: string[]])[] = [
  ['Under no circumstances do volunteers accept cash.', ['volunteers accept cash'], []],
  ['At no time should staff share passwords with anyone.', ['staff share passwords with anyone'], []],
  [
    'In no case are tenants to be told the name of a complainant.',
    ['tenants told the name of a complainant'],
    [],
  ],
  ['On no account are samples to be opened without a mask.', ['samples opened without a mask'], []],
  ['Nor may agents promise a delivery date.', ['agents promise a delivery date'], []],
  ['If a child is ill, do not give any medicine.', ['give any medicine, if a child is ill'], []],
  [
    'Unless a manager has agreed, do not grant refunds above 200 euros.',
    ['grant refunds above 200 euros'],
    ['grant refunds above 200 euros, when a manager has agreed'],
  ],
  [
    'No employee shall, without written approval, speak to the press.',
    ['speak to the press without written approval'],
    [],
  ],
  [
    'Staff may work from home on Fridays, but must not take paper files with them.',
    ['take paper files with them'],
    ['work from home on Fridays'],
  ],
  [
    'Under no circumstances should you give medical advice; you may describe opening hours.',
    ['give medical advice'],
    ['describe opening hours'],
  ],
];

for (const [statement, block, safe] of cases)
  test(`what is prohibited and what is permitted by: ${statement}`, () => {
    assert.notEqual(
      normOf({ text: statement, lead: undefined, isItem: false, line: 0, heading: undefined }),
      undefined,
    );
    assert.deepEqual(activitiesOf(statement), { block, safe });
  });
