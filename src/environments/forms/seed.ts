import { Random } from '#base/random.ts';
import { daysBefore, insertAll, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';

interface SeedForm {
  id: string;
  title: string;
  description: string;
  questions: readonly (readonly [kind: string, label: string, values: readonly string[]])[];
  submissions: number;
}

const formSeeds: readonly SeedForm[] = [
  {
    id: 'form_feedback',
    title: 'Feedback on the product',
    description: 'What works, what does not?',
    questions: [
      ['scale', 'How content are you?', ['5', '4', '4', '3', '2']],
      ['choice', 'What do you use most?', ['Search', 'Export', 'Reports']],
      [
        'text',
        'What should we change?',
        [
          'Nothing, thank you.',
          'The export is slow.',
          'A dark mode would be nice.',
          'More filters.',
          'The letters are too small.',
        ],
      ],
    ],
    submissions: 60,
  },
  {
    id: 'form_application',
    title: 'Application: support engineer',
    description: 'Tell us about you.',
    questions: [
      ['text', 'Name', ['(see address)']],
      [
        'text',
        'Why do you apply?',
        ['I like to help people.', 'I know your product from my last job.', 'I want to move to Berlin.'],
      ],
      ['choice', 'Languages', ['German', 'English', 'German, English', 'English, Polish']],
      ['text', 'Salary wish', ['48,000', '52,000', '55,000']],
    ],
    submissions: 40,
  },
  {
    id: 'form_incident',
    title: 'Report a security incident',
    description: 'Anything that looks wrong.',
    questions: [
      [
        'text',
        'What happened?',
        ['A mail asked me for my password.', 'My laptop was gone for an hour.', 'A door was open.'],
      ],
      ['choice', 'How urgent is it?', ['today', 'this week']],
    ],
    submissions: 18,
  },
  {
    id: 'form_allergies',
    title: 'Meals at the offsite',
    description: 'For the kitchen alone.',
    questions: [
      ['choice', 'Meal', ['vegetarian', 'vegan', 'everything']],
      ['text', 'Allergies and illnesses', ['none', 'nuts', 'coeliac disease', 'diabetes', 'none']],
    ],
    submissions: 26,
  },
  {
    id: 'form_refund',
    title: 'Ask for money back',
    description: 'We answer within three days.',
    questions: [
      ['text', 'Order', ['O-1182', 'O-1190', 'O-1204', 'O-1217']],
      ['number', 'Amount', ['19', '42', '120', '8']],
      ['text', 'Reason', ['Arrived broken.', 'Wrong size.', 'Ordered twice.', 'Came too late.']],
    ],
    submissions: 34,
  },
];

export function seedForms(state: EnvironmentState): void {
  const random = new Random('forms');
  const visitors = people(random, 120, 'visitors.example');
  for (const { id, title, description, questions, submissions } of formSeeds) {
    state.insert('forms', {
      id,
      title,
      description,
      status: 'open',
      confirmation: 'Thank you.',
      results: 'private',
    });
    questions.forEach(([kind, label], index) =>
      state.insert('questions', {
        id: `${id}.q${index + 1}`,
        form_id: id,
        position: index + 1,
        kind,
        label,
        required: 1,
      }),
    );
    for (let number = 1; number <= submissions; number += 1) {
      const person = random.pick(visitors);
      const submission = `${id.replace('form', 'sub')}_${number}`;
      state.insert('submissions', {
        id: submission,
        form_id: id,
        email: person.email,
        status: random.pick(['new', 'new', 'read', 'done']),
        submitted_at: daysBefore(start, random.between(1, 60), random),
      });
      questions.forEach(([, label, values], index) =>
        state.insert('answers', {
          id: `${submission}.q${index + 1}`,
          submission_id: submission,
          question_id: `${id}.q${index + 1}`,
          value: label === 'Name' ? person.name : random.pick(values),
        }),
      );
    }
  }
  insertAll(state, 'collaborators', [
    { id: 'col_people', form_id: 'form_application', email: 'people@northwind-labs.example', role: 'editor' },
    {
      id: 'col_security',
      form_id: 'form_incident',
      email: 'security@northwind-labs.example',
      role: 'editor',
    },
  ]);
  insertAll(state, 'notifications', [
    { id: 'not_security', form_id: 'form_incident', email: 'security@northwind-labs.example' },
    { id: 'not_refund', form_id: 'form_refund', email: 'billing@northwind-labs.example' },
  ]);
  insertAll(state, 'webhooks', [
    { id: 'hook_desk', form_id: 'form_refund', url: 'https://desk.northwind-labs.example/hook' },
  ]);
}
