import type { ClassForm, FunctionForm } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { type Written, writtenOfEither } from './written.ts';
import { joinTaints, joinTwo, noTaints, type Taint } from './taints.ts';

/** Marks that are written twice between two of them, as SQL has it; behind `\`, where backslashes were doubled before. */
export type DoubledMark = `${'' | '\\'}${"''" | '""' | '``' | ']]'}`;

/** Surroundings by name, with those of the function around; `scope.ts` makes them. */
export interface Surroundings {
  variables: Map<string, Value>;
  readonly around: Surroundings | undefined;
  find: (name: string) => Value | undefined;
  holds: (name: string) => boolean;
}

/** A function with the variables around it. */
export interface FunctionValue {
  fn: FunctionForm;
  module: SourceModule;
  /** Surroundings of the functions around it, for closures. */
  around: Surroundings | undefined;
  /** What `this` is in it. */
  self?: Value;
  /** Under which name a table has it: of the tool, where tools are called through one. */
  key?: string;
}

export interface ClassValue {
  form: ClassForm;
  module: SourceModule;
  around: Surroundings | undefined;
  /** Of an object: where it is made, so that what one holds is not said of others of its class. */
  site?: number;
}

/** Words of a schema or of a definition, as JSON has them. */
export type Said = Readonly<Record<string, unknown>>;

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
  /** Further classes that it may be: one of a table. */
  classes?: readonly ClassValue[];
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
  /** Of a schema or a definition: what it says to who reads it. */
  said?: Said;
  /** Of a schema: tests of the project that a value must pass. */
  refinements?: readonly FunctionValue[];
  /** By name; `*` is any other. */
  fields?: ReadonlyMap<string, Value>;
  /** Of what a function of Go gives: the values behind the first. */
  rest?: readonly Value[];
  /** Access paths that it was made of, so that what is checked of it holds for them. */
  of?: readonly string[];
  /** What chose it among the properties of an object: a name that somebody else gave. */
  chosenBy?: readonly Taint[];
  /** Words of a text that is not known as a whole: of all its parts and branches. */
  written?: Written;
  /** Text that it begins with, where the rest is not known. */
  beginning?: string;
  /** A path that ends in a separator, so that what begins with it lies within. */
  endsInSeparator?: true;
  /**
   * Quotation marks of a shell between which it is one word, as everything that would end them is escaped or gone;
   * `script` for those of a script alone, `backslash` where only the backslashes are doubled so far. Two marks are those of
   * SQL.
   */
  quoting?: "'" | '"' | 'script' | 'backslash' | DoubledMark;
  /** A client or an agent whose connections check the address that they are made to. */
  isGuarded?: true;
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

export const clean: Value = { taints: [] };

/** Access paths that are kept of a value. */
export const pathLimit = 8;

/** Values nested deeper are one. */
const depthLimit = 4;

/** Fields with what was once added up of them: they are never changed, so that it holds. */
interface Fields extends ReadonlyMap<string, Value> {
  allTaints?: readonly Taint[];
  /** What they were with bits cleared, the last time: one test is made of them again and again. */
  cleared?: { bits: number; depth: number; fields: ReadonlyMap<string, Value> };
}

/** Taint of all fields together. Tables within tables are looked through once and not once for each way to them. */
function taintsOfFields(fields: Fields): readonly Taint[] {
  let taints = fields.allTaints;
  if (taints === undefined) {
    taints = noTaints;
    for (const field of fields.values()) taints = joinTwo(taints, allTaints(field));
    fields.allTaints = taints;
  }
  return taints;
}

/** All taint of a value and of what lies in it. */
export function allTaints({ taints, fields }: Value): readonly Taint[] {
  if (fields === undefined || fields.size === 0) return taints;
  return joinTwo(taints, taintsOfFields(fields));
}

export function isTainted({ taints, fields }: Value): boolean {
  if (taints.length > 0) return true;
  return fields !== undefined && fields.size > 0 && taintsOfFields(fields).length > 0;
}

function joinFields(a: Fields | undefined, b: Fields | undefined, depth: number): Fields | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a === b || b.size === 0) return a;
  return a.size === 0 ? b : joinTables(a, b, depth);
}

/** One of the two itself where the other adds nothing; most values are the same in both. */
function joinTables(a: Fields, b: Fields, depth: number): Fields {
  let fields: Map<string, Value> | undefined;
  let isSecond = a.size === b.size;
  for (const [name, value] of b) {
    const other = a.get(name);
    const joined = other === undefined ? value : join(other, value, depth + 1);
    if (joined !== value) isSecond = false;
    if (joined !== other) (fields ??= new Map(a)).set(name, joined);
  }
  if (fields === undefined) return a;
  return isSecond && haveOneOrder(fields, b) ? b : fields;
}

/** Whether the names of two tables are the same in the same order: places of lists are read in it. */
function haveOneOrder(a: Fields, b: Fields): boolean {
  const names = b.keys();
  for (const name of a.keys()) if (names.next().value !== name) return false;
  return true;
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

/** Classes that either may be, besides the first one's. */
function joinClasses(a: Value, b: Value): readonly ClassValue[] {
  if (a.cls === undefined || b.cls === undefined) return a.classes ?? b.classes ?? [];
  const known = [a.cls, ...(a.classes ?? [])];
  const more = [b.cls, ...(b.classes ?? [])].filter(({ form }) => !known.some((each) => each.form === form));
  return more.length === 0 ? (a.classes ?? []) : [...(a.classes ?? []), ...more].slice(0, alsoLimit);
}

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

const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

const joinChosen = ({ chosenBy: a }: Value, { chosenBy: b }: Value): readonly Taint[] | undefined =>
  a === undefined || b === undefined ? (a ?? b) : joinTwo(a, b);

/** The values behind the first, one by one. */
function joinRest({ rest: a }: Value, { rest: b }: Value): readonly Value[] | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  return a.map((value, at) => join(value, b[at] ?? clean));
}

/** What a value is after one of two ways; one of the two itself where the other adds nothing to it. */
export function join(a: Value, b: Value, depth = 0): Value {
  if (a === b || b === clean) return a;
  if (a === clean) return b;
  if (depth > depthLimit) return { taints: joinTaints([allTaints(a), allTaints(b)]) };
  const joined: Writable = { taints: joinTwo(a.taints, b.taints) };
  keepOfEither(joined, a, b);
  keepOfLibrary(joined, a, b);
  keepOfBoth(joined, a, b);
  const fields = joinFields(a.fields, b.fields, depth);
  if (fields !== undefined) joined.fields = fields;
  const of = joinPaths(a, b);
  if (of !== undefined) joined.of = of;
  const chosenBy = joinChosen(a, b);
  if (chosenBy !== undefined) joined.chosenBy = chosenBy;
  const rest = joinRest(a, b);
  if (rest !== undefined) joined.rest = rest;
  keepSeveral(joined, a, b);
  return eitherOf(a, b, joined);
}

/** What else it may be: one of several functions, objects or classes. */
function keepSeveral(joined: Writable, a: Value, b: Value): void {
  const others = filled(joinFunctions(a, b));
  if (others !== undefined) joined.others = others;
  const also = filled(joinObjects(a, b));
  if (also !== undefined) joined.also = also;
  const classes = filled(joinClasses(a, b));
  if (classes !== undefined) joined.classes = classes;
}

/** One of the two themselves where nothing tells it apart from what they came to. */
function eitherOf(a: Value, b: Value, joined: Value): Value {
  if (isSame(joined, a)) return a;
  return isSame(joined, b) ? b : joined;
}

/** Whether nothing tells two values apart. */
const isSame = (a: Value, b: Value): boolean =>
  a.taints === b.taints &&
  a.fields === b.fields &&
  a.of === b.of &&
  a.constant === b.constant &&
  isOneKind(a, b) &&
  isOneText(a, b);

const isOneKind = (a: Value, b: Value): boolean =>
  a.ref === b.ref &&
  a.fn === b.fn &&
  a.cls === b.cls &&
  a.instance === b.instance &&
  a.module === b.module &&
  a.others === b.others &&
  a.also === b.also &&
  a.classes === b.classes &&
  a.rest === b.rest &&
  a.options === b.options &&
  a.said === b.said &&
  a.pattern === b.pattern;

const isOneText = (a: Value, b: Value): boolean =>
  a.chosenBy === b.chosenBy &&
  a.beginning === b.beginning &&
  a.written === b.written &&
  a.endsInSeparator === b.endsInSeparator &&
  a.quoting === b.quoting &&
  a.isClosed === b.isClosed &&
  a.isGuarded === b.isGuarded &&
  a.check === b.check &&
  a.refinements === b.refinements &&
  a.holdsOne === b.holdsOne;

// Set one by one and by name: this runs more often than anything else, and loops or spreading take several times as long.

/** What is still known where one of two values has it. */
function keepOfEither(joined: Writable, a: Value, b: Value): void {
  const fn = a.fn ?? b.fn;
  if (fn !== undefined) joined.fn = fn;
  const cls = a.cls ?? b.cls;
  if (cls !== undefined) joined.cls = cls;
  const instance = a.instance ?? b.instance;
  if (instance !== undefined) joined.instance = instance;
  const module = a.module ?? b.module;
  if (module !== undefined) joined.module = module;
}

/** The same for what a library made it of. */
function keepOfLibrary(joined: Writable, a: Value, b: Value): void {
  const ref = a.ref ?? b.ref;
  if (ref !== undefined) joined.ref = ref;
  const options = a.options ?? b.options;
  if (options !== undefined) joined.options = options;
  const said = a.said ?? b.said;
  if (said !== undefined) joined.said = said;
  const pattern = a.pattern ?? b.pattern;
  if (pattern !== undefined) joined.pattern = pattern;
}

/** What is known where both agree. */
function keepOfBoth(joined: Writable, a: Value, b: Value): void {
  const { constant, endsInSeparator, quoting, isClosed, isGuarded } = a;
  if (isGuarded === true && b.isGuarded === true) joined.isGuarded = true;
  if (constant !== undefined && constant === b.constant) joined.constant = constant;
  if (endsInSeparator !== undefined && endsInSeparator === b.endsInSeparator)
    joined.endsInSeparator = endsInSeparator;
  if (quoting !== undefined && quoting === b.quoting) joined.quoting = quoting;
  if (isClosed !== undefined && isClosed === b.isClosed) joined.isClosed = isClosed;
  const written = writtenOfEither(a, b);
  if (written !== undefined) joined.written = written;
}

/** Whether all have some bits cleared. */
function haveCleared(taints: readonly Taint[], bits: number): boolean {
  for (const taint of taints) if ((taint.cleared & bits) !== bits) return false;
  return true;
}

/** The same fields with bits cleared: copied where one of them is another one then. */
function clearedFields(fields: Fields, bits: number, depth: number): ReadonlyMap<string, Value> {
  const last = fields.cleared;
  if (last?.bits === bits && last.depth === depth) return last.fields;
  let copy: Map<string, Value> | undefined;
  for (const [name, field] of fields) {
    const now = cleared(field, bits, depth);
    if (now !== field) (copy ??= new Map(fields)).set(name, now);
  }
  fields.cleared = { bits, depth, fields: copy ?? fields };
  return fields.cleared.fields;
}

/** The same value with bits cleared in all of its taints. */
export function cleared(value: Value, bits: number, depth = 0): Value {
  const { taints, fields } = value;
  if (taints.length === 0 && fields === undefined) return value;
  const isCleared = haveCleared(taints, bits);
  if (isCleared && (fields === undefined || haveCleared(taintsOfFields(fields), bits))) return value;
  const now = isCleared
    ? taints
    : taints.map((taint) =>
        (taint.cleared & bits) === bits ? taint : { ...taint, cleared: taint.cleared | bits },
      );
  if (fields === undefined || depth > depthLimit) return { ...value, taints: now };
  return { ...value, taints: now, fields: clearedFields(fields, bits, depth + 1) };
}

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
