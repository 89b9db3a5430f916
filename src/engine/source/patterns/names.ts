import type { Expression } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { refOf } from '../taint/names.ts';
import { moduleName } from '../taint/library.ts';
import { FormWalk } from './walk.ts';

const depthLimit = 6;

/** What names and expressions of one file mean, as far as its text alone says: nothing is followed into functions. */
export class LocalNames {
  readonly #imports: ReadonlyMap<string, string>;
  /** What a variable is set to; undefined for one that is set several times. */
  readonly #set = new Map<string, Expression | undefined>();
  /** Names taken out of a required module. */
  readonly #required = new Map<string, string>();

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
    for (const each of module.form.body)
      if (each.is === 'do' && each.value.is === 'assign') this.#addRequired(each.value);
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
    switch (expression.is) {
      case 'name':
        return this.#ofName(expression.name, depth);
      case 'member':
        return `${this.nameOf(expression.object, depth + 1)}.${expression.property}`;
      case 'call': {
        const from = expression.args[0]?.value;
        const callee = this.nameOf(expression.callee, depth + 1);
        if (callee === '?require' && from?.is === 'literal') return moduleName(String(from.value));
        return `${callee}()`;
      }
      default:
        return '?';
    }
  }

  #ofName(name: string, depth: number): string {
    const known = this.#imports.get(name) ?? this.#required.get(name);
    if (known !== undefined) return known;
    const value = this.#set.get(name);
    const isNamed = value?.is === 'call' || value?.is === 'member' || value?.is === 'name';
    if (!isNamed) return `?${name}`;
    const found = this.nameOf(value, depth + 1);
    return found.startsWith('?') ? `?${name}` : found;
  }

  /** Constants that an expression may be: both sides of a choice, what stands behind `??` and `||`. */
  constantsOf(expression: Expression, depth = 0): (string | number | boolean | null)[] {
    if (depth > depthLimit) return [];
    const of = (inner: Expression) => this.constantsOf(inner, depth + 1);
    switch (expression.is) {
      case 'literal':
        return [expression.value];
      case 'pattern':
        return [expression.source];
      case 'name': {
        const value = this.#set.get(expression.name);
        return value === undefined ? [] : of(value);
      }
      case 'choice':
        return [...of(expression.yes), ...of(expression.no)];
      case 'binary':
        return ['??', '||'].includes(expression.operator)
          ? [...of(expression.left), ...of(expression.right)]
          : [];
      case 'text': {
        const parts = expression.parts.map((part) =>
          part.is === 'literal' ? String(part.value) : undefined,
        );
        return parts.some((part) => part === undefined) ? [] : [parts.join('')];
      }
      case 'list':
        return expression.items.flatMap((item) => (item.is === 'literal' ? [item.value] : []));
      case 'call':
        // `os.getenv("HOST", "0.0.0.0")`
        return /env/i.test(this.nameOf(expression.callee)) && expression.args[1] !== undefined
          ? of(expression.args[1].value)
          : [];
      default:
        return [];
    }
  }
}

/** Calls that keep nothing of what they are given: a length, a mask, a digest, a test. */
const keepsNothing =
  /(?:^|[._])(?:len|length|mask\w*|redact\w*|hash\w*|sha256|bool|boolean|type|typeof|isinstance|exists|has|includes|count|int|round|sanitize\w*|obfuscate\w*|hide\w*|truncate\w*|safe\w*|encrypt\w*)$/i;

/** Names whose values are in an expression: the last name of a path, not what is only tested. */
export function mentionedIn(expression: Expression, depth = 0): string[] {
  if (depth > 12) return [];
  const of = (inner: Expression) => mentionedIn(inner, depth + 1);
  switch (expression.is) {
    case 'name':
      return [expression.name];
    case 'member':
      return [expression.property];
    case 'index':
      return expression.key.is === 'literal' ? [String(expression.key.value)] : of(expression.object);
    case 'text':
      return expression.parts.flatMap(of);
    case 'list':
    case 'several':
      return expression.items.flatMap(of);
    case 'object':
      return expression.entries.flatMap(({ value }) => of(value));
    case 'spread':
      return of(expression.operand);
    case 'choice':
      return [...of(expression.yes), ...of(expression.no)];
    case 'binary':
      return ['??', '||', '+'].includes(expression.operator)
        ? [...of(expression.left), ...of(expression.right)]
        : [];
    case 'call': {
      const { callee } = expression;
      const name = callee.is === 'member' ? callee.property : callee.is === 'name' ? callee.name : '';
      if (keepsNothing.test(name)) return [];
      // `os.environ.get("API_KEY")`
      if (/^(?:get|getenv|getProperty|var)$/.test(name)) {
        const key = expression.args[0]?.value;
        return key?.is === 'literal' ? [String(key.value)] : [];
      }
      const isTest = /^(?:is|has|should|can|check)[A-Z_]/.test(name);
      if (isTest) return [];
      const object = callee.is === 'member' ? of(callee.object) : [];
      return [...object, ...expression.args.flatMap(({ value }) => of(value))];
    }
    default:
      return [];
  }
}
