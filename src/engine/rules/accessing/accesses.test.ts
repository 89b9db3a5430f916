/** Sentences about reading and changing, with calls that break them and innocent twins. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import { canonicalText, readCanonical } from '../canonical.ts';
import { breaksForm } from '../matching/match-form.ts';
import { draftRule } from '../reading/draft.ts';
import type { RuleForm } from '../rule-form.ts';

let reader: ContextReader;
before(async () => {
  reader = new ContextReader(await loadTextEngine());
});

type Call = string | readonly [tool: string, params: Readonly<Record<string, unknown>>];

function breaks(form: RuleForm, role: string, call: Call): boolean {
  const [toolName, toolParams] = typeof call === 'string' ? (['run_sql', { query: call }] as const) : call;
  const context = reader.read(
    [
      { role: 'user', content: 'Please.' },
      { role: 'agent', toolName, toolParams },
    ],
    {},
  );
  assert.ok(context);
  return breaksForm({ context, user: { id: 'u', roles: [role] } }, form) !== undefined;
}

function tries(sentence: string, role: string, broken: readonly Call[], kept: readonly Call[]): void {
  const { rule, understood } = draftRule(sentence);
  assert.ok(rule, sentence);
  assert.equal(understood, 'fully', sentence);
  assert.deepEqual(readCanonical(canonicalText(rule)), rule);
  for (const call of broken) assert.ok(breaks(rule, role, call), `${sentence} ${JSON.stringify(call)}`);
  for (const call of kept) assert.ok(!breaks(rule, role, call), `${sentence} ${JSON.stringify(call)}`);
}

test('who may only read tables changes nothing in them, and reads no others', () => {
  tries(
    'Wardens may only read the tables cells (cell_no, wing) and rosters.',
    'warden',
    [
      'delete from rosters',
      'drop table rosters',
      "update cells set wing = 'east'",
      'insert into rosters values (1)',
      'grant all on rosters to kim',
      'truncate rosters',
      'alter table rosters add note text',
      'merge into rosters r using cells c on r.id = c.cell_no when matched then delete',
      "copy rosters from '/tmp/x'",
      'table visits',
      'copy visits to stdout',
      '-- look\nselect * from visits',
      'select inmate from cells',
      ['read_table', { name: 'visits' }],
      ['update_row', { table: 'rosters', set: { shift: 1 } }],
      ['delete_roster', { id: 4 }],
    ],
    [
      'select cell_no, wing from cells',
      'table rosters',
      'copy rosters to stdout',
      'explain select * from rosters',
      'select wing from cells for update',
      ['read_table', { name: 'rosters' }],
      ['query_table', { table: 'rosters' }],
      ['get_roster', { id: 4 }],
      ['send_message', { to: 'kim', body: 'Update: set the table. Grant us a break on Friday to rest.' }],
    ],
  );
});

test('who must not change a table, or where only some may, is free to read it', () => {
  const changes: readonly Call[] = [
    "update fares set price = 1 where line = 'U4'",
    'delete from fares',
    'insert into fares (line) select line from lines',
    'drop table if exists lines, fares',
    ['update_fare', { line: 'U4', price: 2 }],
    ['edit_record', { table: 'fares', price: 2 }],
  ];
  const reads: readonly Call[] = [
    'select * from fares',
    'table fares',
    'copy fares to stdout',
    'insert into quotes (price) select price from fares',
    ['get_fare', { line: 'U4' }],
    ['export_table', { table: 'fares' }],
    'update lines set name = 1',
  ];
  for (const sentence of [
    'Conductors must not change the table fares.',
    'Only controllers may modify the table fares.',
    'The table fares may only be changed by controllers.',
    'The table fares must not be edited by conductors.',
  ])
    tries(sentence, 'conductor', changes, reads);
  tries('Only controllers may modify the table fares.', 'controller', [], changes);
});

test('of columns, only those that a statement sets are changed', () => {
  tries(
    'Only vets may update the columns dose and drug of the table treatments.',
    'groom',
    [
      'update treatments set dose = 3',
      'update treatments t set t.note = 1, drug = 2',
      'delete from treatments where id = 1',
      'insert into treatments values (1, 2)',
    ],
    [
      'select dose from treatments',
      "update treatments set note = 'fine' where dose > 3",
      'insert into treatments (note) values (1)',
    ],
  );
});

test('who may not read may not change either, and folders are told apart by what a tool does', () => {
  tries(
    'Trainees must not see the table grades.',
    'trainee',
    ['select * from grades', 'update grades set mark = 1'],
    ['select * from pupils'],
  );
  tries(
    'Archivists may only read the folders /vault/maps and /vault/letters.',
    'archivist',
    [
      ['write_file', { path: '/vault/maps/a.txt' }],
      ['read_file', { path: '/vault/wills/a.txt' }],
      ['delete_file', { path: '/vault/letters/b.txt' }],
    ],
    [['read_file', { path: '/vault/maps/a.txt' }]],
  );
});

test('a form without an effect means what it meant: both', () => {
  const form = readCanonical('Deny when it touches records of "fares".');
  assert.ok(form);
  assert.ok(breaks(form, 'x', 'select * from fares') && breaks(form, 'x', 'update fares set a = 1'));
  assert.ok(!breaks(form, 'x', ['get_fare', { line: 'U4' }]));
});
