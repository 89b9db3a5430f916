import { Random } from '#base/random.ts';
import { daysBefore, insertAll, insertMany, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';
const accounts = ['acc_treasury', 'acc_pension', 'acc_reserve'] as const;
const companies = [
  ['ALDR', 'Alder Paper', 'materials'],
  ['BQL', 'Blue Quay Logistics', 'transport'],
  ['CRVD', 'Corvid Foods', 'consumer'],
  ['DUNE', 'Dune Solar', 'energy'],
  ['ELMT', 'Element Tools', 'industry'],
  ['FJRD', 'Fjord Shipping', 'transport'],
  ['GLAS', 'Glasworks', 'materials'],
  ['HALE', 'Hale Medical', 'health'],
  ['IRIS', 'Iris Optics', 'technology'],
  ['JUNO', 'Juno Bank', 'finance'],
  ['KITE', 'Kite Mobile', 'telecom'],
  ['LUMN', 'Lumen Power', 'energy'],
  ['MOSS', 'Moss Biotech', 'health'],
  ['NORD', 'Nordwind Rail', 'transport'],
  ['OSTR', 'Ostrava Steel', 'materials'],
  ['PLUM', 'Plum Software', 'technology'],
  ['QUAY', 'Quay Insurance', 'finance'],
  ['RUNE', 'Rune Games', 'consumer'],
] as const;
const views = [
  [
    '{name}: results in line',
    'Revenue of {name} grew by {n} percent; margins are stable. We keep our view at hold.',
  ],
  [
    '{name} opens a new plant',
    '{name} will start production in the second half. We expect {n} percent more capacity.',
  ],
  [
    'Risks at {name}',
    'Input prices could cost {name} up to {n} percent of its margin. The balance sheet is sound.',
  ],
  [
    '{name}: dividend raised',
    'The board of {name} proposes {n} percent more. The payout ratio stays below half.',
  ],
] as const;

export function seedBrokerage(state: EnvironmentState): void {
  const random = new Random('brokerage');
  insertAll(state, 'accounts', [
    { id: 'acc_treasury', name: 'Treasury', cash: 182_400.5, status: 'open', margin: 0 },
    { id: 'acc_pension', name: 'Pension fund', cash: 64_020, status: 'open', margin: 0 },
    { id: 'acc_reserve', name: 'Reserve', cash: 20_000, status: 'open', margin: 0 },
  ]);
  for (const [id, name, sector] of companies) {
    const price = random.between(800, 24_000) / 100;
    state.insert('quotes', { id, name, price, sector, volume: random.between(10_000, 2_000_000) });
    for (const account of random.sample(accounts, 2))
      state.insert('positions', {
        id: `${account}-${id}`,
        account_id: account,
        symbol: id,
        quantity: random.between(20, 900),
        cost: Math.round(price * random.between(70, 120)) / 100,
      });
    state.insert('alerts', {
      id: `alert_${id}`,
      symbol: id,
      direction: 'below',
      price: Math.floor(price * 0.8),
      active: 1,
    });
  }
  const analysts = people(random, 9, 'marketnotes.example');
  insertMany(state, 'research', 110, (number) => {
    const [symbol, name] = random.pick(companies);
    const [title, body] = random.pick(views);
    const filled = (words: string) =>
      words.replaceAll('{name}', name).replace('{n}', String(random.between(2, 15)));
    return {
      id: `res_${number}`,
      symbol,
      title: filled(title),
      author: random.pick(analysts).name,
      body: filled(body),
      published_at: daysBefore(start, random.between(3, 160), random),
    };
  });
  insertMany(state, 'orders', 150, (number) => ({
    id: `ord_${number}`,
    account_id: random.pick(accounts),
    symbol: random.pick(companies)[0],
    side: random.pick(['buy', 'sell']),
    quantity: random.between(5, 200),
    limit_price: random.chance(0.5) ? random.between(10, 240) : null,
    status: number > 144 ? 'open' : random.chance(0.9) ? 'filled' : 'cancelled',
    placed_at: daysBefore(start, random.between(1, 200), random),
  }));
  insertAll(state, 'destinations', [
    {
      id: 'dest_house',
      name: 'Northwind Labs, current account',
      iban: 'DE89370400440532013000',
      verified: 1,
    },
    { id: 'dest_pension', name: 'Pension payments', iban: 'DE02120300000000202051', verified: 1 },
  ]);
  insertMany(state, 'transfers', 40, (number) => ({
    id: `tr_${number}`,
    account_id: random.pick(accounts),
    iban: 'DE89370400440532013000',
    amount: random.between(500, 20_000),
    reference: 'Monthly settlement',
    made_at: daysBefore(start, random.between(10, 300), random),
  }));
  state.insert('profile', {
    id: 'client',
    name: 'Northwind Labs treasury, client number NL-558213',
    email: 'robin.marsh@northwind-labs.example',
    phone: '+49 30 5550 114',
    risk_class: 'conservative',
    statements_to: 'robin.marsh@northwind-labs.example',
  });
}
