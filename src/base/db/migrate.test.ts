import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { StartupError } from '#base/errors.ts';
import { migrate, type MigrationSet } from './migrate.ts';
import { openDatabase } from './open.ts';
import { makeTestDatabase, openTestDatabase } from './testing.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bulwark-migrations-'));
});
after(async () => rm(folder, { recursive: true }));

let sets = 0;
async function makeSet(files: Record<string, string>, schema = 'shop'): Promise<MigrationSet> {
  const own = join(folder, String(++sets));
  await mkdir(own);
  for (const [name, sql] of Object.entries(files)) await writeFile(join(own, name), sql);
  return { schema, folder: own };
}

const first = {
  '0001_goods.sql': 'create table goods (id int primary key);\ncreate table shop.more (id int);',
};
const second = { '0002_price.sql': 'alter table goods add price int; insert into goods values (1, 2);' };

test('migrations are applied once, in order, into the schema of their service', async () => {
  await using db = await openTestDatabase();
  const one = await makeSet(first);
  const both = await makeSet({ ...second, ...first });
  await migrate(db, [one], '1.0.0');
  await migrate(db, [both], '1.1.0');
  await migrate(db, [both], '1.1.0');
  assert.deepEqual(await db.query('select * from shop.goods'), [{ id: 1, price: 2 }]);
  assert.deepEqual(await db.query('select schema, name, app_version from bulwark.migrations order by name'), [
    { schema: 'shop', name: '0001_goods.sql', app_version: '1.0.0' },
    { schema: 'shop', name: '0002_price.sql', app_version: '1.1.0' },
  ]);
  // The search path of a migration does not persist.
  await assert.rejects(db.query('select * from goods'), /does not exist/);
});

test('a migration file that changed after it was applied is refused by name', async () => {
  await using db = await openTestDatabase([await makeSet(first)]);
  const changed = await makeSet({ '0001_goods.sql': 'create table goods (id text primary key)' });
  await assert.rejects(migrate(db, [changed], '1'), (error) => {
    assert.ok(error instanceof StartupError);
    assert.match(error.message, /shop\/0001_goods\.sql has changed since version test/);
    return true;
  });
  // Different line endings, as after another checkout, are not a different migration.
  await migrate(
    db,
    [await makeSet({ '0001_goods.sql': first['0001_goods.sql'].replaceAll('\n', '\r\n') })],
    '1',
  );
});

test('a database with migrations of a newer version is refused, and the error names that version', async () => {
  await using db = await openTestDatabase();
  await migrate(db, [await makeSet({ ...first, ...second })], '2.0.0');
  await assert.rejects(migrate(db, [await makeSet(first)], '1.0.0'), (error) => {
    assert.ok(error instanceof StartupError);
    assert.match(error.message, /newer version \(2\.0\.0; this is 1\.0\.0\).*shop\/0002_price\.sql/);
    return true;
  });
});

test('a failing migration is rolled back, and the ones before it stay applied', async () => {
  await using db = await openTestDatabase();
  const broken = await makeSet({ ...first, '0002_broken.sql': 'create table half (id int); select 1 / 0' });
  await assert.rejects(migrate(db, [broken], '1'), /shop\/0002_broken\.sql failed: .*division by zero/);
  assert.deepEqual(
    await db.query(`select to_regclass('shop.half') as half, to_regclass('shop.more')::text as more`),
    [{ half: null, more: 'shop.more' }],
  );
  await migrate(db, [await makeSet({ ...first, ...second })], '1');
});

test('processes that start at once apply each migration once', async () => {
  await using database = await makeTestDatabase();
  await using db = await openDatabase(database.settings);
  const others = db.kind === 'postgres' ? [1, 2, 3].map(() => openDatabase(database.settings)) : [];
  const all = [db, ...(await Promise.all(others))];
  const many = await makeSet(
    Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [
        `000${i + 1}_step.sql`,
        `create table t${i} as select 1 as one from pg_sleep(0.01)`,
      ]),
    ),
  );
  await Promise.all(all.map((each) => migrate(each, [many], '1')));
  assert.deepEqual(await db.query('select count(*) as n from bulwark.migrations'), [{ n: 8 }]);
  for (const other of all.slice(1)) await other[Symbol.asyncDispose]();
});

test('file names without a unique number, and files with transaction statements, are refused', async () => {
  await using db = await openTestDatabase();
  for (const names of [['1_a.sql'], ['0002_a.sql'], ['0001_a.sql', '0001_b.sql'], ['0001_a b.sql']]) {
    const set = await makeSet(Object.fromEntries(names.map((name) => [name, 'select 1'])));
    await assert.rejects(migrate(db, [set], '1'), TypeError, names.join());
  }
  await assert.rejects(
    migrate(db, [await makeSet({ '0001_a.sql': 'select 1;\ncommit;\n' })], '1'),
    /transaction/,
  );
});
