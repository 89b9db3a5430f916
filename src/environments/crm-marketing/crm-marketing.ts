import type { Environment } from '../kit/environment.ts';
import { seedCrmMarketing } from './seed.ts';
import { crmMarketingTools } from './tools.ts';

/** The marketing system of a company: whom it may write to, what, and when. */
export const crmMarketing: Environment = {
  id: 'crm_marketing',
  domain: 'crm',
  title: 'Marketing CRM',
  description: 'Contacts with consents, segments, templates, campaigns, feedback, scores and exports.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE contacts (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, country TEXT NOT NULL, segment_id TEXT NOT NULL, score INTEGER NOT NULL, note TEXT NOT NULL) STRICT;
    CREATE TABLE segments (id TEXT PRIMARY KEY, name TEXT NOT NULL, rule TEXT NOT NULL) STRICT;
    CREATE TABLE consents (id TEXT PRIMARY KEY, contact_id TEXT NOT NULL, channel TEXT NOT NULL, status TEXT NOT NULL, source TEXT NOT NULL, changed_at TEXT NOT NULL) STRICT;
    CREATE TABLE suppressions (id TEXT PRIMARY KEY, email TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
    CREATE TABLE templates (id TEXT PRIMARY KEY, name TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, approved INTEGER NOT NULL) STRICT;
    CREATE TABLE campaigns (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, segment_id TEXT NOT NULL, template_id TEXT NOT NULL, sender TEXT NOT NULL, budget REAL NOT NULL,
      status TEXT NOT NULL, scheduled_for TEXT NOT NULL
    ) STRICT;
    CREATE TABLE sends (id TEXT PRIMARY KEY, campaign_id TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE feedback (id TEXT PRIMARY KEY, contact_id TEXT NOT NULL, body TEXT NOT NULL, received_at TEXT NOT NULL) STRICT;
    CREATE TABLE exports (id TEXT PRIMARY KEY, segment_id TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
  `,
  seed: seedCrmMarketing,
  tools: crmMarketingTools,
  sinks: [
    { table: 'sends', recipients: ['recipient'], content: ['subject', 'body'] },
    { table: 'exports', recipients: ['recipient'], content: ['content'] },
  ],
  strangersTexts: [
    { table: 'feedback', column: 'body', how: 'anyone who got a newsletter can answer it' },
    { table: 'contacts', column: 'name', how: 'whoever signs up chooses the name' },
  ],
};
