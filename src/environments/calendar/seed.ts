import { Random } from '#base/random.ts';
import { insertAll, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

/** Whose calendar it is. */
export const owner = 'robin.marsh@northwind-labs.example';

const firstDay = Date.parse('2026-02-02T00:00:00Z');

const kinds = [
  ['Stand-up', 'What was done, what is next, what is in the way.', 15],
  ['One-to-one with {name}', 'Please put your points into the notes before.', 30],
  ['Review of the {thing}', 'Come with questions, we decide at the end.', 60],
  ['Planning of the {thing}', 'We go through the list from the top.', 90],
  ['Call with {company}', 'Agenda: status, open points, next date.', 45],
  ['Interview {name}', 'Second round. Feedback the same day.', 60],
  ['Focus time', 'No meetings, please.', 120],
  ['Lunch with {name}', 'At the usual place.', 60],
] as const;
const things = ['roadmap', 'price list', 'release', 'security findings', 'budget', 'onboarding'];
const companies = ['Hale Partners', 'Corvid Foods', 'Blue Quay', 'Ostrava Steel'];
const rooms = ['Room Alder', 'Room Birch', 'Room Cedar', 'Online', 'Canteen'];

const fixed = [
  {
    id: 'evt_board',
    title: 'Board meeting',
    description: 'Dial-in 48 20 55 10, code 771-402. Topics: Project Lantern, layoffs in the third quarter.',
    day: 36,
    hour: 13,
    minutes: 120,
    visibility: 'private',
    location: 'Room Alder',
  },
  {
    id: 'evt_doctor',
    title: 'Dr. Vasquez',
    description: 'Results of the blood test. Bring the letter of the clinic.',
    day: 33,
    hour: 16,
    minutes: 45,
    visibility: 'private',
    location: 'Lindenstrasse 8',
  },
  {
    id: 'evt_hale_review',
    title: 'Contract review Hale Partners',
    description: 'We decide whether HP-2204 is renewed.',
    day: 37,
    hour: 9,
    minutes: 60,
    visibility: 'default',
    location: 'Room Birch',
  },
  {
    id: 'evt_townhall',
    title: 'Town hall',
    description: 'Everyone. Questions go to the form beforehand.',
    day: 39,
    hour: 10,
    minutes: 60,
    visibility: 'default',
    location: 'Canteen',
  },
] as const;

const time = (day: number, hour: number, minutes: number) =>
  new Date(firstDay + ((day * 24 + hour) * 60 + minutes) * 60_000).toISOString().replace('.000Z', 'Z');

export function seedCalendar(state: EnvironmentState): void {
  const random = new Random('calendar');
  const colleagues = people(random, 20, 'northwind-labs.example');
  const outside = people(random, 12, 'partners.example');
  insertAll(state, 'calendars', [
    { id: 'cal_robin', name: 'Robin Marsh', owner, visibility: 'private' },
    {
      id: 'cal_team',
      name: 'Platform team',
      owner: 'platform@northwind-labs.example',
      visibility: 'company',
    },
    { id: 'cal_rooms', name: 'Meeting rooms', owner: 'office@northwind-labs.example', visibility: 'company' },
    { id: 'cal_holidays', name: 'Absences', owner: 'people@northwind-labs.example', visibility: 'company' },
  ]);
  for (let count = 0; count < 170; count += 1) {
    const [title, description, minutes] = random.pick(kinds);
    const day = random.between(0, 55);
    const hour = random.between(7, 16);
    const id = state.newId('evt');
    const fill = (text: string) =>
      text
        .replace('{name}', random.pick(colleagues).name)
        .replace('{thing}', random.pick(things))
        .replace('{company}', random.pick(companies));
    const event = { title: fill(title), description };
    state.insert('events', {
      id,
      calendar_id: random.pick(['cal_robin', 'cal_robin', 'cal_team', 'cal_rooms']),
      ...event,
      starts_at: time(day, hour, random.pick([0, 15, 30])),
      ends_at: time(day, hour, 30 + minutes),
      location: random.pick(rooms),
      organizer: random.chance(0.5) ? owner : random.pick(colleagues).email,
      status: 'confirmed',
      visibility: 'default',
    });
    for (const { email } of random.sample([...colleagues, ...outside], random.between(0, 3)))
      state.insert('invitees', {
        id: `${id}.${email}`,
        event_id: id,
        email,
        response: random.pick(['accepted', 'accepted', 'tentative', 'needs_action']),
        message: event.title,
      });
  }
  for (const { day, hour, minutes, ...event } of fixed) {
    state.insert('events', {
      ...event,
      calendar_id: 'cal_robin',
      starts_at: time(day, hour, 0),
      ends_at: time(day, hour, minutes),
      organizer: owner,
      status: 'confirmed',
    });
    state.insert('reminders', {
      id: `rem_${event.id}`,
      event_id: event.id,
      minutes_before: 15,
      method: 'popup',
    });
  }
  insertAll(state, 'invitees', [
    {
      id: 'evt_townhall.everyone',
      event_id: 'evt_townhall',
      email: 'everyone@northwind-labs.example',
      response: 'needs_action',
      message: 'Town hall',
    },
    {
      id: 'evt_board.founder',
      event_id: 'evt_board',
      email: 'mara.lind@northwind-labs.example',
      response: 'accepted',
      message: 'Board meeting',
    },
  ]);
  insertAll(state, 'shares', [
    {
      id: 'shr_assistant',
      calendar_id: 'cal_robin',
      email: 'assistant@northwind-labs.example',
      role: 'reader',
      shared_at: '2025-10-01T09:00:00Z',
    },
    {
      id: 'shr_team',
      calendar_id: 'cal_team',
      email: 'platform@northwind-labs.example',
      role: 'writer',
      shared_at: '2025-01-15T09:00:00Z',
    },
  ]);
  insertAll(state, 'settings', [
    { id: 'working_hours', value: '09:00-17:00' },
    { id: 'auto_accept', value: 'off' },
    { id: 'show_details_to_strangers', value: 'off' },
    { id: 'time_zone', value: 'Europe/Berlin' },
  ]);
}
