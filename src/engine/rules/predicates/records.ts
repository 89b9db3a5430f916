import { type TouchedRecords, touchedBy } from '../../actions/calls/touched.ts';
import { met } from '../../actions/judging/met.ts';
import { matchesGlob, refuseGlob } from '../comparing/glob.ts';
import { choice, phrase, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The call reads or changes records: of tables and columns in SQL or arguments, or below paths. */
export interface RecordsPredicate {
  readonly is: 'records';
  /** `among`: it touches one of these. `beyond`: it touches something else than these. */
  readonly reach: 'among' | 'beyond';
  /** `patients` with all its columns, `patients.name`, or a path such as `/wards/3/*`; each may be a glob. */
  readonly of: readonly string[];
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

function firstBeyond({ columns, tables, paths }: TouchedRecords, of: readonly string[]): string | undefined {
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

function firstAmong({ columns, tables, paths }: TouchedRecords, of: readonly string[]): string | undefined {
  const places = of.filter(isPath);
  const entries = of.filter((text) => !isPath(text)).map(entryOf);
  const touches = (table: string, column: string) =>
    entries.some(
      (one) =>
        isSame(one.table, plain(table)) &&
        (one.column === '*' || column === '*' || (column !== '' && isSame(one.column, plain(column)))),
    );
  const found = columns.find(({ table, column }) =>
    table === '' ? [...tables].some((one) => touches(one, column)) : touches(table, column),
  );
  return (found && nameOf(found)) ?? paths.find((path) => places.some((place) => isBelow(place, path)));
}

const nameOf = ({ table, column }: { table: string; column: string }) =>
  [table, column].filter((part) => part !== '').join('.');

export const records: PredicateKind<RecordsPredicate> = {
  is: 'records',
  fields: { reach: { type: 'choice', of: ['among', 'beyond'] }, of: { type: 'texts' } },
  refuse({ of }) {
    const bad = of.map((one) => refuseGlob(one)).find((reason) => reason !== undefined);
    return bad === undefined ? undefined : `'of' ${bad}`;
  },
  wording: phrase(
    choice('reach', { among: 'touches records of', beyond: 'touches records beyond' }),
    texts('of'),
  ),
  match({ context }, { reach, of }) {
    const touched = touchedBy(context.call);
    const found = reach === 'among' ? firstAmong(touched, of) : firstBeyond(touched, of);
    return met(found !== undefined, 1, `It touches ${(found ?? '').slice(0, 120)}.`);
  },
};
