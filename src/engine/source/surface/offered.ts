/** All that a server offers to agents: what it registers with a handler, and what it lists. */
import type { SourceModule } from '../modules.ts';
import type { Machine } from '../taint/frame.ts';
import type { FunctionValue } from '../taint/value.ts';
import type { Declared, DeclaredKind } from './declarations.ts';
import type { Named } from './definition.ts';
import type { Handler } from './entrances.ts';
import { schemaOfParameters } from './parameters.ts';

/** As an agent reads it, with where it stands. */
export interface Offered extends Named {
  kind: DeclaredKind;
  module: SourceModule;
  at: number;
  end: number;
  /** The function that answers for it alone. */
  fn?: FunctionValue;
}

/** One that answers for all is none of them; one without a name and words is nothing that an agent sees. */
const isOffered = ({ kind, name, description, isForAll }: Handler): boolean =>
  kind !== 'http' && kind !== 'exported' && isForAll !== true && (name !== '' || description !== '');

function ofHandler({ kind, name, description, fn, definition = {} }: Handler, machine: Machine): Offered {
  const inputSchema =
    definition.inputSchema ?? (kind === 'tool' ? schemaOfParameters(fn, kind, machine) : undefined);
  return {
    kind: kind === 'resource' || kind === 'prompt' ? kind : 'tool',
    ...definition,
    name,
    description,
    ...(inputSchema !== undefined && { inputSchema }),
    module: fn.module,
    at: fn.fn.at,
    end: fn.fn.end,
    fn,
  };
}

const areOne = (a: Offered | undefined, b: Declared): boolean =>
  a?.kind === b.kind && (a.description === b.description || a.description === '' || b.description === '');

/** A handler with what a list says of it. */
function withListed(own: Offered, listed: Declared): Offered {
  const { kind: _, module, at, end, description, ...said } = listed;
  const isSilent = own.description === '' && description !== '';
  return {
    ...said,
    ...own,
    ...(isSilent && { description }),
    // Its words stand in the list.
    ...(isSilent && own.module === module && { at, end }),
  };
}

/** Descriptions shorter than this may stand in another one by chance. */
const tellingLength = 10;

/**
 * Without what has no name and the words of several that have one: a function that registers each of a list, read with all of
 * them at once.
 */
function withoutMerged(all: readonly Offered[]): Offered[] {
  const told = new Set(
    all.filter(({ name }) => name !== '').map(({ description }) => description.trim().slice(0, 200)),
  );
  const telling = [...told].filter(({ length }) => length >= tellingLength);
  return all.filter(
    ({ name, description }) => name !== '' || telling.filter((each) => description.includes(each)).length < 2,
  );
}

/** Registered ones in their order, then those that are listed alone. */
export function offeredBy(
  handlers: readonly Handler[],
  declared: readonly Declared[],
  machine: Machine,
): Offered[] {
  const all = handlers.filter(isOffered).map((handler) => ofHandler(handler, machine));
  const places = Map.groupBy(all.keys(), (at) => all[at]?.name ?? '');
  for (const listed of declared) {
    const place = places.get(listed.name)?.find((at) => areOne(all[at], listed));
    const own = place === undefined ? undefined : all[place];
    if (place === undefined || own === undefined) all.push(listed);
    else all[place] = withListed(own, listed);
  }
  return withoutMerged(all);
}

/** Names of tools that a server lists and answers for with one function, for the package of a path. */
export function servedTools(
  offered: readonly Offered[],
  packageOf: (path: string) => string,
): (path: string) => string[] {
  const listed = offered.filter(({ kind, fn, name }) => kind === 'tool' && fn === undefined && name !== '');
  const byPackage = Map.groupBy(listed, ({ module }) => packageOf(module.path));
  return (path) => [...new Set(byPackage.get(packageOf(path))?.map(({ name }) => name))];
}
