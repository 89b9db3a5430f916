import type { ClassForm, FunctionForm } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';

/** Where something comes in that somebody else chose. */
export interface Source {
  id: number;
  kind: 'tool' | 'http' | 'archive' | 'exported';
  /** As a reader knows it: a tool, a route, a function. */
  name: string;
  /** What the tool says of itself. */
  description: string;
}

/** A place on the way, latest first. */
export interface Step {
  module: SourceModule;
  at: number;
  end: number;
  text: string;
  before: Step | undefined;
  count: number;
}

/** That a value depends on a source. Which weaknesses it can no longer cause is in `cleared`, a bit each. */
export interface Taint {
  source: Source;
  cleared: number;
  /** Other text stands before or behind it. */
  isPart?: boolean;
  /** Other text stands before it: the value no longer chooses all of where a path or an address leads. */
  isBehind?: boolean;
  step: Step;
}

/** A function with the variables around it. */
export interface FunctionValue {
  fn: FunctionForm;
  module: SourceModule;
  /** Variables of the functions around it, for closures. */
  around: Scope | undefined;
  /** What `this` is in it. */
  self?: Value;
  /** Under which name a table has it: of the tool, where tools are called through one. */
  key?: string;
}

export interface ClassValue {
  form: ClassForm;
  module: SourceModule;
  around: Scope | undefined;
  /** Of an object: where it is made, so that what one holds is not said of others of its class. */
  site?: number;
}

/**
 * What is known of a value. Values are never changed, only replaced.
 */
export interface Value {
  taints: readonly Taint[];
  /** Its name outside the project: `child_process.exec`, `pg.Pool()`. */
  ref?: string;
  fn?: FunctionValue;
  /** Further functions that it may be: one of a table. */
  others?: readonly FunctionValue[];
  /** The class itself. */
  cls?: ClassValue;
  /** The class it is an instance of. */
  instance?: ClassValue;
  /** Other objects that it may be: one of a table. */
  also?: readonly Value[];
  /** A module of the project. */
  module?: SourceModule;
  constant?: string | number | boolean | null;
  /** Named arguments that made it, where they are known. */
  options?: ReadonlyMap<string, string>;
  pattern?: string;
  /** By name; `*` is any other. */
  fields?: ReadonlyMap<string, Value>;
  /** Access paths that it was made of, so that what is checked of it holds for them. */
  of?: readonly string[];
  /** What chose it among the properties of an object: a name that somebody else gave. */
  chosenBy?: readonly Taint[];
  /** Text that it begins with, where the rest is not known. */
  beginning?: string;
  /** A path that ends in a separator, so that what begins with it lies within. */
  endsInSeparator?: true;
  /**
   * Quotation marks of a shell between which it is one word, as everything that would end them is escaped or gone;
   * `script` for those of a script alone, `backslash` where only the backslashes are doubled so far.
   */
  quoting?: "'" | '"' | 'script' | 'backslash';
  /** A list or set of constants: what is in it was chosen by the author. */
  isClosed?: boolean;
  /** What is known when it is true, and when it is not. */
  check?: Check;
  /** Of a list: what is known when something is in it, as of `roots.filter((root) => isInside(root, path))`. */
  holdsOne?: Check;
}

/** What is said of a value by a test: weaknesses that it rules out, a bit each. */
export interface Fact {
  path: readonly string[];
  bits: number;
  /** Nothing is in it: what it was made of may still hold anything. */
  isEmpty?: true;
}

export interface Check {
  yes: readonly Fact[];
  no: readonly Fact[];
}

/** Variables by name, with those of the function around. */
export class Scope {
  variables: Map<string, Value>;
  readonly around: Scope | undefined;

  constructor(around?: Scope, variables = new Map<string, Value>()) {
    this.around = around;
    this.variables = variables;
  }

  find(name: string): Value | undefined {
    return this.variables.get(name) ?? this.around?.find(name);
  }

  /** Sets a variable where it lies; a new one here. */
  set(name: string, value: Value): void {
    if (this.variables.has(name) || this.around?.holds(name) !== true) this.variables.set(name, value);
    else this.around.set(name, value);
  }

  holds(name: string): boolean {
    return this.variables.has(name) || this.around?.holds(name) === true;
  }
}

export const clean: Value = { taints: [] };

/** Access paths that are kept of a value. */
export const pathLimit = 8;

/** Values nested deeper are one. */
const depthLimit = 4;

/** Taints of several, one for each source; cleared is what all have cleared. */
export function joinTaints(lists: readonly (readonly Taint[])[]): readonly Taint[] {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? [];
  const bySource = new Map<number, Taint>();
  for (const taint of filled.flat()) {
    const known = bySource.get(taint.source.id);
    if (known === undefined) bySource.set(taint.source.id, taint);
    else {
      const cleared = known.cleared & taint.cleared;
      // The way that explains more is the one that has cleared less.
      if (cleared !== known.cleared) bySource.set(taint.source.id, { ...taint, cleared });
    }
  }
  return [...bySource.values()];
}

function joinTwo(a: readonly Taint[], b: readonly Taint[]): readonly Taint[] {
  if (b.length === 0 || a === b) return a;
  return a.length === 0 ? b : joinTaints([a, b]);
}

/** Taint of all fields together: they are never changed, so that it is added up once. */
const ofFields = new WeakMap<ReadonlyMap<string, Value>, readonly Taint[]>();

function taintsOfFields(fields: ReadonlyMap<string, Value>): readonly Taint[] {
  let taints = ofFields.get(fields);
  if (taints === undefined) {
    taints = joinTaints([...fields.values()].map(allTaints));
    ofFields.set(fields, taints);
  }
  return taints;
}

/** All taint of a value and of what lies in it. */
export function allTaints({ taints, fields }: Value): readonly Taint[] {
  if (fields === undefined || fields.size === 0) return taints;
  return joinTaints([taints, taintsOfFields(fields)]);
}

export const isTainted = (value: Value): boolean => allTaints(value).length > 0;

function joinFields(a: Value, b: Value, depth: number): ReadonlyMap<string, Value> | undefined {
  if (a.fields === undefined || b.fields === undefined) return a.fields ?? b.fields;
  if (a.fields === b.fields) return a.fields;
  const fields = new Map(a.fields);
  for (const [name, value] of b.fields) {
    const other = fields.get(name);
    fields.set(name, other === undefined ? value : join(other, value, depth + 1));
  }
  return fields;
}

/** Access paths that hold for both; those of the one that has taint where the other has none. */
function joinPaths(a: Value, b: Value): readonly string[] | undefined {
  if (a.of === undefined || b.of === undefined || a.of === b.of) return a.of ?? b.of;
  const shared = a.of.filter((path) => b.of?.includes(path));
  if (shared.length > 0) return shared;
  return isTainted(a) ? a.of : b.of;
}

const functionLimit = 80;

/** What both may be besides the first one's function. */
function joinFunctions(a: Value, b: Value): readonly FunctionValue[] {
  if (a.fn === undefined || b.fn === undefined) return a.others ?? b.others ?? [];
  const known = [a.fn, ...(a.others ?? [])];
  // One function of the source is several where the variables around it are others: `wrap(schema, body)`.
  const more = [b.fn, ...(b.others ?? [])].filter(
    ({ fn, around }) => !known.some((each) => each.fn === fn && each.around === around),
  );
  return more.length === 0 ? (a.others ?? []) : [...(a.others ?? []), ...more].slice(0, functionLimit);
}

const alsoLimit = 40;

/** Objects of other classes that either may be, besides the first one's. */
function joinObjects(a: Value, b: Value): readonly Value[] {
  if (a.instance === undefined || b.instance === undefined) return a.also ?? b.also ?? [];
  const known = [a.instance, ...(a.also ?? []).map(({ instance }) => instance)];
  const more = [b, ...(b.also ?? [])].filter(
    ({ instance }) => !known.some((each) => each?.form === instance?.form && each?.site === instance?.site),
  );
  return more.length === 0 ? (a.also ?? []) : [...(a.also ?? []), ...more].slice(0, alsoLimit);
}

type Writable = { -readonly [K in keyof Value]: Value[K] };

/** What is still known where one of two values has it, and what where both agree. */
const ofEither = ['ref', 'fn', 'cls', 'instance', 'module', 'options', 'pattern'] as const;
const ofBoth = ['constant', 'endsInSeparator', 'quoting', 'isClosed'] as const;

function keep<K extends keyof Value>(value: Writable, name: K, part: Writable[K] | undefined): void {
  if (part !== undefined) value[name] = part;
}

const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

const joinChosen = ({ chosenBy: a }: Value, { chosenBy: b }: Value): readonly Taint[] | undefined =>
  a === undefined || b === undefined ? (a ?? b) : joinTwo(a, b);

/** What a value is after one of two ways. */
export function join(a: Value, b: Value, depth = 0): Value {
  if (a === b || b === clean) return a;
  if (a === clean) return b;
  if (depth > depthLimit) return { taints: joinTaints([allTaints(a), allTaints(b)]) };
  const joined: Writable = { taints: joinTwo(a.taints, b.taints) };
  // Set one by one: this runs more often than anything else, and spreading takes several times as long.
  for (const name of ofEither) keep(joined, name, a[name] ?? b[name]);
  for (const name of ofBoth) if (a[name] === b[name]) keep(joined, name, a[name]);
  keep(joined, 'fields', joinFields(a, b, depth));
  keep(joined, 'of', joinPaths(a, b));
  keep(joined, 'chosenBy', joinChosen(a, b));
  keep(joined, 'others', filled(joinFunctions(a, b)));
  keep(joined, 'also', filled(joinObjects(a, b)));
  return joined;
}

/** The same value with bits cleared in all of its taints. */
export function cleared(value: Value, bits: number, depth = 0): Value {
  if (value.taints.length === 0 && value.fields === undefined) return value;
  const isCleared = value.taints.every((taint) => (taint.cleared & bits) === bits);
  if (isCleared && value.fields === undefined) return value;
  const taints = isCleared
    ? value.taints
    : value.taints.map((taint) =>
        (taint.cleared & bits) === bits ? taint : { ...taint, cleared: taint.cleared | bits },
      );
  if (value.fields === undefined || depth > depthLimit) return { ...value, taints };
  const fields = new Map([...value.fields].map(([name, field]) => [name, cleared(field, bits, depth + 1)]));
  return { ...value, taints, fields };
}

/** The same value with bits set again: what was joined to it undid a check. */
export const reopened = (taints: readonly Taint[], bits: number): readonly Taint[] =>
  taints.map((taint) =>
    (taint.cleared & bits) === 0 ? taint : { ...taint, cleared: taint.cleared & ~bits },
  );

/** The value of a property or an element. */
export function fieldOf(value: Value, name: string): Value {
  const field = value.fields?.get(name) ?? value.fields?.get('*');
  const ref = value.ref === undefined ? undefined : `${value.ref}.${name}`;
  if (field === undefined) return { taints: value.taints, ...(ref === undefined ? {} : { ref }) };
  if (value.taints.length === 0) return field;
  return { ...field, taints: joinTaints([field.taints, value.taints]) };
}

/** The value with a property set. */
export function withField(value: Value, path: readonly string[], field: Value): Value {
  const [name, ...others] = path;
  if (name === undefined) return field;
  if (path.length > depthLimit) return { ...value, taints: joinTaints([value.taints, allTaints(field)]) };
  const inner = value.fields?.get(name) ?? clean;
  const fields = new Map(value.fields);
  fields.set(name, others.length === 0 ? field : withField(inner, others, field));
  return { ...value, fields };
}

/** Fields nested deeper do not count where calls are told apart. */
const signatureDepth = 2;
const fieldSignatures = new WeakMap<ReadonlyMap<string, Value>, string[]>();

function signatureOfFields(fields: ReadonlyMap<string, Value>, depth: number): string {
  const known = fieldSignatures.get(fields) ?? [];
  known[depth] ??= [...fields].map(([name, field]) => `${name}=${signatureOf(field, depth + 1)}`).join(';');
  fieldSignatures.set(fields, known);
  return known[depth];
}

const namesOfAlso = ({ also }: Value): string =>
  also === undefined
    ? ''
    : `|${also.map(({ instance }) => `${instance?.form.name ?? ''}${instance?.site ?? ''}`).join('|')}`;

/** What tells two values apart where a function's result could differ. */
export function signatureOf(value: Value, depth = 0): string {
  const taints = value.taints.map(({ source, cleared: bits }) => `${source.id}:${bits}`).join(',');
  const kind =
    value.fn === undefined
      ? `${value.instance?.form.name ?? value.ref ?? ''}${value.instance?.site ?? ''}${namesOfAlso(value)}`
      : `fn${value.fn.fn.at}`;
  const constant = value.constant === undefined ? '' : JSON.stringify(value.constant).slice(0, 60);
  const fields =
    value.fields === undefined || depth > signatureDepth ? '' : signatureOfFields(value.fields, depth);
  return `${taints}|${kind}|${constant}|${fields}`;
}
