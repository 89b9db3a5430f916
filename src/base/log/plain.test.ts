import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from './plain.ts';

test('control characters are replaced and line breaks removed before text reaches the terminal', () => {
  assert.equal(plain('a\u001B[2Jb\r\n\tc\u202Ed\u2028e\u0007'), 'a\uFFFD[2Jb c\uFFFDd e\uFFFD');
  assert.equal(plain('Zoë 🦊'), 'Zoë 🦊');
});
