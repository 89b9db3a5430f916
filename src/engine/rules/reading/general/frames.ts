/** The parts of a sentence that commands: what is forbidden or bound to something, on what condition, and save where. */

export interface Frame {
  /** The sentence that was read. */
  readonly text: string;
  /** What the sentence is about: an act and its things. */
  readonly scope: string;
  /** Only then does the sentence hold. */
  readonly condition?: string | undefined;
  /** What has to be so. */
  readonly need?: string | undefined;
  /** To whom, for whom, by whom or where alone: `to the police`. */
  readonly only?: string | undefined;
  readonly except?: string | undefined;
  /** Nothing but a limit is said: "max 3 restarts per hour". */
  readonly isLimit?: true | undefined;
}

const exceptShape =
  /^(.+?),?\s+\b(?:unless|except(?:ing)?(?: for| when| if| where| that)?|the exception being|other than|apart from|aside from|save (?:for|where|when)|excluding|barring|but not when|with the exception of)\b\s+(.+)$/;
const conditionShape =
  /^(?:if|when|whenever|where|in case|should|as soon as|during|while|for)\b\s+([^,]{3,140}),\s+(?:then\s+)?(.+)$/;
const trailingCondition = /^(.+?)\s+\b(?:if|when|whenever|in case|as long as|while)\b\s+(.+)$/;

const forbids =
  /\b(?:never|not|no|nothing|nobody|none|nor|cannot|neither|forbidden|prohibited|banned|taboo|off[- ]limits|out of bounds|untouched|confidential|sacred)\b|\bhands off\b|\bleave\b.*\balone\b|\b(?:stay|stays|remain|remains|leave|keep)\b.* (?:as|where|exactly where) (?:they|it) (?:are|is)\b|\b(?:refuse|reject|decline|block|prevent|avoid|stop)\b|\b(?:is|are|gets?) (?:rejected|refused|declined|blocked)\b/;

const onlyWord = /\b(?:only|exclusively|solely)\b/;
const onlyWhen =
  /^(.+?)\b(?:only|exclusively|solely)\b\s*(?:be\s+)?((?:\w+ ){0,4}?)(?:after|once|if|when|where|as long as|provided(?: that)?|upon|following|subject to|against|with)\b\s+(.+)$/;
const needsShape =
  /^(.+?)\s+(?:always\s+|also\s+|first\s+)*(?:requires?|needs?|must have|has to have|have to have|calls? for|(?:is|are) subject to|demands?|takes)\s+(?:to (?:have been|be)\s+)?(.+)$/;
const withoutShape = /^(.+?)\s+(?:without|with no|lacking)\s+(.+)$/;
const beforeShape = /^(.+?)\s+(?:before|until|unless)\s+(.+)$/;
const afterShape = /^(.+?)\s+(?:after|once|as soon as|against)\s+(.+)$/;
const mustBe =
  /^(.+?)\s+(?:must|shall|has to|have to|needs? to|should|is to|are to)\s+(?:first\s+|already\s+|always\s+)*((?:have been|be)\s+.+)$/;
const priorTo = /^(?:before|prior to)\s+([^,]+),\s+(.+)$/;
const beforeDoing = /^(?:always\s+|first\s+)?(.+?)\s+before\s+((?:\w+ing|you|any|each|every)\b.+)$/;
const decides =
  /^(.+?)[:,]\s*(?:that'?s?\s+)?(?:the\s+)?([a-z' -]{2,40}?)\s+(?:decides?|approves?|signs?|has the last word|have the last word|must agree|agrees)\b.*$/;

/** "Loan agreements are signed by the director": a rule that says who does it says who alone may. */
const agentShape =
  /^((?:the |all |any |every )?[a-z' -]+? (?:is|are) (?:\w+ed|made|done|taken|given|sent|paid|kept|set|put|written|sold|bought|drawn|seen|read)(?: [a-z]+){0,4}?) (by (?:the |a |an |our |my )?[a-z' -]+)$/;
const comesBefore = /^(.+?)\s+(?:comes?|goes|is done|happens)\s+before\s+(.+)$/;

const allowedIf =
  /^(.*\b(?:may|can|is|are|goes|comes)\b.*?)\s+(?:if|when|provided(?: that)?|as long as)\s+(.+)$/;

const trim = (text: string | undefined) => (text ?? '').trim().replace(/^[,\s]+|[,\s]+$/g, '');

type Read = Omit<Frame, 'text'>;

/** "Never refund without a receipt": what would be missing is what is needed. */
function forbidden(text: string): Read | undefined {
  const without = withoutShape.exec(text);
  if (without !== null) return { scope: trim(without[1]), need: trim(without[2]) };
  const before = beforeShape.exec(text);
  if (
    before !== null &&
    !/^(?:the )?\d|^(?:january|february|march|april|may|june|july|august|september|october|november|december|[a-z]+day)\b/.test(
      before[2] ?? '',
    )
  )
    return { scope: trim(before[1]), need: trim(before[2]) };
  const only = onlyOf(text);
  if (only !== undefined) return only;
  const condition = trailingCondition.exec(text);
  return condition === null ? { scope: text } : { scope: trim(condition[1]), condition: trim(condition[2]) };
}

const byOnly = /^only\s+(.+?)\s+(?:may|can|are allowed to|is allowed to|must|should|shall|get to)\s+(.+)$/;
const otherNobody =
  /^(?:nobody|nothing|none)\s+(?:but|except|other than|besides)\s+(.+?)\s+(?:may|can|is|are|should|shall)\s+(.+)$/;
const prepositionOnly =
  /^(.+?)\s+(?:only|exclusively|solely)\s+((?:to|for|by|from|in|on|at|via|through|within|inside|between|into|during|over|under|about)\s+.+)$/;
const endsOnly =
  /^(.+)\s+((?:(?:to|for|by|from|in|on|at|via|through|within|with|between|into|during|of)\s+)[^,]+?)\s+(?:only|exclusively|alone)$/;
const bareOnly = /^(.{2,60}?)\s+only$/;
const elseNobody =
  /^(.+?)\s+((?:to|for|by|from|in|at|via)\s+.+?),?\s+(?:and|but)\s+(?:to |for |by |from |in )?(?:nobody|no one|nothing|nowhere)(?: else)?$/;
const isSeenBy =
  /^(.+?)\s+(?:is|are)\s+(?:seen|visible|read|open|opened|known|handled|done|made|decided|signed)\s+(?:by|to)\s+(.+?)$/;

/** "Only to the police", "cast and crew only": what alone is allowed. */
function onlyOf(text: string): Read | undefined {
  const by = byOnly.exec(text) ?? otherNobody.exec(text);
  if (by !== null) return { scope: trim(by[2]), only: trim(by[1]) };
  const other = elseNobody.exec(text);
  if (other !== null) return { scope: trim(other[1]), only: trim(other[2]) };
  const to = prepositionOnly.exec(text) ?? endsOnly.exec(text);
  if (to !== null) return { scope: trim(to[1]), only: trim(to[2]) };
  const bare = bareOnly.exec(text);
  if (bare !== null) return { scope: '', only: trim(bare[1]) };
  const seen = isSeenBy.exec(text);
  return seen === null ? undefined : { scope: trim(seen[1]), only: trim(seen[2]) };
}

type Groups = readonly (string | undefined)[];

/** A way in which a sentence is built, and the frame of its parts. */
type Build = readonly [shape: RegExp, frame: (parts: Groups) => Read];

const pronoun = /^(?:he|she|it|they|staging)$/;
const scopeThenNeed = ([, scope, need]: Groups): Read => ({ scope: trim(scope), need: trim(need) });
const needThenScope = ([, need, scope]: Groups): Read => ({ scope: trim(scope), need: trim(need) });

const whenOnly: Build = [
  onlyWhen,
  ([, scope, act, need]) => ({ scope: trim(`${scope ?? ''} ${act ?? ''}`), need: trim(need) }),
];

/** In the order in which they are tried, after what forbids. */
const builds: readonly Build[] = [
  [decides, ([, scope, who]) => ({ scope: trim(scope), need: `approval of ${trim(who)}` })],
  [mustBe, scopeThenNeed],
  [beforeDoing, needThenScope],
  [afterShape, scopeThenNeed],
  [agentShape, ([, scope, who]) => ({ scope: trim(scope), only: trim(who) })],
  [comesBefore, needThenScope],
  [allowedIf, scopeThenNeed],
];

function built(text: string, all: readonly Build[]): Read | undefined {
  for (const [shape, frame] of all) {
    const parts = shape.exec(text);
    if (parts !== null) return frame(parts);
  }
  return undefined;
}

/** "Requires", "needs": save where a pronoun stands before it. */
function needing(text: string): Read | undefined {
  const needs = needsShape.exec(text);
  return needs === null || pronoun.test(trim(needs[1])) ? undefined : scopeThenNeed(needs);
}

function main(text: string): Read | undefined {
  const hasOnly = onlyWord.test(text);
  return (
    built(text, [[priorTo, scopeThenNeed], ...(hasOnly ? [whenOnly] : [])]) ??
    (forbids.test(text) ? forbidden(text) : undefined) ??
    (limitShape.test(text) ? built(text, [[withoutShape, scopeThenNeed]]) : undefined) ??
    needing(text) ??
    (hasOnly ? onlyOf(text) : undefined) ??
    built(text, builds)
  );
}

const limitShape =
  /\b(?:at most|maximum|up to|limit|capped|tops|at least|minimum|is enough|quite enough|between \d)\b|\d[^,]*\b(?:or less|or fewer)\b/;

/** "Router configurations are changed on Tuesdays": what is said to happen at a time happens at no other. */
const timeShape =
  /\b(?:is|are|may be|must be|can be|happens?|lie|lies|stay|takes? place)\b.*\b(?:on|between|from|in|at|before|after|during)\b.*(?:\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d\s?(?:am|pm|:\d\d|o'clock)|\b(?:january|february|march|april|june|july|august|september|october|november|december|weekdays?|weekends?|office hours|business hours|working hours)\b)/;

/** Longer sentences say more than one frame holds; and each shape takes a time that grows faster than the sentence. */
const longest = 400;

const both = (first: string | undefined, second: string | undefined): string | undefined =>
  first === undefined || second === undefined ? (first ?? second) : `${first} and ${second}`;

/** "Max 3 restarts per hour": nothing but a limit, or a time. */
const limitOnly = (text: string): Read | undefined =>
  limitShape.test(text) || timeShape.test(text) ? { scope: text, isLimit: true } : undefined;

/** The frame of a sentence; undefined where it commands nothing that is understood. */
export function frameOf(sentence: string): Frame | undefined {
  if (sentence.length > longest) return undefined;
  const cut = exceptShape.exec(sentence);
  const text = trim(cut?.[1] ?? sentence);
  const conditional = conditionShape.exec(text);
  const rest = trim(conditional?.[2] ?? text);
  const found = main(rest) ?? limitOnly(rest);
  if (found === undefined) return undefined;
  const condition = both(conditional === null ? undefined : trim(conditional[1]), found.condition);
  return {
    text: sentence,
    ...found,
    ...(cut !== null && { except: trim(cut[2]) }),
    ...(condition !== undefined && { condition }),
  };
}
