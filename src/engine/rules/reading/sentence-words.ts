/** A word of a sentence with its place in it. */
export interface Word {
  readonly text: string;
  /** In lower case, without an apostrophe's end. */
  readonly plain: string;
  readonly from: number;
  readonly to: number;
}

/** Paths, addresses, flags, ranges and numbers with their signs stay in one piece; other words end at a hyphen. */
const wordShape =
  /`[^`\n]{1,200}`|"[^"\n]{1,200}"|(?<![\w-])--?[a-z][\w-]*|[\w.-]*[\p{L}\d_][@/:.][\w@/:.*-]*[\p{L}\d_]|[.@/~][\w./-]*\w|[$€£]?\d(?:[\d.,]*\d)?(?:[km]\b|%)?|[\p{L}\d_]+(?:['’]\p{L}{1,3})?/giu;

/** The words of a sentence in order. */
export function wordsOf(sentence: string): Word[] {
  return [...sentence.matchAll(wordShape)].map(({ 0: text, index }) => ({
    text,
    plain: text.toLowerCase().replaceAll(/[`"]/g, '').replaceAll('’', "'").replace(/'s$/, ''),
    from: index,
    to: index + text.length,
  }));
}

const split = (words: string): readonly string[] => words.split(/\s+/);

/** Words that join, command or stress: nothing in a call could be looked for by them. */
const grammatical = new Set(
  split(`a an the this that these those it its they them their theirs he him his she her hers we us our ours you your yours
  i me my mine who whom whose which what there here
  of in on at to for from by with into onto as about over under via through upon toward towards up off down out against among
  and or but nor so yet also too both either neither not no nothing none n't
  is are was were be been being am do does did done doing has have had having get gets got getting gets goes go going gone
  will would shall should can could may might must cannot
  never always only just even ever simply strictly absolutely under any all each every some other such than then thus hence
  please kindly ensure make sure made makes making let lets allowed permitted forbidden prohibited banned disallowed
  acceptable okay ok fine need needs needed require required requires requirement necessary mandatory want wants
  rule rules policy policies violation reason reasons matter circumstances circumstance case cases whatsoever
  agent agents assistant assistants bot bots model ai llm nobody anybody anyone someone somebody everyone everybody anything
  something everything whatever whoever thing things stuff if when where while whenever once unless except without until
  till before after during because since though although however otherwise instead rather itself themselves be
  more less most least fewer many much few very quite really actually too exceed exceeds exceeding above below maximum
  minimum max min limit limits limited cap capped one's own don doesn isn aren't can't won't mustn't shouldn't
  isn't don't doesn't didn't hasn't haven't wasn't weren't couldn't wouldn't mayn't use used uses using carry perform
  performed behalf attempt attempts try tries tried avoid avoids include includes including included contain contains containing
  mention mentions mentioning per regardless regarding concerning involving between directly strictly alone aside
  keep kept keeps stay stays remain remains happen happens place takes take taken hands`),
);

/** Those to whom or for whom something is done; they say something where they narrow another word or are told apart. */
const parties = new Set(
  split(
    'user users customer customers client clients staff people person persons employee employees member members human',
  ),
);
const apart = new Set(
  split('per each every same other another new vip own external internal premium unknown'),
);

/** Nouns that say little beside the word that they belong to: "billing address", "DROP statement". */
const general = new Set(
  split(`address addresses account accounts number numbers detail details data information record records file files list lists
  table tables database databases statement statements command commands request requests operation operations action actions
  call calls class department group team access entry entries message messages service services option options process
  kind type sort content contents document documents`),
);

/** "Taken down", "let out", "switched off": an idiom, which no list of acts has; its verb alone says little. */
const lightVerb =
  /^(?:let|t[ao]ke?n?|taking|put|putting|gave|giv(?:e|en|ing)|hand(?:ed|ing)?|br(?:ing|ought|inging)|turn(?:ed|ing)?|switch(?:ed|ing)?|pull(?:ed|ing)?|cut|call(?:ed|ing)?|thr[oe]wn?|hold|held|shut|knock(?:ed)?)$/;
const particles = new Set(split('down off out away over back up apart'));

const isIdiom = (before: Word | undefined, plain: string) =>
  particles.has(plain) && before !== undefined && lightVerb.test(before.plain);

/** Says nothing that a test could look for. */
export const isGrammatical = (plain: string): boolean => plain.length < 2 || grammatical.has(plain);

const isParty = (word: Word | undefined) => word !== undefined && parties.has(word.plain);
const isApart = (word: Word | undefined) => word !== undefined && apart.has(word.plain);

type IsTaken = (word: Word) => boolean;

const tells = (word: Word | undefined, isTaken: IsTaken): boolean =>
  word !== undefined && !isGrammatical(word.plain) && isTaken(word);

/** A word that no predicate looks for says something all the same. */
function isTelling(
  { plain }: Word,
  before: Word | undefined,
  after: Word | undefined,
  isTaken: IsTaken,
): boolean {
  if (numberOf(plain) !== undefined || isIdiom(before, plain)) return true;
  if (isGrammatical(plain)) return false;
  if (parties.has(plain) && !isApart(before)) return !isParty(after) && tells(after, isTaken);
  return !general.has(plain) || !(tells(before, isTaken) || tells(after, isTaken));
}

/**
 * The words of a sentence that say something and that nothing looks for.
 * @param isTaken whether a predicate looks for the word
 */
export const untaken = (words: readonly Word[], isTaken: IsTaken): Word[] =>
  words.filter((word, at) => !isTaken(word) && isTelling(word, words[at - 1], words[at + 1], isTaken));

/** Words by which a sentence speaks of somebody's yes. */
export const consentWords = new Set(
  split(`approve approves approved approval approvals confirm confirms confirmed confirmation consent consents permission
  permissions authorize authorise authorized authorised authorization authorisation sign signs signed signing sign-off signoff
  agree agrees agreed agreement yes green light say says said ask asks asked asking check checking explicit explicitly
  written express go ahead first prior advance obtain obtained obtaining given give gives yes. okay's ok's okayed ok'd`),
);

/** Words by which a sentence speaks of outside. */
export const outsideWords = new Set(
  split(`outside external externally third party parties third-party company organization organisation domain domains recipient recipients
  address addresses outsiders outsider beyond inside internal people network employer firm business elsewhere leave leaves
  parties party's anywhere`),
);

export const timeWords = new Set(
  split(`monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
  weekend weekends weekday weekdays hours hour night nights evening evenings morning mornings afternoon am pm a.m p.m noon
  midnight office business working day days daytime between time times o'clock opening`),
);

export const quantityWords = new Set(
  split(`amount amounts total totals totaling totalling combined sum value worth cost costs costing usd eur gbp chf euro
  euros dollar dollars pounds pound percent per k hundred thousand million number numbers price priced
  once twice times single larger greater higher lower longer shorter older younger smaller bigger up least`),
);

const smallNumbers = split('zero one two three four five six seven eight nine ten eleven twelve');

/** The number that a word is; undefined where it is none. */
export function numberOf(plain: string): number | undefined {
  const at = smallNumbers.indexOf(plain);
  if (at > 0) return at;
  const found = /^[$€£]?(\d[\d,]*(?:\.\d+)?)(k|m)?%?$/.exec(plain.replace(/[.,]$/, ''));
  if (found === null) return undefined;
  const factor = found[2] === undefined ? 1 : found[2] === 'k' ? 1000 : 1_000_000;
  return Number((found[1] ?? '').replaceAll(',', '')) * factor;
}
