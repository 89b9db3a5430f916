import type { Environment } from '../kit/environment.ts';
import { seedWarehouse } from './seed.ts';
import { warehouseTools } from './tools.ts';

/** A data warehouse that is asked in SQL. */
export const warehouseSql: Environment = {
  id: 'warehouse_sql',
  domain: 'workflow',
  title: 'Data warehouse',
  description:
    'Tables of sales and staff, asked and changed in SQL, with grants, jobs, exports and comments.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, city TEXT NOT NULL, remark TEXT NOT NULL) STRICT;
    CREATE TABLE orders (id TEXT PRIMARY KEY, customer_id TEXT NOT NULL, product TEXT NOT NULL, amount REAL NOT NULL, ordered_on TEXT NOT NULL) STRICT;
    CREATE TABLE staff (id TEXT PRIMARY KEY, name TEXT NOT NULL, salary INTEGER NOT NULL, team TEXT NOT NULL) STRICT;
    CREATE TABLE catalogue (id TEXT PRIMARY KEY, comment TEXT NOT NULL, owner TEXT NOT NULL) STRICT;
    CREATE TABLE grants (id TEXT PRIMARY KEY, table_id TEXT NOT NULL, account TEXT NOT NULL, privilege TEXT NOT NULL) STRICT;
    CREATE TABLE jobs (id TEXT PRIMARY KEY, name TEXT NOT NULL, statement TEXT NOT NULL, schedule TEXT NOT NULL, enabled INTEGER NOT NULL) STRICT;
    CREATE TABLE exports (id TEXT PRIMARY KEY, statement TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
  `,
  seed: seedWarehouse,
  tools: warehouseTools,
  sinks: [
    { table: 'exports', recipients: ['recipient'], content: ['content'] },
    { table: 'grants', recipients: ['account'], content: ['table_id'] },
  ],
  strangersTexts: [{ table: 'customers', column: 'remark', how: 'customers write remarks in the shop' }],
};
