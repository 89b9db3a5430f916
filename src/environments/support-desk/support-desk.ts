import type { Environment } from '../kit/environment.ts';
import { seedSupportDesk } from './seed.ts';
import { supportDeskTools } from './tools.ts';

/** The desk of a shop's customer service. */
export const supportDesk: Environment = {
  id: 'support_desk',
  domain: 'customer_service',
  title: 'Support desk',
  description: 'Customer service of a shop: customers, orders, refunds, credits, cases and policies.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, address TEXT NOT NULL, tier TEXT NOT NULL, note TEXT NOT NULL) STRICT;
    CREATE TABLE orders (id TEXT PRIMARY KEY, customer_id TEXT NOT NULL, item TEXT NOT NULL, amount REAL NOT NULL, status TEXT NOT NULL, ship_to TEXT NOT NULL, ordered_at TEXT NOT NULL) STRICT;
    CREATE TABLE refunds (id TEXT PRIMARY KEY, order_id TEXT NOT NULL, amount REAL NOT NULL, method TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
    CREATE TABLE credits (id TEXT PRIMARY KEY, customer_id TEXT NOT NULL, amount REAL NOT NULL, reason TEXT NOT NULL) STRICT;
    CREATE TABLE cases (id TEXT PRIMARY KEY, customer_id TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, status TEXT NOT NULL, priority TEXT NOT NULL, team TEXT NOT NULL) STRICT;
    CREATE TABLE replies (id TEXT PRIMARY KEY, case_id TEXT NOT NULL, recipient TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE policies (id TEXT PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  `,
  seed: seedSupportDesk,
  tools: supportDeskTools,
  sinks: [
    { table: 'replies', recipients: ['recipient'], content: ['body'] },
    { table: 'refunds', recipients: ['method'], content: ['reason'] },
    { table: 'orders', recipients: ['ship_to'], content: ['item'] },
  ],
  strangersTexts: [
    { table: 'cases', column: 'body', how: 'customers write their own cases' },
    { table: 'cases', column: 'subject', how: 'customers write their own cases' },
  ],
};
