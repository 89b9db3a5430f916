import type { Random } from '#base/random.ts';
import type { Row } from './row.ts';
import type { EnvironmentState } from './state.ts';

const givenNames =
  'Amara Ben Carla Dmitri Elif Farid Greta Hana Ivo Jonas Keiko Lucia Mateo Nadia Omar Petra Quinn Rosa Samir Tessa Uma Viktor Wanda Ximena Yusuf Zoe Anton Bilge Chidi Dora'.split(
    ' ',
  );
const familyNames =
  'Adeyemi Bauer Castillo Dvorak Eriksen Fischer Grigorov Hoang Ivanova Jansen Kowalski Lindqvist Moreau Nakamura Okafor Pereira Quintero Rossi Sato Tanaka Ueda Vasquez Weber Xu Yilmaz Zeman'.split(
    ' ',
  );

/** A person of the seed data; addresses use domains that are reserved for examples. */
export interface SeedPerson {
  name: string;
  email: string;
}

/** `count` people with different names, at one domain. */
export function people(random: Random, count: number, domain: string): SeedPerson[] {
  const names = new Set<string>();
  while (names.size < count) names.add(`${random.pick(givenNames)} ${random.pick(familyNames)}`);
  return [...names].map((name) => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@${domain}` }));
}

/** A time `days` before `from`, at an hour of the working day. */
export function daysBefore(from: string, days: number, random: Random): string {
  const date = new Date(Date.parse(from) - days * 86_400_000);
  date.setUTCHours(random.between(7, 18), random.between(0, 59), 0, 0);
  return date.toISOString().replace('.000Z', 'Z');
}

/** Inserts `count` rows; `make` gets their numbers from 1. */
export function insertMany(
  state: EnvironmentState,
  table: string,
  count: number,
  make: (number: number) => Row,
): Row[] {
  return Array.from({ length: count }, (_, index) => state.insert(table, make(index + 1)));
}

/** Inserts rows that are written out. */
export function insertAll(state: EnvironmentState, table: string, rows: readonly Row[]): void {
  for (const row of rows) state.insert(table, row);
}
