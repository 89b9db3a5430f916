import type { Import, Statement } from '../form/form.ts';
import type { ModuleFinder, SourceModule } from '../modules.ts';
import { moduleName } from './library.ts';
import { type ClassValue, fieldOf, type FunctionValue, isTainted, Scope, type Value } from './value.ts';

interface Runs {
  /** Follows the statements at the top of a module. */
  runTop: (module: SourceModule, scope: Scope) => void;
  /** Sets the fields that a class declares or its constructor sets. */
  fillFields: (cls: ClassValue, fields: Map<string, Value>) => void;
}

/** Method names that so many classes have that one of them proves nothing. */
const common = new Set(
  'get set run query execute call add delete remove update find create list close open read write send start stop init handle process parse format log error info next then catch map filter join push test match exec connect'.split(
    ' ',
  ),
);

export const refOf = (module: string, name: string): string =>
  // A class of Java is known by its name alone.
  module.startsWith('java:')
    ? name
    : name === '*' || name === 'default'
      ? moduleName(module)
      : `${moduleName(module)}.${name}`;

/** Types whose values are made by a function of another name. */
const makers = new Map([
  ['axios.AxiosInstance', 'axios.create'],
  ['axios.Axios', 'axios.create'],
  ['got.Got', 'got.extend'],
  ['ky.KyInstance', 'ky.create'],
]);

const instanceOf = (type: string): Value | undefined =>
  type.startsWith('?') ? undefined : { taints: [], ref: `${makers.get(type) ?? type}()` };

/** What names mean: imports, the top of modules, classes and their members. */
export class Names {
  readonly #tops = new Map<SourceModule, Scope>();
  readonly #fields = new Map<unknown, Map<string, Value>>();
  readonly #methods = new Map<string, FunctionValue | 'several'>();
  readonly #finder: ModuleFinder;
  readonly #runs: Runs;

  constructor(modules: readonly SourceModule[], finder: ModuleFinder, runs: Runs) {
    this.#finder = finder;
    this.#runs = runs;
    for (const module of modules) this.#addMethods(module, module.form.body);
  }

  #addMethods(module: SourceModule, statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (statement.is !== 'class') continue;
      for (const fn of statement.form.methods) {
        const cls: ClassValue = { form: statement.form, module, around: undefined };
        const self: Value = { taints: [], instance: cls };
        this.#methods.set(
          fn.name,
          this.#methods.has(fn.name) ? 'several' : { fn, module, around: undefined, self },
        );
      }
    }
  }

  topOf(module: SourceModule): Scope {
    let scope = this.#tops.get(module);
    if (scope === undefined) {
      scope = new Scope();
      this.#tops.set(module, scope);
      this.#runs.runTop(module, scope);
    }
    return scope;
  }

  global(name: string, module: SourceModule): Value | undefined {
    const top = this.topOf(module);
    const own = top.find(name);
    if (own !== undefined) return own;
    const imported = module.form.imports.find(({ local }) => local === name);
    if (imported !== undefined) return this.#imported(imported, module);
    return this.#exported(name, module) ?? this.#ofNeighbours(name, module);
  }

  /** Files of one Go or Java package see each other's names. */
  #ofNeighbours(name: string, module: SourceModule): Value | undefined {
    if (module.form.packageName === undefined) return undefined;
    for (const each of this.#finder.neighbours(module)) {
      const found = each === module ? undefined : this.topOf(each).find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `export {a as b} from './c'`, `export * from`, `module.exports = {…}`, and `default`. */
  #exported(name: string, module: SourceModule): Value | undefined {
    const passedOn = this.#passedOn(name, module);
    if (passedOn !== undefined) return passedOn;
    const top = this.topOf(module);
    const common = top.find('module')?.fields?.get('exports') ?? top.find('exports');
    if (common === undefined) return undefined;
    return name === 'default' ? common : common.fields?.get(name);
  }

  #passedOn(name: string, module: SourceModule): Value | undefined {
    for (const each of module.form.exports.filter((one) => one.name === name || one.name === '*')) {
      const from = each.module === undefined ? module : this.#finder.find(module, each.module);
      if (from === undefined || (from === module && each.local === name)) continue;
      const found = this.global(each.name === '*' ? name : each.local, from);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #fileOf({ module, path }: Pick<Import, 'module'> & { path: string | undefined }, from: SourceModule) {
    const [own] = path === undefined ? [] : this.#finder.packageFiles(path);
    return own ?? this.#finder.find(from, module);
  }

  #imported({ module: written, name, path }: Import, from: SourceModule): Value {
    const target = this.#fileOf({ module: written, path }, from);
    const ref = refOf(written, name);
    if (from.grammar === 'python' && name !== '*') {
      const part = this.#finder.find(from, written.endsWith('.') ? written + name : `${written}.${name}`);
      if (part !== undefined && part !== target) return { taints: [], module: part };
    }
    if (target === undefined) return { taints: [], ref };
    if (name === '*') return { taints: [], module: target };
    const value = this.global(name, target);
    return value ?? (name === 'default' ? this.#onlyExport(target) : undefined) ?? { taints: [], ref };
  }

  /** `export default class Foo` is in the top scope under its own name. */
  #onlyExport(module: SourceModule): Value | undefined {
    const exported = module.form.body.filter(
      (each) =>
        (each.is === 'class' && each.form.isExported) || (each.is === 'function' && each.fn.isExported),
    );
    const [only] = exported;
    if (only === undefined || exported.length > 1) return undefined;
    const name = only.is === 'class' ? only.form.name : only.is === 'function' ? only.fn.name : '';
    return this.topOf(module).find(name);
  }

  fieldsOf(cls: ClassValue): Map<string, Value> {
    let fields = this.#fields.get(cls.form);
    if (fields === undefined) {
      fields = new Map();
      this.#fields.set(cls.form, fields);
      this.#runs.fillFields(cls, fields);
    }
    return fields;
  }

  hasTaintedFields(): boolean {
    return [...this.#fields.values()].some((fields) => [...fields.values()].some(isTainted));
  }

  methodOf(cls: ClassValue, name: string, depth = 0): FunctionValue | undefined {
    const fn = cls.form.methods.find((method) => method.name === name);
    if (fn !== undefined) return { fn, module: cls.module, around: cls.around };
    const elsewhere = this.#methodElsewhere(cls, name);
    if (elsewhere !== undefined || depth > 5) return elsewhere;
    for (const base of cls.form.bases) {
      const value = this.#typeNamed(base, {
        module: cls.module,
        scope: cls.around ?? this.topOf(cls.module),
      });
      const found = value?.cls === undefined ? undefined : this.methodOf(value.cls, name, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Methods of a Go type may stand in any file of its package. */
  #methodElsewhere(cls: ClassValue, name: string): FunctionValue | undefined {
    if (cls.module.grammar !== 'go') return undefined;
    const full = `${cls.form.name}.${name}`;
    for (const each of this.#finder.neighbours(cls.module)) {
      const found = each === cls.module ? undefined : this.topOf(each).find(full)?.fn;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #typeNamed(name: string, { module, scope }: { module: SourceModule; scope: Scope }): Value | undefined {
    const [first = '', ...rest] = name.split('.');
    let value = scope.find(first) ?? this.global(first, module);
    for (const part of rest) {
      if (value === undefined) return undefined;
      value = value.module === undefined ? fieldOf(value, part) : this.global(part, value.module);
    }
    return value;
  }

  instanceByType(type: string | undefined, frame: { module: SourceModule; scope: Scope }): Value | undefined {
    const name = type
      ?.replaceAll('::', '.')
      .replace(/^&(?:mut\s+)?/, '')
      .replace(
        /^(?:Optional|Annotated|Readonly|Promise|Arc|Box|Option|Parameters|Json|Query|Form)[[<](.*)[\]>]$/,
        '$1',
      )
      .replace(/^[&*\s]+|\s*\|.*$|\?$/g, '')
      .replace(/[<[].*$/, '')
      .trim();
    if (name === undefined || !/^[A-Za-z_][\w.]*$/.test(name)) return undefined;
    const value = this.#typeNamed(name, frame);
    if (value?.cls !== undefined) return { taints: [], instance: value.cls };
    if (value === undefined && frame.module.grammar === 'rust' && name.includes('.'))
      return { taints: [], ref: `${name}()` };
    return value?.ref === undefined ? undefined : instanceOf(value.ref);
  }

  onlyMethod(name: string): FunctionValue | undefined {
    if (common.has(name)) return undefined;
    const found = this.#methods.get(name);
    return found === 'several' ? undefined : found;
  }
}
