import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlIn, sqlTargets } from './sql-targets.ts';

const targets = (sql: string) =>
  sqlTargets(sql).map(({ table, column, effect }) => `${effect} ${table}.${column}`);

test('what a statement changes is told by its verb, and by the columns that it names', () => {
  for (const [sql, changed] of [
    ['select a from wells', []],
    ['delete from only wells where a = 1', ['write wells.*']],
    ['insert into water.wells (depth, owner) values (1, 2)', ['write wells.depth', 'write wells.owner']],
    ['insert into wells select * from springs', ['write wells.*']],
    [
      'update wells as w set w.depth = (select max(depth) from springs), owner = 2 where id = 3',
      ['write wells.depth', 'write wells.owner'],
    ],
    ['update "Wells" set (depth, owner) = (1, 2)', ['write wells.depth', 'write wells.owner']],
    ['select * from wells for update', []],
    [
      'insert into wells (id) values (1) on conflict (id) do update set depth = 4',
      ['write wells.id', 'write wells.depth'],
    ],
    [
      'insert into wells (id) values (1) on duplicate key update depth = 4; update springs set flow = 2',
      ['write wells.id', 'write wells.depth', 'write springs.flow'],
    ],
    [
      'update wells set "update" = 1, (a, b) = (select 1, 2)',
      ['write wells.update', 'write wells.a', 'write wells.b'],
    ],
    ['copy wells (depth, owner) from stdin', ['write wells.depth', 'write wells.owner']],
    ['merge into wells using springs on a = b when matched then delete', ['write wells.*']],
    ['truncate wells, springs', ['write wells.*', 'write springs.*']],
    ['drop table if exists wells cascade', ['write wells.*']],
    ['alter table wells drop column depth', ['write wells.*']],
    ['create unique index i on wells (depth)', ['write wells.*']],
    ['grant select, update on wells to ann', ['write wells.*']],
    ['revoke all on table wells from ann', ['write wells.*']],
    ['grant all on all tables in schema water to ann', ['write *.*']],
    ['grant reader to ann', []],
    ["copy wells from '/tmp/w.csv'", ['write wells.*']],
    ['copy wells (depth) to stdout', ['read wells.depth']],
    ['copy (select 1) to stdout', []],
    ['table wells limit 5', ['read wells.*']],
    ['select depth into deep from wells', ['write deep.*']],
    ['with gone as (delete from wells returning *) select * from gone', ['write wells.*']],
    ["select 'drop table wells' as warning -- delete from wells", []],
    ['select 1; drop table wells', ['write wells.*']],
  ] as const)
    assert.deepEqual(targets(sql), changed, sql);
});

test('a text is SQL by more than a word that letters begin with as well', () => {
  for (const sql of [
    'table wells;',
    'copy wells to stdout',
    '-- why\nselect 1',
    '(select 1)',
    'grant all on wells to ann',
  ])
    assert.ok(sqlIn(sql), sql);
  for (const text of ['Table for two, please', 'Grant us a day off', 'Create a list on Monday', 'wells', ''])
    assert.equal(sqlIn(text), undefined, text);
});

test('an endless statement is read in bounded time', () => {
  const parts = [
    'update a set b = (',
    'update a set b = 1 ',
    'update a set b = c, ',
    'insert into a (',
    'insert into a (b) values (1) ',
    'insert into a on conflict do update set b = ( ',
    'grant x ',
    '(((',
    'drop table a, ',
    'into ',
    'copy a ',
    'as table ',
  ];
  for (const part of parts) assert.doesNotThrow(() => sqlTargets(part.repeat(20_000)));
  assert.doesNotThrow(() => sqlIn(`grant ${'a '.repeat(20_000)}`));
});
