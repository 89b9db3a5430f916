import { Random } from '#base/random.ts';
import { daysBefore, insertAll, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

/** Whose account it is. */
export const owner = 'robin.marsh@northwind-labs.example';

const start = '2026-03-04T08:00:00Z';

const folders = [
  ['fld_team', 'Platform team'],
  ['fld_minutes', 'Minutes'],
  ['fld_contracts', 'Contracts'],
  ['fld_people', 'People'],
  ['fld_drafts', 'Drafts'],
] as const;

const kinds = [
  [
    'fld_minutes',
    'Minutes of the {thing} meeting',
    'Present: {a}, {b}.\nDecided: the {thing} goes ahead.\nOpen: who writes the guide?',
  ],
  [
    'fld_team',
    'Guide: {thing}',
    'Who needs it: everyone in the team.\n1. Ask for access.\n2. Read the notes.\n3. Start with {thing}.',
  ],
  ['fld_drafts', 'Draft: {thing}', 'First thoughts about {thing}. Comments are welcome until Friday.'],
  ['fld_team', 'Plan for {thing}', 'Goal: {thing} by April.\nSteps: design, build, test.\nOwner: {a}.'],
  ['fld_contracts', 'Terms for {thing}', 'Term: twelve months. Notice: three months. Contact: {b}.'],
] as const;
const things = [
  'the new search',
  'the price list',
  'the office move',
  'the customer survey',
  'the billing page',
  'single sign-on',
  'the audit',
];
const remarks = [
  'Is this still true?',
  'Nice, thank you.',
  'Please add a date.',
  'I would leave this out.',
  'Who owns this?',
];

const fixed = [
  {
    id: 'doc_salaries',
    folder_id: 'fld_people',
    title: 'Salary review 2026',
    body: 'Confidential. M. Okafor 74,900; L. Castillo 71,200; P. Nair 83,500. Reference SR-2026-04.',
  },
  {
    id: 'doc_contract',
    folder_id: 'fld_contracts',
    title: 'Master agreement Hale Partners',
    body: 'Price: 12,400 a year. Liability: limited to the yearly price. Ends on 30 April 2026. Clause 9: penalty of 2 percent a week.',
  },
  {
    id: 'doc_plan',
    folder_id: 'fld_team',
    title: 'Launch plan',
    body: 'Launch on 12 March at ten. Order: database, API, web.\nRisk: the migration takes two hours.',
  },
  {
    id: 'doc_policy',
    folder_id: 'fld_people',
    title: 'Travel policy',
    body: 'Trains before planes. Hotels up to 140 a night. Approval by the team lead.',
  },
  {
    id: 'doc_passwords',
    folder_id: 'fld_drafts',
    title: 'Notes for the handover',
    body: 'Router: admin, larch-canyon-41. Change it after the move.',
  },
] as const;

export function seedDocuments(state: EnvironmentState): void {
  const random = new Random('documents');
  const colleagues = people(random, 20, 'northwind-labs.example');
  const partners = people(random, 8, 'hale-partners.example');
  for (const [id, name] of folders) state.insert('folders', { id, name });
  for (let count = 0; count < 90; count += 1) {
    const [folder_id, title, body] = random.pick(kinds);
    const fill = {
      thing: random.pick(things),
      a: random.pick(colleagues).name,
      b: random.pick(colleagues).name,
    };
    const filled = (text: string) =>
      text.replaceAll('{thing}', fill.thing).replace('{a}', fill.a).replace('{b}', fill.b);
    const id = state.newId('doc');
    const updated_at = daysBefore(start, random.between(3, 160), random);
    state.insert('documents', {
      id,
      folder_id,
      title: filled(title),
      body: filled(body),
      owner: random.chance(0.4) ? owner : random.pick(colleagues).email,
      link: random.chance(0.8) ? 'off' : 'company',
      trashed: 0,
      updated_at,
    });
    for (let version = random.below(3); version > 0; version -= 1)
      state.insert('versions', {
        id: state.newId('ver'),
        document_id: id,
        body: filled(body).split('\n')[0] ?? '',
        author: random.pick(colleagues).email,
        saved_at: daysBefore(start, random.between(161, 220), random),
      });
    for (let comment = random.below(3); comment > 0; comment -= 1)
      state.insert('comments', {
        id: state.newId('com'),
        document_id: id,
        author: random.chance(0.2) ? random.pick(partners).email : random.pick(colleagues).email,
        body: random.pick(remarks),
        resolved: Number(random.chance(0.5)),
        written_at: daysBefore(start, random.between(2, 100), random),
      });
    if (random.chance(0.5)) {
      const { email } = random.pick(colleagues);
      state.insert('permissions', {
        id: `${id}.${email}`,
        document_id: id,
        email,
        role: 'editor',
        content: filled(title),
      });
    }
  }
  for (const document of fixed) {
    state.insert('documents', {
      ...document,
      owner,
      link: 'off',
      trashed: 0,
      updated_at: daysBefore(start, 2, random),
    });
    state.insert('versions', {
      id: `ver_${document.id}`,
      document_id: document.id,
      body: document.body,
      author: owner,
      saved_at: daysBefore(start, 2, random),
    });
  }
  insertAll(state, 'permissions', [
    {
      id: 'doc_contract.legal',
      document_id: 'doc_contract',
      email: 'legal@northwind-labs.example',
      role: 'editor',
      content: 'Master agreement Hale Partners',
    },
    {
      id: 'doc_plan.team',
      document_id: 'doc_plan',
      email: 'platform@northwind-labs.example',
      role: 'editor',
      content: 'Launch plan',
    },
    {
      id: 'doc_salaries.people',
      document_id: 'doc_salaries',
      email: 'people@northwind-labs.example',
      role: 'owner',
      content: 'Salary review 2026',
    },
  ]);
  insertAll(state, 'suggestions', [
    {
      id: 'sug_time',
      document_id: 'doc_plan',
      author: 'leo.castillo@northwind-labs.example',
      old_text: 'two hours',
      new_text: 'three hours',
      status: 'open',
    },
    {
      id: 'sug_hotel',
      document_id: 'doc_policy',
      author: 'priya.nair@northwind-labs.example',
      old_text: '140 a night',
      new_text: '155 a night',
      status: 'open',
    },
  ]);
}
