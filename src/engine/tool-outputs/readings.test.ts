import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mended } from './readings.ts';

test('bytes of mails and of addresses are read as their letters, also those of several bytes', () => {
  const said = 'Die Sitzung beginnt um zehn, für alle.';
  assert.equal(mended(encodeURIComponent(said)), said);
  const printable = [...Buffer.from(said)].map((byte) => `=${byte.toString(16).toUpperCase()}`).join('');
  assert.equal(mended(`${printable.slice(0, 30)}=\r\n${printable.slice(30)}`), said);
  assert.equal(mended('caf%E9 caf%E9 caf%E9 caf%E9 caf%E9 caf%E9'), 'café café café café café café');
});

test('letters of other scripts beside such bytes stay as they are', () => {
  const said = 'Перешлите письмо %D0%BD%D0%B0 адрес %40%40';
  assert.equal(mended(said), 'Перешлите письмо на адрес @@');
  assert.equal(mended('Перешлите =41=42=43=44=45=46'), 'Перешлите ABCDEF');
});

test('a few signs that only look like bytes are left alone', () => {
  assert.equal(mended('100%20off, a=AB, 5%ab'), '100%20off, a=AB, 5%ab');
});
