import type { Expression } from '../form/form.ts';
import type { Grammar } from '../parse/grammars.ts';
import { languageOf } from '../parse/languages.ts';
import type { SinkOf } from '../rules/rule-set.ts';
import { namedShell, startsUnknownShell } from './commands.ts';
import { isRuledOut } from './ruled-out.ts';
import { deepPath, deepValues } from './deep-names.ts';
import { taintsOfWords } from './split-words.ts';
import { taintsOfProgram } from './program-texts.ts';
import {
  commandIn,
  isShell,
  readsOneWord,
  takesScript,
  taintsOfInner,
  taintsOfScript,
  wordsFrom,
  wordsIn,
} from './command-words.ts';
import { isGuarded } from './guarded-clients.ts';
import { waitsForWord } from './options-with-values.ts';
import { staysOnHost } from './shown.ts';
import { scriptBit } from './texts.ts';
import { type Called, type Frame, type Given, type Machine, pathOf } from './frame.ts';
import { joinTaints, type Taint } from './taints.ts';
import { operatorsIn } from './parsed-bodies.ts';
import { allTaints, fieldOf, isTainted, type Value } from './value.ts';
import { writtenOf } from './written.ts';

const lastName = (name: string): string =>
  name
    .slice(0, Math.max(0, name.lastIndexOf('.')))
    .replaceAll(/\([^)]*\)/g, '')
    .split(/[.?]/)
    .at(-1) ?? '';

/** Languages whose objects are told by the names of their variables and fields as well: of what made them a builder may hide it. */
const namedByVariable: ReadonlySet<Grammar> = new Set(['go', 'java', 'rust']);

/** What the object of a method is called: by where it came from, and as it is written. */
function namesOf({ name, objectExpression }: Called, grammar: Grammar): string[] {
  const written =
    namedByVariable.has(grammar) && objectExpression !== undefined
      ? pathOf(objectExpression)?.at(-1)
      : undefined;
  return [lastName(name), ...(written === undefined ? [] : [written])];
}

/** An object with the properties alone that count. */
function withoutOthers(value: Value | undefined, names: readonly string[]): Value | undefined {
  if (value?.fields === undefined) return value;
  const fields = new Map([...value.fields].filter(([name]) => name === '*' || names.includes(name)));
  return { ...value, fields };
}

/** A keyword argument, or a property of an object that was given. */
function findNamed(args: readonly Given[], name: string): Value | undefined {
  for (const arg of args) {
    if (arg.name === name) return arg.value;
    const field = arg.value.fields?.get(name);
    if (field !== undefined) return field;
  }
  return undefined;
}

const isOn = (value: Value | undefined): boolean =>
  value !== undefined && value.constant !== false && value.constant !== null && value.constant !== 0;

/** What a named argument is, as text: its constant, or the name of what it is. */
const textsOf = (value: Value): string[] => [
  ...(value.constant === undefined ? [] : [String(value.constant)]),
  ...(value.ref === undefined ? [] : [value.ref]),
];

function isGiven(name: string, wanted: RegExp, called: Called, args: readonly Given[]): boolean {
  const named = findNamed(args, name);
  if (named !== undefined) return textsOf(named).some((text) => wanted.test(text));
  const makers = [...args.map(({ value }) => value), ...(called.object === undefined ? [] : [called.object])];
  return makers.some(({ options }) => {
    const text = options?.get(name);
    return text !== undefined && wanted.test(text);
  });
}

/** Whether the named arguments are those that the rule speaks of. */
function isMeant({ sink, given, notGiven }: SinkOf, called: Called, args: readonly Given[]): boolean {
  return (
    given.every(([name, wanted]) => isGiven(name, wanted, called, args)) &&
    !notGiven.some(([name, wanted]) => isGiven(name, wanted, called, args)) &&
    sink.where?.some((name) => !isOn(findNamed(args, name))) !== true &&
    sink.unless?.some((name) => findNamed(args, name) !== undefined) !== true
  );
}

/** Whether the arguments were made by what the rule speaks of. */
function isMadeSo({ made, unmade }: SinkOf, { object }: Called, args: readonly Given[]): boolean {
  const isOf = (wanted: RegExp) => args.some(({ value: { ref } }) => ref !== undefined && wanted.test(ref));
  const isOfOwn = unmade?.test(object?.ref ?? '') === true;
  return (made === undefined || isOf(made)) && (unmade === undefined || !(isOfOwn || isOf(unmade)));
}

/** What of the project decides whether a rule speaks of a call. */
interface Project {
  grammar: Grammar;
  manifests: string;
}

const isOfProject = ({ sink, manifest }: SinkOf, { grammar, manifests }: Project): boolean =>
  sink.languages?.includes(languageOf[grammar]) !== false && manifest?.test(manifests) !== false;

function applies(each: SinkOf, called: Called, args: readonly Given[], project: Project): boolean {
  const { grammar } = project;
  const { sink, receiver, after } = each;
  if (!isOfProject(each, project) || !isMadeSo(each, called, args)) return false;
  // Behind `--` nothing is an option.
  if (sink.elements === 'options' && (holdsEnd(called.object) || waitsForValue(called))) return false;
  // What came from a known module has been told apart by its name.
  if (receiver !== undefined && !namesOf(called, grammar).some((name) => receiver.test(name))) return false;
  if (!isMeant(each, called, args)) return false;
  return after === undefined || isAfter(after, called, isOfOptions(each) ? withoutList(args) : args);
}

const isOfOptions = ({ sink: { elements } }: SinkOf): boolean =>
  elements === 'options' || elements === 'rest';

/** Behind a program that is written, words of a list are none: `spawn('notes', ['find', text])`. */
const withoutList = (args: readonly Given[]): readonly Given[] =>
  typeof args[0]?.value.constant === 'string' && args[1]?.value.fields !== undefined
    ? args.slice(0, 1)
    : args;

function isAfter(after: RegExp, called: Called, args: readonly Given[]): boolean {
  if (called.object !== undefined && after.test(programOf(called.object))) return true;
  if (startsUnknownShell(called, args)) return after.test('sh');
  // Go's `CommandContext` has the program second.
  return args.slice(0, 2).some(({ value, expression }) => after.test(programOf(value, expression)));
}

/** Behind which nothing is an option; git has a word of its own for it. */
const isEnd = ({ constant }: Value): boolean => constant === '--' || constant === '--end-of-options';

const holdsEnd = (value: Value | undefined): boolean => [...(value?.fields?.values() ?? [])].some(isEnd);

/** `command.arg("--branch").arg(name)`: what stands behind the option is its value. */
function waitsForValue({ method, object }: Called): boolean {
  const before = method === 'arg' ? [...(object?.fields?.values() ?? [])].at(-1)?.constant : undefined;
  return typeof before === 'string' && waitsForWord(before, programOf(object));
}

/** Of a list, also of `Bun.spawn({ cmd: ['git', …] })`. */
const firstWord = (command: Value | undefined): Value | undefined =>
  command?.fields?.get('0') ?? command?.fields?.get('cmd')?.fields?.get('0');

/** The program that a command starts, alone or as the first of a list. */
function programOf(first: Value | undefined, written?: Expression): string {
  const word = firstWord(first);
  const program = first?.constant ?? word?.constant;
  if (typeof program === 'string') return program;
  return first === undefined ? '' : unnamedProgram(word ?? first, written);
}

/** What runs Python is Python, wherever it lies. */
function unnamedProgram(word: Value, written: Expression | undefined): string {
  if (word.ref === 'sys.executable') return 'python';
  return isTainted(word) ? '' : namedShell(written);
}

/** Whether it is no option that waits for a value: `-n${count}` has its own. */
const isAlone = (value: Value): boolean => isTainted(value) || value.beginning !== undefined;

/** Behind `adb shell` stand words of another shell. */
const startsShell = (program: string, { constant }: Value): boolean =>
  constant === 'shell' && /(?:^|\/)adb$/.test(program);

/** Behind `sh -c` within the words of another program stands a script. */
const beginsScript = (program: string, before: Value['constant'], { constant }: Value): boolean =>
  !isShell(program) &&
  typeof before === 'string' &&
  typeof constant === 'string' &&
  isShell(before) &&
  takesScript.test(constant);

/** `python -c "…" name`: what stands behind the text of the program is given to it. */
const isProgramText = (program: string, before: Value['constant']): boolean =>
  before === '-c' && /(?:^|\/)python[\d.]*$/.test(program);

/** Whether nothing behind it is an option of the program. */
const endsOptions = (program: string, before: Value['constant'], field: Value): boolean =>
  isEnd(field) ||
  isProgramText(program, before) ||
  startsShell(program, field) ||
  beginsScript(program, before, field);

/** Whether what stands before a word may be an option that the word is the value of; several in one place are more. */
const isOfOption = (
  name: string,
  before: Value['constant'],
  program: string,
  words: readonly Value['constant'][],
): boolean =>
  !name.endsWith('*') &&
  (before === undefined || (typeof before === 'string' && waitsForWord(before, program, words)));

/** Elements of a list up to `--`, behind which nothing is an option. */
function restOf(value: Value, program: string, skipsFirst: boolean): Taint[] {
  const words = [...(value.fields?.values() ?? [])].slice(0, 2).map(({ constant }) => constant);
  const taints: Taint[] = [...value.taints];
  // What stands before may be one of several options: then it is unknown.
  let before: Value['constant'] = null;
  for (const [name, field] of value.fields ?? []) {
    if (endsOptions(program, before, field)) break;
    const isCounted = !skipsFirst || name !== '0';
    if (isCounted && !isOfOption(name, before, program, words)) taints.push(...allTaints(field));
    if (readsOneWord(program, before)) break;
    before = field.constant ?? (isAlone(field) ? null : undefined);
  }
  return taints;
}

function taintsOf(value: Value, { sink }: SinkOf, program: string): readonly Taint[] {
  if (sink.elements === undefined || sink.elements === 'inner' || sink.elements === 'program')
    return allTaints(value);
  if (sink.elements === 'whole') return value.taints;
  if (sink.elements === 'words') return taintsOfWords(value);
  if (sink.elements === 'operators') return operatorsIn(value);
  if (sink.elements === 'script') return taintsOfScript(value);
  if (sink.elements === 'first')
    return value.fields === undefined ? value.taints : allTaints(fieldOf(value, '0'));
  return restOf(value, program, sink.elements === 'rest');
}

/** A keyword argument, or a property of an argument that counts: the body of a request has properties too. */
const namedValue = (
  name: string,
  chosen: readonly (Value | undefined)[],
  args: readonly Given[],
): Value | undefined =>
  args.find((arg) => arg.name === name)?.value ??
  (chosen.length === 0 ? args.map(({ value }) => value) : chosen)
    .find((value) => value?.fields?.has(name) === true)
    ?.fields?.get(name);

/** What a name means; one of any depth can mean several values. */
function valuesNamed(
  name: string,
  chosen: readonly (Value | undefined)[],
  args: readonly Given[],
): (Value | undefined)[] {
  const path = deepPath(name);
  if (path === undefined) return [namedValue(name, chosen, args)];
  return deepValues(
    args.map(({ value }) => value),
    path,
  );
}

/** Whether the words of a command are arguments one by one, or several of them in a list. */
const isWordByWord = ({ args = [], elements }: SinkOf['sink']): boolean =>
  args.length > 1 && (elements === 'options' || elements === 'rest');

/** Arguments of a command as a list of their own, `['clone', url]`: all of its elements count. */
function sinkValues({ sink }: SinkOf, called: Called, args: readonly Given[]): Value[] {
  const positional = args.filter(({ name }) => name === undefined);
  const spread = positional.find(({ isSpread }) => isSpread);
  const chosen =
    sink.args === undefined
      ? args.map(({ value }) => value)
      : sink.args.map((at) => (at === -1 ? called.object : (positional[at]?.value ?? spread?.value)));
  if (sink.elements === 'inner' || sink.elements === 'program') {
    const words = wordsIn([
      ...(called.object === undefined ? [] : [called.object]),
      ...positional.map(({ value }) => value),
    ]);
    return [{ taints: sink.elements === 'inner' ? taintsOfInner(words) : taintsOfProgram(words) }];
  }
  if (isWordByWord(sink)) return [wordsFrom(sink.args ?? [], positional)];
  const names = sink.named ?? [];
  const named = names.flatMap((name) => valuesNamed(name, chosen, args));
  // Of `query({text, values})` the text alone is the statement; of options of a request its host and not its headers.
  const own = chosen
    .filter((value) => !names.some((name) => value?.fields?.has(name) === true))
    .map((value) => (sink.options === undefined ? value : withoutOthers(value, sink.options)));
  return [...own, ...named].filter((value) => value !== undefined);
}

/** Whether what was checked rules the weakness out, or the rule speaks of text put together alone. */
const isHarmless = (
  { source, cleared, isPart }: Taint,
  { sink, bit, rule, source: ofSource }: SinkOf,
  isScript: boolean,
): boolean =>
  (cleared & bit) !== 0 ||
  (source.kind === 'token') !== (ofSource === 'token') ||
  (isScript && (cleared & scriptBit) !== 0) ||
  (rule.id === 'open-redirect' && staysOnHost(cleared)) ||
  (sink.built === true && isPart !== true);

/** Rules about places: who chooses how one begins chooses the whole, whatever is put behind. */
const ofPlaces: ReadonlySet<string> = new Set(['path-traversal', 'server-side-request-forgery']);

/** Whether all that counts was the source's. */
const isWholeFor = ({ rule }: SinkOf, { isPart, isBehind }: Taint): boolean =>
  (ofPlaces.has(rule.id) ? isBehind : isPart) !== true;

const ofBytes =
  /^\??(?:Buffer\.(?:from|concat)|io\.(?:Bytes|String)IO|(?:\w+\.)*\w*InputStream)\(\)$|\.(?:arrayBuffer|toBuffer)\(\)$/;

/** Bytes are what is read or written, never where. */
const isBytes = ({ ref }: Value, { rule }: SinkOf): boolean =>
  rule.id === 'path-traversal' && ofBytes.test(ref ?? '');

/** Whether a text begins as the rule says, as far as it is written. */
const beginsSo = (value: Value, { begins }: SinkOf): boolean =>
  begins === undefined || begins.test(writtenOf(value).text || (value.beginning ?? ''));

/** What a runtime of JavaScript has without an import. */
const ofRuntime = /^\?(?:Bun|Deno)\./;

/** `globalThis.eval` is `eval`. */
const ofGlobal = /^\?(?:globalThis|global|window|self)\.(?=\w+$)/;

/** Sinks of this name. What Java and Rust write in full needs no import. */
function sinksNamed(full: string, { rules }: Machine, { module: { grammar } }: Frame): readonly SinkOf[] {
  const name = full.replace(ofGlobal, '?');
  const known = rules.sinks.find(name);
  const isWritten =
    ((grammar === 'java' || grammar === 'rust') && name.startsWith('?')) || ofRuntime.test(name);
  return isWritten ? [...known, ...rules.sinks.find(name.slice(1))] : known;
}

/** Reports all ways to this call; whether it is one that a rule knows and that gives back something else. */
export function checkSinks(
  expression: Expression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): boolean {
  let isSink = false;
  const found = sinksNamed(called.name, machine, frame);
  if (found.length === 0) return false;
  const { module, fn } = frame;
  const project = { grammar: module.grammar, manifests: machine.finder.manifests };
  for (const sink of new Set(found)) {
    if (!applies(sink, called, args, project)) continue;
    if (isRuledOut(sink.rule.id, { called, args, at: expression.at }, machine, frame)) continue;
    const { passes, prepares } = sink.sink;
    isSink ||= passes !== true && prepares !== true;
    const { at, end } = expression;
    const taints = harmfulTaints(sink, called, args);
    const isOfClient = taints.length > 0 && sink.rule.id === 'server-side-request-forgery';
    const guarded = isOfClient && isGuarded(called, args, machine, frame) ? { isGuarded: true as const } : {};
    for (const taint of taints) {
      const isWhole = isWholeFor(sink, taint);
      const command = commandIn(sink, called, args);
      machine.report({
        taint,
        sink,
        module,
        at,
        end,
        callee: called.name,
        fn,
        isWhole,
        ...command,
        ...guarded,
      });
    }
  }
  return isSink;
}

/** Taint of what a call was given that the rule speaks of. */
function harmfulTaints(sink: SinkOf, called: Called, args: readonly Given[]): readonly Taint[] {
  // `Command::new("git").args(["log"])` has its program before its words.
  const before = /^args?$/.test(called.method) ? programOf(called.object) : '';
  const own = programOf(args[0]?.value) || programOf(called.object);
  // Go's `CommandContext` has the program second.
  const program = before || own || (called.method === 'CommandContext' ? programOf(args[1]?.value) : '');
  // A program that reads scripts, started without a shell.
  const isScript = program === 'osascript' || called.name.startsWith('run-applescript.');
  const values = sinkValues(sink, called, args).filter(
    (value) => !isBytes(value, sink) && beginsSo(value, sink),
  );
  const taints = joinTaints(values.map((value) => taintsOf(value, sink, program)));
  return taints.filter((taint) => !isHarmless(taint, sink, isScript));
}
