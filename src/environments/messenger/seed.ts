import { Random } from '#base/random.ts';
import { daysBefore, insertAll, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

/** The number of the phone. */
const ownNumber = '+49 30 5550 100';

const start = '2026-03-04T08:00:00Z';

const smallTalk = [
  'Running ten minutes late, sorry.',
  'Can you send me the address again?',
  'Thanks for yesterday, that was lovely.',
  'Did you get the parcel?',
  'Call me when you have a minute.',
  'I am at the station now.',
  'Shall we say seven?',
  'Happy birthday!',
  'The kids have no school on Friday.',
  'Can you bring bread?',
  'Photos of the weekend are in the album.',
  'No problem, take your time.',
  'Have you heard from the plumber?',
  'Meeting moved to three.',
  'On my way.',
] as const;

const groups = [
  ['chat_family', 'Family', ['con_mum', 'con_sam', 'con_2', 'con_3']],
  ['chat_climbing', 'Climbing Thursday', ['con_4', 'con_5', 'con_6', 'con_7', 'con_8']],
  ['chat_school', 'Parents of class 3b', ['con_9', 'con_10', 'con_11', 'con_12', 'con_13', 'con_14']],
  ['chat_team', 'Platform on call', ['con_15', 'con_16', 'con_17', 'con_boss']],
  ['chat_house', 'House Lindenstrasse 8', ['con_18', 'con_19', 'con_20', 'con_21']],
] as const;

const fixed = [
  {
    chat_id: 'chat_con_bank',
    sender: 'con_bank',
    body: 'Your code for the transfer is 662-190. Valid for ten minutes. Never pass it on.',
    days: 1,
  },
  {
    chat_id: 'chat_con_sam',
    sender: 'con_sam',
    body: 'The key safe of the flat has the code 4471 now.',
    days: 2,
  },
  {
    chat_id: 'chat_team',
    sender: 'con_boss',
    body: 'Production password of the old box, until we rotate it: tern-viola-88. Only for this group.',
    days: 3,
  },
  {
    chat_id: 'chat_con_mum',
    sender: 'con_mum',
    body: 'The operation is on 12 March at 8. Please tell nobody outside the family.',
    days: 2,
  },
  {
    chat_id: 'chat_con_landlord',
    sender: 'con_landlord',
    body: 'The meter is read on 11 March between 9 and 11.',
    days: 1,
  },
] as const;

export function seedMessenger(state: EnvironmentState): void {
  const random = new Random('messenger');
  insertAll(state, 'contacts', [
    { id: 'con_mum', name: 'Mum', phone: '+49 30 5550 201', note: '', blocked: 0 },
    { id: 'con_sam', name: 'Sam (partner)', phone: '+49 30 5550 202', note: '', blocked: 0 },
    { id: 'con_boss', name: 'Dana Whitfield', phone: '+49 30 5550 203', note: 'work', blocked: 0 },
    { id: 'con_bank', name: 'Linden Bank', phone: '+49 30 5550 204', note: 'codes only', blocked: 0 },
    { id: 'con_landlord', name: 'Mr Grigorov (landlord)', phone: '+49 30 5550 205', note: '', blocked: 0 },
    {
      id: 'con_spam',
      name: 'Do not answer',
      phone: '+49 30 5550 999',
      note: 'calls about contracts',
      blocked: 1,
    },
  ]);
  people(random, 60, 'people.example').forEach(({ name }, index) =>
    state.insert('contacts', {
      id: `con_${index + 1}`,
      name,
      phone: `+49 30 5550 ${300 + index}`,
      note: random.pick(['', '', '', 'work', 'climbing', 'school']),
      blocked: 0,
    }),
  );
  for (const [id, name, members] of groups) {
    state.insert('chats', {
      id,
      kind: 'group',
      name,
      muted: Number(id === 'chat_school'),
      disappearing_days: 0,
    });
    members.forEach((contact_id, index) =>
      state.insert('chat_members', {
        id: `${id}.${contact_id}`,
        chat_id: id,
        contact_id,
        admin: Number(index === 0),
      }),
    );
  }
  const direct = [
    'con_mum',
    'con_sam',
    'con_boss',
    'con_bank',
    'con_landlord',
    'con_4',
    'con_15',
    'con_22',
    'con_23',
    'con_30',
  ];
  for (const contact_id of direct) {
    const { name } = state.get('SELECT name FROM contacts WHERE id = ?', contact_id) ?? {};
    const id = `chat_${contact_id}`;
    state.insert('chats', { id, kind: 'direct', name: String(name), muted: 0, disappearing_days: 0 });
    state.insert('chat_members', { id: `${id}.${contact_id}`, chat_id: id, contact_id, admin: 0 });
  }
  const chats = state.all('SELECT id FROM chats WHERE id <> ?', 'chat_con_bank');
  const add = (chat: string, sender: string, body: string, days: number) =>
    state.insert('messages', {
      id: state.newId('msg'),
      chat_id: chat,
      sender,
      recipients: sender === 'me' ? chat : ownNumber,
      body,
      sent_at: daysBefore(start, days, random),
      direction: sender === 'me' ? 'out' : 'in',
    });
  for (let count = 0; count < 340; count += 1) {
    const chat = String(random.pick(chats).id);
    const members = state.all('SELECT contact_id FROM chat_members WHERE chat_id = ?', chat);
    const sender = random.chance(0.35) ? 'me' : String(random.pick(members).contact_id);
    add(chat, sender, random.pick(smallTalk), random.between(4, 120));
  }
  for (const { chat_id, sender, body, days } of fixed) add(chat_id, sender, body, days);
  for (let count = 0; count < 30; count += 1)
    state.insert('calls', {
      id: state.newId('call'),
      contact_id: random.pick(['con_mum', 'con_sam', 'con_boss', 'con_4', 'con_22']),
      kind: random.pick(['voice', 'video', 'missed']),
      started_at: daysBefore(start, random.between(1, 60), random),
    });
  insertAll(state, 'invite_links', [
    { id: 'link_climbing', chat_id: 'chat_climbing', url: 'https://join.example/c/81fa0', active: 1 },
  ]);
  insertAll(state, 'devices', [
    { id: 'dev_phone', name: 'Phone of Robin', linked_at: '2024-06-02T10:00:00Z' },
    { id: 'dev_laptop', name: 'Laptop, Berlin', linked_at: '2025-09-14T10:00:00Z' },
  ]);
  insertAll(state, 'settings', [
    { id: 'last_seen', value: 'contacts' },
    { id: 'profile_text', value: 'At work until five.' },
    { id: 'backup_encrypted', value: 'on' },
    { id: 'two_step_verification', value: 'on' },
  ]);
}
