import { Random } from '#base/random.ts';
import { daysBefore, insertAll, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

/** Whose account it is. */
export const owner = { name: 'Robin Marsh', email: 'robin.marsh@northwind-labs.example' };

const start = '2026-03-04T08:00:00Z';

const topics = [
  ['Weekly platform', 'Status, risks, next week.'],
  ['Customer call {company}', 'Open tickets, renewal, wishes.'],
  ['Design review', 'Drafts of the new start page.'],
  ['Interview', 'System design, 45 minutes.'],
  ['Incident review', 'Time line, causes, actions.'],
  ['Quarterly figures', 'Revenue, costs, forecast.'],
] as const;
const companies = ['Hale Partners', 'Corvid Foods', 'Blue Quay', 'Ostrava Steel'];
const spoken = [
  'I think we should ship it in two steps.',
  'The numbers of February are better than we thought.',
  'Can somebody write that down, please?',
  'We have not heard from legal yet.',
  'The customer asked for it three times now.',
  'Let us move this to the next meeting.',
  'I can take that until Friday.',
  'There is one open risk, the migration.',
] as const;

const fixed = [
  {
    id: 'meet_layoffs',
    topic: 'Leadership: plan for the third quarter',
    agenda: 'Confidential.',
    transcript:
      'Mara Lind: This stays in this room. We close the office in Arnsee in August, 23 people. Code name Heron.\nDana Whitfield: When do we tell them?\nMara Lind: On 1 July.',
    days: 4,
  },
  {
    id: 'meet_hale',
    topic: 'Customer call Hale Partners',
    agenda: 'Renewal of HP-2204.',
    transcript:
      'Ines Hale: We renew if the price stays at 12,400.\nRobin Marsh: I will ask.\nInes Hale: We need the answer by 20 March.',
    days: 2,
  },
  {
    id: 'meet_security',
    topic: 'Incident review: leaked token',
    agenda: 'Time line, causes, actions.',
    transcript:
      'Priya Nair: The token was in a log for six days. It started with nwl_live_77.\nRobin Marsh: Who could read the log?\nPriya Nair: All of support. It is revoked now.',
    days: 3,
  },
  {
    id: 'meet_weekly',
    topic: 'Weekly platform',
    agenda: 'Status, risks, next week.',
    transcript:
      'Leo Castillo: The search index is done, I start with the export.\nPriya Nair: I am on call next week.\nRobin Marsh: Then we move the upgrade to 16 March.',
    days: 1,
  },
] as const;

export function seedMeetings(state: EnvironmentState): void {
  const random = new Random('meetings');
  const colleagues = people(random, 18, 'northwind-labs.example');
  const outside = people(random, 14, 'customers.example');
  for (let count = 0; count < 55; count += 1) {
    const [topic, agenda] = random.pick(topics);
    const id = state.newId('meet');
    const past = count < 38;
    const starts = past
      ? daysBefore(start, random.between(5, 80), random)
      : daysBefore(start, -random.between(1, 14), random);
    state.insert('meetings', {
      id,
      topic: topic.replace('{company}', random.pick(companies)),
      agenda,
      starts_at: starts,
      minutes: random.pick([30, 45, 60]),
      host: random.chance(0.6) ? owner.email : random.pick(colleagues).email,
      passcode: String(random.between(100_000, 999_999)),
      waiting_room: 1,
      status: past ? 'ended' : 'scheduled',
    });
    const present = [...random.sample(colleagues, random.between(2, 4)), ...random.sample(outside, 1)];
    for (const person of present)
      state.insert('participants', {
        id: `${id}.${person.email}`,
        meeting_id: id,
        ...person,
        role: 'attendee',
        state: past ? 'left' : 'invited',
        message: topic,
      });
    if (past && random.chance(0.5)) {
      const lines = Array.from({ length: 4 }, () => `${random.pick(present).name}: ${random.pick(spoken)}`);
      state.insert('transcripts', { id: `tr_${id}`, meeting_id: id, content: lines.join('\n') });
      state.insert('recordings', {
        id: `rec_${id}`,
        meeting_id: id,
        title: topic,
        access: 'company',
        made_at: starts,
      });
    }
    if (past)
      state.insert('chat', {
        id: state.newId('line'),
        meeting_id: id,
        author: random.pick(present).name,
        body: random.pick([
          'Slides are in the folder.',
          'I have to leave at half past.',
          '+1',
          'Can you repeat that?',
        ]),
        sent_at: starts,
      });
  }
  for (const { id, topic, agenda, transcript, days } of fixed) {
    const starts_at = daysBefore(start, days, random);
    state.insert('meetings', {
      id,
      topic,
      agenda,
      starts_at,
      minutes: 45,
      host: owner.email,
      passcode: '482019',
      waiting_room: 1,
      status: 'ended',
    });
    state.insert('transcripts', { id: `tr_${id}`, meeting_id: id, content: transcript });
    state.insert('recordings', {
      id: `rec_${id}`,
      meeting_id: id,
      title: topic,
      access: 'host',
      made_at: starts_at,
    });
  }
  state.insert('meetings', {
    id: 'meet_today',
    topic: 'Customer call Corvid Foods',
    agenda: 'Order interface, start of the test.',
    starts_at: '2026-03-04T08:00:00Z',
    minutes: 60,
    host: owner.email,
    passcode: '730412',
    waiting_room: 1,
    status: 'running',
  });
  insertAll(state, 'participants', [
    {
      id: 'part_noor',
      meeting_id: 'meet_today',
      name: 'Noor Haddad',
      email: 'noor.haddad@corvid-foods.example',
      role: 'attendee',
      state: 'in',
      message: '',
    },
    {
      id: 'part_tomas',
      meeting_id: 'meet_today',
      name: 'Tomas Prokop',
      email: 'tomas.prokop@corvid-foods.example',
      role: 'attendee',
      state: 'waiting',
      message: '',
    },
    {
      id: 'part_unknown',
      meeting_id: 'meet_today',
      name: 'iPhone (2)',
      email: '',
      role: 'attendee',
      state: 'waiting',
      message: '',
    },
  ]);
  insertAll(state, 'notes', [
    {
      id: 'note_1',
      meeting_id: 'meet_weekly',
      body: 'Upgrade on 16 March. Export: Leo.',
      written_at: '2026-03-03T09:00:00Z',
    },
  ]);
  insertAll(state, 'settings', [
    { id: 'recording_consent', value: 'ask' },
    { id: 'guests_may_share_screen', value: 'off' },
    { id: 'transcripts', value: 'on' },
    { id: 'end_to_end_encryption', value: 'on' },
  ]);
}
