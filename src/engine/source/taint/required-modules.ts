import type { SourceModule } from '../modules.ts';
import type { Machine } from './frame.ts';
import { commonOf } from './module-exports.ts';
import { moduleName } from './module-name.ts';
import type { Model } from './model.ts';
import { clean, isTainted, join, type Value } from './value.ts';

/** A module of which only the folder is known: it has what any module there has. */
function oneOf(modules: readonly SourceModule[], machine: Machine): Value | undefined {
  if (modules.length === 0) return undefined;
  const fields = new Map<string, Value>();
  for (const module of modules)
    for (const name of [
      ...machine.topOf(module).variables.keys(),
      ...module.form.exports.map((each) => each.name),
    ]) {
      const value = machine.global(name, module);
      if (value !== undefined) fields.set(name, join(fields.get(name) ?? clean, value));
    }
  return { taints: [], fields };
}

/** It goes through the files of a folder. */
const readsFolder = /\b(?:readdir|readdirSync|globSync|glob|fdir|walk)\b/;
/** Texts that could be the name of a folder below. */
const folderNames = /(["'`])(?:\.{0,2}\/)?([\w-]{1,40}(?:\/[\w-]{1,40}){0,3})\/?\1/g;
const usualFolders = ['tools', 'plugins', 'commands', 'handlers', 'actions', 'skills', 'extensions'];
const mostFolderFiles = 60;

/** `for (const file of readdirSync(dir)) await import(join(dir, file))`: what lies in the folders that the file names. */
function inNamedFolders({ text, path, grammar }: SourceModule, machine: Machine): readonly SourceModule[] {
  if (!/^(?:typescript|tsx)$/.test(grammar) || !readsFolder.test(text)) return [];
  const own = path.slice(0, path.lastIndexOf('/') + 1);
  const above = own.replace(/[^/]+\/$/, '');
  const names = new Set([
    ...usualFolders,
    ...Array.from(text.matchAll(folderNames), ([, , name = '']) => name),
  ]);
  const folders = new Set([...names].flatMap((name) => [`${own}${name}/`, `${above}${name}/`]));
  return machine.finder.modules
    .filter((each) => each.path !== path && folders.has(each.path.slice(0, each.path.lastIndexOf('/') + 1)))
    .slice(0, mostFolderFiles);
}

/** Modules that an import may mean whose name is put together. */
function modulesNamed(given: Value, module: SourceModule, machine: Machine): readonly SourceModule[] {
  const known = machine.finder.under(module, given.beginning ?? '');
  return known.length > 0 || isTainted(given) ? known : inNamedFolders(module, machine);
}

/** `require(name)`, `import(name)`, `importlib.import_module(name)`. */
export const required: Model = ({ args, machine, frame }) => {
  const given = args[0]?.value ?? clean;
  const name = given.constant;
  if (typeof name !== 'string') return oneOf(modulesNamed(given, frame.module, machine), machine);
  const module = machine.finder.find(frame.module, name);
  if (module === undefined) return { taints: [], ref: moduleName(name) };
  // `module.exports = function register(server) {…}`: what is required is called itself.
  const { fn, cls, instance } = commonOf(module, machine) ?? clean;
  return {
    taints: [],
    module,
    ...(fn === undefined ? {} : { fn }),
    ...(cls === undefined ? {} : { cls }),
    ...(instance === undefined ? {} : { instance }),
  };
};
