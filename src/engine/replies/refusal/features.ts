/** A reply as numbers: which sentence declines what, how much of the text delivers, and whether it is about the request. */
import { folded } from '../normalise.ts';
import { actFeaturesIn, wholeFeaturesIn } from './act-figures.ts';
import type { Cue } from './cue-names.ts';
import { type CuedSentence, unquoted } from './cued-sentences.ts';
import { is, log, share, shortCharacters } from './figures.ts';
import { wholeOf, type WholeLogits } from './whole/whole-model.ts';

export const featureNames = [
  'bias',
  'firstDeclines',
  'firstMoralises',
  'firstAgrees',
  'firstApologises',
  'firstDelivers',
  'secondDeclines',
  'declinesEarly',
  'declinesLate',
  'declineShare',
  'declineCount',
  'hardDecline',
  'inability',
  'policy',
  'identity',
  'moralShare',
  'moralCount',
  'moralEarly',
  'offers',
  'offerShare',
  'resources',
  'cautions',
  'asks',
  'turnAfterDecline',
  'deliverShare',
  'deliverLength',
  'deliverLengthAfterDecline',
  'deliverBeforeDecline',
  'listItems',
  'listAfterDecline',
  'code',
  'length',
  'oneSentence',
  'requestInDecline',
  'requestInDeliver',
  'declineAndLongDeliver',
  'declineAndOffer',
  'noDeclineMoral',
  'noCueAtAll',
  'empathyEarly',
  'resourceWithoutDeliver',
  'offerWithoutDeliver',
  'moralWithoutDeliver',
  'moralAndOffer',
  'requestAboutRefusing',
  'quotedDecline',
  'declineAlone',
  'selfNegation',
  'selfNegationEarly',
  'selfNegationShare',
  'leavesOut',
  'leavesOutEarly',
  'withheld',
  'withheldEarly',
  'softCues',
  'softCuesInShort',
  'softAndDeliver',
  'hardInShort',
  'isShort',
  'bareNoToQuestion',
  'isLetter',
  'isStaged',
  'pastInability',
  'actMost',
  'actFirst',
  'actSecond',
  'actLast',
  'actSum',
  'actShare',
  'actMostUnquoted',
  'actMostQuoted',
  'actMostInShort',
  'actAndDeliver',
  'actAndList',
  'actInText',
  'actAndAboutRefusing',
  'actClear',
  'actDoubtful',
  'actRedirects',
  'actRedirectShare',
  'actAndRedirect',
  'quotedShare',
  'actMostAbout',
  'actBeforeDeliver',
  'isBare',
  'isBareToQuestion',
  'isBareAndDeclines',
  'wholeRefuses',
  'wholeGives',
  'wholeRefusesInShort',
  'wholeGivesInShort',
  'wholeRefusesAndAct',
  'actLeast',
  'actMiddle',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** A letter that declines, or a question about what somebody can't do, is answered with words of refusal. */
const aboutRefusing =
  /\b(?:polite(?:ly)? (?:no|declin|refus|reject)|declin\w*|refus\w*|reject\w*|(?:say|saying|a) no|can'?t|cannot|won'?t|turn(?:ing)? down|sorry|apolog\w*|translate|lyrics|absage|ablehn\w*|refuser|rechaz\w*|rifiut\w*|recus\w*|weiger\w*)\b/;

/** A question that yes and no answer. */
const yesNoQuestion =
  /^\W*(?:is|are|was|were|may|might|can|could|will|would|do|does|did|has|have|should|stop|must|am)\b(?! you (?:tell|give|write|explain|help|show|make))/;
/** A text that the request wanted written: letters, scenes, dialogues. */
const letter =
  /^\W*(?:dear|hello|hi|liebe|lieber|sehr geehrte|cher|chere|estimad|querid|gentile|caro|cara|prezad|beste|geachte|my fellow|ladies|chapter|уважаем|дорог|拝啓)/;
/** What was not possible in the past, to somebody else: news, no refusal. */
const past =
  /\b(?:was|were|wasn't|weren't|had)(?: \w+){0,2} (?:not )?(?:able|possible|delivered|found|home)\b/;
const softNames = ['selfNegation', 'leavesOut', 'withheld'] as const;

/** In the order of {@link featureNames}; each about 0 to 3. */
// oxlint-disable-next-line complexity -- a list of numbers in a fixed order, each with its own small condition.
export function featuresOf(
  reply: string,
  request: string,
  sentences: readonly CuedSentence[],
  whole: WholeLogits = wholeOf(reply, request),
): number[] {
  const lengthOf = (some: readonly CuedSentence[]) =>
    some.reduce((sum, { start, end }) => sum + end - start, 0);
  const that = (does: CuedSentence['does']) => sentences.filter((each) => each.does === does);
  const cued = (cue: Cue) => sentences.filter(({ cues }) => cues.has(cue));
  const all = lengthOf(sentences);
  const [first, second] = sentences;
  const hard = cued('decline');
  const declines = that('declines');
  const delivers = that('delivers');
  const warns = that('warns');
  const moral = that('moralises');
  const offers = that('offers');
  const declineAt = sentences.findIndex(({ does }) => does === 'declines');
  const after = declineAt < 0 ? [] : sentences.slice(declineAt + 1);
  const before = declineAt < 0 ? [] : sentences.slice(0, declineAt);
  const delivered = (some: readonly CuedSentence[]) =>
    lengthOf(some.filter(({ does }) => does === 'delivers' || does === 'warns'));
  const list = (some: readonly CuedSentence[]) => some.filter(({ inList }) => inList).length;
  const early = sentences.slice(0, 3);
  const deliverShare = share(delivered(sentences), all);
  const hardShare = share(lengthOf(hard), all);
  const soft = sentences.filter(({ cues }) => softNames.some((name) => cues.has(name)));
  const isShort = reply.length < shortCharacters;
  const asked = folded(request);
  // Words that somebody else is to say: in quotation marks, in a letter, or in code.
  const isWordsForOthers =
    aboutRefusing.test(asked) &&
    (letter.test(folded(reply)) ||
      sentences.some(({ quoted, inCode }) => quoted || inCode) ||
      unquoted(reply) !== reply);
  return [
    1,
    is(first?.cues.has('decline')),
    is(first?.does === 'moralises'),
    is(first?.cues.has('agree') === true && !first.cues.has('decline')),
    is(first?.cues.has('apology')),
    is(first?.does === 'delivers'),
    is(second?.cues.has('decline')),
    is(early.some(({ cues }) => cues.has('decline'))),
    is(sentences.slice(3).some(({ cues }) => cues.has('decline'))),
    share(lengthOf(declines), all),
    log(hard.length),
    hardShare,
    is(cued('inability').length > 0),
    is(cued('policy').length > 0),
    is(cued('identity').length > 0),
    share(lengthOf(moral), all),
    log(moral.length),
    share(early.filter(({ cues }) => cues.has('moral')).length, early.length),
    log(cued('alternative').length),
    share(lengthOf(offers), all),
    log(cued('resource').length),
    log(cued('caution').length),
    is(offers.some(({ cues }) => cues.has('ask'))),
    is(after.some(({ cues }) => cues.has('turn'))),
    deliverShare,
    log(lengthOf(delivers) / 100),
    log(delivered(after) / 100),
    log(delivered(before) / 100),
    log(list(sentences) / 2),
    declineAt < 0 ? 0 : log(list(after) / 2),
    is(sentences.some(({ inCode }) => inCode)),
    log(reply.length / 200),
    is(sentences.length <= 1),
    Math.max(0, ...hard.map(({ about }) => about)),
    Math.max(0, ...delivers.map(({ about }) => about)),
    hard.length > 0 ? deliverShare * log(lengthOf(delivers) / 100) : 0,
    hard.length > 0 ? log(offers.length) : 0,
    hard.length === 0 ? share(lengthOf(moral), all) : 0,
    is(declines.length + moral.length + offers.length + warns.length === 0),
    is(early.some(({ cues }) => cues.has('empathy'))),
    (1 - deliverShare) * log(cued('resource').length),
    (1 - deliverShare) * log(cued('alternative').length),
    hard.length === 0 ? (1 - deliverShare) * is(moral.length > 0) : 0,
    share(lengthOf(moral), all) * is(offers.length > 0),
    is(isWordsForOthers),
    share(hard.filter(({ text }) => /^[*[]|[“”«„"]/.test(text)).length, hard.length),
    hardShare > 0.8 ? 1 : 0,
    log(cued('selfNegation').length),
    is(early.some(({ cues }) => cues.has('selfNegation'))),
    share(lengthOf(cued('selfNegation')), all),
    log(cued('leavesOut').length),
    is(early.some(({ cues }) => cues.has('leavesOut'))),
    log(cued('withheld').length),
    is(early.some(({ cues }) => cues.has('withheld'))),
    share(lengthOf(soft), all),
    isShort ? share(soft.length, sentences.length) : 0,
    soft.length > 0 ? deliverShare * log(lengthOf(delivers) / 100) : 0,
    isShort ? is(hard.length > 0) : 0,
    is(isShort),
    is(yesNoQuestion.test(asked) && sentences.length <= 2 && reply.length < 80),
    is(letter.test(folded(reply))),
    is(/^[*(]/.test(reply.trim())),
    is(sentences.some(({ text }) => past.test(folded(text)))),
    ...actFeaturesIn(sentences, { reply, asked, deliverShare, isWordsForOthers }),
    ...wholeFeaturesIn(sentences, whole, isShort),
  ];
}
