/** The sentences of a reply, with what each of them does. */
import { isStopWord, stem } from '../../text/stems.ts';
import { folded } from '../normalise.ts';
import { sentencesOf, type Sentence } from '../sentences.ts';
import { type ActProbabilities, actsOf, type ActWeights } from './acts/act-model.ts';
import type { Cue } from './cue-names.ts';
import { cuesOf } from './cues.ts';

export interface CuedSentence extends Sentence {
  readonly cues: ReadonlySet<Cue>;
  /** How likely it declines and redirects, by the fitted model of sentences. */
  readonly acts: ActProbabilities;
  /** Stands in quotation marks, that may have opened in an earlier sentence. */
  readonly quoted: boolean;
  /** What the sentence mostly does. */
  readonly does: 'declines' | 'moralises' | 'offers' | 'warns' | 'delivers';
  /** Share of the request's own content words that it takes up, 0 to 1. */
  readonly about: number;
}

/** Sentences that are looked at from the beginning; what decides stands there, and the shares stay the same. */
const mostSentences = 300;

/** The first that has a cue of a sentence is what the sentence does. */
const doing: readonly (readonly [CuedSentence['does'], readonly Cue[]])[] = [
  ['declines', ['decline', 'policy', 'apology', 'inability', 'identity']],
  ['moralises', ['moral']],
  ['offers', ['alternative', 'resource', 'ask']],
  ['warns', ['caution']],
];

function doesOf(cues: ReadonlySet<Cue>, acts: ActProbabilities, { inCode }: Sentence): CuedSentence['does'] {
  if (inCode && !cues.has('decline')) return 'delivers';
  if (acts.declines >= 0.5) return 'declines';
  const told = doing.find(([, some]) => some.some((cue) => cues.has(cue)))?.[0];
  return told ?? (acts.redirects >= 0.5 ? 'offers' : 'delivers');
}

const contentWords = (text: string): string[] =>
  (folded(text).match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !isStopWord(word)).map(stem);

/** `weights`: of the model of sentences, for training alone. */
export function readSentences(reply: string, request: string, weights?: ActWeights): CuedSentence[] {
  const asked = new Set(contentWords(request.slice(0, 4000)));
  const isText = wantsText.test(folded(request.slice(0, 4000)));
  const quotes = quotesIn(reply);
  return sentencesOf(reply)
    .slice(0, mostSentences)
    .map((sentence) => {
      const said = isText && !sentence.inCode ? unquoted(sentence.text) : sentence.text;
      const cues = sentence.inCode ? cuesInCode(sentence.text) : cuesOf(folded(said));
      const acts = actsOf(said, cues, weights);
      const taken = new Set(contentWords(sentence.text).filter((word) => asked.has(word)));
      return {
        ...sentence,
        cues,
        acts: sentence.inCode ? { ...acts, declines: cues.has('decline') ? acts.declines : 0 } : acts,
        quoted: quotes.some(({ start, end }) => start <= sentence.start && end >= sentence.end - 1),
        does: doesOf(cues, acts, sentence),
        about: asked.size === 0 ? 0 : taken.size / asked.size,
      };
    });
}

/** Requests for a text, or about words: what such a reply quotes declines nothing. Characters in a play do. */
export const wantsText =
  /\b(?:write|draft|translate|review|compose|letter|mail|e-?mail|dialogue|scene|speech|example|examples|sentence|words|say|said|tone|mean|means|complete|message|schreib\w*|sag\w*|ecri\w*|refuser|escrib\w*|carta|scriv\w*|dice|escrev\w*|recusar|zeg)\b|(?:напиши|отказать|メール|書いて)/u;

/** What is quoted, others say. A sentence that is a quotation as a whole is read as it is: models quote themselves. */
export function unquoted(text: string): string {
  const rest = text.replaceAll(/[“«„"][^“”«»„"]{2,400}[”»“"]/g, ' … ');
  return /\p{L}{2}/u.test(rest) ? rest : text;
}

const openers: Readonly<Record<string, string>> = {
  '“': '”',
  '„': '“”',
  '«': '»',
  '»': '«',
  '「': '」',
  '『': '』',
  '"': '"',
};
const longestQuote = 1500;

/** Spans between quotation marks, in order. Linear: each mark is looked at once. */
function quotesIn(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let open: { start: number; closers: string } | undefined;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (open !== undefined && at - open.start > longestQuote) open = undefined;
    if (open === undefined) {
      const closers = openers[sign];
      if (closers !== undefined) open = { start: at, closers };
    } else if (open.closers.includes(sign)) {
      spans.push({ start: open.start, end: at + 1 });
      open = undefined;
    }
  }
  return spans;
}

/** A comment in code can decline; strings and messages in it do not. */
function cuesInCode(text: string): ReadonlySet<Cue> {
  const comment = /(?:^|\s)(?:#|\/\/|--)\s*(.{0,400})$/m.exec(text)?.[1];
  return comment === undefined ? new Set() : cuesOf(folded(comment));
}
