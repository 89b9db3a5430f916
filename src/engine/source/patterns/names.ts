import type { Expression, FunctionForm } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { refOf } from '../taint/names.ts';
import { moduleName } from '../taint/module-name.ts';
import { Variables } from './variables.ts';
import { FormWalk } from './walk.ts';

const depthLimit = 6;

const interops = /^(?:__importDefault|__toESM|_interopRequireDefault|_interop_require_default)$/;

/** What names and expressions of one file mean, as far as its text alone says: nothing is followed into functions. */
export class LocalNames {
  readonly #imports: ReadonlyMap<string, string>;
  /** What a variable is set to; undefined for one that is set several times. */
  readonly #set = new Map<string, Expression | undefined>();
  /** Names taken out of a required module. */
  readonly #required = new Map<string, string>();
  readonly #variables: Variables;
  #within: FunctionForm | undefined;

  constructor(module: SourceModule) {
    this.#imports = new Map(
      module.form.imports.map(({ local, module: from, name }) => [local, refOf(from, name)]),
    );
    const note = (name: string, value: Expression) =>
      this.#set.set(name, this.#set.has(name) && this.#set.get(name) !== value ? undefined : value);
    new FormWalk({
      call: () => undefined,
      entry: note,
      binary: () => undefined,
      loop: () => undefined,
      fn: () => undefined,
    }).run(module.form.body);
    this.#variables = new Variables(module.form);
    for (const each of module.form.body)
      if (each.is === 'do' && each.value.is === 'assign') this.#addRequired(each.value);
  }

  /** From here on names are those of this function. */
  enter(fn: FunctionForm | undefined): void {
    this.#within = fn;
  }

  #addRequired({ target, value }: Extract<Expression, { is: 'assign' }>): void {
    if (target.is !== 'fields' || value.is !== 'call') return;
    const from = value.args[0]?.value;
    if (from?.is !== 'literal' || this.nameOf(value.callee) !== '?require') return;
    for (const { key, target: part } of target.fields)
      if (key !== undefined && part.is === 'name')
        this.#required.set(part.name, `${moduleName(String(from.value))}.${key}`);
  }

  /** `child_process.exec`, `axios.create().get`; with `?` in front where the root is not known. */
  nameOf(expression: Expression, depth = 0): string {
    if (depth > depthLimit) return '?';
    if (expression.is === 'name') return this.#ofName(expression.name, depth);
    if (expression.is === 'member') return this.#ofMember(expression, depth);
    // `(0, cors_1.default)(…)`
    const last = expression.is === 'several' ? expression.items.at(-1) : undefined;
    if (last !== undefined) return this.nameOf(last, depth + 1);
    return expression.is === 'call' ? this.#ofCall(expression, depth) : '?';
  }

  #ofMember({ object, property }: Extract<Expression, { is: 'member' }>, depth: number): string {
    const module = property === 'default' ? this.#importedBy(object, depth) : undefined;
    return module ?? `${this.nameOf(object, depth + 1)}.${property}`;
  }

  #ofCall({ callee: written, args }: Extract<Expression, { is: 'call' }>, depth: number): string {
    const from = args[0]?.value;
    const callee = this.nameOf(written, depth + 1);
    return callee === '?require' && from?.is === 'literal' ? moduleName(String(from.value)) : `${callee}()`;
  }

  /** What compilers make of `import cors from 'cors'`: `const cors_1 = __importDefault(require("cors"))`. */
  #importedBy(object: Expression, depth: number): string | undefined {
    const value = object.is === 'name' ? this.setTo(object.name) : undefined;
    if (value?.is !== 'call' || value.callee.is !== 'name' || !interops.test(value.callee.name))
      return undefined;
    const [from] = value.args;
    return from === undefined ? undefined : this.nameOf(from.value, depth + 1);
  }

  #ofName(name: string, depth: number): string {
    const known = this.#imports.get(name) ?? this.#required.get(name);
    if (known !== undefined) return known;
    const value = this.setTo(name);
    const isNamed = value?.is === 'call' || value?.is === 'member' || value?.is === 'name';
    if (!isNamed) return `?${name}`;
    const found = this.nameOf(value, depth + 1);
    return found.startsWith('?') ? `?${name}` : found;
  }

  /** The setting of the machine that a variable is set to: `API_KEY` of `let key = env::var("API_KEY")`; else empty. */
  settingOf(name: string): string {
    let value = this.setTo(name);
    const key = settingAsked(value);
    if (key !== undefined) return key;
    // Of `env::var("API_KEY").unwrap_or_default()` the first call asks.
    for (let depth = 0; depth < depthLimit && value?.is === 'call'; depth++) {
      const { callee, args } = value;
      const first = args[0]?.value;
      if (
        first?.is === 'literal' &&
        /env|Header\.Get$|\.GetHeader$|\bheaders?(?:\(\)|_mut\(\))?\.get$|\.getHeader$/i.test(
          this.nameOf(callee),
        )
      )
        return String(first.value);
      value = callee.is === 'member' ? callee.object : undefined;
    }
    return '';
  }

  /** What a variable of this name is set to, where it is set once: in the function, around it, or else in the file. */
  setTo(name: string): Expression | undefined {
    const known = this.#variables.of(name, this.#within);
    return known === undefined ? this.#set.get(name) : known.value;
  }

  /** Constants that an expression may be: both sides of a choice, what stands behind `??` and `||`. */
  constantsOf(expression: Expression, depth = 0): Constant[] {
    if (depth > depthLimit) return [];
    const read = this.#constants[expression.is] as
      | ((each: Expression, of: (inner: Expression) => Constant[]) => Constant[])
      | undefined;
    return read?.(expression, (inner) => this.constantsOf(inner, depth + 1)) ?? [];
  }

  readonly #constants: {
    [K in Expression['is']]?: (
      expression: Extract<Expression, { is: K }>,
      of: (inner: Expression) => Constant[],
    ) => Constant[];
  } = {
    literal: ({ value }) => [value],
    pattern: ({ source }) => [source],
    name: ({ name }, of) => {
      const value = this.setTo(name);
      return value === undefined ? [] : of(value);
    },
    choice: ({ yes, no }, of) => [...of(yes), ...of(no)],
    binary: ({ operator, left, right }, of) => (isEither(operator) ? [...of(left), ...of(right)] : []),
    text: ({ parts }) => {
      const texts = parts.map((part) => (part.is === 'literal' ? String(part.value) : undefined));
      return texts.includes(undefined) ? [] : [texts.join('')];
    },
    list: ({ items }) => items.flatMap((item) => (item.is === 'literal' ? [item.value] : [])),
    // `os.getenv("HOST", "0.0.0.0")`
    call: ({ callee, args }, of) => {
      // `re.compile(r"…")`, `new RegExp('…')`
      const [pattern, preset] = args.map(({ value }) => value);
      if (pattern !== undefined && compiles.test(this.nameOf(callee))) return of(pattern);
      return preset !== undefined && /env/i.test(this.nameOf(callee)) ? of(preset) : [];
    },
  };
}

/** `process.env.API_KEY`, `os.environ["API_KEY"]`, also with something else where it is not set. */
function settingAsked(value: Expression | undefined): string | undefined {
  if (value?.is === 'binary' && isEither(value.operator)) return settingAsked(value.left);
  if (value?.is === 'member') return isEnvironment(value.object) ? value.property : undefined;
  if (value?.is !== 'index' || value.key.is !== 'literal') return undefined;
  return isEnvironment(value.object) ? String(value.key.value) : undefined;
}

const isEnvironment = (object: Expression): boolean =>
  object.is === 'member' && (object.property === 'env' || object.property === 'environ');

type Constant = string | number | boolean | null;

const compiles = /^\??(?:re\.compile|RegExp|Pattern\.compile|regex\.compile)$/;

const isEither = (operator: string) => operator === '??' || operator === '||';

/** Calls that keep nothing of what they are given: a length, a mask, a digest, a test. */
const keepsNothing =
  /(?:^|[._])(?:len|length|slice|substring|substr|mask\w*|redact\w*|hash\w*|sha256|bool|boolean|type|typeof|isinstance|exists|has|includes|count|int|round|sanitize\w*|obfuscate\w*|hide\w*|truncate\w*|safe\w*|encrypt\w*)$/i;

type Names = (inner: Expression) => string[];

const calledName = (callee: Expression): string =>
  callee.is === 'member' ? callee.property : callee.is === 'name' ? callee.name : '';

/** `os.environ.get("API_KEY")` */
const asksByName = /^(?:get|getenv|getProperty|getHeader|getParameter|var|Get|Getenv|GetHeader|LookupEnv)$/;
/** What gives a secret or an address with one when it is asked: `cfg.DSN()`. */
const givesSecret = /(?:dsn|password|conn(?:ection)?_?str(?:ing)?)$/i;
const isTest = /^(?:is|has|should|can|check)[A-Z_]/;

function mentionedInCall({ callee, args }: Extract<Expression, { is: 'call' }>, of: Names): string[] {
  const name = calledName(callee);
  if (keepsNothing.test(name) || isTest.test(name)) return [];
  if (asksByName.test(name)) {
    const key = args[0]?.value;
    return key?.is === 'literal' ? [String(key.value)] : [];
  }
  const object = callee.is === 'member' ? of(callee.object) : [];
  if (args.length > 0) return [...object, ...args.flatMap(({ value }) => of(value))];
  if (givesSecret.test(name)) return [name, ...object];
  // `settings.getPassword()`, and `login.password()` of a record; what reads words has tokens as well.
  const isAccessor = callee.is === 'member' && name !== 'token';
  return isAccessor ? [...object, name.replace(/^get(?=[A-Z])/, '')] : object;
}

const mentions: {
  [K in Expression['is']]?: (expression: Extract<Expression, { is: K }>, of: Names) => string[];
} = {
  name: ({ name }) => [name],
  member: ({ property }) => [property],
  // A part of it, as `key[:4]`, is shown so that it can be told apart.
  index: ({ object, key }, of) =>
    key.is === 'literal' ? [String(key.value)] : key.is === 'several' ? [] : of(object),
  text: ({ parts }, of) => parts.flatMap(of),
  list: ({ items }, of) => items.flatMap(of),
  several: ({ items }, of) => items.flatMap(of),
  object: ({ entries }, of) => entries.flatMap(({ value }) => of(value)),
  spread: ({ operand }, of) => of(operand),
  choice: ({ yes, no }, of) => [...of(yes), ...of(no)],
  binary: ({ operator, left, right }, of) =>
    isEither(operator) || operator === '+' ? [...of(left), ...of(right)] : [],
  call: mentionedInCall,
};

/** Names whose values are in an expression: the last name of a path, not what is only tested. */
export function mentionedIn(expression: Expression, depth = 0): string[] {
  if (depth > 12) return [];
  const read = mentions[expression.is] as ((each: Expression, of: Names) => string[]) | undefined;
  return read?.(expression, (inner) => mentionedIn(inner, depth + 1)) ?? [];
}
