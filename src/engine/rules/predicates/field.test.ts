import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaks } from '../fixtures/try-sentence.ts';

const minor = 'Deny when it is about something with the field "age" or "*_age" of less than 18.';

test('a field is looked for in the call, else in the latest answer about the same thing', () => {
  assert.equal(breaks(minor, [['buy_box', { player: 'P1', player_age: 15 }]]), true);
  assert.equal(
    breaks(minor, [
      ['get_player', { player: 'P2' }, { age: 12 }],
      ['buy_box', { player: 'P2' }],
    ]),
    true,
  );
  assert.equal(
    breaks(minor, [
      ['get_player', { player: 'P3' }, { age: 12 }],
      ['buy_box', { player: 'P2' }],
    ]),
    false,
  );
  assert.equal(
    breaks(minor, [
      ['get_player', { player: 'P2' }, { age: 12 }],
      ['get_player', { player: 'P2' }, { age: 30 }],
      ['buy_box', { player: 'P2' }],
    ]),
    false,
  );
  assert.equal(
    breaks(minor, [
      ['get_player', { player: 'P2' }, { age: 12 }],
      ['buy_box', { player: 'P2', age: 40 }],
    ]),
    false,
  );
});

test('false and nought in an answer are told from what is not there', () => {
  const unpaid = 'Deny when it is about something with the field "paid" that is false.';
  const missing = 'Deny when it is about something with the field "paid" that is empty or missing.';
  const notes = [
    ['get_order', { order: 'O1' }, { paid: false }] as const,
    ['ship', { order: 'O1' }] as const,
  ];
  assert.equal(breaks(unpaid, notes), true);
  assert.equal(breaks(missing, notes), false);
  assert.equal(breaks(missing, [['ship', { order: 'O1' }]]), true);
});

test('a list of records gives the one that is named', () => {
  const orders = [
    { id: 'O1', status: 'closed' },
    { id: 'O2', status: 'open' },
  ];
  const closed = 'Deny when it is about something with the field "status" that is "closed".';
  assert.equal(
    breaks(closed, [
      ['list_orders', {}, orders],
      ['update_order', { id: 'O1' }],
    ]),
    true,
  );
  assert.equal(
    breaks(closed, [
      ['list_orders', {}, orders],
      ['update_order', { id: 'O2' }],
    ]),
    false,
  );
});

test('a value may be compared with another one of the call or of what is known, with a factor', () => {
  const double = 'Deny when it has an argument "dose" of more than the argument "old_dose" times 2.';
  assert.equal(breaks(double, [['set_dose', { old_dose: 10, dose: 25 }]]), true);
  assert.equal(breaks(double, [['set_dose', { old_dose: 10, dose: 20 }]]), false);
  const known = [['get_dose', { patient: 'P1' }, { old_dose: 10 }] as const];
  assert.equal(breaks(double, [...known, ['set_dose', { patient: 'P1', dose: 21 }]]), true);
  assert.equal(breaks(double, [['set_dose', { dose: 21 }]]), false);
});

test('the name of a field may say the unit of its value', () => {
  const heavy = 'Deny when it has an argument "weight*" of more than "24 tonnes".';
  assert.equal(breaks(heavy, [['load', { weight_kg: 25_000 }]]), true);
  assert.equal(breaks(heavy, [['load', { weight_kg: 18_000 }]]), false);
  assert.equal(breaks(heavy, [['load', { weight_tonnes: 26 }]]), true);
  assert.equal(breaks(heavy, [['load', { weight: 26 }]]), true);
});

test('of records below a name the one that is named counts', () => {
  const closed = 'Deny when it is about something with the field "status" that is "closed".';
  const listed = {
    page: 1,
    orders: [
      { id: 'O1', status: 'closed' },
      { id: 'O2', status: 'open' },
    ],
  };
  const of = (id: string) => [['list_orders', {}, listed] as const, ['update_order', { id }] as const];
  assert.equal(breaks(closed, of('O1')), true);
  assert.equal(breaks(closed, of('O2')), false);
});

test('a value of the call may be shifted before it is compared', () => {
  const long = 'Deny when it has an argument "to" that is after the argument "from" plus 14 days.';
  assert.equal(breaks(long, [['leave', { from: '2026-12-20', to: '2027-01-03' }]]), false);
  assert.equal(breaks(long, [['leave', { from: '2026-12-20', to: '2027-01-04' }]]), true);
  assert.equal(breaks(long, [['leave', { from: 'soon', to: '2027-01-04' }]]), false);
  const dear = 'Deny when it has an argument "price" of more than the argument "list" times 1.1 plus 50.';
  assert.equal(breaks(dear, [['buy', { list: 100, price: 160 }]]), false);
  assert.equal(breaks(dear, [['buy', { list: 100, price: 161 }]]), true);
  const early = 'Deny when it has an argument "on" that is before the argument "due" minus 2 days.';
  assert.equal(breaks(early, [['pay', { due: '2026-03-01T09:00:00Z', on: '2026-02-26' }]]), true);
  assert.equal(breaks(early, [['pay', { due: '2026-03-01T09:00:00Z', on: '2026-02-27' }]]), false);
});

test('words of a text are counted', () => {
  const short = 'Deny when it has an argument "note" with fewer words than 3.';
  assert.equal(breaks(short, [['log', { note: 'client call' }]]), true);
  assert.equal(breaks(short, [['log', { note: "the client's call" }]]), false);
  assert.equal(breaks(short, [['log', { note: '– – –' }]]), true);
});

test('a short id names a thing under the same name alone', () => {
  const full = 'Deny when it is about something with the field "free" of less than 1.';
  const known = ['get_room', { room: '4' }, { room: '4', free: 0, floor: '2' }] as const;
  assert.equal(breaks(full, [known, ['book', { room: '4' }]]), true);
  assert.equal(breaks(full, [known, ['book', { room: '2' }]]), false);
});
