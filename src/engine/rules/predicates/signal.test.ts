import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factTexts } from '../../actions/rules/rule-summary.ts';
import { canonicalText, readCanonical } from '../canonical.ts';
import { checkForm } from '../check-form.ts';
import { breaks } from '../fixtures/try-sentence.ts';

const whenShown = (...signals: string[]) => {
  const checked = checkForm({ when: { is: 'signal', signals }, on_missing: 'deny' });
  assert.ok('form' in checked, 'problem' in checked ? checked.problem : '');
  return checked.form;
};

test('every signal prints as a sentence that reads back to it', () => {
  for (const name of Object.keys(factTexts)) {
    const form = whenShown(name);
    assert.deepEqual(readCanonical(canonicalText(form)), form, name);
  }
  const two = whenShown(...Object.keys(factTexts).slice(0, 2));
  assert.deepEqual(readCanonical(canonicalText(two)), two);
});

test('a destructive command shows whatever the tool is called; a look-alike does not', () => {
  const sentence = canonicalText(whenShown('destructive_command'));
  for (const command of ['rm -rf /srv/data', 'find / -type f -delete', '$(printf "\\x72\\x6d") -rf /'])
    assert.equal(breaks(sentence, [['anything', { command }]]), true, command);
  for (const command of ['ls -la /srv/data', 'echo "rm -rf /"', 'grep -rf patterns.txt src'])
    assert.equal(breaks(sentence, [['anything', { command }]]), false, command);
});

test('a signal that does not exist is refused', () => {
  for (const signals of [['nothing_known'], ['constructor'], [], 'destructive_command', [1]])
    assert.ok(
      'problem' in checkForm({ when: { is: 'signal', signals }, on_missing: 'deny' }),
      JSON.stringify(signals),
    );
});
