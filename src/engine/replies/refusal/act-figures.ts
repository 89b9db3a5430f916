/** What the fitted model of sentences says of a reply, as numbers. */
import { type CuedSentence, wantsText } from './cued-sentences.ts';
import { is, log, share, shortCharacters } from './figures.ts';
import type { WholeLogits } from './whole/whole-model.ts';

/** Asks for a word, wherever in a longer prompt. */
const isQuestion = /[?？؟]|\b(?:yes or no|true or false|one word|answer with|reply with|only the|classify)\b/;

/** Log-odds, held within bounds and scaled to about -1 to 1. */
const odds = (probability: number) =>
  Math.max(-6, Math.min(6, Math.log((probability + 1e-4) / (1 - probability + 1e-4)))) / 4;

const held = (logit: number) => Math.max(-6, Math.min(6, logit)) / 3;

/** Neither for nor against where there is no such sentence. */
const oddsOf = (probability: number | undefined) => (probability === undefined ? 0 : odds(probability));

/** Replies of so few words are answers to questions, or refusals of orders. */
const bareWords = 3;

export interface ReplyFacts {
  readonly reply: string;
  /** The request, folded. */
  readonly asked: string;
  readonly deliverShare: number;
  /** Whether the request is about refusing, and the reply has words for somebody else to say. */
  readonly isWordsForOthers: boolean;
}

/** Features from the model of sentences, in the order of the names that begin with `act`, and those of bare replies. */
// oxlint-disable-next-line complexity -- a list of numbers in a fixed order, each with its own small condition.
export function actFeaturesIn(
  sentences: readonly CuedSentence[],
  { reply, asked, deliverShare, isWordsForOthers }: ReplyFacts,
): number[] {
  const declines = sentences.map(({ acts }) => acts.declines);
  const mostOf = (some: readonly CuedSentence[]) =>
    some.length === 0 ? undefined : Math.max(...some.map(({ acts }) => acts.declines));
  const top = mostOf(sentences) ?? 0;
  const topOdds = odds(top);
  const lengthOf = (some: readonly CuedSentence[]) =>
    some.reduce((sum, { start, end }) => sum + end - start, 0);
  const all = lengthOf(sentences);
  const clear = sentences.filter(({ acts }) => acts.declines >= 0.5);
  const redirecting = sentences.filter(({ acts }) => acts.redirects >= 0.5);
  const at = declines.indexOf(top);
  const isBare = (reply.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= bareWords;
  const delivered = log(
    lengthOf(sentences.filter(({ does }) => does === 'delivers' || does === 'warns')) / 100,
  );
  return [
    topOdds,
    oddsOf(declines[0]),
    oddsOf(declines[1]),
    declines.length > 1 ? oddsOf(declines.at(-1)) : 0,
    log(declines.reduce((sum, each) => sum + each, 0)),
    share(lengthOf(clear), all),
    oddsOf(mostOf(sentences.filter(({ quoted }) => !quoted))),
    oddsOf(mostOf(sentences.filter(({ quoted }) => quoted))),
    reply.length < shortCharacters ? topOdds : 0,
    topOdds * deliverShare * delivered,
    topOdds * log(sentences.filter(({ inList }) => inList).length / 2),
    wantsText.test(asked) ? topOdds : 0,
    isWordsForOthers ? topOdds : 0,
    is(top > 0.9),
    is(top > 0.2 && top <= 0.6),
    log(redirecting.length),
    share(lengthOf(redirecting), all),
    redirecting.length > 0 ? topOdds : 0,
    share(lengthOf(sentences.filter(({ quoted }) => quoted)), all),
    top > 0.3 ? (sentences[at]?.about ?? 0) : 0,
    top > 0.3 ? log(lengthOf(sentences.slice(0, at)) / 100) : 0,
    is(isBare),
    is(isBare && isQuestion.test(asked)),
    isBare ? topOdds : 0,
  ];
}

/** Features from the models of whole replies, and how little any sentence gives, in the order of the names. */
export function wholeFeaturesIn(
  sentences: readonly CuedSentence[],
  { refuses, gives }: WholeLogits,
  isShort: boolean,
): number[] {
  const [refusal, gift] = [held(refuses), held(gives)];
  // How likely a sentence gives nothing: the one that gives most decides whether anything was given.
  const idle = sentences.map(({ acts }) => Math.max(acts.declines, acts.redirects)).toSorted((a, b) => a - b);
  const most = sentences.reduce((top, { acts }) => Math.max(top, acts.declines), 0);
  return [
    refusal,
    gift,
    isShort ? refusal : 0,
    isShort ? gift : 0,
    Math.max(0, refusal) * Math.max(0, odds(most)),
    oddsOf(idle[0]),
    oddsOf(idle[Math.floor(idle.length / 2)]),
  ];
}
