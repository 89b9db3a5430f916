import { met } from '../../actions/judging/met.ts';
import { type Accesses, type AccessEffect, accessesOf } from '../accessing/accesses.ts';
import { matchesGlob, refuseGlob } from '../comparing/glob.ts';
import { choice, oneWay, phrase, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The call reads or changes records: of tables and columns in SQL or arguments, or below paths. */
export interface RecordsPredicate {
  readonly is: 'records';
  /** `among`: it touches one of these. `beyond`: it touches something else than these. */
  readonly reach: 'among' | 'beyond';
  /** `patients` with all its columns, `patients.name`, or a path such as `/wards/3/*`; each may be a glob. */
  readonly of: readonly string[];
  /** Only what it reads, or only what it changes, counts; without it both do. */
  readonly effect?: AccessEffect | undefined;
}

interface Entry {
  readonly table: string;
  readonly column: string;
}

/** `table.column` or `table`; names may be written with blanks or hyphens for underscores, and in the plural. */
const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');

function entryOf(text: string): Entry {
  const [table = '', column = '*'] = plain(text).split('.');
  return { table, column };
}

const isSame = (glob: string, name: string) =>
  glob.includes('*') ? matchesGlob(glob, name) : glob === name || singular(glob) === singular(name);

const isPath = (text: string) => text.includes('/') || text.includes('\\');

const isBelow = (glob: string, path: string) => {
  const wanted = glob.replace(/[/\\]+$/, '');
  const normal = path.replaceAll('\\', '/');
  if (/(?:^|\/)\.\.(?:\/|$)/.test(normal)) return false;
  return matchesGlob(wanted, normal) || matchesGlob(`${wanted}/*`, normal);
};

/** Which of the allowed entries cover the column of the table; `*` is covered by a whole table alone. */
const covers = (entries: readonly Entry[], table: string, column: string): boolean =>
  entries.some(
    (one) =>
      isSame(one.table, plain(table)) &&
      (column === '' || one.column === '*' || (column !== '*' && isSame(one.column, plain(column)))),
  );

function firstBeyond({ columns, tables, paths }: Accesses, of: readonly string[]): string | undefined {
  const places = of.filter(isPath);
  const entries = of.filter((text) => !isPath(text)).map(entryOf);
  const path =
    places.length === 0 ? undefined : paths.find((one) => !places.some((place) => isBelow(place, one)));
  if (path !== undefined || entries.length === 0) return path;
  const column = columns.find(({ table, column: name }) =>
    table === ''
      ? tables.size > 0 && ![...tables].some((one) => covers(entries, one, name))
      : !covers(entries, table, name),
  );
  return column && nameOf(column);
}

function firstAmong({ columns, tables, paths, named }: Accesses, of: readonly string[]): string | undefined {
  const places = of.filter(isPath);
  const entries = of.filter((text) => !isPath(text)).map(entryOf);
  const touches = (table: string, column: string) =>
    entries.some(
      (one) =>
        (table === '*' || isSame(one.table, plain(table))) &&
        (one.column === '*' || column === '*' || (column !== '' && isSame(one.column, plain(column)))),
    );
  const found = columns.find(({ table, column }) =>
    table === '' ? [...tables].some((one) => touches(one, column)) : touches(table, column),
  );
  const path = paths.find((one) => places.some((place) => isBelow(place, one)));
  // A tool that is named for the table, as in `update_price`, may do so to no more than a part of it.
  const isNamed =
    named !== undefined && entries.some((one) => one.column === '*' && isSame(one.table, named));
  return (found && nameOf(found)) ?? path ?? (isNamed ? named : undefined);
}

const nameOf = ({ table, column }: { table: string; column: string }) =>
  [table, column].filter((part) => part !== '').join('.');

export const records: PredicateKind<RecordsPredicate> = {
  is: 'records',
  fields: {
    reach: { type: 'choice', of: ['among', 'beyond'] },
    of: { type: 'texts' },
    effect: { type: 'choice', of: ['read', 'write'], optional: true },
  },
  refuse({ of }) {
    const bad = of.map((one) => refuseGlob(one)).find((reason) => reason !== undefined);
    return bad === undefined ? undefined : `'of' ${bad}`;
  },
  wording: oneWay(
    [
      ({ effect }) => effect === undefined,
      phrase(choice('reach', { among: 'touches records of', beyond: 'touches records beyond' }), texts('of')),
    ],
    [
      () => true,
      phrase(
        choice('effect', { read: 'reads', write: 'changes' }),
        choice('reach', { among: 'records of', beyond: 'records beyond' }),
        texts('of'),
      ),
    ],
  ),
  match({ context }, { reach, of, effect }) {
    const touched = accessesOf(context.call)[effect ?? 'all'];
    const found = reach === 'among' ? firstAmong(touched, of) : firstBeyond(touched, of);
    const does = effect === undefined ? 'touches' : effect === 'read' ? 'reads' : 'changes';
    return met(found !== undefined, 1, `It ${does} ${(found ?? '').slice(0, 120)}.`);
  },
};
