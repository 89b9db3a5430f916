/**
 * How far the user hands the wheel to a content: not; for one thing (the account on a bill); for what an act that the
 * user names needs ("book what the letter asks for"); or wholly ("do what the ticket says").
 */
export type Delegation = 'none' | 'value' | 'asked' | 'open';

/** Verbs of a content or of whoever wrote it, and of nothing else in this form. */
const tells =
  'says|tells|asks|wants(?! to know)|requires|describes|mentions|specifies|recommends|suggests|proposes|instructs|prescribes|explains|contains|allows';
/** In this form nouns as well: only behind "that", "what", "it" and the like. */
const alsoNouns =
  'needs|lists|names|marks|requests|demands|shows|states|reports|orders|wishes|notes|calls for';
const tellPlural =
  'ask|want|need|request|demand|say|tell|describe|mention|suggest|recommend|propose|require|wish|list|name';
const told =
  'said|told|asked|wanted|requested|demanded|described|mentioned|specified|recommended|suggested|proposed|reported|wrote|instructed|agreed';
const noted = `${told}|listed|named|marked|stated|written|given|shown|outlined|noted|explained|documented|set out|laid out`;

/** Up to a few words of a sentence. */
const few = (most: number) => String.raw`(?:[^\s.,;!?]{1,40}\s){0,${most}}?`;
/** The words before an object. */
const before = String.raw`(?:(?!(?:in|of|from|with|on|to|for|by|at|about|into)\s)[^\s.,;!?]{1,40}\s){0,7}?`;
const ofContents = String.raw`(?:it|he|she|they|who|which|that|what|whatever|everything|anything|all|as|the way|where|how)`;
const toldByOthers = String.raw`(?<!\b(?:i|we|you)\s(?:have\s|had\s|just\s|already\s|also\s)?)(?:${told})`;

const papers =
  'instructions?|tasks?|steps?|to-?dos?|to-?do list|check-?lists?|runbooks?|playbooks?|procedures?|protocols?|guides?|guidelines?|guidance|how-?tos?|manuals?|recipes?|handbooks?|workflows?|readme|policy|policies|rules|leaflets?|templates?|directions?|action items?';
const asked = 'requests?|tickets?|issues?|incidents?|cases?|claims?|actions?|orders?|complaints?';
const handling =
  'follow|execute|carry out|complete|perform|do|obey|implement|apply|finish|work through|go through|work off|take care of|handle|process|deal with|act on|sort out|resolve|settle|fix|observe';

const tellings = String.raw`(?:${tells}|${alsoNouns}|${tellPlural}|${toldByOthers})`;
const theirs = '(?:the|this|that|these|those|my|our|its|his|her|their)';

/** Only where the user speaks of a place that content comes from: "work through the requests in my inbox". */
const handled = new RegExp(
  String.raw`\b(?:${handling})\b\s${before}(?:${papers}|${asked}|whatever|everything|anything)\b`,
);
const openShapes: readonly RegExp[] = [
  /\b(?:to-?dos?|list|tasks?|notes?|inbox|backlog|queue|tickets?|checklist)\b.{0,60}\b(?:work (?:it|them) (?:off|through)|(?:do|handle|finish|process) (?:it|them|those|these)|take care of (?:it|them)|go through (?:it|them)|(?:do|handle|take) (?:the|my|our|your) (?:\S+ ){0,2}(?:parts?|items?|points?|steps?|rest|bits?))\b/,
  new RegExp(
    String.raw`\b(?:${handling}|make|address|set up|prepare|arrange)\s(?:exactly\s|just\s|all\s)?(?:what|whatever|everything|anything|as|all that)\s${few(6)}${tellings}\b`,
  ),
  /\bwhat (?:is|are) (?:asked|requested|said|written|needed)\b/,
  new RegExp(
    String.raw`\b(?:according to|as per|in line with|in accordance with|by following|following ${theirs})\b`,
  ),
  new RegExp(
    String.raw`\b(?:as|like|the way)\s${theirs}\s${few(4)}(?:${tells}|${alsoNouns}|${toldByOthers})\b`,
  ),
  new RegExp(String.raw`\b(?:as|like) (?:${noted}) (?:in|by|on|at)\b`),
];

const askedShapes: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:${tells})\b`),
  new RegExp(String.raw`\b${ofContents}\s${few(6)}(?:${alsoNouns})\b`),
  new RegExp(String.raw`\b(?:they|who|people|[\w-]{3,30}s)\s(?:${tellPlural})\b`),
  new RegExp(String.raw`\b${toldByOthers}\b`),
  new RegExp(String.raw`\b(?:${noted}|found) (?:in|on|by|there|at|as)\b`),
  new RegExp(String.raw`\b(?:using|per|mind|minding|with|from)\s${theirs}\s${few(3)}(?:${papers})\b`),
  /\b(?:has|have|gives?|with) (?:the|all) (?:details?|names?|dates?|times?|address(?:es)?|data|rest|numbers?)\b/,
  /\b(?:details?|names?|dates?|times?|address(?:es)?|data|numbers?) (?:is|are|stands?) (?:in|on|there)\b/,
];

const negated = /\b(?:do not|don't|never|without)\s+(?:follow|execut|obey|act)/;

/** "The following tasks: …" are the user's own words, not those of a content. */
const opens = (phrase: string | undefined) =>
  phrase !== undefined &&
  !/\bfollowing\b(?! (?:the|this|that|these|those|my|our|its|his|her|their)\b)/.test(phrase);

/** `namesSource`: the user speaks of a place that content comes from. */
export function delegationOf(lower: string, namesSource: boolean): Delegation {
  const even = lower.replaceAll(/\s+/g, ' ');
  const shapes = namesSource ? [handled, ...openShapes] : openShapes;
  if (!negated.test(even) && shapes.some((shape) => opens(shape.exec(even)?.[0]))) return 'open';
  if (askedShapes.some((shape) => shape.test(even))) return 'asked';
  return namesSource ? 'value' : 'none';
}
