import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allKinds } from '#engine/rules/predicates/catalog.ts';
import { hasLabel, plainProblem } from './field-words.ts';
import { groupOfKind, otherKinds } from './predicate-groups.ts';

test('every field of every kind of test has a plain name, and every kind a group', () => {
  const nameless = allKinds.flatMap(({ is, fields }) =>
    Object.keys(fields)
      .filter((field) => !hasLabel(is, field))
      .map((field) => `${is}.${field}`),
  );
  assert.deepEqual(nameless, []);
  assert.deepEqual(
    allKinds.map(({ is }) => is).filter((is) => groupOfKind(is) === otherKinds),
    [],
  );
});

test('a message about a test names its fields in plain words', () => {
  assert.equal(
    plainProblem(
      'amount',
      "In 'rule.when' one of 'over', 'atleast', 'under' and 'atmost' must give the limit.",
    ),
    'One of “More than”, “At least”, “Less than” and “At most” must give the limit.',
  );
  assert.equal(
    plainProblem(
      'amount',
      "'rule.when.over' must be a number below 1000000000000000 with at most 9 decimals.",
    ),
    '“More than” must be a number below 1000000000000000 with at most 9 decimals.',
  );
});
