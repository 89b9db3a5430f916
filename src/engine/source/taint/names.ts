import { bareType } from './bare-types.ts';
import { ofEveryFile } from './java-names.ts';
import type { Import, Statement } from '../form/form.ts';
import type { ModuleFinder, SourceModule } from '../modules.ts';
import { moduleName } from './module-name.ts';
import { ByShape, isProtocol } from './protocols.ts';
import { Scope } from './scope.ts';
import {
  type ClassValue,
  fieldOf,
  type FunctionValue,
  isTainted,
  type Value,
  type Surroundings,
} from './value.ts';

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

const derivedLimit = 40;

/** What names mean: imports, the top of modules, classes and their members. */
export class Names {
  readonly #tops = new Map<SourceModule, Scope>();
  readonly #imports = new Map<SourceModule, ReadonlyMap<string, Import>>();
  /** The file of the project that each means. */
  readonly #targets = new Map<Import, SourceModule | undefined>();
  readonly #fields = new Map<unknown, Map<string, Value>>();
  readonly #methods = new Map<string, FunctionValue | 'several'>();
  readonly #byShape = new ByShape();
  /** Classes by the name of what they are derived from. */
  readonly #derived = new Map<string, ClassValue[]>();
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
      for (const base of statement.form.bases) {
        const name =
          base
            .replace(/[<[(].*$/, '')
            .split('.')
            .at(-1) ?? '';
        const derived = this.#derived.get(name) ?? [];
        derived.push({ form: statement.form, module, around: undefined });
        this.#derived.set(name, derived);
      }
      for (const fn of statement.form.methods) {
        // Others say what it does.
        if (fn.isAbstract === true) continue;
        const cls: ClassValue = { form: statement.form, module, around: undefined };
        const self: Value = { taints: [], instance: cls };
        this.#byShape.add({ fn, module, around: undefined, self });
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
    const imported = this.#importsOf(module).get(name);
    if (imported !== undefined) return this.#imported(imported, module);
    return (
      this.#exported(name, module) ??
      this.#ofNeighbours(name, module) ??
      this.#onDemand(name, module) ??
      this.#ofRust(name, module)
    );
  }

  /** A name of a package or a class that Java imports as a whole. */
  #onDemand(name: string, module: SourceModule): Value | undefined {
    if (module.grammar !== 'java') return undefined;
    let isForeign = false;
    for (const { local, module: from } of module.form.imports) {
      if (local !== '*') continue;
      const target = this.#finder.find(module, `${from}.${name}`);
      const found =
        target === undefined ? this.#staticMember(`${from}.${name}`, module) : this.topOf(target).find(name);
      if (found !== undefined) return found;
      isForeign = true;
    }
    // Classes alone: words of enumerations and constants come from elsewhere.
    return isForeign && /^[A-Z][A-Za-z0-9]*[a-z]/.test(name) && !ofEveryFile.has(name)
      ? { taints: [], ref: name }
      : undefined;
  }

  /** What no file of the project is; Java imports parts of classes too. */
  #fromOutside(written: string, ref: string, from: SourceModule): Value {
    return this.#staticMember(written, from) ?? { taints: [], ref };
  }

  /** `import static com.acme.Checks.checked;` */
  #staticMember(written: string, from: SourceModule): Value | undefined {
    const [, owner, member = ''] = /^(java:.*)\.(\w+)$/.exec(written) ?? [];
    const target = owner === undefined ? undefined : this.#finder.find(from, owner);
    if (owner === undefined || target === undefined) return undefined;
    const cls = this.topOf(target).find(owner.slice(owner.lastIndexOf('.') + 1))?.cls;
    if (cls === undefined) return undefined;
    const method = this.methodOf(cls, member);
    if (method !== undefined) return { taints: [], fn: { ...method, self: { taints: [], instance: cls } } };
    return this.fieldsOf(cls).get(member);
  }

  /** `crate::db::find`, and another crate of the project by its name: what Rust writes in full needs no import. */
  #ofRust(name: string, module: SourceModule): Value | undefined {
    if (module.grammar !== 'rust') return undefined;
    const found = this.#finder.find(module, name);
    if (found !== undefined) return { taints: [], module: found };
    // `use super::*`
    for (const { local, module: written } of module.form.imports) {
      const from = local === '*' ? this.#finder.find(module, written) : undefined;
      const value = from === undefined || from === module ? undefined : this.topOf(from).find(name);
      if (value !== undefined) return value;
    }
    return undefined;
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
    // `exports.default = Shelf` of a compiler, or `module.exports = Shelf`
    return common.fields?.get(name) ?? (name === 'default' ? common : undefined);
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

  /** `export { find as D }`: within the module, `D` may be something else, as in bundles of several files. */
  #listed(name: string, module: SourceModule): Value | undefined {
    const own = module.form.exports.find((each) => each.name === name && each.module === undefined);
    return own === undefined || own.local === name ? undefined : this.global(own.local, module);
  }

  #importsOf(module: SourceModule): ReadonlyMap<string, Import> {
    let imports = this.#imports.get(module);
    if (imports === undefined) {
      // Of two with one name the first one counts.
      imports = new Map(module.form.imports.toReversed().map((each) => [each.local, each]));
      this.#imports.set(module, imports);
    }
    return imports;
  }

  #targetOf(imported: Import, from: SourceModule): SourceModule | undefined {
    if (this.#targets.has(imported)) return this.#targets.get(imported);
    const { module, path } = imported;
    const [own] = path === undefined ? [] : this.#finder.packageFiles(path);
    const target = own ?? this.#finder.find(from, module);
    this.#targets.set(imported, target);
    return target;
  }

  #imported(imported: Import, from: SourceModule): Value {
    const { module: written, name } = imported;
    const target = this.#targetOf(imported, from);
    const ref = refOf(written, name);
    // `from package import module`, `use crate::module`
    if ((from.grammar === 'python' || from.grammar === 'rust') && name !== '*') {
      const part = this.#finder.find(from, written.endsWith('.') ? written + name : `${written}.${name}`);
      if (part !== undefined && part !== target) return { taints: [], module: part };
    }
    if (target === undefined) return this.#fromOutside(written, ref, from);
    if (name === '*') return { taints: [], module: target };
    // What a file of the project has no value for, such as an interface, belongs to no library either.
    return this.#given(name, target) ?? { taints: [], ref: `?${name}` };
  }

  /** What a module gives under a name. */
  #given(name: string, module: SourceModule): Value | undefined {
    return (
      this.#listed(name, module) ??
      this.global(name, module) ??
      (name === 'default' ? this.#onlyExport(module) : undefined)
    );
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
    const key = cls.site === undefined ? cls.form : `${cls.module.path}:${cls.form.at}:${cls.site}`;
    let fields = this.#fields.get(key);
    if (fields === undefined) {
      fields = new Map();
      this.#fields.set(key, fields);
      this.#runs.fillFields(cls, fields);
    }
    return fields;
  }

  /** Names of fields and of variables of modules that hold what somebody else chose. */
  taintedState(): Set<string> {
    const all = [...this.#fields.values(), ...[...this.#tops.values()].map(({ variables }) => variables)];
    return new Set(
      all.flatMap((each) => [...each].filter(([, value]) => isTainted(value)).map(([name]) => name)),
    );
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

  /** Methods of this name in the classes derived from one, each with an object of its class. */
  methodsBelow(cls: Pick<ClassValue, 'form'>, name: string): FunctionValue[] {
    const seen = new Set([cls.form]);
    const found: FunctionValue[] = [];
    const waiting = [cls.form.name];
    // Classes of one name are derived from each other in hostile source: each is looked at once.
    for (let next = waiting.pop(); next !== undefined && seen.size < derivedLimit; next = waiting.pop())
      for (const each of this.#derived.get(next) ?? []) {
        if (seen.has(each.form)) continue;
        seen.add(each.form);
        waiting.push(each.form.name);
        const fn = each.form.methods.find((method) => method.name === name);
        if (fn !== undefined)
          found.push({ fn, module: each.module, around: undefined, self: { taints: [], instance: each } });
        if (seen.size >= derivedLimit) break;
      }
    return found.length === 0 && isProtocol(cls.form) ? this.#byShape.find(cls.form, name) : found;
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

  #typeNamed(
    name: string,
    { module, scope }: { module: SourceModule; scope: Surroundings },
  ): Value | undefined {
    const [first = '', ...rest] = name.split('.');
    let value = scope.find(first) ?? this.global(first, module);
    for (const part of rest) {
      if (value === undefined) return undefined;
      value = value.module === undefined ? fieldOf(value, part) : this.global(part, value.module);
    }
    return value;
  }

  instanceByType(
    type: string | undefined,
    frame: { module: SourceModule; scope: Surroundings },
  ): Value | undefined {
    const name = type === undefined ? undefined : bareType(type);
    if (name === undefined || name === '') return undefined;
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
