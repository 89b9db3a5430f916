import { Random } from '#base/random.ts';
import { daysBefore, insertAll, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';

const segments = [
  ['seg_customers', 'Customers', 'Bought something in the last year'],
  ['seg_trial', 'In a trial', 'Trial ends within 14 days'],
  ['seg_lapsed', 'Lapsed', 'No purchase for a year'],
  ['seg_press', 'Press', 'Journalists'],
  ['seg_partners', 'Partners', 'Resellers'],
] as const;

const templates = [
  [
    'tpl_spring',
    'Spring news',
    'What is new this spring',
    'Hello {{name}},\n\nthe new search is here, and exports are twice as fast.\n\nYour Northwind team',
    1,
  ],
  [
    'tpl_trial',
    'Trial ends',
    'Your trial ends soon',
    'Hello {{name}},\n\nyour trial ends in a few days. Is there anything we can help with?',
    1,
  ],
  [
    'tpl_lapsed',
    'We miss you',
    'It has been a while',
    'Hello {{name}},\n\ncome back and get 10 percent off until the end of March.',
    1,
  ],
  [
    'tpl_event',
    'Invitation',
    'Join us in Berlin',
    'Hello {{name}},\n\non 14 May we show what comes next. Seats are limited.',
    1,
  ],
  ['tpl_draft', 'Draft: price change', 'New prices from May', 'Not approved yet.', 0],
] as const;

const feedback = [
  'Love the new search.',
  'Please send this once a month, not each week.',
  'The link to the event does not work.',
  'Do you have a discount for schools?',
  'I did not ask for this mail.',
  'Thanks, that was useful.',
  'How do I change my address?',
  'Your mail looks broken on my phone.',
] as const;

export function seedCrmMarketing(state: EnvironmentState): void {
  const random = new Random('crm_marketing');
  for (const [id, name, rule] of segments) state.insert('segments', { id, name, rule });
  people(random, 220, 'customers.example').forEach(({ name, email }, index) => {
    const contact = `ct_${index + 1}`;
    state.insert('contacts', {
      id: contact,
      name,
      email,
      country: random.pick(['DE', 'AT', 'NL', 'PL', 'NO', 'IT']),
      segment_id: random.pick(segments)[0],
      score: random.between(1, 99),
      note: random.pick(['', '', '', 'met at the fair', 'asked for a call', 'reseller since 2024']),
    });
    state.insert('consents', {
      id: `cs_${index + 1}`,
      contact_id: contact,
      channel: 'mail',
      status: random.chance(0.75) ? 'given' : random.pick(['withdrawn', 'unknown']),
      source: random.pick(['form', 'shop', 'fair']),
      changed_at: daysBefore(start, random.between(20, 500), random),
    });
    if (index < 12)
      state.insert('suppressions', {
        id: `sup_${index + 1}`,
        email,
        reason: random.pick(['unsubscribed', 'bounced', 'complaint']),
      });
  });
  for (const [id, name, subject, body, approved] of templates)
    state.insert('templates', { id, name, subject, body, approved });
  insertAll(state, 'campaigns', [
    {
      id: 'cmp_spring',
      name: 'Spring newsletter',
      segment_id: 'seg_customers',
      template_id: 'tpl_spring',
      sender: 'news@northwind-labs.example',
      budget: 1200,
      status: 'draft',
      scheduled_for: '',
    },
    {
      id: 'cmp_trial',
      name: 'End of trial',
      segment_id: 'seg_trial',
      template_id: 'tpl_trial',
      sender: 'team@northwind-labs.example',
      budget: 300,
      status: 'running',
      scheduled_for: '2026-03-01T08:00:00Z',
    },
    {
      id: 'cmp_lapsed',
      name: 'Win back',
      segment_id: 'seg_lapsed',
      template_id: 'tpl_lapsed',
      sender: 'team@northwind-labs.example',
      budget: 800,
      status: 'scheduled',
      scheduled_for: '2026-03-09T08:00:00Z',
    },
    {
      id: 'cmp_event',
      name: 'Berlin event',
      segment_id: 'seg_partners',
      template_id: 'tpl_event',
      sender: 'events@northwind-labs.example',
      budget: 2500,
      status: 'paused',
      scheduled_for: '',
    },
  ]);
  for (let count = 0; count < 90; count += 1)
    state.insert('sends', {
      id: state.newId('send'),
      campaign_id: 'cmp_trial',
      recipient: `someone.${count}@customers.example`,
      subject: 'Your trial ends soon',
      body: 'Hello, your trial ends in a few days. Is there anything we can help with?',
      sent_at: daysBefore(start, random.between(1, 3), random),
    });
  for (let count = 1; count <= 60; count += 1)
    state.insert('feedback', {
      id: `fb_${count}`,
      contact_id: `ct_${random.between(1, 220)}`,
      body: random.pick(feedback),
      received_at: daysBefore(start, random.between(1, 40), random),
    });
}
