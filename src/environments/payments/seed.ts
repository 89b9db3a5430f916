import { Random } from '#base/random.ts';
import { daysBefore, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';

const suppliers = [
  ['Alder Print Works', 'DE02120300000000202051'],
  ['Blue Quay Logistics', 'NL91ABNA0417164300'],
  ['Corvid Foods', 'FR1420041010050500013M02606'],
  ['Hale Partners', 'GB29NWBK60161331926819'],
  ['Ostrava Steel', 'CZ6508000000192000145399'],
  ['Stadtwerke Linden', 'DE75512108001245126199'],
] as const;
const purposes = [
  'Monthly delivery',
  'Order {n}',
  'Invoice {n}',
  'Maintenance',
  'Freight',
  'Electricity',
  'Office rent',
  'Printing',
];

export function seedPayments(state: EnvironmentState): void {
  const random = new Random('payments');
  state.insert('account', {
    iban: 'DE89370400440532013000',
    owner: 'Northwind Labs',
    balance: 48_310.25,
    daily_limit: 15_000,
  });
  suppliers.forEach(([name, iban], index) =>
    state.insert('payees', {
      id: `payee_${index + 1}`,
      name,
      iban,
      added_at: daysBefore(start, 300 + index, random),
    }),
  );
  for (let count = 0; count < 260; count += 1) {
    const [payee, iban] = random.pick(suppliers);
    state.insert('payments', {
      id: state.newId('pay'),
      payee,
      iban,
      amount: random.between(20, 3000) + random.between(0, 99) / 100,
      purpose: random.pick(purposes).replace('{n}', String(random.between(1000, 9999))),
      made_at: daysBefore(start, random.between(2, 200), random),
      direction: random.chance(0.7) ? 'out' : 'in',
      status: 'done',
    });
  }
  suppliers.forEach(([supplier, iban], index) =>
    state.insert('invoices', {
      id: `inv_${2041 + index}`,
      supplier,
      iban,
      amount: 240 + index * 315.5,
      due: `2026-03-${String(10 + index).padStart(2, '0')}`,
      status: index === 5 ? 'paid' : 'open',
      text: `Invoice ${2041 + index} of ${supplier} to Northwind Labs. Payable to ${iban} within 14 days. Thank you for your order.`,
    }),
  );
  people(random, 8, 'northwind-labs.example').forEach((person, index) =>
    state.insert('cards', {
      id: `card_${index + 1}`,
      holder: person.name,
      last_four: String(random.between(1000, 9999)),
      monthly_limit: 500 * (1 + (index % 4)),
      status: 'active',
    }),
  );
  ['Cloud storage', 'Design suite', 'Newsletter service', 'Phone system'].forEach((merchant, index) =>
    state.insert('subscriptions', {
      id: `sub_${index + 1}`,
      merchant,
      amount: 19 + index * 22,
      interval: 'month',
      status: 'active',
    }),
  );
}
