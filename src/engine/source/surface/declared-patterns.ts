/** Patterns that a source declares of what it is given: beside a type, within it, or in the type that a name stands for. */
import type { Expression } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import type { Machine } from '../taint/frame.ts';

/** A parameter or a field, as it is declared. */
export interface Declared {
  type?: string | undefined;
  preset?: Expression | undefined;
  constraint?: string | undefined;
}

const patternIn = (text: string): string | undefined =>
  /\b(?:pattern|regex)\s*=\s*r?(["'])(.*?)\1/.exec(text)?.[2];

/** A pattern that fits a text as a whole. */
const wholeOf = (pattern: string): string => `^${pattern.replaceAll(/^\^|\$$/g, '')}$`;

const typeName = /^[A-Z]\w{0,60}$/;

/** What the name of a type stands for in a file: `Sha = Annotated[str, …]`. */
function aliasIn(type: string, text: string): string | undefined {
  const alias = new RegExp(
    String.raw`^(?:type\s+)?${type}(?:\s*:[^=\n]{0,80})?\s*=\s*(Annotated\[|constr\()`,
    'm',
  );
  const found = alias.exec(text);
  if (found === null) return undefined;
  // It ends where the next statement begins.
  return text.slice(found.index, found.index + 600).split(/\n(?=\S)(?![)\]])/)[0];
}

/** The same where another file says it. */
function aliasOf(type: string, module: SourceModule, machine: Machine): string | undefined {
  const own = aliasIn(type, module.text);
  if (own !== undefined) return own;
  const from = module.form.imports.find(({ local }) => local === type);
  const other = from === undefined ? undefined : machine.finder.find(module, from.module);
  return other === undefined ? undefined : aliasIn(from?.name ?? type, other.text);
}

const withoutNone = (type: string): string =>
  type
    .replace(/^Optional\[(.*)\]$/s, '$1')
    .replace(/\s{0,9}\|\s{0,9}None$/, '')
    .trim();

function ofPreset(preset: Expression | undefined): string | undefined {
  if (preset?.is !== 'call') return undefined;
  const given = preset.args.find(({ name }) => /^(?:pattern|regex)$/.test(name ?? ''))?.value;
  return given?.is === 'literal' ? String(given.value) : undefined;
}

/** The pattern that is declared for a value, as one that it matches as a whole. */
export function declaredPattern(
  { type = '', preset, constraint }: Declared,
  module: SourceModule,
  machine: Machine,
): string | undefined {
  if (constraint !== undefined) return wholeOf(constraint);
  if (module.grammar !== 'python') return undefined;
  const bare = withoutNone(type);
  const named = typeName.test(bare) ? (aliasOf(bare, module, machine) ?? '') : '';
  const pattern = ofPreset(preset) ?? patternIn(bare) ?? patternIn(named);
  return pattern === undefined ? undefined : wholeOf(pattern);
}
