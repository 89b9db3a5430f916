/**
 * Sentences that say of an activity whether it is allowed: `Smoking is forbidden`, `No photographs are permitted`. Read
 * by what they consist of: what is spoken of, a verb with its negations, and a word that forbids or permits. Pure.
 */

export interface PassiveClause {
  /**
   * `restricted`: allowed in one way alone. `none`: no rule, such as what was forbidden once, or an exception that is
   * ruled out.
   */
  readonly kind: 'forbidden' | 'allowed' | 'restricted' | 'none';
  /** What is spoken of, without conditions and introductions. */
  readonly subject: string;
  /** What is forbidden or allowed, as a phrase. */
  readonly activity: string;
  /** Of what is restricted: what stays forbidden. */
  readonly otherwise?: string;
  /** The verb with its word, as the sentence has it. */
  readonly verb: string;
}

const forbids =
  'prohibited|forbidden|disallowed|banned|barred|illegal|unlawful|unacceptable|inadmissible|impermissible|ruled out|taboo|off[- ]limits|out of bounds|off the table|out of the question|a no-go';
const permits = 'permitted|allowed|authori[sz]ed|acceptable|permissible|admissible|tolerated|condoned';

const between = '(?:not|never|no longer|also|always|now|[a-z]+ly|under no circumstances|in no case)';
const auxiliary =
  "(?:(?:shall|must|will|should|may|can|might|could|would|has|have|had|ca|wo)(?:n['’]t|not)?)";
const verbGroup = `(?:${auxiliary}\\s)?(?:${between}\\s)*(?:is|are|was|were|be|been|being|remains?|stays?)(?:n['’]t)?(?:\\s${between})*`;

/** After these a verb belongs to a clause within the sentence: `guests who are permitted`, `as is prohibited`. */
const notWithin = '(?<!\\b(?:who|that|which|whom|what|as|if|when|where|whether|not))';

const shape = new RegExp(
  `^(.+?)${notWithin}\\s(${verbGroup})\\s(?:(${forbids})|(${permits}))(?![\\w-])(.*)$`,
  'i',
);
/** `Samples are not to be opened`: the word is the verb that follows. */
const notToBe = new RegExp(
  `^(.+?)${notWithin}\\s((?:is|are)(?:n['’]t| not| never| under no circumstances| in no case)) to be (.+)$`,
  'i',
);

const negated = /\b(?:not|never|no longer|under no circumstances|in no case)\b|n['’]t\b|\bcannot\b/i;
const negatedSubject = /^(?:(?:no|neither|none of)\s(?!one\b)|(?:nobody|no one|no-one|nothing|none)$)/i;
const past = /^(?:was|were|had)\b/i;
const possible = /^(?:may|can|might|could|would)\b/i;

/** What stands before the sentence itself. */
const introduction =
  /^(?:(?:but|and|or|so|yet|also|however|therefore|moreover|furthermore|likewise|in addition|please note that|note that|(?:under|by|according to|in line with) (?:this|these|our|the) (?:policy|policies|rules?|guidelines?|standard|code)),?\s+)+/i;

/** Where or when something is forbidden, in front of it: `In the laboratory, food is prohibited`. */
const circumstance =
  /^((?:in|at|on|during|outside|within|inside|near|after|before|throughout|between|above|over|below|beyond|with|without|for|towards?|while|when(?:ever)?|if|where(?:ver)?|once|as long as|from|until)\b[^,]{2,120}), (.+)$/i;

/** Words that only stress what is said. */
const stress =
  /[,\s]+(?:without (?:any )?exceptions?|at all times|at any time|under any circumstances|in any (?:case|event|way)|in all cases|whatsoever|altogether|by law|(?:by|under) (?:this|these|our|the) (?:policy|policies|rules?|code)|since \d{4}|here|as well)$/i;

const pronoun = /^(?:it|they|this|these|that|those|so doing|doing so)$/i;

/**
 * What a clause says in this way; undefined where it says nothing so.
 * @param earlier what the clause before speaks of, which `it` and a missing subject stand for
 */
export function passiveClause(text: string, earlier = ''): PassiveClause | undefined {
  if (text.length > longest) return undefined;
  const clause = withSubject(text.trim().replace(introduction, ''), earlier);
  const found = shape.exec(clause);
  if (found === null) return notToBeDone(clause, earlier);
  const [, before = '', verb = '', forbidding, permitting, after = ''] = found;
  const { subject, circumstances, isNone } = partsOf(before, earlier);
  const isForbidding = forbidding !== undefined;
  const isForbidden = isForbidding !== (negated.test(verb) || isNone);
  const read = {
    subject,
    circumstances,
    rest: withoutStress(after),
    verb: `${verb} ${forbidding ?? permitting}`,
  };
  const kind = kindOf({ verb, subject, isForbidden, isForbidding });
  const narrowed = kind === 'allowed' ? (inOneWay(read) ?? bySome(read)) : undefined;
  const activity = `${activityOf(subject, read.rest)}${circumstances}`;
  return narrowed ?? { kind, subject, activity, verb: read.verb };
}

/** `Samples are not to be opened.` */
function notToBeDone(clause: string, earlier: string): PassiveClause | undefined {
  const [found, before = '', verb = '', rest = ''] = notToBe.exec(clause) ?? [];
  if (found === undefined) return undefined;
  const { subject, circumstances } = partsOf(before, earlier);
  const activity = joined(subject, `${withoutStress(rest)}${circumstances}`);
  return { kind: 'forbidden', subject, activity, verb: `${verb} to be` };
}

interface Sense {
  readonly verb: string;
  readonly subject: string;
  readonly isForbidden: boolean;
  /** Whether its word is one that forbids. */
  readonly isForbidding: boolean;
}

function kindOf({ verb, subject, isForbidden, isForbidding }: Sense): PassiveClause['kind'] {
  if (past.test(verb) || (subject === '' && !isForbidden)) return 'none';
  if (/^(?:any )?(?:exceptions?|exemptions?|deviations?|changes)\b/i.test(subject)) return 'none';
  // "May be prohibited" tells of what can happen, "may be permitted" too; only negated they are rules.
  if (possible.test(verb) && (isForbidding || !isForbidden)) return isForbidding ? 'none' : 'allowed';
  return isForbidden ? 'forbidden' : 'allowed';
}

/** A subject that is left out, as in `… and is permitted during breaks`. */
const withSubject = (clause: string, earlier: string): string =>
  earlier !== '' && new RegExp(`^${verbGroup}\\s(?:${forbids}|${permits})\\b`, 'i').test(clause)
    ? `${earlier} ${clause}`
    : clause;

interface Parts {
  readonly subject: string;
  /** Beginning with a space, or with a comma where it is a clause; empty without any. */
  readonly circumstances: string;
  /** Whether its determiner denies it, such as `no`. */
  readonly isNone: boolean;
}

function partsOf(before: string, earlier: string): Parts {
  const found = circumstance.exec(before);
  const named = (found?.[2] ?? before).trim().replace(introduction, '');
  const isNone = negatedSubject.test(named);
  const subject = isNone
    ? named.replace(negatedSubject, '').replace(/\snor\s/gi, ' or ')
    : pronoun.test(named) && earlier !== ''
      ? earlier
      : named;
  const where = found?.[1];
  if (where === undefined) return { subject, circumstances: '', isNone };
  const isClause = /^(?:while|when|if|where|once|as long as)/i.test(where);
  return { subject, circumstances: `${isClause ? ',' : ''} ${lowerFirst(where)}`, isNone };
}

const withoutStress = (rest: string): string => {
  const shorter = rest.replace(/^ by law\b/i, '').replace(stress, '');
  return shorter === rest ? rest : withoutStress(shorter);
};

/** `staff` + ` to share badges` is what they do; `smoking` + ` in the hall` where it is done. */
function activityOf(subject: string, rest: string): string {
  const listed = /^\s*:\s*(.+)$/.exec(rest);
  if (listed !== null) return listed[1] ?? '';
  const doing = /^(?: (?:for|to) [\w ’'-]{1,40}?)? (?:to|from(?= \w+ing\b)) (.+)$/i.exec(rest);
  const toBe = /^ (?:to be|from being) (.+)$/i.exec(rest);
  if (toBe !== null) return joined(subject, toBe[1] ?? '');
  if (doing !== null) return doing[1] ?? '';
  const that = /^ that (.+)$/i.exec(rest);
  return that === null ? joined(subject, rest) : (that[1] ?? '');
}

const joined = (subject: string, rest: string): string =>
  lowerFirst(`${subject} ${rest.trim()}`.trim().replace(/\s+,/g, ','));

interface Read {
  readonly subject: string;
  readonly verb: string;
  readonly rest: string;
  readonly circumstances: string;
}

/** `Is permitted only through the VPN`, `is only permitted on Mondays`. */
function inOneWay({ subject, verb, rest, circumstances }: Read): PassiveClause | undefined {
  const after = /^ only (.+)$/i.exec(rest)?.[1];
  const only = after ?? (/\bonly\b/i.test(verb) ? rest.trim() : '');
  if (only === '') return undefined;
  const otherwise = `${lowerFirst(subject)}, other than ${only}${circumstances}`;
  const activity = `${activityOf(subject, ` ${only}`)}${circumstances}`;
  return { kind: 'restricted', subject, activity, otherwise, verb };
}

/** `Only nurses are allowed to draw blood.` */
function bySome({ subject, verb, rest, circumstances }: Read): PassiveClause | undefined {
  const who = /^only (.+)$/i.exec(subject)?.[1];
  if (who === undefined) return undefined;
  const what = `${/^ to (.+)$/i.exec(rest)?.[1] ?? `being ${rest.trim()}`}${circumstances}`;
  const [activity, otherwise] = [
    `${what}, by ${lowerFirst(who)}`,
    `${what}, by anyone other than ${lowerFirst(who)}`,
  ];
  return { kind: 'restricted', subject: who, activity, otherwise, verb };
}

/** Places where a sentence may go on with another clause. */
const connective = /(?:,|;)? (?:but|and|yet|however,?) |, (?:while|whereas) |; /gi;
/** Longer ones are no sentences. */
const longest = 2000;
const mainVerb = new RegExp(
  `${notWithin}\\s(?:is|are|must|shall|should|may|can|will|cannot|needs?|has|have)\\b`,
  'i',
);

const modal = new RegExp(`${notWithin}\\s(?:must|shall|should|may|can|will|cannot)\\b`, 'i');

/**
 * The clauses of a sentence, split where what comes next says whether something is allowed, and the part before it is a
 * clause as well.
 */
function splitClauses(text: string): string[] {
  if (text.length > longest) return [text];
  for (const { 0: words, index } of text.matchAll(connective)) {
    const [left, right] = [text.slice(0, index), text.slice(index + words.length)];
    const earlier = passiveClause(left)?.subject ?? '';
    const next = passiveClause(right, earlier);
    const goesOn = passiveClause(left) !== undefined && (/^[;,]/.test(words) ? mainVerb : modal).test(right);
    if (mainVerb.test(left) && (next !== undefined || goesOn)) return [left, ...splitClauses(right)];
  }
  return [text];
}

/**
 * What the clauses of a sentence say in this way, in their order; undefined for those that say nothing so.
 * @param before what the sentence before speaks of
 */
export function passiveClauses(
  text: string,
  before = '',
): { clause: string; passive: PassiveClause | undefined }[] {
  let earlier = before;
  return splitClauses(text).map((clause) => {
    const passive = passiveClause(clause, earlier);
    earlier = passive?.subject ?? earlier;
    return { clause, passive };
  });
}

/** Abbreviations and names keep their capitals. */
const lowerFirst = (text: string) =>
  /^\p{Lu}(?:\p{Ll}|\s)/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
