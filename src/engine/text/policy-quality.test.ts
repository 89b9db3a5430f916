import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qualityOf } from './policy-quality.ts';

const kindOf = (name: string, description = '', ...blockActivities: string[]) =>
  qualityOf({ name, description, blockActivities, safeActivities: [] }).kind;

test('a policy in sentences is like others in its language', () => {
  assert.equal(
    kindOf('No betting tips', 'Do not advise anybody on bets.', 'Naming a likely winner'),
    'english',
  );
  assert.equal(kindOf('Kein Alkohol', 'Keine Werbung für Alkohol an Minderjährige.'), 'other_language');
  assert.equal(
    kindOf('Sin consejos médicos', 'No se dan consejos sobre enfermedades ni sobre medicinas.'),
    'other_language',
  );
  assert.equal(kindOf('Запрет рекламы', 'Нельзя рекламировать табак.'), 'other_language');
});

test('a foreign word of a few is enough to be no English', () => {
  assert.equal(kindOf('Keine Geschenke.'), 'other_language');
  assert.equal(kindOf('Niente regali', 'agli ospiti della festa'), 'other_language');
});

test('what hardly says more than a name is measured by names, and found less', () => {
  for (const name of ['Gambling', 'asdf qwer zxcv', 'Tips on an insider trade'])
    assert.equal(kindOf(name), 'short', name);
  const sentences = qualityOf({
    name: 'Gambling',
    description: 'Nobody may be advised on the bets that they place at our counters.',
    blockActivities: [],
    safeActivities: [],
  });
  const short = qualityOf({ name: 'Gambling', description: '', blockActivities: [], safeActivities: [] });
  assert.ok(short.found.value < sentences.found.value);
});
