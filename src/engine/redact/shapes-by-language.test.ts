import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRows, readRows } from '../../../test/fixtures/redaction-rows.ts';
import { findSensitive } from './redact.ts';

/** A little below what is reached (test/fixtures/redaction/README.md). */
const bounds: readonly (readonly [name: string, found: number, wrong: number])[] = [
  ['es', 0.97, 1],
  ['es-kept', 0.95, 1],
  ['it', 0.97, 1],
  ['it-kept', 0.92, 4],
  ['pt', 0.97, 1],
  ['pt-kept', 0.95, 1],
  ['nl', 0.97, 1],
  ['nl-kept', 0.95, 1],
];

// Totals alone: nothing may tell which row of a kept half fails.
for (const [name, found, wrong] of bounds)
  test(`rows of ${name}: found share and wrong redactions stay within their bounds`, (t) => {
    const counts = countRows(readRows(`rows-${name}.txt`), findSensitive);
    t.diagnostic(`found ${counts.recalled}/${counts.gold}, wrong ${counts.wrong}/${counts.found}`);
    assert.ok(counts.recalled / counts.gold >= found && counts.wrong <= wrong);
  });

const valuesIn = (text: string) => findSensitive(text).map(({ start, end }) => text.slice(start, end));

test('numbers of orders, years and foundations are left alone, telephone numbers for orders are not', () => {
  const harmless = [
    'Bestelling 0612345678',
    'Bestellnummer 0171 5550132',
    'Invoice number 020 7946 0958',
    'Numero ordine: 333 123 4567',
    'Plaza Mayor 2019 fue un éxito.',
    'Withdrawal 500 was booked.',
    'La app nació el 3 de mayo de 2015.',
    'Via Skype 3 volte a settimana.',
    'Soy Ingeniero Industrial',
    'Saludos de Madrid',
    'CLAIM POINTS WITHIN 30 DAYS',
    'AVC 3',
    'POT-03',
    'sent via API 2 times',
  ];
  for (const text of harmless) assert.deepEqual(valuesIn(text), [], text);
  assert.deepEqual(valuesIn('El número de teléfono del pedido es 612 345 678'), ['612 345 678']);
  assert.deepEqual(valuesIn('Mijn nummer voor de bestelling is 06 12345678'), ['06 12345678']);
});

test('names, addresses and numbers are found in the forms of the languages', () => {
  const values: readonly (readonly [text: string, value: string])[] = [
    ['Chamo-me Ana Silva', 'Ana Silva'],
    ['Hola, soy Ana.', 'Ana'],
    ['mevrouw van Dijk', 'van Dijk'],
    ['Tlm 912345678', '912345678'],
    ['Lange Voorhout 74, Den Haag', 'Lange Voorhout 74, Den Haag'],
    ['CEP 01310-200', '01310-200'],
    ['Calle 12 de Octubre 33', 'Calle 12 de Octubre 33'],
    ['Rua 1º de Maio, 44', 'Rua 1º de Maio, 44'],
    ['DOMICILIO: CALLE MAYOR 5, 28013 MADRID', 'CALLE MAYOR 5, 28013 MADRID'],
    ['nato a Reggio Emilia il 3 maggio 1980', '3 maggio 1980'],
    ['Hola, uso la app, nací el 3 de mayo de 1990', '3 de mayo de 1990'],
  ];
  for (const [text, value] of values)
    assert.ok(
      valuesIn(text).some((each) => each.trim() === value),
      text,
    );
});

test('time grows linearly with the length for what the patterns of languages begin with', () => {
  const units = [
    'Via A, 1, Ab ',
    'soy Ab ',
    'Ab Ab 1 ',
    'nacido en Ab ',
    'pedido n. ',
    '06 ',
    'Saludos ',
    'a punto b ',
  ];
  const measure = (unit: string, length: number) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const begun = performance.now();
    findSensitive(text);
    return performance.now() - begun;
  };
  for (const unit of units) {
    measure(unit, 15_000);
    const shorter = Math.min(measure(unit, 15_000), measure(unit, 15_000));
    const longer = Math.min(measure(unit, 60_000), measure(unit, 60_000));
    assert.ok(longer < 16 * shorter + 200, `${unit}: ${shorter} and ${longer} ms`);
  }
});
