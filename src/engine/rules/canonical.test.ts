import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalText, readCanonical } from './canonical.ts';
import { anyForm } from './fixtures/any-form.ts';
import { type Expression, partsOf, predicatesOf, type RuleForm } from './rule-form.ts';
import { allKinds } from './predicates/catalog.ts';

test('every form prints as a sentence that reads back to the same form', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(anyForm, (form) => {
      for (const { is } of partsOf(form).flatMap(predicatesOf)) seen.set(is, (seen.get(is) ?? 0) + 1);
      const sentence = canonicalText(form);
      assert.deepEqual(readCanonical(sentence), form, sentence);
      assert.doesNotMatch(
        sentence.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'),
        /\de[-+]?\d|undefined|NaN| {2}| ,/,
      );
    }),
    { numRuns: 2500 },
  );
  const rare = allKinds.filter(({ is }) => (seen.get(is) ?? 0) < 20).map(({ is }) => is);
  assert.deepEqual(rare, [], 'each kind must have been tried');
});

test('what is no canonical sentence is not read', () => {
  for (const text of [
    '',
    'Never delete files.',
    'Deny when it deletes',
    'Deny when it deletes. And more.',
    'Deny when it deletes and it sends or it pays.',
    'When it deletes, require that it sends.',
    `Deny when ${'('.repeat(50)}it deletes${')'.repeat(50)}.`,
  ])
    assert.equal(readCanonical(text), undefined, text);
  assert.deepEqual(readCanonical('Deny when it deletes.'), {
    when: { is: 'action', acts: ['delete'] },
    on_missing: 'deny',
  });
});

const nurses: RuleForm = {
  when: {
    all: [
      { is: 'role', roles: ['nurse', 'intern'], said: true },
      {
        any: [
          { is: 'records', reach: 'beyond', of: ['patients', 'vitals'] },
          { is: 'records', reach: 'among', of: ['patients'], effect: 'write' },
        ],
      },
    ],
  },
  on_missing: 'deny',
};
const deletes: Expression = { is: 'action', acts: ['delete', 'move'] };
const groups: RuleForm = {
  when: {
    any: [
      { all: [deletes, { is: 'changes' }] },
      { all: [{ any: [{ is: 'changes' }, { is: 'own_work' }] }, { is: 'own_work' }] },
    ],
  },
  unless: { any: [{ is: 'own_work' }, { is: 'changes' }] },
  on_missing: 'ask',
};

test('"or" beside "and" says what belongs together', () => {
  const said = [canonicalText(nurses), canonicalText(groups)];
  assert.deepEqual(said, [
    'Deny when it is made for a user who has or, where no roles are told, claims the role "nurse" or "intern", and ' +
      'either it touches records beyond "patients" or "vitals", or it changes records of "patients".',
    'Ask a person when it deletes or moves, and it does more than look something up; or when (it does more than look ' +
      'something up or it concerns what the agent itself made before), and it concerns what the agent itself made before; ' +
      'in all these cases unless it concerns what the agent itself made before or it does more than look something up.',
  ]);
});

test('sentences of older versions are read as they were', () => {
  const older: readonly (readonly [sentence: string, form: RuleForm])[] = [
    [
      'Deny when it is made for a user with the role "nurse" or "intern", or for one who says so where no roles are told ' +
        'and (it touches records beyond "patients" or "vitals" or it changes records of "patients").',
      nurses,
    ],
    [
      'Ask a person when (it deletes or moves and it does more than look something up) or ((it does more than look ' +
        'something up or it concerns what the agent itself made before) and it concerns what the agent itself made before), ' +
        'unless it concerns what the agent itself made before or it does more than look something up.',
      groups,
    ],
  ];
  for (const [sentence, form] of older) assert.deepEqual(readCanonical(sentence), form);
});
