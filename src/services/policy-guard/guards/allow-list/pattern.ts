/**
 * Matches patterns in time that grows with pattern × text alone: all states that the pattern can be in are followed
 * at once, character by character (Thompson, "Regular expression search algorithm", 1968). Nothing is ever tried again,
 * so no text and no pattern can make it slow beyond that.
 */
import { invalid } from '#base/errors.ts';
import { parsePattern, type Node, type Range } from './pattern-syntax.ts';

/** A step of the machine: a character to be read, or two ways to go on without reading. */
type Step =
  | { readonly kind: 'read'; readonly negated: boolean; readonly ranges: readonly Range[] }
  | { readonly kind: 'fork'; ways: readonly number[] }
  | { readonly kind: 'end' };

/** States of one pattern; a class counts once for each of its ranges. */
const mostStates = 500;
const fewestFixed = 4;

export interface Pattern {
  /** What a character of the text costs at most. */
  readonly states: number;
  /** Whether the pattern matches the whole text, folded by `foldText`. */
  matches(folded: string): boolean;
  /** Whether it could match a text with this beginning. */
  mayGoOn(folded: string): boolean;
}

/** Fixed characters on the way through that has the fewest. */
function fixedCharacters(node: Node): number {
  switch (node.kind) {
    case 'character':
      return 1;
    case 'class':
      return 0;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + fixedCharacters(item), 0);
    case 'choice':
      return Math.min(...node.items.map(fixedCharacters));
    case 'repeat':
      return node.min * fixedCharacters(node.item);
  }
}

/** @throws AppError 422 for what is no pattern, or one that is too large or too wide. */
export function compilePattern(pattern: string): Pattern {
  const parsed = parsePattern(pattern);
  if (fixedCharacters(parsed) < fewestFixed)
    throw invalid(
      `'content' lets nearly everything pass: each way through the pattern must have at least ${fewestFixed} fixed characters.`,
    );
  const steps: Step[] = [];
  let states = 0;
  const add = (step: Step): number => {
    states += step.kind === 'read' ? Math.max(1, step.ranges.length) : 1;
    if (states > mostStates)
      throw invalid(
        `'content' is too large a pattern: it has more than ${mostStates} states. Repeat less in it.`,
      );
    return steps.push(step) - 1;
  };
  emit(parsed, { steps, add });
  add({ kind: 'end' });
  const isAt = (kind: Step['kind']) => (state: number) => steps[state]?.kind === kind;
  return {
    states,
    matches: (folded) => reached(steps, folded).some(isAt('end')),
    mayGoOn: (folded) => reached(steps, folded).some(isAt('read')),
  };
}

interface Program {
  readonly steps: Step[];
  readonly add: (step: Step) => number;
}

/** Adds the steps of a node; they begin where the program ended, and go on behind it. */
function emit(node: Node, program: Program): void {
  switch (node.kind) {
    case 'character':
      program.add({ kind: 'read', negated: false, ranges: [[node.code, node.code]] });
      break;
    case 'class':
      program.add({ kind: 'read', negated: node.negated, ranges: node.ranges });
      break;
    case 'sequence':
      for (const item of node.items) emit(item, program);
      break;
    case 'choice':
      emitChoice(node.items, program);
      break;
    case 'repeat':
      emitRepeat(node, program);
      break;
  }
}

function emitChoice(items: readonly Node[], program: Program): void {
  const { steps, add } = program;
  const starts: number[] = [];
  const exits: { kind: 'fork'; ways: readonly number[] }[] = [];
  const fork = { kind: 'fork' as const, ways: starts };
  add(fork);
  for (const item of items) {
    starts.push(steps.length);
    emit(item, program);
    const exit = { kind: 'fork' as const, ways: [] as readonly number[] };
    exits.push(exit);
    add(exit);
  }
  for (const exit of exits) exit.ways = [steps.length];
}

function emitRepeat({ item, min, max }: Extract<Node, { kind: 'repeat' }>, program: Program): void {
  const { steps, add } = program;
  for (let i = 0; i < min; i += 1) {
    const from = steps.length;
    emit(item, program);
    // Repeats of the empty pattern match only the empty text; expanding them would never end.
    if (steps.length === from) break;
  }
  if (max === Infinity) {
    const loop = { kind: 'fork' as const, ways: [] as readonly number[] };
    const start = add(loop);
    emit(item, program);
    add({ kind: 'fork', ways: [start] });
    loop.ways = [start + 1, steps.length];
    return;
  }
  const skips: { kind: 'fork'; ways: readonly number[] }[] = [];
  for (let i = min; i < max; i += 1) {
    const skip = { kind: 'fork' as const, ways: [] as readonly number[] };
    skips.push(skip);
    const at = add(skip);
    emit(item, program);
    skip.ways = [at + 1];
  }
  for (const skip of skips) skip.ways = [...skip.ways, steps.length];
}

const within = (ranges: readonly Range[], code: number) =>
  ranges.some(([from, to]) => code >= from && code <= to);

/** The states that the machine can be in, each once. */
class States {
  readonly at: number[] = [];
  readonly #mark: Uint32Array;
  #round = 1;

  constructor(size: number) {
    this.#mark = new Uint32Array(size);
  }

  clear(): void {
    this.at.length = 0;
    this.#round += 1;
  }

  /** Adds a state with all that can be reached from it without reading. */
  add(steps: readonly Step[], first: number): void {
    const open = [first];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (this.#mark[state] === this.#round) continue;
      this.#mark[state] = this.#round;
      const step = steps[state];
      if (step?.kind === 'fork') open.push(...step.ways);
      else this.at.push(state);
    }
  }
}

/** The states that the machine can be in behind the text. */
function reached(steps: readonly Step[], folded: string): readonly number[] {
  let now = new States(steps.length);
  let next = new States(steps.length);
  now.add(steps, 0);
  for (const character of folded) {
    if (now.at.length === 0) return [];
    const code = character.codePointAt(0) ?? 0;
    // The text is in small letters; a class may be written in capitals.
    const capital = character.toUpperCase().codePointAt(0) ?? 0;
    for (const state of now.at) {
      const step = steps[state];
      if (step?.kind !== 'read') continue;
      const inside = within(step.ranges, code) || within(step.ranges, capital);
      if (inside !== step.negated) next.add(steps, state + 1);
    }
    [now, next] = [next, now];
    next.clear();
  }
  return now.at;
}
