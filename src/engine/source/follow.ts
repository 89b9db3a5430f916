import type { ClassForm, FunctionForm, Statement } from './form/form.ts';
import type { ModuleFinder, SourceModule } from './modules.ts';
import type { RuleSet } from './rules/rule-set.ts';
import { type Handler, handlerOf, type Offer, ofMark, ofShape, registerWith } from './surface/entrances.ts';
import { isFreeType } from './surface/types-of-input.ts';
import type { Frame, Given, Machine, Report } from './taint/frame.ts';
import { type Budget, BudgetSpent, createMachine } from './taint/machine.ts';
import {
  allTaints,
  type ClassValue,
  type FunctionValue,
  Scope,
  type Source,
  type Step,
  type Taint,
  type Value,
} from './taint/value.ts';

export interface Followed {
  reports: Report[];
  handlers: Handler[];
  /** False where the budget was spent before the end. */
  isComplete: boolean;
}

/** Functions that could register others within them. */
const mayOffer =
  /\.(?:tool|registerTool|addTool|AddTool|AddPrompt|AddResource|add_tool|setRequestHandler|resource|registerResource|prompt|registerPrompt|call_tool|createServer|HandleFunc|serve|route)\b|\.(?:get|post|put|delete|patch|all|use|head|options)\(\s*['"`][/*]|\.(?:on|ws)\(\s*['"`](?:message|request|connection|data)|\bdescription['"]?\s*:|\bRoute\(/;

/** Tests are read, and followed where something else calls them: nobody outside reaches them. */
const isTest =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|specs|e2e)\/|(?:\.|_)(?:test|spec)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|Test\.java$/;

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
        isExported: form.isExported && isForOthers(fn),
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

const isForOthers = ({ name }: FunctionForm) => !/^[_#]/.test(name) && name !== 'constructor';

const topFrame = (module: SourceModule, machine: Machine): Frame => ({
  module,
  scope: new Scope(machine.topOf(module)),
  self: undefined,
  fn: undefined,
  exits: [],
  depth: 0,
});

/** An argument of a type whose fields are declared: numbers and the like among them carry no text. */
function typedArguments({ fn, args }: Handler, machine: Machine): Given[] {
  return args.map((arg, at) => {
    const { taints, fields } = arg.value;
    const type = fn.fn.parameters[at]?.type;
    if (taints.length === 0 || fields !== undefined || type === undefined) return arg;
    const scope = new Scope(machine.topOf(fn.module));
    const form = machine.instanceByType(type, { module: fn.module, scope })?.instance?.form;
    if (form === undefined || form.fields.every((field) => isFreeType(field.type ?? ''))) return arg;
    const known = form.fields.map((field): [string, Value] => [
      field.name,
      isFreeType(field.type ?? '') ? { taints } : { taints: [] },
    ]);
    return { ...arg, value: { taints: [], fields: new Map([...known, ['*', { taints }]]) } };
  });
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

/** Follows what comes in from handlers, and then from exported functions, to wherever it gets. */
export function follow(finder: ModuleFinder, rules: RuleSet, budget: Budget): Followed {
  const { modules } = finder;
  const reports: Report[] = [];
  const handlers = new Map<FunctionForm, Handler>();
  let lastSource = exportedSource;
  const handlerFor = (offer: Offer): Handler => handlerOf(offer, ++lastSource);
  const note = (offer: Offer): void => {
    const handler = handlerFor(offer);
    const known = handlers.get(handler.fn.fn);
    // The registration knows more than the shape; the first one that says a description stays.
    if (known === undefined || (known.description === '' && handler.description !== ''))
      handlers.set(handler.fn.fn, handler);
  };
  const exported = new ExportedRoots();
  const machine = createMachine({
    modules,
    finder,
    rules,
    budget,
    report: (report) => reports.push(exported.owned(report)),
    register: registerWith(note),
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
    const { fn, args } = handler;
    const [first] = args;
    if (first === undefined) return;
    machine.call(fn, typedArguments(handler, machine), topFrame(fn.module, machine), first.expression);
  };
  const found: Found[] = [];
  for (const module of modules)
    if (!isTest.test(module.path)) attempt(() => found.push(...functionsOf(module, machine)));
  for (const { fn } of found)
    attempt(() => {
      if (ofMark(fn, note) || ofShape(fn, note)) return;
      const text = fn.module.text.slice(fn.fn.at, fn.fn.end);
      if (mayOffer.test(text))
        machine.call(fn, [], topFrame(fn.module, machine), { is: 'literal', value: null, at: 0, end: 0 });
    });
  const done = new Set<FunctionForm>();
  // Handlers can register others.
  for (const [form, handler] of handlers) {
    done.add(form);
    if (!attempt(() => run(handler))) break;
  }
  attempt(() => {
    if (!machine.hasTaintedFields()) return;
    machine.forget();
    for (const handler of handlers.values()) run(handler);
  });
  for (const { fn, isExported } of found) {
    // What tools pass to it was followed: others have no way to it.
    if (!isExported || done.has(fn.fn) || machine.wasReached(fn.fn)) continue;
    const handler = handlerOf({ kind: 'exported', name: fn.fn.name, description: '', fn }, exportedSource);
    exported.begin(handler);
    if (!attempt(() => run(handler))) break;
  }
  return { reports, handlers: [...handlers.values()], isComplete };
}
