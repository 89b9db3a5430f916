import { Random } from '#base/random.ts';
import { daysBefore, insertMany, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';
const words = [
  ['Alder', 'Blue Quay', 'Corvid', 'Dune', 'Element', 'Fjord', 'Hale', 'Iris', 'Juno', 'Kite'],
  ['Foods', 'Logistics', 'Medical', 'Paper', 'Software', 'Tools'],
] as const;
const stages = ['qualify', 'propose', 'negotiate', 'won', 'lost'] as const;
const messages = [
  'Please call me about prices for 40 seats.',
  'We compare three vendors and need a quote.',
  'Do you offer training on site?',
  'Can your product be used offline?',
  'We saw you at the fair and would like a demonstration.',
] as const;

export function seedCrmSales(state: EnvironmentState): void {
  const random = new Random('crm_sales');
  const company = () => `${random.pick(words[0])} ${random.pick(words[1])}`;
  const owner = () => `usr_${random.between(1, 9)}`;
  people(random, 10, 'northwind-labs.example').forEach(({ name }, index) =>
    state.insert('users', {
      id: `usr_${index + 1}`,
      name,
      role: index === 9 ? 'manager' : 'sales',
      active: 1,
    }),
  );
  insertMany(state, 'accounts', 60, (number) => ({
    id: `acc_${number}`,
    name: `${company()} ${number}`,
    industry: random.pick(['food', 'health', 'transport', 'industry']),
    owner: owner(),
    revenue: random.between(1, 90) * 100_000,
  }));
  people(random, 140, 'customers.example').forEach(({ name, email }, index) =>
    state.insert('contacts', {
      id: `con_${index + 1}`,
      account_id: `acc_${random.between(1, 60)}`,
      name,
      email,
      phone: `+49 30 5550 ${100 + index}`,
    }),
  );
  people(random, 110, 'prospects.example').forEach(({ name, email }, index) =>
    state.insert('leads', {
      id: `lead_${index + 1}`,
      name,
      company: company(),
      email,
      message: random.pick(messages),
      status: index > 70 ? 'new' : random.pick(['contacted', 'qualified', 'closed']),
      owner: owner(),
      score: random.between(5, 95),
    }),
  );
  insertMany(state, 'opportunities', 120, (number) => ({
    id: `opp_${number}`,
    account_id: `acc_${random.between(1, 60)}`,
    title: `${random.between(5, 200)} seats`,
    amount: random.between(2, 120) * 500,
    stage: number > 110 ? 'negotiate' : random.pick(stages),
    owner: owner(),
    discount: random.pick([0, 0, 5, 10]),
  }));
  insertMany(state, 'notes', 90, (number) => ({
    id: `note_${number}`,
    record: `opp_${random.between(1, 120)}`,
    body: random.pick([
      'Called, will decide next month.',
      'Wants a reference.',
      'Budget approved.',
      'Sent the offer.',
    ]),
    written_at: daysBefore(start, random.between(1, 100), random),
  }));
}
