import type { ModuleForm } from './form/form.ts';
import type { Grammar } from './parse/grammars.ts';
import { type RustCrate, sourceRootOf } from './rust-crates.ts';

/** A file in its intermediate form. */
export interface SourceModule {
  path: string;
  text: string;
  grammar: Grammar;
  form: ModuleForm;
  /** The project's manifest starts it: it is no test and no example, whatever its folder is called. */
  isStarted?: true;
}

const testPath =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|specs|e2e)\/|(?:\.|_)(?:test|spec)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|Test\.java$/;

/** Tests are read, and followed where something else calls them: nobody outside reaches them. */
export const isTest = ({ path, isStarted }: Pick<SourceModule, 'path' | 'isStarted'>): boolean =>
  isStarted !== true && testPath.test(path);

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** `a/b/../c/./d` without its dots. */
function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

const javascriptEndings = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mts',
  '.mjs',
  '.cjs',
  '.cts',
  '/index.ts',
  '/index.tsx',
  '/index.js',
];
const rustEndings = ['.rs', '/mod.rs'];
const crateRoots = ['lib.rs', 'main.rs'];
const pythonEndings = ['.py', '/__init__.py'];

/** What a `go.mod` names. */
export interface GoModule {
  name: string;
  /** Where it lies, without a slash at the end. */
  folder: string;
}

/** The Go modules of a project, deepest first. */
export const goModulesOf = (files: readonly { path: string; text: string }[]): GoModule[] =>
  files
    .filter(({ path }) => /(?:^|\/)go\.mod$/.test(path))
    .flatMap(({ path, text }) => {
      const name = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
      return name === undefined ? [] : [{ name, folder: folderOf(path).replace(/\/$/, '') }];
    })
    .toSorted((a, b) => b.name.length - a.name.length);

const mostManifests = 50;
const longestManifest = 100_000;

/** What the manifests of a project say of the libraries that it uses. */
export const manifestsOf = (files: readonly { path: string; text: string }[]): string =>
  files
    .filter(({ path }) => /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path))
    .slice(0, mostManifests)
    .map(({ text }) => text.slice(0, longestManifest))
    .join('\n');

const joinedPath = (...parts: string[]) => parts.filter((part) => part !== '').join('/');

/** How many modules a name that is put together may mean. */
const folderLimit = 20;

/** Finds which file of the project an import means. */
export class ModuleFinder {
  readonly modules: readonly SourceModule[];
  readonly #byPath: ReadonlyMap<string, SourceModule>;
  /** Module by the last parts of its dotted path, where only one has it. */
  readonly #byTail = new Map<string, SourceModule | 'several'>();
  readonly #byPackage = new Map<string, SourceModule[]>();
  readonly #goModules: readonly GoModule[];

  /** The texts of the manifests that say which versions of libraries are used. */
  readonly manifests: string;

  readonly #rustCrates: ReadonlyMap<string, string>;

  constructor(
    modules: readonly SourceModule[],
    goModules: readonly GoModule[] = [],
    manifests = '',
    rustCrates: readonly RustCrate[] = [],
  ) {
    this.modules = modules;
    this.#rustCrates = new Map(rustCrates.map(({ name, source }) => [name, source]));
    this.manifests = manifests;
    this.#goModules = goModules;
    this.#byPath = new Map(modules.map((module) => [module.path, module]));
    for (const module of modules) {
      if (module.grammar === 'python' || module.grammar === 'rust') this.#addTails(module);
      if (module.grammar === 'java') this.#addClass(module);
      const name = module.form.packageName;
      if (name === undefined) continue;
      const key = module.grammar === 'go' ? folderOf(module.path).replace(/\/$/, '') : name;
      this.#byPackage.set(key, [...(this.#byPackage.get(key) ?? []), module]);
    }
  }

  #addClass(module: SourceModule): void {
    const name = /([^/]+)\.java$/.exec(module.path)?.[1] ?? module.path;
    const full = `java:${module.form.packageName ?? ''}.${name}`;
    this.#byTail.set(full, this.#byTail.has(full) ? 'several' : module);
  }

  #addTails(module: SourceModule): void {
    const parts = module.path.replace(/(?:\/(?:__init__|mod))?\.(?:py|rs)$/, '').split('/');
    for (let from = 0; from < parts.length; from++) {
      const tail = parts.slice(from).join('.');
      this.#byTail.set(tail, this.#byTail.has(tail) ? 'several' : module);
    }
  }

  /** All files of the same Go or Java package. */
  neighbours(module: SourceModule): readonly SourceModule[] {
    const key =
      module.grammar === 'go' ? folderOf(module.path).replace(/\/$/, '') : (module.form.packageName ?? '');
    return this.#byPackage.get(key) ?? [module];
  }

  /** Files of a Go package of the project by its import path. */
  packageFiles(path: string): readonly SourceModule[] {
    for (const { name, folder } of this.#goModules)
      if (path === name || path.startsWith(`${name}/`))
        return this.#byPackage.get(joinedPath(folder, path.slice(name.length + 1))) ?? [];
    if (this.#goModules.length > 0) return [];
    // Without a go.mod, two parts of the path are enough to tell it from a package of others; or a folder at the top.
    const parts = path.split('/');
    const tail = parts.slice(-2).join('/');
    if (parts.length < 2) return [];
    for (const [folder, modules] of this.#byPackage)
      if (folder === tail || folder.endsWith(`/${tail}`)) return modules;
    return this.#byPackage.get(parts.at(-1) ?? '') ?? [];
  }

  find(from: SourceModule, name: string): SourceModule | undefined {
    if (from.grammar === 'python') return this.#findPython(from, name);
    if (from.grammar === 'typescript' || from.grammar === 'tsx') return this.#findJavascript(from, name);
    if (from.grammar === 'rust') return this.#findRust(from, name);
    const found = this.#byTail.get(name);
    return found === 'several' ? undefined : found;
  }

  /** Modules of one folder, where a name of theirs is put together: `import("./tools/" + name)`. */
  under(from: SourceModule, beginning: string): readonly SourceModule[] {
    const isPython = from.grammar === 'python';
    if (!/[./]$/.test(beginning) || /^\.*\/*$/.test(beginning)) return [];
    const folder = isPython
      ? beginning.replaceAll('.', '/')
      : beginning.startsWith('.')
        ? `${normalised(folderOf(from.path) + beginning)}/`
        : undefined;
    if (folder === undefined) return [];
    return this.modules
      .filter(({ path }) => {
        const own = folderOf(path);
        return path !== from.path && (own === folder || (isPython && own.endsWith(`/${folder}`)));
      })
      .slice(0, folderLimit);
  }

  /** `crate::db`, `super::db` and modules that the file declares; a crate of others is none of the project. */
  #findRust(from: SourceModule, name: string): SourceModule | undefined {
    const [first = '', ...rest] = name.split('.');
    const own = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(from.path)
      ? folderOf(from.path)
      : from.path.replace(/\.rs$/, '/');
    if (first === 'self' && rest.length > 0) return this.#at(`${own}${rest.join('/')}`, rustEndings);
    if (first === 'super') {
      const up = from.path.endsWith('/mod.rs') ? '../' : '';
      return this.#at(normalised(`${folderOf(from.path)}${up}${rest.join('/')}`), rustEndings);
    }
    // A module that the file itself declares, or another crate of the project.
    if (first !== 'crate')
      return this.#at(`${own}${[first, ...rest].join('/')}`, rustEndings) ?? this.#ofCrate(first, rest);
    const inOwn = this.#below(sourceRootOf(from.path), rest);
    if (inOwn !== undefined) return inOwn;
    const found = this.#byTail.get(rest.join('.'));
    return found === 'several' ? undefined : found;
  }

  #ofCrate(name: string, parts: readonly string[]): SourceModule | undefined {
    const source = this.#rustCrates.get(name);
    return source === undefined ? undefined : this.#below(source, parts);
  }

  #below(source: string, parts: readonly string[]): SourceModule | undefined {
    return parts.length === 0
      ? this.#at(source, crateRoots)
      : this.#at(`${source}${parts.join('/')}`, rustEndings);
  }

  #at(base: string, endings: readonly string[]): SourceModule | undefined {
    for (const ending of endings) {
      const found = this.#byPath.get(`${base}${ending}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findJavascript(from: SourceModule, name: string): SourceModule | undefined {
    const alias = /^[@~]\/(.*)/.exec(name)?.[1];
    if (alias !== undefined) return this.#at(`src/${alias.replace(/\.js$/, '')}`, javascriptEndings);
    if (!name.startsWith('.')) return undefined;
    const base = normalised(folderOf(from.path) + name);
    // TypeScript is imported by the name it will have when compiled.
    return this.#at(base, javascriptEndings) ?? this.#at(base.replace(/\.[cm]?jsx?$/, ''), javascriptEndings);
  }

  #findPython(from: SourceModule, name: string): SourceModule | undefined {
    const dots = /^\.+/.exec(name)?.[0].length ?? 0;
    if (dots === 0) {
      const found = this.#byTail.get(name);
      return found === 'several'
        ? this.#at(normalised(folderOf(from.path) + name.replaceAll('.', '/')), pythonEndings)
        : found;
    }
    const up = '../'.repeat(dots - 1);
    const rest = name.slice(dots).replaceAll('.', '/');
    return this.#at(normalised(`${folderOf(from.path)}${up}${rest}`), pythonEndings);
  }
}
