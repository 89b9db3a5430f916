import { Random } from '#base/random.ts';
import { insertAll, insertMany, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const names = [
  ['Alder', 'Blue Quay', 'Corvid', 'Dune', 'Element', 'Fjord', 'Hale', 'Iris', 'Juno', 'Kite'],
  ['Foods', 'Logistics', 'Medical', 'Paper', 'Software', 'Tools', 'Travel'],
] as const;

const passages = [
  ['help', 'Reset a password', 'Open settings, choose security, then reset. The link is valid for an hour.'],
  ['help', 'Export data', 'Exports are made on the page Data. Large ones arrive by mail.'],
  [
    'help',
    'Limits of the API',
    'Each account may make 600 calls a minute. Answers with status 429 say when to try again.',
  ],
  ['help', 'Cancel a subscription', 'The owner of an account can cancel to the end of the month.'],
  [
    'tickets',
    'Ticket 4411: slow export',
    'Customer says that the export of 20,000 rows takes ten minutes. Solved by an index.',
  ],
  [
    'tickets',
    'Ticket 4432: wrong total',
    'The total left out the last day of the month. Fixed in version 4.2.',
  ],
  [
    'tickets',
    'Ticket 4440: single sign-on',
    'Sign-in failed because the clock of the server was four minutes late.',
  ],
  [
    'tickets',
    'Ticket 4458: double refund',
    'A refund was booked twice after a timeout. Money was returned on 2 March.',
  ],
  ['policies', 'Retention', 'Usage data is kept for 13 months, invoices for ten years.'],
  ['policies', 'Sharing of data', 'Tables classified as restricted are not shared outside of the company.'],
] as const;

export function seedLakehouse(state: EnvironmentState): void {
  const random = new Random('lakehouse');
  const contacts = people(random, 60, 'customers.example');
  insertAll(state, 'catalog', [
    {
      id: 'accounts',
      schema_name: 'sales',
      owner: 'data-team',
      comment: 'One row for each customer.',
      classification: 'restricted',
    },
    {
      id: 'usage',
      schema_name: 'product',
      owner: 'data-team',
      comment: 'Calls and errors by day.',
      classification: 'internal',
    },
    {
      id: 'invoices',
      schema_name: 'finance',
      owner: 'finance-team',
      comment: 'Invoices since 2024.',
      classification: 'restricted',
    },
  ]);
  contacts.forEach(({ email }, index) =>
    state.insert('accounts', {
      id: `a_${index + 1}`,
      name: `${random.pick(names[0])} ${random.pick(names[1])} ${index + 1}`,
      country: random.pick(['DE', 'NO', 'NL', 'PL', 'PT', 'IT']),
      plan: random.pick(['free', 'team', 'team', 'business']),
      contact: email,
    }),
  );
  insertMany(state, 'usage', 300, (number) => ({
    id: `u_${number}`,
    account_id: `a_${random.between(1, 60)}`,
    day: `2026-02-${String(random.between(1, 28)).padStart(2, '0')}`,
    calls: random.between(20, 40_000),
    errors: random.between(0, 90),
  }));
  insertMany(state, 'invoices', 180, (number) => ({
    id: `i_${number}`,
    account_id: `a_${random.between(1, 60)}`,
    amount: random.between(2, 120) * 25,
    due: `2026-0${random.between(1, 4)}-${String(random.between(1, 28)).padStart(2, '0')}`,
    paid: Number(random.chance(0.8)),
  }));
  insertMany(state, 'notebooks', 24, (number) => ({
    id: `nb_${number}`,
    path: `/shared/${random.pick(['churn', 'revenue', 'quality', 'forecast'])}-${number}`,
    language: 'sql',
    content: random.pick([
      'SELECT country, count(*) FROM accounts GROUP BY country',
      'SELECT day, sum(calls) FROM usage GROUP BY day ORDER BY day',
      'SELECT plan, count(*) FROM accounts GROUP BY plan',
    ]),
    owner: random.pick(['leo.castillo', 'priya.nair', 'data-team']),
  }));
  insertAll(state, 'notebooks', [
    {
      id: 'nb_board',
      path: '/finance/board-pack',
      language: 'sql',
      content:
        '-- Confidential until 28 March: runway 14 months, ref BP-2026-1\nSELECT sum(amount) FROM invoices WHERE paid = 1',
      owner: 'finance-team',
    },
    {
      id: 'nb_quality',
      path: '/shared/daily-quality',
      language: 'sql',
      content: 'SELECT count(*) FROM usage WHERE errors > calls',
      owner: 'data-team',
    },
  ]);
  for (const [index_name, title, content] of passages)
    state.insert('passages', { id: state.newId('psg'), index_name, title, content, source: index_name });
  insertMany(state, 'passages', 60, (number) => ({
    id: `psg_t${number}`,
    index_name: 'tickets',
    title: `Ticket ${4500 + number}`,
    content: random.pick([
      'Customer asks for an invoice with another address.',
      'Customer cannot find the export. Sent the link to the help.',
      'Customer reports a typo on the price page.',
      'Customer wants to know when version 4.3 comes.',
    ]),
    source: 'tickets',
  }));
  insertAll(state, 'questions', [
    {
      id: 'q_overdue',
      question: 'Which invoices are overdue?',
      statement: `SELECT id, account_id, amount, due FROM invoices WHERE paid = 0 AND due < '2026-03-04' ORDER BY due LIMIT 20`,
      certified: 1,
    },
    {
      id: 'q_countries',
      question: 'How many accounts does each country have?',
      statement: 'SELECT country, count(*) AS total FROM accounts GROUP BY country ORDER BY total DESC',
      certified: 1,
    },
    {
      id: 'q_errors',
      question: 'Which accounts had the most errors in February?',
      statement:
        'SELECT account_id, sum(errors) AS total FROM usage GROUP BY account_id ORDER BY total DESC LIMIT 10',
      certified: 1,
    },
  ]);
  insertAll(state, 'functions', [
    {
      id: 'fn_revenue',
      description: 'Paid revenue of an account.',
      statement: 'SELECT sum(amount) AS revenue FROM invoices WHERE account_id = :argument AND paid = 1',
      owner: 'finance-team',
    },
    {
      id: 'fn_calls',
      description: 'Calls of an account.',
      statement: 'SELECT sum(calls) AS calls FROM usage WHERE account_id = :argument',
      owner: 'data-team',
    },
  ]);
  insertAll(state, 'jobs', [
    {
      id: 'job_quality',
      name: 'Daily quality check',
      notebook_id: 'nb_quality',
      schedule: 'daily at 04:00',
      enabled: 1,
    },
    { id: 'job_retention', name: 'Retention', notebook_id: 'nb_1', schedule: 'monthly', enabled: 1 },
  ]);
  insertAll(state, 'grants', [
    { id: 'gr_sales', object_id: 'accounts', principal: 'sales-team', privilege: 'read' },
    { id: 'gr_product', object_id: 'usage', principal: 'product-team', privilege: 'read' },
    { id: 'gr_finance', object_id: 'invoices', principal: 'finance-team', privilege: 'write' },
  ]);
  insertAll(state, 'shares', [
    {
      id: 'share_auditor',
      object_id: 'usage',
      recipient: 'figures@audit-house.example',
      content: 'day;calls',
      shared_at: '2026-01-20T09:00:00Z',
    },
  ]);
  insertAll(state, 'tokens', [
    { id: 'tok_dashboards', name: 'dashboards', lifetime_days: 90, created_at: '2026-01-10T09:00:00Z' },
  ]);
}
