import { CalleeIndex } from '../rules/callee-index.ts';
import type { Condition, PatternMatch, PatternRule } from '../rules/rule.ts';

interface ReadyCondition {
  arg?: number | 'any';
  name?: RegExp;
  constant?: RegExp;
  text?: RegExp;
  value?: RegExp;
  mentions?: RegExp;
}

/** A match with its expressions compiled. */
export interface ReadyMatch {
  rule: PatternRule;
  entry?: RegExp;
  constant?: RegExp;
  text?: RegExp;
  compare?: RegExp;
  endlessLoop?: RegExp;
  returned?: RegExp;
  declared?: RegExp;
  marked?: RegExp;
  receiver?: RegExp;
  within?: RegExp;
  notWithin?: RegExp;
  inside?: RegExp;
  notInside?: RegExp;
  at: 'call' | 'value';
  with: readonly ReadyCondition[];
  without: readonly ReadyCondition[];
  code: readonly RegExp[];
  notCode: readonly RegExp[];
  notHandler: readonly RegExp[];
  file: readonly RegExp[];
  notFile: readonly RegExp[];
  project: readonly RegExp[];
  unguarded?: true;
  languages?: readonly string[];
}

const compiled = (text: string): RegExp => new RegExp(text, 'i');

function readyCondition({ arg, name, constant, text, value, mentions }: Condition): ReadyCondition {
  return {
    ...(arg === undefined ? {} : { arg }),
    ...(name === undefined ? {} : { name: compiled(name) }),
    ...(constant === undefined ? {} : { constant: compiled(constant) }),
    ...(text === undefined ? {} : { text: compiled(text) }),
    ...(value === undefined ? {} : { value: compiled(value) }),
    ...(mentions === undefined ? {} : { mentions: compiled(mentions) }),
  };
}

const single = [
  'entry',
  'constant',
  'text',
  'compare',
  'endlessLoop',
  'returned',
  'declared',
  'marked',
  'receiver',
  'within',
  'notWithin',
  'inside',
  'notInside',
] as const;

function ready(match: PatternMatch, rule: PatternRule): ReadyMatch {
  const expressions: Partial<Record<(typeof single)[number], RegExp>> = {};
  for (const name of single) {
    const text = match[name];
    if (text !== undefined) expressions[name] = compiled(text);
  }
  return {
    rule,
    ...expressions,
    at: match.at,
    with: match.with.map(readyCondition),
    without: match.without.map(readyCondition),
    code: match.code.map(compiled),
    notCode: match.notCode.map(compiled),
    notHandler: match.notHandler.map(compiled),
    file: match.file.map(compiled),
    notFile: match.notFile.map(compiled),
    project: match.project.map(compiled),
    ...(match.unguarded && { unguarded: match.unguarded }),
    ...(match.languages === undefined ? {} : { languages: match.languages }),
  };
}

/** The pattern rules, ready to be asked what could match here. */
export class PatternIndex {
  readonly calls = new CalleeIndex<ReadyMatch>();
  readonly comparisons: ReadyMatch[] = [];
  readonly loops: ReadyMatch[] = [];
  readonly returns: ReadyMatch[] = [];
  readonly declarations: ReadyMatch[] = [];
  readonly #entries: ReadyMatch[] = [];
  readonly #known = new Map<string, readonly ReadyMatch[]>();

  constructor(rules: readonly PatternRule[]) {
    for (const rule of rules)
      for (const match of rule.any) {
        const each = ready(match, rule);
        if (match.call !== undefined) this.calls.add(match.call, each);
        if (match.entry !== undefined) this.#entries.push(each);
        if (match.compare !== undefined) this.comparisons.push(each);
        if (match.endlessLoop !== undefined) this.loops.push(each);
        if (match.returned !== undefined) this.returns.push(each);
        if (match.declared !== undefined) this.declarations.push(each);
      }
  }

  entriesFor(name: string): readonly ReadyMatch[] {
    let found = this.#known.get(name);
    if (found === undefined) {
      found = this.#entries.filter(({ entry }) => entry?.test(name) === true);
      // Names are the scanned project's: no table of them may grow without end.
      if (this.#known.size < 20_000) this.#known.set(name, found);
    }
    return found;
  }
}
