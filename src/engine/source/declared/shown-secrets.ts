/** Secrets of the server that it gives as an answer. */
import type { Argument, ClassForm, Expression, FunctionForm } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { Variables } from '../patterns/variables.ts';
import { FormWalk } from '../patterns/walk.ts';
import type { Handler } from '../surface/entrances.ts';
import type { Own, ProjectFunctions } from './project-functions.ts';
import { holdsSettings, isSecretName, isSecretSetting } from './secret-names.ts';

export interface Shown {
  module: SourceModule;
  at: number;
  end: number;
  what: string;
}

interface Scope {
  module: SourceModule;
  fn: FunctionForm | undefined;
}

type Call = Extract<Expression, { is: 'call' }>;
type Member = Extract<Expression, { is: 'member' }>;

const depthLimit = 12;

const lastName = (expression: Expression): string => {
  if (expression.is === 'name') return expression.name;
  if (expression.is === 'member') return expression.property;
  return expression.is === 'call' ? lastName(expression.callee) : '';
};

const lastNameOfCall = (expression: Expression): string =>
  expression.is === 'call' ? lastName(expression.callee) : '';

const textOf = (expression: Expression | undefined): string =>
  expression?.is === 'literal' && typeof expression.value === 'string' ? expression.value : '';

/** `process.env.STORE_URL ?? 'postgres://…'`: who sets it puts a password in. */
const isAddressOfDatabase = (expression: Expression): boolean =>
  expression.is === 'binary' && isPresetOfDatabase(expression);

const isPresetOfDatabase = ({ operator, left, right }: Extract<Expression, { is: 'binary' }>): boolean =>
  /^(?:\|\||\?\?|or)$/.test(operator) &&
  left.is === 'member' &&
  isEnvironment(left.object) &&
  /(?:URL|URI|DSN)$/.test(left.property) &&
  /^(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|clickhouse):\/\//.test(
    textOf(right),
  );

const asksEnvironment =
  /^(?:getenv|Getenv|LookupEnv|var|get|getProperty|env|requireEnv|getEnv|get_env|required)$/;
const isEnvironment = (expression: Expression): boolean =>
  /^(?:env|environ)$/.test(lastName(expression)) || lastName(expression) === 'getenv';

/** Calls that give all of what they are given, in another form. */
const gives =
  /^(?:stringify|dumps|dump|str|repr|String|format|safe_dump|inspect|pformat|assign|dict|vars|asdict|model_dump|model_dump_json|to_dict|toJSON|copy|deepcopy|structuredClone|join|trim|strip|toString|to_string|encode|Marshal|MarshalIndent|Sprintf|writeValueAsString|from|concat|json|jsonify|text|ok|say|reply|respond|send|answer|result|success|fail|failure|error|content|pretty|TextContent|Ok|Some|JSONResponse|Response|HTMLResponse|PlainTextResponse)$|^(?:as|to|make|create|text|json|tool|wrap|error|success|format)_?(?:[A-Z_]\w*)?(?:[tT]ext|[jJ]son|JSON|[rR]esult|[rR]esponse|[cC]ontent|[aA]nswer|[eE]rror|[oO]utput)$/;
const wholeOf = /^(?:model_dump|model_dump_json|dict|vars|asdict|to_dict|toJSON|stringify|dumps|json)$/;
/** What makes an error: functions that only deal with one are given keys to hide them. */
const errors = /^(?:[A-Z]\w*)?(?:Error|Exception)$|^(?:Errorf|abort|reject)$/;
/** `log.error(…)` writes and answers nothing. */
const logs = /^(?:console|slog|pino|winston|tracing)$|log(?:ger|ging)?$/i;
const answers = /^(?:json|send|end|write|jsonify|JSONResponse|render|body|html|text|JSON|String)$/;
const responses = /^(?:res|response|reply|ctx|c|w|context|rw|resp|status|code|header|type)$/;

/** What picks fields out says what is shown: `JSON.stringify(config, ['host'])`, `model_dump(exclude={'key'})`. */
const picksFields = (name: string, args: readonly Argument[]): boolean =>
  (name === 'stringify' && args[1]?.value.is === 'list') ||
  args.some(({ name: named }) => named === 'exclude' || named === 'include');

const isPutTogether = ({ is }: Expression): boolean => is === 'text' || is === 'object' || is === 'list';

/** Whether a call asks the machine for a setting. */
const isOfMachine = (callee: Expression): boolean =>
  /env/i.test(lastName(callee)) ||
  (callee.is === 'member' && /^(?:env|environ|System)$/.test(lastName(callee.object)));

/** Of what an expression is put together; not what it only asks. */
function partsOf(expression: Expression): readonly Expression[] {
  if (expression.is === 'text') return expression.parts;
  if (expression.is === 'list' || expression.is === 'several') return expression.items;
  if (expression.is === 'choice') return [expression.yes, expression.no];
  if (expression.is === 'spread') return [expression.operand];
  if (expression.is !== 'binary') return [];
  const isBoth = /^(?:\|\||\?\?|\+|or)$/.test(expression.operator);
  return isBoth ? [expression.left, expression.right] : [];
}

class SecretFinder {
  readonly #functions: ProjectFunctions;
  readonly #modules: readonly SourceModule[];
  readonly #variables = new Map<SourceModule, Variables>();
  readonly #classes = new Map<string, ClassForm>();

  constructor(modules: readonly SourceModule[], functions: ProjectFunctions) {
    this.#modules = modules;
    this.#functions = functions;
    for (const { form } of modules)
      for (const each of form.body) if (each.is === 'class') this.#classes.set(each.form.name, each.form);
  }

  /** What a name is set to: in its function, in its file, or in the only other file that sets it. */
  #valueOf(name: string, { module, fn }: Scope): { value: Expression; scope: Scope } | undefined {
    let variables = this.#variables.get(module);
    if (variables === undefined) this.#variables.set(module, (variables = new Variables(module.form)));
    const known = variables.of(name, fn);
    if (known !== undefined)
      return known.value === undefined ? undefined : { value: known.value, scope: { module, fn } };
    return this.#ofOtherFile(name, module);
  }

  #ofOtherFile(name: string, module: SourceModule): { value: Expression; scope: Scope } | undefined {
    const others = this.#modules
      .filter((each) => each !== module)
      .flatMap((each) => {
        const value = this.#functions.setTo(name, each);
        return value === undefined ? [] : [{ value, scope: { module: each, fn: undefined } }];
      });
    return others.length === 1 ? others[0] : undefined;
  }

  /** Whether a leaf of an answer is a secret, or has one in it. */
  #isSecret(leaf: Expression, scope: Scope, depth: number): boolean {
    if (depth > depthLimit) return false;
    if (leaf.is === 'name') {
      const set = this.#valueOf(leaf.name, scope);
      return set !== undefined && this.in(set.value, set.scope, depth + 1).length > 0;
    }
    if (leaf.is === 'member') return this.#isSecretMember(leaf, scope, depth);
    // `key[-4:]` shows which one it is, and not what.
    if (leaf.is !== 'index' || leaf.key.is === 'several') return false;
    const key = textOf(leaf.key);
    if (isEnvironment(leaf.object)) return isSecretSetting(key);
    if (key !== '') return isSecretName(key) && holdsSettings(lastName(leaf.object));
    return this.#isSecret(leaf.object, scope, depth + 1);
  }

  #isSecretMember({ object, property }: Member, scope: Scope, depth: number): boolean {
    if (isEnvironment(object)) return isSecretSetting(property);
    const holder = lastName(object);
    const set = object.is === 'name' ? this.#valueOf(object.name, scope) : undefined;
    if (set?.value.is === 'object') {
      const entry = set.value.entries.find(({ key }) => key === property);
      if (entry !== undefined) return this.in(entry.value, set.scope, depth + 1).length > 0;
    }
    if (isSecretName(property) && holdsSettings(holder)) return !this.#isHidden(property);
    const isImported = set === undefined || lastNameOfCall(set.value) === 'require';
    return object.is === 'name' && isImported && this.#isSecretOfFile(property, scope, depth);
  }

  /** `store.connections` of a file that is imported as a whole. */
  #isSecretOfFile(name: string, { module }: Scope, depth: number): boolean {
    const other = this.#ofOtherFile(name, module);
    return other?.value.is === 'object' && this.in(other.value, other.scope, depth + 1).length > 0;
  }

  /** A field whose type shows nothing of it: `SecretStr`. */
  #isHidden(name: string): boolean {
    for (const { fields } of this.#classes.values())
      for (const field of fields) if (field.name === name && /Secret/.test(field.type ?? '')) return true;
    return false;
  }

  /** Whether a call makes settings with a secret that is shown where all of them are. */
  #makesSecrets(value: Expression | undefined): boolean {
    const form = value?.is === 'call' ? this.#classes.get(lastName(value.callee)) : undefined;
    return (
      form?.fields.some(
        ({ name, type = '' }) => isSecretName(name) && !/Secret|Field\(.*exclude/.test(type),
      ) === true
    );
  }

  #areSettings(value: Expression, scope: Scope): boolean {
    return value.is === 'name' && this.#makesSecrets(this.#valueOf(value.name, scope)?.value);
  }

  #inCall(call: Call, scope: Scope, depth: number): Expression[] {
    const { callee, args } = call;
    const name = lastName(callee);
    if (asksEnvironment.test(name) && isSecretSetting(textOf(args[0]?.value)))
      return isOfMachine(callee) ? [call] : [];
    if (!gives.test(name)) return this.#inOwn(call, scope, depth);
    if (picksFields(name, args)) return [];
    const whole = args.map(({ value }) => value);
    // `formatError(error, key)` of the project is given a key apart from what it shows.
    const isApart = args.length > 1 && this.#functions.named(name, scope.module).length > 0;
    if (isApart) return whole.filter(isPutTogether).flatMap((each) => this.in(each, scope, depth + 1));
    if (callee.is === 'member') whole.unshift(callee.object);
    if (wholeOf.test(name) && whole.some((each) => this.#areSettings(each, scope))) return [call];
    return whole.flatMap((each) => this.in(each, scope, depth + 1));
  }

  /** What a function of the project gives. */
  #inOwn({ callee }: Call, { module }: Scope, depth: number): Expression[] {
    const name = lastName(callee);
    if (
      /mask|redact|hide|sanit|scrub|safe|public|hash|length|has|is[A-Z_]|strip|without|omit|clean/i.test(name)
    )
      return [];
    const found: Expression[] = [];
    for (const own of this.#functions.named(name, module))
      for (const value of returnedBy(own.fn)) found.push(...this.in(value, own, depth + 2));
    return found.length > 0 ? [callee] : [];
  }

  /** Leaves of an expression that are secrets. */
  in(expression: Expression, scope: Scope, depth = 0): Expression[] {
    if (depth > depthLimit) return [];
    const of = (inner: Expression): Expression[] => this.in(inner, scope, depth + 1);
    if (expression.is === 'name' || expression.is === 'member' || expression.is === 'index')
      return this.#isSecret(expression, scope, depth) ? [expression] : [];
    if (expression.is === 'object') return this.#inObject(expression, of);
    if (expression.is === 'call') return this.#inCall(expression, scope, depth);
    // The address of a database is one, whatever its setting is called.
    if (isAddressOfDatabase(expression)) return [expression];
    return partsOf(expression).flatMap(of);
  }

  #inObject(
    { entries }: Extract<Expression, { is: 'object' }>,
    of: (inner: Expression) => Expression[],
  ): Expression[] {
    // What stands behind `...config` takes the place of its secret.
    const isReplaced = entries.some(({ key }) => typeof key === 'string' && isSecretName(key));
    return entries.flatMap(({ key, value }) =>
      (key === undefined || value.is === 'spread') && isReplaced ? [] : of(value),
    );
  }
}

function returnedBy(fn: FunctionForm): Expression[] {
  const found: Expression[] = [];
  const nothing = (): void => undefined;
  new FormWalk({
    call: nothing,
    entry: nothing,
    binary: nothing,
    loop: nothing,
    fn: nothing,
    returned: (value, place) => {
      if (place.fn === undefined) found.push(value);
    },
  }).run(fn.body);
  return found;
}

const offers = /^(?:add_?|register_?|define_?|create_?)?(?:tool|resource|prompt)s?$/i;

/** Functions that answer: those that were seen to, and those that are given to what offers them. */
function answering(handlers: readonly Handler[], functions: ProjectFunctions): Own[] {
  const found = new Map<FunctionForm, Own>();
  for (const { kind, fn } of handlers)
    if (kind !== 'exported') found.set(fn.fn, { module: fn.module, fn: fn.fn, name: fn.fn.name });
  const modules = new Set(functions.all.map(({ module }) => module));
  const nothing = (): void => undefined;
  for (const module of modules) {
    const note = (args: readonly Argument[]): void => {
      for (const { value } of args)
        if (value.is === 'function') found.set(value.fn, { module, fn: value.fn, name: '' });
    };
    new FormWalk({
      call: ({ callee, args }) => {
        if (args.length > 2 && offers.test(lastName(callee))) note(args);
      },
      entry: nothing,
      binary: nothing,
      loop: nothing,
      fn: nothing,
    }).run(module.form.body);
  }
  return [...found.values()];
}

/** Places where an answer or an error has a secret of the server in it. */
export function shownSecrets(
  modules: readonly SourceModule[],
  handlers: readonly Handler[],
  functions: ProjectFunctions,
): Shown[] {
  const finder = new SecretFinder(modules, functions);
  const found: Shown[] = [];
  const seen = new Set<FunctionForm>();
  const look = ({ module, fn }: Own, depth: number): void => {
    if (seen.has(fn)) return;
    seen.add(fn);
    const note = (value: Expression, inner: FunctionForm | undefined): void => {
      for (const { at, end } of finder.in(value, { module, fn: inner ?? fn }))
        found.push({ module, at, end, what: `\`${module.text.slice(at, Math.min(end, at + 60))}\`` });
    };
    const nothing = (): void => undefined;
    new FormWalk({
      entry: nothing,
      binary: nothing,
      loop: nothing,
      fn: nothing,
      call: ({ callee, args }, place) => {
        const name = lastName(callee);
        const receiver = callee.is === 'member' ? lastName(callee.object) : '';
        const isError = errors.test(name) && !logs.test(receiver);
        const isAnswer = answers.test(name) && responses.test(receiver);
        if (isError || (depth === 0 && isAnswer)) for (const { value } of args) note(value, place.fn);
        if (depth < 2) for (const own of functions.named(name, module)) look(own, depth + 1);
      },
      returned: (value, place) => {
        const isWithin = place.inside.length > 0;
        // `jwt.Parse(token, () => key)`: what asks for the key is no answer.
        if (depth === 0 && !isWithin && place.fn === undefined) note(value, place.fn);
      },
    }).run(fn.body);
  };
  for (const own of answering(handlers, functions)) look(own, 0);
  return found;
}
