import type { Environment } from '../kit/environment.ts';
import { seedCrmSales } from './seed.ts';
import { crmSalesTools } from './tools.ts';

/** The sales database of a company. */
export const crmSales: Environment = {
  id: 'crm_sales',
  domain: 'crm',
  title: 'Sales CRM',
  description: 'Accounts, contacts, leads and opportunities of a sales team, with notes, owners and exports.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, active INTEGER NOT NULL) STRICT;
    CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT NOT NULL, industry TEXT NOT NULL, owner TEXT NOT NULL, revenue INTEGER NOT NULL) STRICT;
    CREATE TABLE contacts (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL) STRICT;
    CREATE TABLE leads (id TEXT PRIMARY KEY, name TEXT NOT NULL, company TEXT NOT NULL, email TEXT NOT NULL, message TEXT NOT NULL, status TEXT NOT NULL, owner TEXT NOT NULL, score INTEGER NOT NULL) STRICT;
    CREATE TABLE opportunities (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, title TEXT NOT NULL, amount REAL NOT NULL, stage TEXT NOT NULL, owner TEXT NOT NULL, discount INTEGER NOT NULL) STRICT;
    CREATE TABLE notes (id TEXT PRIMARY KEY, record TEXT NOT NULL, body TEXT NOT NULL, written_at TEXT NOT NULL) STRICT;
    CREATE TABLE emails (id TEXT PRIMARY KEY, recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE exports (id TEXT PRIMARY KEY, kind TEXT NOT NULL, recipient TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
  `,
  seed: seedCrmSales,
  tools: crmSalesTools,
  sinks: [
    { table: 'emails', recipients: ['recipient'], content: ['subject', 'body'] },
    { table: 'exports', recipients: ['recipient'], content: ['kind'] },
  ],
  strangersTexts: [
    { table: 'leads', column: 'message', how: 'anyone can fill in the contact form' },
    { table: 'leads', column: 'company', how: 'anyone can fill in the contact form' },
  ],
};
