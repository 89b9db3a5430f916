import type { ClassForm, FunctionForm, Statement } from './form/form.ts';
import { isTest, type ModuleFinder, type SourceModule } from './modules.ts';
import type { RuleSet } from './rules/rule-set.ts';
import { type Handler, handlerOf, ofShape, registerWith } from './surface/entrances.ts';
import { ofRequestType } from './surface/java.ts';
import { ofMark } from './surface/marked.ts';
import {
  exportedFunctions,
  functionsMade,
  isForOthers,
  noExpression,
  resultOf,
} from './exported-functions.ts';
import { markName } from './form/marks.ts';
import { Declarations } from './surface/declarations.ts';
import type { Offer } from './surface/offer.ts';
import { type Offered, offeredBy } from './surface/offered.ts';
import { withoutPassedOn } from './taint/passed-on.ts';
import { typedArguments } from './surface/typed-arguments.ts';
import type { Machine, Report } from './taint/frame.ts';
import { type Budget, BudgetSpent, createMachine } from './taint/machine.ts';
import { Candidates } from './taint/unresolved.ts';
import type { Source, Step, Taint } from './taint/taints.ts';
import { topFrame } from './taint/top-frame.ts';
import { allTaints, type ClassValue, clean, type FunctionValue, isTainted } from './taint/value.ts';

export interface Followed {
  reports: Report[];
  handlers: Handler[];
  /** What agents see of it. */
  offered: Offered[];
  /** False where the budget was spent before the end. */
  isComplete: boolean;
  /** Of the functions that take something, the share that handlers give what came in: 0 to 1. */
  reachedShare: number;
}

/** From this share on, tools lead to most of a program, and the rest is seldom theirs. */
export const mostlyReached = 0.5;
/** A program of more files in which nobody is served is a library. */
const mostWithoutHandlers = 60;

const isConstructor = ({ name }: FunctionForm): boolean => name === 'constructor' || name === '__init__';

function shareOf(found: readonly Found[], isReached: (fn: FunctionValue) => boolean): number {
  const taking = found.filter(({ fn: { fn } }) => fn.parameters.length > 0 && !isConstructor(fn));
  return taking.length === 0 ? 0 : taking.filter(({ fn }) => isReached(fn)).length / taking.length;
}

const isNoTest = (module: SourceModule): boolean => !isTest(module);

/** Functions that could register others within them. */
const mayOffer =
  /\.(?:tool|[rR]egisterTool|register_tool|addTools?|AddTools?|SetTools|AddPrompt|AddResource|add_tool|setRequestHandler|resource|registerResource|prompt|registerPrompt|call_tool|createServer|HandleFunc|serve|route|callHandler|toolCall)\b|ToolSpecification\b|\bTool\s*\{|\bTool::new\(|\bTool\.builder\(|\.(?:get|post|put|delete|patch|all|use|head|options|GET|POST|PUT|PATCH|DELETE|Any)\(\s*['"`][/*]|\.(?:on|ws)\(\s*['"`](?:message|request|connection|data)|\.(?:Get|Post|Put|Patch|Delete|All|Handle|HandleFunc|Method|MethodFunc)\(\s*(?:"[A-Z]+",\s*)?"(?:[A-Z]+ )?\/|\bdescription['"]?\s*:|\bname['"]?\s*:[^{}]{0,120}\b(?:handler|execute)\b|\bRoute\(|(?:Tool|Resource|Prompt)Specification\b|\.(?:addResource|addPrompt|newTool|createContext|add(?:Exact|Prefix)Path)\(|\bFunction(?:Tool)?Callback|\)\s*\.(?:handler|setHandler)\(|\bwarp::(?:path|query|body|any)\b/;

/** Where a program begins: what it registers may go through functions of its own. */
const isBegin = ({ fn: { name, parameters }, self }: FunctionValue): boolean =>
  name === 'main' && parameters.length <= 1 && (self === undefined || parameters.length === 1);

/** What lies in an archive was chosen by whoever made it, however it came here. */
const opensArchive =
  /\b(?:ZipArchive|ZipFile|ZipInputStream|JarFile|TarArchive\w*|AdmZip|unzipper|yauzl|tar\.extract|tarfile\.open|zip\.(?:OpenReader|NewReader)|tar\.NewReader|Archive::new)\b/;

/** A tool without parameters may still read the request that it came with. */
const ofRequest =
  /\b(?:get_http_request|get_http_headers|get_access_token|request_context|current_request)\b/;
const readsRequest = ({ fn, module }: FunctionValue): boolean =>
  ofRequest.test(module.text.slice(fn.at, fn.end));

/** How many functions are run once more because of what they may read. */
const readerLimit = 300;

const escaped = (name: string): string => name.replaceAll(/[^\w]/g, String.raw`\$&`);

interface Found {
  fn: FunctionValue;
  isExported: boolean;
}

function functionsOf(module: SourceModule, machine: Machine): Found[] {
  const found: Found[] = [];
  const addClass = (form: ClassForm): void => {
    const cls: ClassValue = { form, module, around: undefined };
    const own = machine.topOf(module).find(form.name)?.cls ?? cls;
    machine.fieldsOf(own);
    for (const fn of form.methods)
      found.push({
        fn: { fn, module, around: undefined, self: { taints: [], instance: own } },
        isExported: form.isExported && isForOthers(fn.name),
      });
  };
  const add = (statement: Statement): void => {
    if (statement.is === 'class') addClass(statement.form);
    else if (statement.is === 'function')
      found.push({
        fn: { fn: statement.fn, module, around: undefined },
        isExported: statement.fn.isExported,
      });
    else if (
      statement.is === 'do' &&
      statement.value.is === 'assign' &&
      statement.value.value.is === 'function'
    ) {
      const { fn } = statement.value.value;
      found.push({ fn: { fn, module, around: undefined }, isExported: fn.isExported });
    } else if (statement.is === 'if' || statement.is === 'block' || statement.is === 'try')
      for (const inner of statement.is === 'if' ? [...statement.yes, ...statement.no] : statement.body)
        add(inner);
  };
  machine.topOf(module);
  module.form.body.forEach(add);
  return found;
}

/** The id of all sources that are parameters of exported functions: what one of them found out of a call, all know. */
const exportedSource = 0;

const isWithin = ({ module, at, end }: Step, { module: own, fn }: FunctionValue): boolean =>
  module === own && at >= fn.at && end <= fn.end;

/** The exported functions that were followed, one after the other. */
class ExportedRoots {
  readonly #roots = new Map<Source, FunctionValue>();
  #latest: Taint | undefined;

  begin({ fn, args }: Handler): void {
    [this.#latest] = args.flatMap(({ value }) => allTaints(value));
    if (this.#latest !== undefined) this.#roots.set(this.#latest.source, fn);
  }

  /** With the way from the function that is followed: a call that is remembered tells of the one that was before it. */
  owned(report: Report): Report {
    const { source, step } = report.taint;
    const before = this.#roots.get(source);
    if (before === undefined || this.#latest === undefined || source === this.#latest.source) return report;
    const steps: Step[] = [];
    for (let each: Step | undefined = step; each !== undefined; each = each.before)
      if (!isWithin(each, before)) steps.push(each);
    const first = this.#latest.step;
    const whole = steps.reduceRight(
      (way, each): Step => ({ ...each, before: way, count: way.count + 1 }),
      first,
    );
    return { ...report, taint: { ...report.taint, source: this.#latest.source, step: whole } };
  }
}

/**
 * Closures that a wrapper makes, such as `register(name, wrap(handler))`, are one function in the source and another one
 * for each tool.
 */
const isOneOfMany = ({ fn, module, around }: FunctionValue, machine: Machine): boolean =>
  around !== undefined && around !== machine.topOf(module) && fn.owner === undefined;

/** The handlers that were found, in their order: one for each function, and for each name of one of many. */
class Handlers {
  readonly all: Handler[] = [];
  readonly #places = new Map<FunctionForm, Map<string, number>>();
  readonly #isOneOfMany: (fn: FunctionValue) => boolean;

  constructor(isOneOfMany: (fn: FunctionValue) => boolean) {
    this.#isOneOfMany = isOneOfMany;
  }

  add(handler: Handler): void {
    const { fn } = handler;
    const places = this.#places.get(fn.fn) ?? new Map<string, number>();
    this.#places.set(fn.fn, places);
    const name = this.#isOneOfMany(fn) ? handler.name : '';
    const place = places.get(name);
    const known = place === undefined ? undefined : this.all[place];
    if (place === undefined) places.set(name, this.all.push(handler) - 1);
    // The registration knows more than the shape; the first one that says a description stays.
    else if (known?.description === '' && handler.description !== '') this.all[place] = handler;
  }
}

/** Runs what reads the state that handlers have filled: workers, timers, listeners. */
function runReaders(
  names: ReadonlySet<string>,
  { found, done, machine }: { found: readonly Found[]; done: ReadonlySet<FunctionForm>; machine: Machine },
): void {
  const wanted = new RegExp(`\\b(?:${[...names].map(escaped).join('|')})\\b`);
  const readers = [...found.map(({ fn }) => fn), ...machine.deferred].filter(
    (fn) =>
      (!done.has(fn.fn) || fn.fn.parameters.length === 0) &&
      wanted.test(fn.module.text.slice(fn.fn.at, fn.fn.end)),
  );
  for (const fn of readers.slice(0, readerLimit))
    machine.call(fn, [], topFrame(fn.module, machine), noExpression);
}

/** Rounds in which calls without a known target are matched: what one leads to may make further ones. */
const dispatchRounds = 3;
/** How many functions one round calls. */
const dispatchLimit = 300;

/**
 * Leads input to functions that nothing led to: a call through an interface, a table or a container of services means
 * one that has its name, or one that was given away as a value.
 */
function dispatch(
  found: readonly Found[],
  isReached: (fn: FunctionValue) => boolean,
  machine: Machine,
): void {
  for (let round = 0; round < dispatchRounds; round++) {
    const calls = machine.unresolved.take();
    const left = found.map(({ fn }) => fn).filter((fn) => !isReached(fn));
    if (calls.length === 0 || left.length === 0) return;
    const candidates = new Candidates(left);
    let count = dispatchLimit;
    for (const call of calls)
      for (const fn of candidates.targetsOf(call)) {
        if (count-- <= 0) return;
        machine.call(fn, call.args, topFrame(fn.module, machine), call.args[0]?.expression ?? noExpression);
      }
  }
}

/** Functions that tell clients what the server offers, by their names and marks. */
const lister =
  /^(?:handle_?)?(?:get_?|list_?)?(?:available_?)?(?:list_?(?:tools|resources|prompts)|tools_?list|get_info)(?:_?request|_?handler)?$/i;

const isLister = ({ name, marks }: FunctionForm): boolean =>
  lister.test(name) || marks.some((mark) => lister.test(markName(mark)));

/** Modules whose exports a tool may lead to by a way that was not seen. */
function mayBeLost(
  modules: readonly SourceModule[],
  handlers: readonly Handler[],
  reachedShare: number,
): readonly SourceModule[] {
  const isServer = handlers.length > 0 || modules.length <= mostWithoutHandlers;
  return isServer && reachedShare < mostlyReached ? modules.filter(isNoTest) : [];
}

/** Follows what comes in from handlers, and then from exported functions, to wherever it gets. */
export function follow(finder: ModuleFinder, rules: RuleSet, budget: Budget): Followed {
  const { modules } = finder;
  const reports: Report[] = [];
  const handlers = new Handlers((fn) => isOneOfMany(fn, machine));
  let lastSource = exportedSource;
  const note = (offer: Offer): void => handlers.add(handlerOf(offer, ++lastSource));
  const declarations = new Declarations();
  const exported = new ExportedRoots();
  let isMatching = false;
  const machine = createMachine({
    modules,
    finder,
    rules,
    budget,
    report: (report) =>
      reports.push(exported.owned(isMatching ? { ...report, isMatchedByName: true } : report)),
    register: registerWith(note, declarations),
  });
  let isComplete = true;
  /** One that cannot be followed to its end does not stop the others. */
  const attempt = (body: () => void): boolean => {
    try {
      body();
      return true;
    } catch (error) {
      if (!(error instanceof BudgetSpent) && !(error instanceof RangeError)) throw error;
      isComplete = false;
      return !(error instanceof BudgetSpent);
    }
  };
  const run = (handler: Handler): void => {
    const { fn, args, kind, isForAll = false } = handler;
    // A route without parameters may read the request from a variable of its framework; what lists tools needs none.
    if (
      args.length === 0 &&
      kind !== 'http' &&
      !isForAll &&
      !isTainted(fn.self ?? clean) &&
      !readsRequest(fn)
    )
      return;
    const expression = args[0]?.expression ?? noExpression;
    const { value } = machine.call(
      fn,
      typedArguments(handler, machine),
      topFrame(fn.module, machine),
      expression,
    );
    if (isForAll) declarations.ofList(value, fn);
  };
  const found: Found[] = [];
  for (const module of modules.filter(isNoTest)) attempt(() => found.push(...functionsOf(module, machine)));
  for (const { fn } of found)
    attempt(() => {
      if (ofMark(fn, note, machine) || ofRequestType(fn, note) || ofShape(fn, note)) return;
      const text = fn.module.text.slice(fn.fn.at, fn.fn.end);
      if (isBegin(fn) || mayOffer.test(text) || opensArchive.test(text))
        machine.call(fn, [], topFrame(fn.module, machine), noExpression);
    });
  const done = new Set<FunctionForm>();
  const isReached = ({ fn }: FunctionValue) => done.has(fn) || machine.wasReached(fn);
  // Handlers can register others.
  let followed = 0;
  for (const handler of handlers.all) {
    followed++;
    done.add(handler.fn.fn);
    if (!attempt(() => run(handler))) break;
  }
  attempt(() => {
    const names = machine.taintedState();
    if (names.size === 0) return;
    machine.forget();
    for (const handler of handlers.all) run(handler);
    runReaders(names, { found, done, machine });
  });
  isMatching = true;
  attempt(() => dispatch(found, isReached, machine));
  isMatching = false;
  const reachedShare = shareOf(found, isReached);
  const runExported = (fn: FunctionValue): void => {
    // What tools pass to it was followed: others have no way to it.
    if (isReached(fn)) return;
    const handler = handlerOf({ kind: 'exported', name: fn.fn.name, description: '', fn }, exportedSource);
    done.add(fn.fn);
    exported.begin(handler);
    run(handler);
  };
  for (const { fn, isExported } of found) if (isExported && !attempt(() => runExported(fn))) break;
  for (const module of mayBeLost(modules, handlers.all, reachedShare))
    attempt(() => {
      const given = exportedFunctions(module, machine);
      for (const fn of [...given, ...functionsMade(given, machine)]) attempt(() => runExported(fn));
    });
  // What exported functions registered on the way.
  for (const handler of handlers.all.slice(followed)) attempt(() => run(handler));
  for (const { fn } of found.filter((each) => isLister(each.fn.fn)))
    attempt(() => declarations.ofList(resultOf(fn, machine), fn));
  let offered: Offered[] = [];
  attempt(() => (offered = offeredBy(handlers.all, declarations.all, machine)));
  return { reports: withoutPassedOn(reports), handlers: handlers.all, offered, isComplete, reachedShare };
}
