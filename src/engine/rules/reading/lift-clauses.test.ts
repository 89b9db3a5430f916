import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRuleFile, ruleFiles } from '../../../../test/fixtures/action-rules/read-written.ts';
import { compileRule } from '../../actions/rules/compile.ts';
import { canonicalText, readCanonical } from '../canonical.ts';
import { liftClauses } from './lift-clauses.ts';

test('what the grammar reads of 700 sentences prints as a sentence that reads back to the same form', () => {
  let forms = 0;
  for (const { rule } of [...ruleFiles('written'), ...ruleFiles('people')].flatMap(readRuleFile)) {
    const { clauses } = compileRule({ description: rule, severity: 'High' }, 'test');
    if (clauses.length === 0) continue;
    const lifted = liftClauses(clauses);
    assert.ok('form' in lifted, 'problem' in lifted ? lifted.problem : '');
    assert.deepEqual(readCanonical(canonicalText(lifted.form)), lifted.form, canonicalText(lifted.form));
    forms += 1;
  }
  assert.ok(forms > 600, `${forms} forms`);
});
