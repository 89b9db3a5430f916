import type { Predicate } from '../predicates/catalog.ts';
import { type Expression, type RuleForm } from '../rule-form.ts';
import { untaken, type Word, wordsOf } from './sentence-words.ts';
import { takerOf } from './takers.ts';

/** A piece of a sentence, and where in the form its meaning stands. */
export interface Span {
  readonly text: string;
  /** Places in the sentence. */
  readonly from: number;
  readonly to: number;
  /** Path in the form: `when.all[1]`. */
  readonly predicate: string;
}

export interface Reading {
  readonly spans: readonly Span[];
  /** Words that say something and that no predicate looks for. */
  readonly unread: readonly string[];
}

interface Placed {
  readonly path: string;
  readonly predicate: Predicate;
}

function placedIn(expression: Expression, path: string): readonly Placed[] {
  if ('is' in expression) return [{ path, predicate: expression }];
  if ('not' in expression) return placedIn(expression.not, `${path}.not`);
  const [name, list] = 'all' in expression ? ['all', expression.all] : ['any', expression.any];
  return list.flatMap((one, at) => placedIn(one, `${path}.${name}[${at}]`));
}

/** Which words of a sentence which predicate of its form looks for, and which none does. */
export function spansOf(sentence: string, { when, unless, requires }: RuleForm): Reading {
  const takers = Object.entries({ when, unless, requires })
    .flatMap(([name, part]) => (part === undefined ? [] : placedIn(part, name)))
    .map(({ path, predicate }) => ({ path, takes: takerOf(predicate) }));
  const words = wordsOf(sentence);
  const takerFor = (word: Word) => takers.find(({ takes }) => takes(word));
  const spans = words.flatMap((word) => {
    const taker = takerFor(word);
    return taker === undefined
      ? []
      : [{ text: word.text, from: word.from, to: word.to, predicate: taker.path }];
  });
  const unread = untaken(words, (word) => takerFor(word) !== undefined);
  return { spans, unread: [...new Set(unread.map(({ text }) => text))] };
}
