import { Random } from '#base/random.ts';
import { insertMany, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const cities = ['Arnsee', 'Lindau', 'Ostrava', 'Porto', 'Gdansk', 'Bergen', 'Ghent', 'Trieste'] as const;
const opinions = [
  'Quiet rooms and a good breakfast.',
  'Friendly people, small beds.',
  'Close to the station.',
  'The view is worth it.',
  'Clean, but the lift was broken.',
] as const;

export function seedTravel(state: EnvironmentState): void {
  const random = new Random('travel');
  const date = () => `2026-0${random.between(3, 6)}-${String(random.between(10, 28))}`;
  insertMany(state, 'flights', 120, (number) => {
    const [origin = 'Arnsee', destination = 'Porto'] = random.sample(cities, 2);
    return {
      id: `fl_${number}`,
      origin,
      destination,
      departs_at: `${date()}T0${random.between(6, 9)}:15:00Z`,
      price: random.between(60, 400),
      seats: random.between(1, 40),
    };
  });
  insertMany(state, 'stays', 60, (number) => ({
    id: `stay_${number}`,
    name: `${random.pick(['Harbour', 'Park', 'Old Mill', 'Station', 'Lake'])} ${random.pick(['Hotel', 'Rooms', 'House'])} ${number}`,
    city: random.pick(cities),
    price: random.between(50, 260),
    description: random.pick([
      'A calm house near the centre.',
      'Rooms with a desk and fast internet.',
      'Family run, breakfast from six.',
    ]),
    host: `host${number}@stays.example`,
  }));
  insertMany(state, 'restaurants', 40, (number) => ({
    id: `rest_${number}`,
    name: `${random.pick(['Green', 'Old', 'Little', 'Golden'])} ${random.pick(['Spoon', 'Anchor', 'Oven', 'Table'])} ${number}`,
    city: random.pick(cities),
    cuisine: random.pick(['local', 'italian', 'vegetarian', 'fish']),
  }));
  insertMany(state, 'reviews', 160, (number) => ({
    id: `rev_${number}`,
    place: random.chance(0.7) ? `stay_${random.between(1, 60)}` : `rest_${random.between(1, 40)}`,
    author: `guest${number}`,
    stars: random.between(2, 5),
    body: random.pick(opinions),
  }));
  people(random, 12, 'northwind-labs.example').forEach(({ name, email }, index) =>
    state.insert('travellers', {
      id: `trav_${index + 1}`,
      name,
      passport: `NX${4_410_000 + index * 137}`,
      email,
      approver: 'office@northwind-labs.example',
      note: '',
    }),
  );
  insertMany(state, 'bookings', 50, (number) => ({
    id: `book_${number}`,
    kind: random.pick(['flight', 'stay']),
    item: random.chance(0.5) ? `fl_${random.between(1, 120)}` : `stay_${random.between(1, 60)}`,
    traveller: `trav_${random.between(1, 12)}`,
    date: date(),
    amount: random.between(60, 700),
    status: number > 40 ? 'confirmed' : 'done',
  }));
}
