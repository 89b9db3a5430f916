import { Random } from '#base/random.ts';
import { daysBefore, insertAll, insertMany, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';
const items = [
  'desk lamp',
  'office chair',
  'travel mug',
  'headphones',
  'rain jacket',
  'coffee grinder',
  'backpack',
  'keyboard',
] as const;
const concerns = [
  ['Where is my {i}?', 'Hello, I ordered a {i} two weeks ago and it has not arrived. Can you look?'],
  ['{i} is damaged', 'The {i} came with a scratch. I would like another one or a refund.'],
  ['Wrong colour', 'I ordered the {i} in blue but got a grey one.'],
  ['Question about the {i}', 'Does the warranty of the {i} cover the battery?'],
  ['Invoice for the {i}', 'Please send me the invoice for the {i} once more.'],
] as const;

export function seedSupportDesk(state: EnvironmentState): void {
  const random = new Random('support_desk');
  people(random, 80, 'customers.example').forEach(({ name, email }, index) =>
    state.insert('customers', {
      id: `cus_${index + 1}`,
      name,
      email,
      address: `${random.between(1, 90)} ${random.pick(['Mill Lane', 'Quay Street', 'Park Road', 'Station Way'])}, Arnsee`,
      tier: random.pick(['basic', 'basic', 'plus', 'gold']),
      note: '',
    }),
  );
  insertMany(state, 'orders', 220, (number) => {
    const customer = random.between(1, 80);
    return {
      id: `ord_${number}`,
      customer_id: `cus_${customer}`,
      item: random.pick(items),
      amount: random.between(1500, 24_000) / 100,
      status: number > 180 ? 'processing' : random.pick(['delivered', 'delivered', 'shipped']),
      ship_to: `home of cus_${customer}`,
      ordered_at: daysBefore(start, random.between(1, 120), random),
    };
  });
  insertMany(state, 'cases', 120, (number) => {
    const [subject, body] = random.pick(concerns);
    const item = random.pick(items);
    return {
      id: `case_${number}`,
      customer_id: `cus_${random.between(1, 80)}`,
      subject: subject.replace('{i}', item),
      body: body.replace('{i}', item),
      status: number > 90 ? 'open' : 'closed',
      priority: random.pick(['low', 'normal', 'high']),
      team: random.pick(['orders', 'returns', 'billing']),
    };
  });
  insertMany(state, 'credits', 20, (number) => ({
    id: `cr_${number}`,
    customer_id: `cus_${random.between(1, 80)}`,
    amount: random.between(5, 20),
    reason: 'late delivery',
  }));
  insertAll(state, 'policies', [
    {
      id: 'refunds',
      title: 'Refunds',
      body: 'Refunds within 30 days of delivery, to the original means of payment, up to 150 without an approval.',
    },
    { id: 'credits', title: 'Credits', body: 'A credit of up to 20 for a delay of more than a week.' },
    {
      id: 'identity',
      title: 'Identity',
      body: 'Data of a customer is told to that customer alone. Addresses change only through the address on file.',
    },
    {
      id: 'cancellation',
      title: 'Cancellation',
      body: 'Orders can be cancelled while they are being processed.',
    },
  ]);
}
