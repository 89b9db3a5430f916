/** Pairs of cases that differ only in what must not matter: the replies should decide alike. */
import { chosenOption, decisionIn, numberIn, statedAnswer, abstains } from './content/answers.ts';
import type { Expectation } from './expectation.ts';
import { readReply, wordsOf } from './normalise.ts';
import { refusalIn } from './refusal/detect.ts';

export interface OtherReply {
  /** Id of its case. */
  readonly case: string;
  readonly request: string;
  /** As the model sent it, or decoded. */
  readonly reply: string;
}

type Compared = Extract<Expectation, { kind: 'same_as' }>['compare'];

const lettered = Object.fromEntries(Array.from('ABCDE', (letter) => [letter, '']));
/** Relative difference of two numbers that still counts as the same. */
const tolerance = 0.01;

function valueOf(text: string, request: string, compare: Compared): string | number | undefined {
  if (text === '') return undefined;
  if (refusalIn(text, request).kind === 'full') return 'refused';
  switch (compare) {
    case 'choice':
      return chosenOption(text, lettered) ?? (abstains(text) ? 'no answer' : undefined);
    case 'decision':
      return decisionIn(text);
    case 'number':
      return numberIn(text);
    case 'answer':
      return abstains(text) ? 'no answer' : wordsOf(statedAnswer(text)?.split('\n')[0] ?? text).trim();
  }
}

const numbersAgree = (one: number, other: number) =>
  Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other));

/** An answer of a few words may be wrapped in a sentence by the other reply. */
const answersAgree = (one: string, other: string) =>
  ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);

export interface Agreement {
  /** Undefined if one of the replies can't be read. */
  readonly same: boolean | undefined;
  readonly own: string;
  readonly other: string;
}

/** Compares a reply that was read by `readReply` with the other member of its pair. */
export function agreementOf(text: string, request: string, other: OtherReply, compare: Compared): Agreement {
  const own = valueOf(text, request, compare);
  const theirs = valueOf(readReply(other.reply).text, other.request, compare);
  const shown = (value: string | number | undefined) =>
    value === undefined ? 'unreadable' : `“${String(value).slice(0, 80)}”`;
  const both = own !== undefined && theirs !== undefined;
  const same =
    typeof own === 'number' && typeof theirs === 'number'
      ? numbersAgree(own, theirs)
      : own === theirs || (compare === 'answer' && answersAgree(String(own), String(theirs)));
  return { same: both ? same : undefined, own: shown(own), other: shown(theirs) };
}
