import { assignedInto } from './additions.ts';
import { charactersCheck, keptBits, refusedCharactersCheck } from './characters.ts';
import { factsOfOutcome, seesAround } from './outcome-facts.ts';
import { factsOf } from './checks.ts';
import { madeByContainer } from './functions-as-objects.ts';
import type { Expression, FunctionForm } from '../form/form.ts';
import { type Frame, type Given, type Machine, type Outcome, pathOf } from './frame.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { countedName } from './rounds.ts';
import { elementOf } from './elements.ts';
import { componentsCheck, deniedBits } from './components.ts';
import { heldWhere, pathJoined } from './rust-values.ts';
import { withoutMissing } from './lists-of-words.ts';
import { entries, merged, pairs, tableOf } from './tables.ts';
import { textOf } from './texts.ts';
import { ofDeclaredTable } from './typed-tables.ts';
import {
  type Check,
  clean,
  cleared,
  type Fact,
  fieldOf,
  type FunctionValue,
  isTainted,
  join,
  type Value,
} from './value.ts';

/** `items.join(' ')` and `' '.join(items)`. */
const joinedList: Model = ({ called, args, machine }) => {
  const sides = [called.object, args[0]?.value];
  const list = sides.find((value) => value?.fields !== undefined);
  if (list?.fields === undefined) return undefined;
  const separator = sides.find((value) => value !== list && value?.constant !== undefined);
  const between = separator === undefined ? [] : [separator];
  const values = [...list.fields.values()].flatMap((value, at) => (at === 0 ? [value] : [...between, value]));
  return textOf([...values, { taints: list.taints }], machine);
};

/** Runs a function for each element; the result is a list of what it gave. */
const mapped: Model = (call) => {
  const [first] = call.args;
  const callback = first?.value.fn ?? referredTo(first, call.frame);
  const list = call.called.object;
  const [test] = call.args;
  // `text.chars().filter(|c| c.is_alphanumeric())`
  const kept =
    list === undefined || test === undefined ? 0 : keptBits(list, call.called.method, test, call.machine);
  if (kept !== 0 && list !== undefined) return cleared(list, kept);
  return callback === undefined || list === undefined ? undefined : mappedBy(callback, list, call);
};

/** Java's `ALLOWED::contains`, of an object and no type: a function that calls its method. */
function referredTo(given: Given | undefined, frame: Frame): FunctionValue | undefined {
  const callee = given?.expression;
  if (frame.module.grammar !== 'java' || callee?.is !== 'member' || callee.object.is !== 'name')
    return undefined;
  if (/^[A-Z][A-Za-z]*[a-z]/.test(callee.object.name)) return undefined;
  const { at, end } = callee;
  const each: Expression = { is: 'name', name: '::', at, end };
  const value: Expression = { is: 'call', callee, args: [{ value: each }], isNew: false, at, end };
  const fn: FunctionForm = {
    name: '',
    parameters: [{ target: each }],
    body: [{ is: 'return', value, at, end }],
    marks: [],
    isExported: false,
    at,
    end,
  };
  return {
    fn,
    module: frame.module,
    around: frame.scope,
    ...(frame.self !== undefined && { self: frame.self }),
  };
}

const givenTo = ({ called, args }: Call, element: Given, index: Given): readonly Given[] =>
  reduces.test(called.method) ? [args[1] ?? element, element] : [element, index];

function mappedBy(callback: FunctionValue, list: Value, call: Call): Value {
  const { called, args, machine, frame } = call;
  // What is shown of an element is shown of the list.
  const expression = called.objectExpression ?? call.expression;
  const of = list.of === undefined ? {} : { of: list.of };
  const element: Given = { value: { ...elementOf(list), ...of }, expression, isSpread: false };
  const index: Given = { ...element, value: list.ref === 'Map()' ? element.value : clean };
  const given = givenTo(call, element, index);
  const outcome = machine.call(callback, given, frame, expression);
  const facts = factsOfOutcome(outcome, callback, given, machine, frame);
  const written = writtenPaths(called.objectExpression);
  const each = (bits: number | undefined) => factsOfEach(written, bits);
  machine.learn([...facts.always, ...each(outcome.always[0])], frame);
  const result = withStart(resultOf(called.method, { list, element: element.value, outcome }), call);
  const yes: Check = { yes: [...facts.yes, ...each(outcome.yes[0])], no: [] };
  // One that is missing is not used.
  if (ofOne.test(called.method)) return { ...result, check: { yes: facts.yes, no: facts.no } };
  if (called.method === 'every') return { ...result, check: charactersOf(list, args, machine) ?? yes };
  if (called.method === 'map' && list.fields === undefined) return withAnswer(result, yes);
  // One that fits says nothing of the others, but what the function shows of variables around it holds.
  const check: Check = {
    yes: seesAround(callback, frame) ? outcome.around.yes : [],
    no: [...facts.no, ...each(outcome.no[0])],
  };
  return withOneCheck(result, called.method, check);
}

/** Of an empty list, functions that are put together are the first alone. */
function withStart(found: Value, { called, args }: Call): Value {
  const start = args[1]?.value;
  return reduces.test(called.method) && start?.fn !== undefined ? join(found, start) : found;
}

/** `[from, to].some((path) => …)`: the places of a list that is written there. */
function writtenPaths(list: Expression | undefined): readonly string[][] {
  const items = list?.is === 'list' ? list.items : [];
  return items.map((item) => pathOf(item)).filter((path) => path !== undefined);
}

const factsOfEach = (paths: readonly string[][], bits: number | undefined): Fact[] =>
  bits === undefined || bits === 0 ? [] : paths.map((path) => ({ path, bits }));

/** `host.map(isAllowed)` of an option: what the answer shows. */
function withAnswer(result: Value, check: Check): Value {
  const answer = result.fields?.get('*');
  return answer === undefined || check.yes.length === 0
    ? result
    : { ...result, fields: new Map([['*', { ...answer, check }]]) };
}

const charactersOf = (list: Value, [test]: readonly Given[], machine: Machine): Check | undefined =>
  test === undefined ? undefined : charactersCheck(list, test, machine);

const reduces = /^reduce(?:Right)?$/;

/** Functions that ask for what an option holds. */
const ofOne = /^(?:is_some_and|is_ok_and|map_or|is_none_or)$/;

/** What is known where a function fits one of the elements. */
function withOneCheck(result: Value, method: string, check: Check): Value {
  if (method === 'filter') return { ...result, holdsOne: check };
  return method === 'some' || method === 'find' ? { ...result, check } : result;
}

function resultOf(
  method: string,
  { list, element, outcome }: { list: Value; element: Value; outcome: Outcome },
): Value {
  const passed = outcome.yes[0] ?? 0;
  if (ofOne.test(method)) return clean;
  switch (method) {
    case 'filter':
      return cleared(list, passed);
    case 'find':
      return cleared(element, passed);
    case 'forEach':
    case 'sort':
      return cleared(list, outcome.always[0] ?? 0);
    case 'some':
    case 'every':
      return clean;
    case 'reduce':
    case 'reduceRight':
      return outcome.value;
    default:
      return { taints: [], fields: new Map([['*', outcome.value]]) };
  }
}

/** `path.components().any(|part| matches!(part, Component::ParentDir | …))` where all that leads out is denied. */
const anyComponent: Model = (call) => {
  const { called, args, machine, frame } = call;
  const { object: subject } = called;
  const [test] = args;
  if (test === undefined) return undefined;
  if (subject?.ref?.endsWith('components()') !== true) {
    const check = subject === undefined ? undefined : refusedCharactersCheck(subject, test, machine);
    return check === undefined ? mappedAs('some', call) : { taints: [], check };
  }
  const text = frame.module.text.slice(test.expression.at, test.expression.end);
  const bits = deniedBits(text, machine);
  return bits === 0 ? undefined : { taints: [], check: { yes: [], no: factsOf(subject, bits, machine) } };
};

/** `name.chars().all(|c| …)` */
const allPass: Model = (call) => {
  const { called, args, machine, frame } = call;
  const [test] = args;
  if (called.object === undefined || test === undefined) return undefined;
  const check =
    componentsCheck(
      called.object,
      frame.module.text.slice(test.expression.at, test.expression.end),
      machine,
    ) ?? charactersCheck(called.object, test, machine);
  return check === undefined ? mappedAs('every', call) : { taints: [], check };
};

/** `list.stream().anyMatch(f)` is `list.some(f)` under another name. */
const mappedAs = (method: string, call: Call): Value | undefined =>
  mapped({ ...call, called: { ...call.called, method } });

/** `list.stream().noneMatch(f)` */
const nonePasses: Model = (call) => {
  const value = mappedAs('some', call);
  if (value?.check === undefined) return value;
  const { yes, no } = value.check;
  return { ...value, check: { yes: no, no: yes } };
};

/** `promise.then(f)`: the function gets the value. */
const promised: Model = (call) => {
  const { expression, called, args, machine, frame } = call;
  const held = heldWhere(call);
  if (held !== undefined) return held;
  const callback = args[0]?.value.fn ?? referredTo(args[0], frame);
  if (callback === undefined || called.object === undefined) return called.object;
  return machine.call(callback, [{ value: called.object, expression, isSpread: false }], frame, expression)
    .value;
};

/** `name.and_then(|name| tools.get(name))` of Rust: what the function gives. */
const andThen: Model = (call) => {
  const callback = call.args[0]?.value.fn;
  return call.frame.module.grammar === 'rust' && callback?.fn.parameters.length === 1
    ? promised(call)
    : undefined;
};

/** `new Map([[name, value], …])`, `dict([(name, value), …])`: a table; else what another collection holds. */
const keyed: Model = (call) => tableOf(valueAt(call, 0)) ?? collection(call);

/** `list.sort(…)`, `list.reverse()`: the same elements. */
const rearranged: Model = (call) => {
  const { object: list } = call.called;
  return list === undefined ? collection(call) : list;
};

/** A set or a list of what another holds. */
const collection: Model = (call) => {
  const value = valueAt(call, 0);
  return call.args.length === 0 ? { taints: [], fields: new Map<string, Value>() } : value;
};

/** `Array.from(list, f)`: what the function made of each. */
const listFrom: Model = (call) => {
  const callback = call.args[1]?.value.fn;
  if (callback === undefined) return collection(call);
  const list = valueAt(call, 0);
  // Of `{ length: 3 }` there is nothing but the number.
  const isCount = list.fields?.has('length') === true;
  return mappedBy(callback, isCount ? clean : list, { ...call, called: { ...call.called, method: 'map' } });
};

/** `table.get(key)`: the author's values where the table is closed. */
const looked: Model = (call) => {
  const { object: table } = call.called;
  const { args } = call;
  if (table === undefined) return undefined;
  const element = countedElement(call) ?? ofDeclaredTable(call) ?? madeByContainer(call);
  if (element !== undefined) return element;
  const key = args[0]?.value.constant;
  if (typeof key === 'string') return { ...fieldOf(table, key) };
  if (table.fields === undefined) return ofTable(call, table);
  return join(elementOf(table), args[1]?.value ?? clean);
};

const typed = new Set(['rust', 'java']);

/** What a table of the program's own holds under a name is not the name, whoever gave it. */
const ofTable = ({ called, args, frame }: Call, table: Value): Value | undefined =>
  typed.has(frame.module.grammar) &&
  args.length === 1 &&
  !isTainted(table) &&
  isOwnField(called.objectExpression)
    ? { taints: [], ref: `${called.name}()` }
    : undefined;

/** `self.hosts`, `this.hosts`: clients have a method of this name too, but not of one argument that they hold. */
const isOwnField = (expression: Expression | undefined): boolean =>
  expression?.is === 'member' &&
  !/client|http|api|session|agent|rest|web|req/i.test(expression.property) &&
  (isOwnField(expression.object) ||
    (expression.object.is === 'name' && /^(?:self|this)$/.test(expression.object.name)));

/** `args.get(i)` in a loop that counts along `args`. */
function countedElement({ called: { objectExpression: list }, args: [at], frame }: Call): Value | undefined {
  const counted = list && at && countedName(list, at.expression);
  const element = counted === undefined ? undefined : frame.scope.variables.get(counted);
  return counted === undefined || element === undefined ? undefined : { ...element, of: [counted] };
}

/** `list.iter().enumerate()`: each with its number, which is nobody's. */
const numbered: Model = ({ called: { object }, args, frame }) =>
  object === undefined || args.length > 0 || frame.module.grammar !== 'rust'
    ? undefined
    : {
        taints: [],
        fields: new Map([
          [
            '*',
            {
              taints: [],
              fields: new Map([
                ['0', clean],
                ['1', elementOf(object)],
              ]),
            },
          ],
        ]),
      };

/** By the names of what is called, as in the library of all languages. */
export const collectionModels: readonly (readonly [names: string, model: Model])[] = [
  ['**.join', (call) => joinedList(call) ?? pathJoined(call)],
  [
    '**.map **.forEach **.flatMap **.filter **.find **.some **.every **.reduce **.reduceRight',
    (call) => withoutMissing(call) ?? mapped(call),
  ],
  ['**.enumerate', numbered],
  ['**.is_some_and **.is_ok_and **.is_none_or', mapped],
  [
    '**.map_or',
    (call) =>
      call.args[0]?.value.constant === false ? mapped({ ...call, args: call.args.slice(1) }) : undefined,
  ],
  [
    '**.then **.thenApply **.thenApplyAsync **.thenCompose **.thenComposeAsync **.thenAccept **.thenAcceptAsync **.doOnNext **.ifPresent **.concatMap',
    promised,
  ],
  [
    'Object.assign dict',
    (call) => {
      const whole = merged(call);
      if (whole !== undefined && call.called.method === 'assign') assignedInto(call, whole);
      return whole;
    },
  ],
  [
    'Map OrderedDict collections.OrderedDict Object.fromEntries types.MappingProxyType HashMap.from BTreeMap.from std.collections.HashMap.from std.collections.BTreeMap.from indexmap.IndexMap.from',
    keyed,
  ],
  ['Array.from', listFrom],
  ['**.copy **.flat **.reverse **.toReversed **.sort **.toSorted', rearranged],
  ['**.get **.get_mut', looked],
  ['**.and_then', andThen],
  ['**.all **.allMatch', allPass],
  ['**.any', anyComponent],
  ['**.anyMatch', (call) => mappedAs('some', call)],
  ['**.noneMatch', nonePasses],
  ['Map.of Map.ofEntries_', pairs],
  ['**.getOrDefault', looked],
  ['**.items **.entries **.values Object.entries Object.values', entries],
  [
    'ArrayList LinkedList ArrayDeque HashSet LinkedHashSet TreeSet HashMap LinkedHashMap TreeMap ConcurrentHashMap ConcurrentLinkedQueue LinkedBlockingQueue CopyOnWriteArrayList Set list tuple set frozenset sorted reversed',
    collection,
  ],
];
