import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameworkRef } from './finding.ts';

/** One entry of a framework. */
export interface FrameworkEntry {
  id: string;
  title: string;
  /** The entry it is a part of. */
  parent?: string;
  /** For an id removed by a release: its replacement. */
  replaced_by?: string;
}

/** A published list, as `data/frameworks/*.json` has it. */
export interface Framework {
  id: string;
  name: string;
  version: string;
  /** When that version was published: year, month or day. */
  date: string;
  source: string;
  licence: string;
  note?: string;
  /** Pattern of its ids. */
  form: string;
  entries: readonly FrameworkEntry[];
}

const folder = join(import.meta.dirname, '../../data/frameworks');
const crosswalkFile = 'crosswalk.json';
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;

let all: ReadonlyMap<string, Framework> | undefined;

/** All frameworks by id; read once. */
export function frameworks(): ReadonlyMap<string, Framework> {
  all ??= new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json') && name !== crosswalkFile)
      .sort()
      .map((name) => {
        const framework = read<Framework>(name);
        return [framework.id, framework];
      }),
  );
  return all;
}

/** The entry of a reference; undefined where the framework or the id is not known. */
export const findEntry = ({ framework, id }: FrameworkRef): FrameworkEntry | undefined =>
  frameworks()
    .get(framework)
    ?.entries.find((entry) => entry.id === id);

/**
 * The entry of a reference.
 * @throws RangeError where the framework or the id is not known: rules must only reference published entries.
 */
export function getEntry(ref: FrameworkRef): FrameworkEntry {
  const entry = findEntry(ref);
  if (entry === undefined) throw new RangeError(`${ref.framework} has no entry ${ref.id}`);
  return entry;
}

/** Entries of several frameworks on the same risk. */
export interface CrosswalkRow {
  risk: string;
  /** By framework id. */
  entries: Readonly<Record<string, readonly string[]>>;
}

let rows: readonly CrosswalkRow[] | undefined;

/** Which entries describe the same risks, by the risks of the agentic top ten. */
export function crosswalk(): readonly CrosswalkRow[] {
  rows ??= read<{ rows: CrosswalkRow[] }>(crosswalkFile).rows;
  return rows;
}

/** Related entries of other frameworks, without the references themselves. */
export function relatedTo(refs: readonly FrameworkRef[]): FrameworkRef[] {
  const own = new Set(refs.map(({ framework, id }) => `${framework} ${id}`));
  const found = new Map<string, FrameworkRef>();
  for (const { entries } of crosswalk()) {
    if (!refs.some(({ framework, id }) => entries[framework]?.includes(id))) continue;
    for (const [framework, ids] of Object.entries(entries))
      for (const id of ids)
        if (!own.has(`${framework} ${id}`)) found.set(`${framework} ${id}`, { framework, id });
  }
  return [...found.values()];
}
