/** Converts statements of a document into activities (phrases) that a text guard can detect. Pure. */
import { givenNowhere } from './norms.ts';
import { passiveClause, passiveClauses, type PassiveClause } from './passive.ts';

export interface Activities {
  readonly block: readonly string[];
  readonly safe: readonly string[];
}

type Shape = readonly [shape: RegExp, block: (...groups: string[]) => string];

const not = "(?:not|never|n't)";
const modal = '(?:must|shall|should|may|can|will|could)';

/** A negation that stands in front, after which the verb comes before its subject. */
const frontNegation =
  '(?:under no (?:circumstances?|conditions?)|on no account|in no (?:case|event)|at no (?:time|point)|by no means|never|nor)';

/** Sentences that forbid, and the phrase for what they forbid; the first that fits counts. */
const forbidding: readonly Shape[] = [
  [/^prohibited: (.+)$/i, (what) => what],
  [
    new RegExp(`^${frontNegation},? (?:${modal}|do|does|did|is|are|was|were) (.+)$`, 'i'),
    (what) => inverted(what),
  ],
  [
    /^(?:nobody|no one|no-one|none of [\w ]{1,40}?|neither [\w ]{1,60}?|no [\w -]{1,60}?) (?:may|shall|must|can|should|is (?:allowed|permitted) to|are (?:allowed|permitted) to) (.+)$/i,
    (what) => what,
  ],
  [
    /^(?:it is|it's) (?:strictly )?(?:forbidden|prohibited|not (?:permitted|allowed)|illegal) (?:for [\w ]{1,40}? )?to (.+)$/i,
    (what) => what,
  ],
  [
    /^only (.+?) (?:may|can|shall|must|is (?:allowed|permitted) to|are (?:allowed|permitted) to) (.+)$/i,
    (who, what) => `${what}, by anyone other than ${lowerFirst(who)}`,
  ],
  [
    new RegExp(
      `^(.+?)\\s(?:${modal} ?${not}(?: ever)?|cannot|can ?not|ca(?:n't|n’t)|mustn’t|shouldn’t) be (.+)$`,
      'i',
    ),
    (subject, what) => `${lastClause(subject)} ${what}`,
  ],
  [
    new RegExp(
      `^.+?\\s(?:${modal} ?${not}(?: ever)?|cannot|can ?not|ca(?:n't|n’t)|mustn’t|shouldn’t|(?:is|are) not (?:to|(?:allowed|permitted|authori[sz]ed) to)) (.+)$`,
      'i',
    ),
    (what) => what,
  ],
  [
    /^(.+?) (?:is|are) (?:strictly |expressly )?(?:prohibited|forbidden|disallowed|illegal|discouraged|not (?:permitted|allowed|authori[sz]ed|acceptable))\b(.*)$/i,
    (subject, rest) => `${lastClause(subject)}${rest}`,
  ],
  [/^.+?\s(?:undertakes?|agrees?|promises?|commits?) not to (.+)$/i, (what) => what],
  [
    /^(.+?) (?:is|are|remains?|stays?) (?:taboo|out of bounds|off[- ]limits|off the table|out of the question|a no-go|banned|barred|ruled out)\b(.*)$/i,
    (subject, rest) => `${lastClause(subject)}${rest}`,
  ],
  [
    /^.*?\b(?:(?:stay|keep)(?:s|ing)? (?:away from|out of|clear of)|steer(?:s|ing)? clear of) (.+)$/i,
    (what) => what,
  ],
  [
    new RegExp(`^(?:no|neither) ${givenNowhere.source}(.*)$`, 'iu'),
    (subject, what, rest = '') => `${subject.replaceAll(/ nor /g, ' or ')} ${what}${rest}`,
  ],
  [/^(?:nobody|no one|no-one|neither [\w ]{1,40}?|no [\w -]{1,60}?) (\w+s .+)$/i, (what) => what],
  [/^(?:please )?(?:do not|don't|don’t|never|avoid|refrain from) (.+)$/i, (what) => what],
  [/^.{1,80}? (?:do not|don't|never|refrain from|avoid) (.+)$/i, (what) => what],
];

const needs =
  '(?:must|shall|should|need(?:s)? to|ha(?:s|ve) to|(?:is|are) (?:required|expected|obliged|obligated|responsible|supposed|liable|bound|committed) to|ought to|will|(?:agrees?|undertakes?|promises?|commits?) to)';

/** Sentences that demand, and the phrase for not doing it. */
const demanding: readonly Shape[] = [
  [
    /^(.+?) (?:may|can|is|are) only (?:be )?(.+)$/i,
    (subject, what) => `${lastClause(subject)}, other than ${what}`,
  ],
  [/^(.+?) requires? (.+)$/i, (subject, what) => `${lastClause(subject)} without ${what}`],
  [/^(.+?) (?:is|are) to be (.+)$/i, (subject, what) => `${lastClause(subject)} not ${what}`],
  [
    new RegExp(`^(.+?)\\s${needs} (?:always )?be (.+)$`, 'i'),
    (subject, what) => `${lastClause(subject)} not ${what}`,
  ],
  [new RegExp(`^(?:.+?)\\s${needs} (?:always )?(.+)$`, 'i'), (what) => `failing to ${what}`],
  [/^(?:please )?(?:always )?((?:\w+) .+)$/i, (what) => `failing to ${lowerFirst(what)}`],
];

const twoClauses =
  /^(.+?)\s((?:must|shall|should|may|can|will)(?: (?:not|never))?|cannot) (.+?),? (?:and|but) ((?:must|shall|should|may|can|will)(?: (?:not|never))?|cannot) (.+)$/i;

const isForbidding =
  /n[’']t\b|\b(?:not|never|nobody|no one|no-one|none|neither|cannot|prohibited|forbidden|disallowed|illegal|discouraged|avoid|refrain|under no (?:circumstances?|conditions?)|on no account|in no (?:case|event)|at no (?:time|point)|by no means|nor|zero tolerance|taboo|off[- ]limits|off the table|out of bounds|out of the question|no-go|banned|barred|(?:stay|keep|steer)s? (?:away|out of|clear))\b|^only\b|^no\b/i;

const exception =
  /[,;]?\s+(?:unless|except(?: (?:when|where|if|for|with))?|other than (?=with|when|if))\s+(.+)$/i;

/** A condition that stands in front of what it applies to. */
const condition =
  /^((?:if|when|whenever|while|during|before|after|once|where|wherever|as long as|unless|until)\b[^,]{2,120}), (.+)$/i;

/** The activities that a binding statement prohibits and permits. */
export function activitiesOf(statement: string): Activities {
  const text = asOnly(withoutStop(statement));
  const listed = listedActivities(text);
  if (listed !== undefined) return listed;
  let earlier = '';
  const parts = text.split(/;\s+/).map((part) => {
    const activities = sentenceActivities(part, earlier);
    earlier = passiveClauses(part).at(-1)?.passive?.subject ?? earlier;
    return activities;
  });
  return { block: parts.flatMap(({ block }) => block), safe: parts.flatMap(({ safe }) => safe) };
}

/** `Nobody except the treasurer may sign` is `Only the treasurer may sign`: no exception to a rule about nobody. */
const asOnly = (text: string) =>
  text.replace(
    /^(?:nobody|no[ -]one|none)(?: else)?,? (?:except|but|other than|apart from|besides)(?: for)? (.{1,80}?),? (?=(?:may|can|shall|must|is|are)\b)/i,
    (_, who: string) => `Only ${who} `,
  );

/** `The following are prohibited: betting; gambling.` */
function listedActivities(text: string): Activities | undefined {
  const [, opening = '', list = ''] = /^((?:the following|these)\b[^:]{1,120}):\s+(.+)$/i.exec(text) ?? [];
  const kind = passiveClause(opening)?.kind;
  if (kind !== 'forbidden' && kind !== 'allowed') return undefined;
  const items = list.split(/;\s*(?:(?:and|or)\s)?/).map((item) => lowerFirst(withoutStop(item)));
  return kind === 'forbidden' ? { block: items, safe: [] } : { block: [], safe: items };
}

/** @param earlier what the part before speaks of */
function sentenceActivities(statement: string, earlier: string): Activities {
  const text = withoutStop(statement);
  const before = condition.exec(text);
  const [lead, rest] = before === null ? [undefined, text] : [before[1] ?? '', before[2] ?? ''];
  const isException = lead !== undefined && /^un(?:less|til)\b/i.test(lead);
  const except = exception.exec(rest);
  const core = except === null ? rest : rest.slice(0, except.index);
  const suffix = lead === undefined || isException ? '' : `, ${lowerFirst(lead)}`;
  const clauses = clausesOf(withInsertedLast(core), earlier).map(({ clause, passive }): ClauseActivities => {
    if (passive !== undefined) return passively(passive, suffix);
    if (isAllowing.test(clause) && !isForbidding.test(clause))
      return { allowed: `${allowedActivity(clause)}${suffix}` };
    const forbids = isForbidding.test(clause);
    const block = phraseOf(clause, forbids ? [...forbidding, ...demanding] : demanding);
    return { block: `${block}${suffix}`, complied: forbids ? undefined : compliedWith(clause) };
  });
  const block = clauses.flatMap((clause) => clause.block ?? []);
  const exceptions = [except?.[1], isException ? lead?.replace(/^un(?:less|til) /i, '') : undefined];
  const excepted = exceptions.flatMap((each) =>
    each === undefined ? [] : block.map((what) => `${what}, when ${lowerFirst(each)}`),
  );
  return {
    block,
    safe: [...clauses.flatMap(({ allowed, complied }) => allowed ?? complied ?? []), ...excepted],
  };
}

/** Of one clause; `complied` is what does what it demands. */
interface ClauseActivities {
  readonly block?: string;
  readonly allowed?: string;
  readonly complied?: string | undefined;
}

/** What such a clause blocks and allows: never what it allows among what it blocks. */
function passively({ kind, activity, otherwise }: PassiveClause, suffix: string): ClauseActivities {
  const phrase = `${lowerFirst(activity)}${suffix}`;
  if (kind === 'forbidden') return { block: phrase };
  if (kind === 'none') return {};
  return otherwise === undefined
    ? { allowed: phrase }
    : { block: `${otherwise}${suffix}`, complied: activity };
}

/** What a clause allows must never be among what it blocks. */
const isAllowing =
  /\s(?:may|can|(?:is|are) (?:explicitly |expressly )?(?:allowed|permitted|free) to)\s(?!only\b)/i;

/** `No employee shall, without approval, speak` is `No employee shall speak without approval`. */
const withInsertedLast = (text: string) =>
  text.replace(
    /^(.{1,80}?\b(?:must|shall|should|may|can|will)(?: (?:not|never))?), ((?:without|except|before|after|during|outside)\b[^,]{2,80}), (.+)$/i,
    (_, subject: string, inserted: string, what: string) => `${subject} ${what} ${inserted}`,
  );

/** `It must do this and may not do that` is two. */
function clausesOf(text: string, earlier: string): ReturnType<typeof passiveClauses> {
  const both = twoClauses.exec(text);
  if (both === null) return passiveClauses(text, earlier);
  const [, subject = '', verb, first, second, rest] = both;
  return [`${lastClause(subject)} ${verb} ${first}`, `${lastClause(subject)} ${second} ${rest}`].map(
    (clause) => ({ clause, passive: passiveClause(clause, earlier) }),
  );
}

/** What a statement allows, as a phrase. */
export function allowedActivity(statement: string): string {
  const text = withoutStop(statement);
  const allowing = passiveClauses(text).flatMap(({ passive }) =>
    passive?.kind === 'allowed' || passive?.kind === 'restricted' ? passive.activity : [],
  );
  if (allowing[0] !== undefined) return lowerFirst(allowing[0]);
  const asPassive = /^(.+?) (?:may|can) be (.+)$/i.exec(text);
  if (asPassive !== null) return lowerFirst(`${lastClause(asPassive[1] ?? '')} ${asPassive[2]}`);
  const actively =
    /^.+? (?:may|can|(?:is|are) (?:explicitly |expressly )?(?:allowed|permitted|free) to) (.+)$/i.exec(text);
  if (actively?.[1] !== undefined) return actively[1];
  return lowerFirst(
    text.replace(/\s(?:is|are) (?:explicitly |expressly )?(?:permitted|allowed|acceptable)\b/i, ''),
  );
}

function phraseOf(text: string, shapes: readonly Shape[]): string {
  for (const [shape, phrase] of shapes) {
    const match = shape.exec(text);
    if (match !== null) return lowerFirst(phrase(...match.slice(1).map((group) => group ?? '')).trim());
  }
  return lowerFirst(text);
}

function compliedWith(text: string): string | undefined {
  const match = new RegExp(`^(.+?)\\s${needs} (?:always )?(be )?(.+)$`, 'i').exec(text);
  if (match === null) return undefined;
  const [, subject = '', be, what = ''] = match;
  return lowerFirst(be === undefined ? what : `${lastClause(subject)} ${what}`);
}

/** `Tenants to be told`, `you give`: as a phrase for what is done. */
const inverted = (text: string) =>
  text
    .replace(/\s(?:ever )?(?:to )?be\s/, ' ')
    .replace(/^(?:you|we|they|one|anyone|anybody|any of us)\s/i, '');

/** Of `Before anyone answers, requests`, `requests`. */
const lastClause = (text: string) => text.slice(text.lastIndexOf(', ') + 1).trim();

const withoutStop = (text: string) => text.trim().replace(/[.!;,]+$/, '');

/** Abbreviations and names keep their capitals. */
const lowerFirst = (text: string) =>
  /^\p{Lu}(?:\p{Ll}|\s)/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
