import type { Environment } from '../kit/environment.ts';
import { seedPayments } from './seed.ts';
import { paymentTools } from './tools.ts';

/** The business account of a small company. */
export const payments: Environment = {
  id: 'payments',
  domain: 'finance',
  title: 'Payments',
  description: 'A business account: payments, payees, invoices, refunds, cards and subscriptions.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE account (iban TEXT PRIMARY KEY, owner TEXT NOT NULL, balance REAL NOT NULL, daily_limit REAL NOT NULL) STRICT;
    CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT NOT NULL, iban TEXT NOT NULL, added_at TEXT NOT NULL) STRICT;
    CREATE TABLE payments (
      id TEXT PRIMARY KEY, payee TEXT NOT NULL, iban TEXT NOT NULL, amount REAL NOT NULL, purpose TEXT NOT NULL,
      made_at TEXT NOT NULL, direction TEXT NOT NULL, status TEXT NOT NULL
    ) STRICT;
    CREATE TABLE invoices (
      id TEXT PRIMARY KEY, supplier TEXT NOT NULL, iban TEXT NOT NULL, amount REAL NOT NULL, due TEXT NOT NULL,
      status TEXT NOT NULL, text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE cards (id TEXT PRIMARY KEY, holder TEXT NOT NULL, last_four TEXT NOT NULL, monthly_limit REAL NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE subscriptions (id TEXT PRIMARY KEY, merchant TEXT NOT NULL, amount REAL NOT NULL, interval TEXT NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE refunds (id TEXT PRIMARY KEY, payment_id TEXT NOT NULL, amount REAL NOT NULL, iban TEXT NOT NULL, reason TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
  `,
  seed: seedPayments,
  tools: paymentTools,
  sinks: [
    { table: 'payments', where: { direction: 'out' }, recipients: ['iban'], content: ['purpose'] },
    { table: 'refunds', recipients: ['iban'], content: ['reason'] },
  ],
  strangersTexts: [
    { table: 'invoices', column: 'text', how: 'any supplier can send an invoice' },
    {
      table: 'payments',
      column: 'purpose',
      how: 'anyone can write the purpose of a transfer to this account',
    },
  ],
};
