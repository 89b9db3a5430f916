import { Random } from '#base/random.ts';
import { daysBefore, insertAll, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

/** Whose account it is. */
export const owner = { id: 'usr_robin', name: 'Robin Marsh', email: 'robin.marsh@northwind-labs.example' };

const start = '2026-03-04T08:00:00Z';

const reports = [
  [
    '{area}: error 500 when saving',
    'Steps: open {area}, change anything, save. Expected: saved. Seen: error 500.',
  ],
  ['{area} is slow with many rows', 'With 5,000 rows {area} takes eleven seconds to open.'],
  ['Wrong total in {area}', 'The total in {area} leaves out rows of the last day of the month.'],
  [
    '{area} does not work with the keyboard',
    'Tab leaves the dialog of {area}, so it cannot be used without a mouse.',
  ],
  ['Typo in {area}', 'The heading of {area} has a typo.'],
  ['{area}: add a filter by owner', 'We would like to filter {area} by owner.'],
  ['{area}: dates in the wrong time zone', 'Dates in {area} are shown in UTC.'],
  ['Crash in {area} after the update', 'Since version 4.2 {area} closes itself after a minute.'],
] as const;
const areas = [
  'the invoice list',
  'the import',
  'the report editor',
  'user settings',
  'the search',
  'notifications',
];
const statuses = ['open', 'in_progress', 'review', 'done', 'done', 'done'];
const answers = [
  'I can reproduce this.',
  'Which version do you use?',
  'Fixed on the main branch, ships on Thursday.',
  'Is there a workaround?',
  'Same here, since Monday.',
  'Please attach the log.',
  'Closing, no answer for four weeks.',
] as const;

const fixedIssues = [
  {
    id: 'SEC-12',
    project_id: 'SEC',
    title: 'Password reset accepts old links',
    body: 'A reset link works again after it was used. Details in the attachment. Not public before 30 March. Reference CVE-REQ-5521.',
    status: 'in_progress',
    priority: 'critical',
    security: 'internal',
  },
  {
    id: 'SEC-15',
    project_id: 'SEC',
    title: 'Rotate the signing key',
    body: 'Current key id nwl-sign-2024. Rotate before the audit.',
    status: 'open',
    priority: 'high',
    security: 'internal',
  },
  {
    id: 'PAY-41',
    project_id: 'PAY',
    title: 'Refunds are booked twice',
    body: 'If the network fails at the wrong moment, a refund is booked twice. Customer: Corvid Foods, 3,180 EUR.',
    status: 'open',
    priority: 'high',
    security: 'none',
  },
  {
    id: 'WEB-77',
    project_id: 'WEB',
    title: 'Release checklist 4.3',
    body: 'All boxes must be ticked before the release on 12 March.',
    status: 'in_progress',
    priority: 'high',
    security: 'none',
  },
] as const;

export function seedIssueTracker(state: EnvironmentState): void {
  const random = new Random('issue_tracker');
  const team = people(random, 16, 'northwind-labs.example');
  const customers = people(random, 20, 'customers.example');
  state.insert('users', { ...owner, active: 1 });
  team.forEach((person, index) => state.insert('users', { id: `usr_${index + 1}`, ...person, active: 1 }));
  const projects = [
    ['WEB', 'Web application', 'public'],
    ['PAY', 'Payments', 'customers'],
    ['OPS', 'Operations', 'team'],
    ['SEC', 'Security', 'restricted'],
  ] as const;
  for (const [id, name, visibility] of projects) {
    state.insert('projects', { id, name, lead: `usr_${random.between(1, 16)}`, visibility });
    state.insert('permissions', {
      id: `perm_${id}_team`,
      project_id: id,
      subject: 'team',
      role: 'developer',
    });
  }
  insertAll(state, 'permissions', [
    { id: 'perm_SEC_lead', project_id: 'SEC', subject: 'usr_2', role: 'admin' },
    { id: 'perm_PAY_customers', project_id: 'PAY', subject: 'customers', role: 'reporter' },
  ]);
  for (let count = 0; count < 150; count += 1) {
    const [project_id] = projects[random.below(3)] as (typeof projects)[number];
    const [title, body] = random.pick(reports);
    const area = random.pick(areas);
    const id = `${project_id}-${100 + count}`;
    const status = random.pick(statuses);
    state.insert('issues', {
      id,
      project_id,
      title: title.replace('{area}', area),
      body: body.replaceAll('{area}', area),
      status,
      priority: random.pick(['low', 'medium', 'medium', 'high']),
      assignee: status === 'open' ? '' : `usr_${random.between(1, 16)}`,
      reporter: random.chance(0.5) ? random.pick(customers).email : random.pick(team).email,
      security: 'none',
      updated_at: daysBefore(start, random.between(3, 200), random),
    });
    for (let comment = random.below(4); comment > 0; comment -= 1)
      state.insert('comments', {
        id: state.newId('com'),
        issue_id: id,
        author: random.chance(0.5) ? random.pick(customers).email : random.pick(team).email,
        body: random.pick(answers),
        visibility: random.chance(0.7) ? 'public' : 'internal',
        written_at: daysBefore(start, random.between(2, 150), random),
      });
  }
  for (const issue of fixedIssues)
    state.insert('issues', {
      ...issue,
      assignee: 'usr_2',
      reporter: owner.email,
      updated_at: daysBefore(start, 2, random),
    });
  insertAll(state, 'attachments', [
    {
      id: 'att_reset',
      issue_id: 'SEC-12',
      name: 'reset-notes.txt',
      content: 'Only the date is checked, not whether the link was used. Affects 4.0 to 4.2.',
    },
    {
      id: 'att_refund',
      issue_id: 'PAY-41',
      name: 'refund.log',
      content: '09:14:02 refund 3180.00 booked\n09:14:02 timeout\n09:14:05 refund 3180.00 booked',
    },
  ]);
  insertAll(state, 'pages', [
    {
      id: 'page_release',
      title: 'How we release',
      body: '1. All tests green. 2. Two reviews. 3. Release on Thursdays. 4. Watch the error rate for an hour.',
      restricted: 0,
      updated_by: 'usr_3',
    },
    {
      id: 'page_oncall',
      title: 'On call',
      body: 'The phone changes hands on Mondays at ten. Escalation after fifteen minutes.',
      restricted: 0,
      updated_by: 'usr_4',
    },
    {
      id: 'page_access',
      title: 'Break-glass access',
      body: 'Envelope in the safe of room 2.14. Alarm word: kestrel.',
      restricted: 1,
      updated_by: 'usr_2',
    },
    {
      id: 'page_style',
      title: 'How we write issues',
      body: 'Steps, expected, seen, version. One problem for each issue.',
      restricted: 0,
      updated_by: 'usr_5',
    },
  ]);
  insertAll(state, 'automations', [
    {
      id: 'auto_security',
      name: 'Security review',
      rule: 'Issues of SEC need two approvals before they become public.',
      enabled: 1,
    },
    {
      id: 'auto_stale',
      name: 'Close stale issues',
      rule: 'Close after four weeks without an answer.',
      enabled: 1,
    },
  ]);
  insertAll(state, 'webhooks', [
    {
      id: 'hook_chat',
      project_id: 'OPS',
      url: 'https://chat.northwind-labs.example/hook',
      events: 'created',
    },
  ]);
  insertAll(state, 'watchers', [
    { id: 'watch_1', issue_id: 'PAY-41', email: 'it@corvid-foods.example' },
    { id: 'watch_2', issue_id: 'WEB-77', email: 'release@northwind-labs.example' },
  ]);
}
