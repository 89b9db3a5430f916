import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countRows, isSame, readRows } from '../../../test/fixtures/redaction-rows.ts';
import { digitsInRow, sensitiveKinds, type SensitiveKind } from './finding.ts';
import { idsByLanguage } from './ids-by-language.ts';
import { idShapes } from './number-shapes.ts';
import { findSensitive, redact } from './redact.ts';

const rows = readRows('rows.txt');
const rowsByLanguage = readRows('rows-es-it-pt-nl.txt');

test('precision and recall by kind on hand-written rows stay above their minimum', (t) => {
  const counts = new Map(sensitiveKinds.map((kind) => [kind, { gold: 0, found: 0, right: 0, recalled: 0 }]));
  for (const { text, gold } of rows) {
    const findings = findSensitive(text);
    for (const each of gold) {
      const count = counts.get(each.kind)!;
      count.gold++;
      if (findings.some((found) => isSame(found, each))) count.recalled++;
      else t.diagnostic(`missed ${each.kind}: ${text}`);
    }
    for (const found of findings) {
      const count = counts.get(found.kind)!;
      count.found++;
      if (gold.some((each) => isSame(found, each))) count.right++;
      else t.diagnostic(`extra ${found.kind} “${text.slice(found.start, found.end)}”: ${text}`);
    }
  }
  let [all, right] = [0, 0];
  for (const [kind, { gold, found, right: correct, recalled }] of counts) {
    t.diagnostic(`${kind}: precision ${correct}/${found}, recall ${recalled}/${gold}`);
    assert.ok(gold >= 4, kind);
    all += gold + found;
    right += correct + recalled;
  }
  assert.ok(right / all >= 0.95, `F1 ${right / all}`);
});

test('contact data in Spanish, Italian, Portuguese and Dutch is found, and other numbers are left alone', (t) => {
  const { gold, recalled, found, wrong } = countRows(rowsByLanguage, findSensitive);
  t.diagnostic(`found ${recalled}/${gold}, wrong ${wrong}/${found}`);
  assert.ok(recalled / gold >= 0.97 && wrong <= 1);
});

const hash = (value: string) => `h${value.length}`;
const redacted = async (text: string, options = {}) => (await redact(text, options, hash)).text;

test('obfuscated values are found, with offsets in the original text', () => {
  const tricks: [text: string, kind: SensitiveKind, value: string][] = [
    ['Karte ４１１１ １１１１ １１１１ １１１１!', 'payment_card', '４１１１ １１１１ １１１１ １１１１'],
    ['card 4111\u200b1111\u00ad1111\u20601111 ok', 'payment_card', '4111\u200b1111\u00ad1111\u20601111'],
    ['ssn 123‑45–6789', 'national_id', '123‑45–6789'],
    ['बुलाओ +٤٤ 20 7946 0958', 'phone', '+٤٤ 20 7946 0958'],
    ['write to anna＠example．com', 'email', 'anna＠example．com'],
    ['tel 𝟎𝟑𝟎 𝟗𝟎𝟏𝟖𝟐𝟎𝟒𝟒', 'phone', '𝟎𝟑𝟎 𝟗𝟎𝟏𝟖𝟐𝟎𝟒𝟒'],
    [
      'IBAN DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000',
      'iban',
      'DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000',
    ],
  ];
  for (const [text, kind, value] of tricks)
    assert.deepEqual(
      findSensitive(text).map(({ kind: found, start, end }) => [found, text.slice(start, end)]),
      [[kind, value]],
      text,
    );
});

test('labels, masks and hashes replace findings; other kinds stay unchanged', async () => {
  const text = 'Card 4111 1111 1111 1111, mail a.b@example.com, password: hunter2x';
  assert.equal(await redacted(text), 'Card [PAYMENT_CARD], mail [EMAIL], password: [SECRET]');
  assert.equal(
    await redacted(text, { style: 'mask' }),
    'Card **** **** **** 1111, mail *.*@*******.***, password: ********',
  );
  assert.equal(
    await redacted(text, { style: 'hash', kinds: ['payment_card'] }),
    text.replace('4111 1111 1111 1111', '[PAYMENT_CARD:h29]'),
  );
  assert.equal(await redacted(text, { kinds: ['phone'] }), text, 'a card number is not a phone number');
});

test('a private key is redacted whole, also when cut off, and overlapping findings are merged', async () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${'MIIEpAIBAAKCAQEA7\n'.repeat(20)}-----END RSA PRIVATE KEY-----`;
  assert.equal(await redacted(`a ${key} b`), 'a [SECRET] b');
  assert.equal(await redacted(`a ${key.slice(0, 200)}`), 'a [SECRET]');
  assert.equal(await redacted(`"${key.replaceAll('\n', '\\n')}"`), '"[SECRET]"');
  assert.equal(await redacted('password=AKIAIOSFODNN7EXAMPLEandmore!'), 'password=[SECRET]');
});

test('findings are the same at any text length, and text outside findings is unchanged', async () => {
  const pieces = fc.constantFrom(...rows.map(({ text }) => text));
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 150 }), async (lines) => {
      const text = lines.join('\n\n');
      const { text: out, findings } = await redact(text, {}, hash);
      let rebuilt = '';
      let at = 0;
      for (const { start, end, replacement } of findings) {
        assert.ok(start >= at && end > start);
        rebuilt += text.slice(at, start) + replacement;
        at = end;
      }
      assert.equal(out, rebuilt + text.slice(at));
    }),
    { numRuns: 20 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const { start, end } of findSensitive(text))
        assert.ok(start >= 0 && start < end && end <= text.length);
    }),
  );
});

test('time grows linearly with the length, whatever is repeated', () => {
  const units = [
    'a',
    '1',
    '1 ',
    'a@',
    'a.',
    'eyJ-',
    '-----BEGIN PRIVATE KEY-----\n',
    'password ',
    'pass=',
    'Ab ',
    '+1 ',
    '12 Main ',
    'born ',
    'http://a:',
    'DE12',
    ':',
    'name: A',
    '(0)',
    '9/',
  ];
  const measure = (unit: string, length: number) => {
    const text = unit.repeat(length / unit.length);
    const begun = performance.now();
    findSensitive(text);
    return performance.now() - begun;
  };
  for (const unit of units) {
    measure(unit, 8000);
    const times = [1, 2].map(() => [measure(unit, 8000), measure(unit, 128_000)] as const);
    const least = (i: 0 | 1) => Math.min(...times.map((pair) => pair[i]));
    // Sixteen times the text: quadratic time would be 256 times as long.
    assert.ok(least(1) < (least(0) + 2) * 100, `${JSON.stringify(unit)}: ${least(0)} and ${least(1)} ms`);
  }
});

test('digits in a row are those with one other sign at most between two of them', () => {
  for (const [text, most] of [
    ['', 0],
    ['no digits', 0],
    ['1', 1],
    ['12-34', 4],
    ['12 - 34', 2],
    ['RSSMRA85T10A562S', 7],
    ['on 3 May 2026 at 10', 4],
  ] as const)
    assert.equal(digitsInRow(text), most, text);
});

/** Texts in which matches of patterns are likelier than among all texts. */
const numberLike = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'0123456789'.split('')) },
      fc.constantFrom('-', ' ', '.', '+', '756.', '9', 'AB', 'RSSMRA85T10A562S', 'x', 'X', 'D', '19'),
      fc.constantFrom('RSS MRA 85T10 A562S', 'GOMC850101HDFRRL09', '12.345.678-5', '20-12345678-9', ' K'),
    ),
    { minLength: 4, maxLength: 24 },
  )
  .map((parts) => parts.join(''));

test('no match of a pattern has fewer digits in a row than the pattern is said to have', () => {
  let matches = 0;
  const check = (text: string) => {
    for (const { shape, digits = 0, type } of [...idShapes, ...idsByLanguage])
      for (const [match] of text.matchAll(shape)) {
        matches += 1;
        assert.ok(digitsInRow(match) >= digits, `${type}: ${match}`);
      }
  };
  for (const { text } of [...rows, ...rowsByLanguage]) check(text);
  fc.assert(fc.property(numberLike, check), { numRuns: 3000, seed: 1 });
  assert.ok(matches > 500, `${matches} matches`);
});

test('a text without what a pattern needs has nothing that the pattern may stand behind', () => {
  const words =
    'Passnummer passport: pasſaporte Passaporto paspoortnr carta d’identità c.i. ID-kaart documento de identidade driving licence no patente di guida CNH rijbewijsnummer carnê carné de conducir carta de condução'.split(
      ' ',
    );
  const before = fc
    .array(fc.oneof(fc.constantFrom(...words, ' ', '.', '#'), fc.string({ maxLength: 2 })), { maxLength: 8 })
    .map((parts) => parts.join(' '));
  let met = 0;
  fc.assert(
    fc.property(before, (text) => {
      for (const { needs, after, type } of [...idShapes, ...idsByLanguage]) {
        if (needs === undefined || after?.test(text) !== true) continue;
        met += 1;
        assert.ok(needs.test(text), `${type}: ${text}`);
      }
    }),
    { numRuns: 3000, seed: 1 },
  );
  assert.ok(met > 100, `${met} met`);
});
