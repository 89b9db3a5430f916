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
const agentShape = /^((?:the |all |any |every )?[a-z' -]+? (?:is|are) (?:\w+ed|made|done|taken|given|sent|paid|kept|set|put|written|sold|bought|drawn|seen|read)(?: [a-z]+){0,4}?) (by (?:the |a |an |our |my )?[a-z' -]+)$/;
const comesBefore = /^(.+?)\s+(?:comes?|goes|is done|happens)\s+before\s+(.+)$/;

const trim = (text: string | undefined) => (text ?? '').trim().replace(/^[,\s]+|[,\s]+$/g, '');

/** "Never refund without a receipt": what would be missing is what is needed. */
type Read = Omit<Frame, 'text'>;

function forbidden(text: string): Read | undefined {
  const without = withoutShape.exec(text);
  if (without !== null) return { scope: trim(without[1]), need: trim(without[2]) };
  const before = beforeShape.exec(text);
  if (before !== null && !/^(?:the )?\d|^(?:january|february|march|april|may|june|july|august|september|october|november|december|[a-z]+day)\b/.test(before[2] ?? ''))
    return { scope: trim(before[1]), need: trim(before[2]) };
  const only = onlyOf(text);
  if (only !== undefined) return only;
  const condition = trailingCondition.exec(text);
  return condition === null ? { scope: text } : { scope: trim(condition[1]), condition: trim(condition[2]) };
}

const byOnly = /^only\s+(.+?)\s+(?:may|can|are allowed to|is allowed to|must|should|shall|get to)\s+(.+)$/;
const otherNobody = /^(?:nobody|nothing|none)\s+(?:but|except|other than|besides)\s+(.+?)\s+(?:may|can|is|are|should|shall)\s+(.+)$/;
const prepositionOnly =
  /^(.+?)\s+(?:only|exclusively|solely)\s+((?:to|for|by|from|in|on|at|via|through|within|inside|between|into|during|over|under|about)\s+.+)$/;
const endsOnly = /^(.+)\s+((?:(?:to|for|by|from|in|on|at|via|through|within|with|between|into|during|of)\s+)[^,]+?)\s+(?:only|exclusively|alone)$/;
const bareOnly = /^(.{2,60}?)\s+only$/;
const elseNobody =
  /^(.+?)\s+((?:to|for|by|from|in|at|via)\s+.+?),?\s+(?:and|but)\s+(?:to |for |by |from |in )?(?:nobody|no one|nothing|nowhere)(?: else)?$/;
const isSeenBy = /^(.+?)\s+(?:is|are)\s+(?:seen|visible|read|open|opened|known|handled|done|made|decided|signed)\s+(?:by|to)\s+(.+?)$/;

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

function main(text: string): Read | undefined {
  const prior = priorTo.exec(text);
  if (prior !== null) return { scope: trim(prior[1]), need: trim(prior[2]) };
  if (forbids.test(text)) return forbidden(text);
  const when = onlyWord.test(text) ? onlyWhen.exec(text) : null;
  if (when !== null) return { scope: trim(`${when[1]} ${when[2]}`), need: trim(when[3]) };
  const needs = needsShape.exec(text);
  if (needs !== null && !/^(?:he|she|it|they|staging)$/.test(trim(needs[1]))) return { scope: trim(needs[1]), need: trim(needs[2]) };
  if (onlyWord.test(text)) {
    const only = onlyOf(text);
    if (only !== undefined) return only;
  }
  const decided = decides.exec(text);
  if (decided !== null) return { scope: trim(decided[1]), need: `approval of ${trim(decided[2])}` };
  const must = mustBe.exec(text);
  if (must !== null) return { scope: trim(must[1]), need: trim(must[2]) };
  const doing = beforeDoing.exec(text);
  if (doing !== null) return { scope: trim(doing[2]), need: trim(doing[1]) };
  const after = afterShape.exec(text);
  if (after !== null) return { scope: trim(after[1]), need: trim(after[2]) };
  const doneBy = agentShape.exec(text);
  if (doneBy !== null) return { scope: trim(doneBy[1]), only: trim(doneBy[2]) };
  const first = comesBefore.exec(text);
  if (first !== null) return { scope: trim(first[2]), need: trim(first[1]) };
  const condition = /^(.+?)\s+(?:if|when|provided(?: that)?|as long as)\s+(.+)$/.exec(text);
  if (condition !== null && /\b(?:may|can|is|are|goes|comes)\b/.test(condition[1] ?? ''))
    return { scope: trim(condition[1]), need: trim(condition[2]) };
  return undefined;
}

const limitShape =
  /\b(?:at most|maximum|up to|limit|capped|tops|at least|minimum|is enough|quite enough|between \d)\b|\d[^,]*\b(?:or less|or fewer)\b/;

/** The frame of a sentence; undefined where it commands nothing that is understood. */
export function frameOf(sentence: string): Frame | undefined {
  const cut = exceptShape.exec(sentence);
  const text = trim(cut?.[1] ?? sentence);
  const except = cut === null ? undefined : trim(cut[2]);
  const conditional = conditionShape.exec(text);
  const rest = conditional === null ? text : trim(conditional[2]);
  const condition = conditional === null ? undefined : trim(conditional[1]);
  const found: Read | undefined =
    main(rest) ?? (limitShape.test(rest) ? { scope: rest, isLimit: true } : undefined);
  // "Unless" alone binds as well: "refunds wait for the manager unless they are small" says little without.
  if (found === undefined) return undefined;
  return {
    text: sentence,
    ...found,
    ...(except !== undefined && { except }),
    ...(condition !== undefined && {
      condition: found.condition === undefined ? condition : `${condition} and ${found.condition}`,
    }),
  };
}
