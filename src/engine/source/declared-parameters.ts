/** Which parameter of a tool a value was taken from, and what is said of it there. */
import { generic, lastWord, putTogether, shownAt, stepsOf, takenOut } from './parameter-words.ts';
import type { SourceModule } from './modules.ts';
import { DeclaredInputs } from './surface/declared-inputs.ts';
import type { Offered } from './surface/offered.ts';
import type { Report } from './taint/frame.ts';
import type { Step } from './taint/taints.ts';

type Text = Pick<SourceModule, 'text'>;

/** `{ path: file } = args`: the name before the one that the value is given. */
const renamed = /(?:^|[{,\s])(\w+)\s*:\s*$/;

/** The names that the value may have had where it was taken out of what was given. */
function namesAt(step: Step): string[] {
  const code = shownAt(step);
  const before = renamed.exec(step.module.text.slice(Math.max(0, step.at - 60), step.at))?.[1];
  const set = setTo.exec(step.module.text.slice(step.end, step.end + 220))?.[1] ?? '';
  const all = [...propertiesIn(code), ...propertiesIn(set)];
  const words = [before, lastWord(code), takenOut.exec(code)?.[1], ...(all.length === 1 ? all : [])];
  return words.filter((word): word is string => word !== undefined && !generic.test(word));
}

/** `given.folder` in the code itself. */
const ownProperty = /\b\w{1,60}(?:\??\.(\w{1,60})){1,8}\b(?!\s*\()/g;

/** `const folder = given.album;`: what a variable is set to. */
const setTo = /^\s*=(?!=)\s*([^;\n]{0,200})/;

/** The properties in a piece of code, each once. */
const propertiesIn = (code: string): string[] => [
  ...new Set([...code.matchAll(ownProperty)].map(([, name = '']) => name)),
];

/** All names on a way up to where a text is put together, which is the server's. */
function namesOf({ taint }: Report): string[] {
  const names: string[] = [];
  for (const step of stepsOf(taint.step)) {
    const built = putTogether.exec(step.module.text.slice(step.end, step.end + 200));
    if (built !== null) return [...names, takenOut.exec(built[1] ?? '')?.[1] ?? ''];
    names.push(...namesAt(step));
  }
  return names;
}

/** What stands in the call itself, which may be given other things as well. */
const namesIn = ({ module, at, end }: Report): string[] => {
  const code = module.text.slice(at, Math.min(end, at + 200));
  const taken = takenOut.exec(code)?.[1];
  return [...new Set([...propertiesIn(code), ...(taken === undefined ? [] : [taken])])];
};

const opening = String.raw`\s*\(?\s*(["'\`])([^\n]{0,400})`;

/** Up to the mark that the text began with. */
function endedAt(quote: string, rest: string): string {
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '\\') at++;
    else if (rest[at] === quote) return rest.slice(0, at);
  }
  return rest;
}

/** Calls of libraries of types, and what they leave of a value. */
const ofTypes = String.raw`\b(?:\w{1,40}\s*\.\s*){0,2}(string|str|url|union|optional|any|number|int|boolean|enum|nativeEnum)\s*\(`;
const narrow = /^(?:number|int|boolean|enum|nativeEnum|integer)$/;

/** What schemas of the source say of a parameter, where they were not seen to be those of a tool. */
function writtenOf(name: string, modules: readonly Text[]): Report['declared'] {
  if (!/^\w{2,60}$/.test(name)) return undefined;
  const schema = new RegExp(
    String.raw`\b${name}["']?\s*:\s*(?:${ofTypes}[^;:{}]{0,300}?\b(?:describe|description)\(${opening}|\{([^{}]{0,300}?)\bdescription["']?\s*:${opening})`,
    'g',
  );
  const all = modules.flatMap(({ text }) =>
    text.includes(name)
      ? [...text.matchAll(schema)].map(([, made = '', one, said, before = '', other, words]) => ({
          said: endedAt(one ?? other ?? '', said ?? words ?? ''),
          isNarrow: narrow.test(made || (/\btype["']?\s*:\s*["'](\w+)/.exec(before)?.[1] ?? '')),
        }))
      : [],
  );
  if (all.length === 0) return undefined;
  return { name, said: all.map(({ said }) => said), isNarrow: all.every((each) => each.isNarrow) };
}

/** Whether a rule's limits stand in the project, each rule once. */
class Limits {
  readonly #known = new Map<string, boolean>();
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  has(limits: string | undefined): boolean {
    if (limits === undefined) return false;
    const known = this.#known.get(limits);
    if (known !== undefined) return known;
    const pattern = new RegExp(limits, 'i');
    const found = this.#texts.some((text) => pattern.test(text));
    this.#known.set(limits, found);
    return found;
  }
}

/** Reports with the parameter that they are about, where a schema declares it. */
export function withParameters(
  reports: readonly Report[],
  offered: readonly Offered[],
  modules: readonly Text[],
): readonly Report[] {
  const inputs = new DeclaredInputs(offered);
  const limits = new Limits([
    ...modules.map(({ text }) => text),
    ...offered.map(({ description }) => description),
  ]);
  const written = new Map<string, Report['declared']>();
  const declaredOf = (name: string, tool: string): Report['declared'] => {
    const own = inputs.named(name, tool);
    if (own.length > 0)
      return { name, said: own.map(({ said }) => said), isNarrow: own.every((each) => each.isNarrow) };
    if (!written.has(name)) written.set(name, writtenOf(name, modules));
    return written.get(name);
  };
  const declaredIn = (report: Report): Report['declared'] => {
    const { name: tool } = report.taint.source;
    for (const name of namesOf(report)) {
      const declared = declaredOf(name, tool);
      if (declared !== undefined) return declared;
    }
    const all = namesIn(report).map((name) => declaredOf(name, tool));
    const [only, ...others] = all.filter((each) => each !== undefined);
    return others.length === 0 ? only : undefined;
  };
  return reports.map((report) => {
    const { source } = report.taint;
    if (source.kind !== 'tool') return report;
    const isUnspecific = !inputs.offers(source.name);
    const declared = declaredIn(report);
    if (declared !== undefined) {
      const isLimited = limits.has(report.sink.rule.limits);
      return { ...report, declared, ...(isLimited && { isLimited }) };
    }
    return isUnspecific ? { ...report, isUnspecific } : report;
  });
}
