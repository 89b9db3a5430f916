import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warehouseSql } from '../warehouse-sql/warehouse-sql.ts';
import { EnvironmentInstance } from './instance.ts';

const instance = new EnvironmentInstance(warehouseSql);
const query = (sql: string) => instance.call('run_query', { sql });
const write = (sql: string) => instance.call('run_write', { sql });

test('An agent can ask in SQL, with joins, groups and subqueries', () => {
  const joined = query(
    'SELECT c.city, sum(o.amount) AS total FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city ORDER BY 1',
  );
  assert.equal(joined.isError, false, joined.text);
  assert.equal((JSON.parse(joined.text) as unknown[]).length, 4);
  const nested = query('SELECT count(*) AS n FROM customers WHERE id IN (SELECT customer_id FROM orders)');
  assert.equal(nested.isError, false, nested.text);
});

test('An agent can change rows, and the change is recorded', () => {
  instance.reset('write');
  assert.equal(write(`UPDATE staff SET team = 'night' WHERE id = 's_1'`).isError, false);
  assert.equal(write(`INSERT INTO customers VALUES ('c_x', 'A', 'a@b.example', 'Porto', '')`).isError, false);
  assert.deepEqual(
    instance
      .changes()
      .map(({ table, op }) => `${table} ${op}`)
      .sort(),
    ['customers added', 'staff updated'],
  );
});

const refused: Record<string, string> = {
  'another file': `ATTACH DATABASE '/tmp/x.db' AS x`,
  'a pragma': 'PRAGMA writable_schema = 1',
  'a pragma as a table': `SELECT * FROM pragma_table_info('staff')`,
  'the schema': 'SELECT * FROM sqlite_master',
  "the environment's own tables": 'SELECT * FROM grants',
  'an extension': `SELECT load_extension('/tmp/x')`,
  'a file function': `SELECT readfile('/etc/passwd')`,
  'endless recursion':
    'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r',
  'a join that never ends': 'SELECT count(*) FROM orders a, orders b, orders c, orders d',
  'a join hidden in subqueries':
    'SELECT (SELECT count(*) FROM orders b, orders c) FROM orders a WHERE a.amount > (SELECT avg(amount) FROM orders)',
  'a join hidden in tables of a query':
    'WITH a AS (SELECT * FROM orders), b AS (SELECT x.* FROM a x, a y), c AS (SELECT x.* FROM b x, b y) SELECT count(*) FROM c',
  'a huge value': 'SELECT zeroblob(1000000000)',
  'a format bomb': `SELECT printf('%.*c', 100000000, 'x')`,
  'a new table': 'CREATE TABLE t (x)',
  'a trigger': `CREATE TEMP TRIGGER t AFTER UPDATE ON staff BEGIN SELECT 1; END`,
  'ending the transaction': 'ROLLBACK',
  'a savepoint': 'RELEASE call',
  'a vacuum into a file': `VACUUM INTO '/tmp/x.db'`,
  'a change in a query': 'DELETE FROM orders',
};
for (const [what, sql] of Object.entries(refused))
  test(`A query is refused: ${what}`, () => {
    instance.reset('refused');
    const answer = query(sql);
    assert.ok(answer.isError, answer.text);
    assert.deepEqual(instance.changes(), []);
  });

test('Writes are refused outside the tables, from a selection, and above the size of a table', () => {
  instance.reset('writes');
  for (const sql of [
    `UPDATE grants SET account = 'me'`,
    'INSERT INTO orders SELECT a.id || b.id, a.customer_id, a.product, 1, a.ordered_on FROM orders a, orders b',
    'DROP TABLE orders',
    'ALTER TABLE orders ADD COLUMN x',
    `UPDATE staff SET team = (SELECT group_concat(name) FROM staff)`,
  ])
    assert.ok(write(sql).isError, sql);
  assert.deepEqual(instance.changes(), []);
});

test('A second statement after the first is not run', () => {
  instance.reset('two');
  query('SELECT 1; DELETE FROM orders');
  assert.deepEqual(instance.changes(), []);
});
