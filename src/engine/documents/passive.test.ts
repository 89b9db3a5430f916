import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activitiesOf, allowedActivity } from './activities.ts';
import { normOf, permissionOf, type Strength } from './norms.ts';

const passage = (text: string) => ({ text, lead: undefined, isItem: false, line: 0, heading: undefined });

const rules: readonly (readonly [text: string, block: string[], safe: string[], strength?: Strength])[] = [
  ['Gifts from suppliers are prohibited.', ['gifts from suppliers'], []],
  ['Recording of calls is not permitted without consent.', ['recording of calls without consent'], []],
  ['Smoking is forbidden in the warehouse.', ['smoking in the warehouse'], []],
  ['Advice on investments isn’t permitted.', ['advice on investments'], []],
  ['Discussing salaries with customers is never permitted.', ['discussing salaries with customers'], []],
  ['Harassment is not tolerated.', ['harassment'], []],
  ['Use of generative tools shall be prohibited for grading.', ['use of generative tools for grading'], []],
  ['Sharing credentials, tokens or keys is prohibited.', ['sharing credentials, tokens or keys'], []],
  ['Personal data of minors is not to be processed.', ['personal data of minors processed'], []],
  // Nobody may: the subject denies.
  ['No photographs are permitted.', ['photographs'], []],
  ['No discounts are allowed without approval.', ['discounts without approval'], []],
  ['Neither alcohol nor drugs are allowed on the premises.', ['alcohol or drugs on the premises'], []],
  ['Nobody is permitted to enter the vault alone.', ['enter the vault alone'], []],
  [
    'Neither fireworks nor lamp oil is sold to anyone below 16.',
    ['fireworks or lamp oil sold to anyone below 16'],
    [],
  ],
  ['No keys are handed out after closing time.', ['keys handed out after closing time'], []],
  // An exception to nobody is who alone may.
  ['No one except the warden may open the gate.', ['open the gate, by anyone other than the warden'], []],
  ['Nobody other than a vet may sign the form.', ['sign the form, by anyone other than a vet'], []],
  // Who is forbidden to do it is no part of it.
  ['Agents are prohibited from giving legal advice.', ['giving legal advice'], []],
  ['It is prohibited for agents to quote prices.', ['quote prices'], []],
  ['Loans aren’t allowed to be approved by trainees.', ['loans approved by trainees'], []],
  // Conditions stay, wherever they stand.
  ['In the laboratory, food and drink are prohibited.', ['food and drink in the laboratory'], []],
  ['While driving, use of a telephone is not permitted.', ['use of a telephone, while driving'], []],
  [
    'When a fire alarm sounds, use of the lift is forbidden.',
    ['use of the lift, when a fire alarm sounds'],
    [],
  ],
  [
    'Cash payments above 500 euros are prohibited unless a manager has approved them.',
    ['cash payments above 500 euros'],
    ['cash payments above 500 euros, when a manager has approved them'],
  ],
  // What is allowed is in no block.
  [
    'Medical advice is not permitted, but general wellness tips are allowed.',
    ['medical advice'],
    ['general wellness tips'],
  ],
  ['Paying by invoice is allowed; paying in cash is forbidden.', ['paying in cash'], ['paying by invoice']],
  [
    'Wearing headphones is not permitted while driving and is permitted during breaks.',
    ['wearing headphones while driving'],
    ['wearing headphones during breaks'],
  ],
  [
    'Overtime is not permitted on Sundays; it is permitted on Saturdays.',
    ['overtime on Sundays'],
    ['overtime on Saturdays'],
  ],
  [
    'Gifts are prohibited and staff must report offers.',
    ['gifts', 'failing to report offers'],
    ['report offers'],
  ],
  // What is allowed in one way alone.
  [
    'Remote access is permitted only through the VPN.',
    ['remote access, other than through the VPN'],
    ['remote access through the VPN'],
    'demanded',
  ],
  [
    'Only nurses are allowed to draw blood.',
    ['draw blood, by anyone other than nurses'],
    ['draw blood, by nurses'],
    'demanded',
  ],
  ['The following are prohibited: betting; games of chance.', ['betting', 'games of chance'], []],
  ['Under this policy, dumping waste is prohibited without exception.', ['dumping waste'], []],
];
for (const [text, block, safe, strength = 'absolute'] of rules)
  test(`a rule: ${text}`, () => {
    const norm = normOf(passage(text));
    assert.equal(norm?.strength, strength);
    assert.deepEqual(activitiesOf(text), { block, safe });
    assert.equal(permissionOf(passage(text)), undefined);
  });

const permissions: readonly (readonly [text: string, what: string])[] = [
  ['Gifts under 20 euros are permitted.', 'gifts under 20 euros'],
  ['It is not forbidden to work from home.', 'work from home'],
  ['Photography for private use is allowed in the garden.', 'photography for private use in the garden'],
];
for (const [text, what] of permissions)
  test(`no rule, but a permission: ${text}`, () => {
    assert.equal(normOf(passage(text)), undefined);
    assert.equal(permissionOf(passage(text)), text);
    assert.equal(allowedActivity(text), what);
  });

for (const text of [
  'No exceptions are permitted.',
  'Political statements were prohibited.',
  'Nothing is prohibited here.',
  'No action is needed in this case.',
  'No parts were sold last year.',
  'Exports may be prohibited in some countries.',
])
  test(`no rule at all: ${text}`, () => {
    assert.equal(normOf(passage(text)), undefined);
    assert.equal(permissionOf(passage(text)), undefined);
  });

test('what a sentence within the sentence says is not what it says', () => {
  assert.deepEqual(activitiesOf('Employees who are permitted to travel must not fly first class.'), {
    block: ['fly first class'],
    safe: [],
  });
});

test('an endless sentence does not take an endless time', () => {
  for (const text of [
    `Sharing keys ${'and sharing keys is '.repeat(20_000)}prohibited.`,
    `Sharing keys is ${'only '.repeat(5000)}`,
    `${'In a, '.repeat(20_000)}smoking is prohibited`,
    `Smoking is ${'strictly '.repeat(190)}possible`,
    'a is b and '.repeat(180),
  ]) {
    const begun = performance.now();
    normOf(passage(text));
    activitiesOf(text.slice(0, 5000));
    assert.ok(performance.now() - begun < 20_000, `${text.slice(0, 40)}: ${performance.now() - begun} ms`);
  }
});
