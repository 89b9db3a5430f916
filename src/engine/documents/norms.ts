/**
 * Finds binding statements of a document: prohibitions, obligations, recommendations and permissions, by the
 * words that express them. Pure.
 */
import { bindsOtherwise } from './cues.ts';
import type { Passage } from './passages.ts';
import { type PassiveClause, passiveClauses } from './passive.ts';

/** How strongly a statement binds. */
export type Strength = 'absolute' | 'demanded' | 'advised';

export interface Norm {
  /** One sentence that stands alone: an item with the words that its list begins with. */
  readonly statement: string;
  readonly strength: Strength;
  /** As the document says it. */
  readonly source: string;
}

/** What is forbidden outright. */
const absolute =
  /\b(?:must(?: not|n't| never)|shall (?:not|never)|may (?:not|never|only)|never|prohibited|forbidden|strictly|under no (?:circumstances?|conditions?)|on no account|in no (?:case|event)|at no (?:time|point)|by no means|nor (?:may|shall|should|must|can)|(?:not|n't) (?:be )?(?:permitted|allowed|authori[sz]ed)|(?:no|nobody|no one|none|neither)\b.{1,60}\b(?:may|shall|must|can|is (?:allowed|permitted))|illegal|zero tolerance|disallowed|not acceptable|unacceptable|off[- ]limits|out of bounds)\b/i;
/** `No refunds are given`, `Neither beer nor wine is sold`: what nobody does here. Of `No action is needed` it is not true. */
export const givenNowhere =
  /([\p{L}\d' ,-]{1,80}?) (?:is|are)(?: ever)? (given|sold|served|shared|issued|accepted|granted|disclosed|handed out|passed on|lent|offered|admitted|released|transferred|paid out|kept|stored|taken|made)\b/iu;
const nowhere = new RegExp(`^(?:no|neither) ${givenNowhere.source}`, 'iu');
/** What is demanded. */
const demanded =
  /\b(?:must|shall|(?:is|are|be) (?:required|obliged|obligated|mandatory|expected|responsible)|required to|requires?|ha(?:ve|s) to|needs? to(?![- ]know)|do not|don't|does not|cannot|can ?not|can't|always|mandatory|only (?:be|by|if|when|after|with|for|to|from|through|on|in|the|those|via|[a-z]+ed)\b.*|only\b.{1,60}\b(?:may|can|is|are)|is not|are not to|(?:is|are) to be(?= [a-z]+(?:ed|en|t|pt|de|ne|ld|wn)\b)|(?:is|are) (?:limited|restricted) to|ensure that|make sure|no more than|at most|without (?:prior|explicit|written))\b/i;
/** What is advised. */
const advised =
  /\b(?:should(?:n't)?|ought to|avoid|refrain from|recommended|preferably|where possible|consider|try to|encouraged|discouraged)\b/i;

/** What is allowed. */
const allowed =
  /\b(?:may(?! (?:not|never|only|have|also have)\b)|(?:is|are) (?:explicitly |expressly )?(?:permitted|allowed|acceptable|exempt)|can be|(?:is|are) free to)\b/i;

/** Orders begin with their verb. */
const order =
  /^(?:(?:before|when|whenever|if|after|once|where|wherever|unless|while)\b[^,]{1,120}, )?(?:please )?(?:always |only |never )?(?:ask|authenticate|avoid|block|check|comply|confirm|contact|delete|deny|disclose|document|encrypt|ensure|escalate|flag|follow|get|inform|keep|limit|lock|log|maintain|mask|notify|obtain|offer|protect|provide|record|redact|refer|refuse|reject|remove|report|request|require|restrict|return|review|rotate|seek|send|store|submit|switch|tell|transfer|treat|turn|use|validate|verify|wait)\b/i;

/** Sentences about the document, courtesy and definitions are not binding. */
const notRules =
  /(?<!\b(?:under|by|to|with) )\b(?:this (?:policy|document|standard|guide(?:line)?|procedure|section|manual|version|handbook)\b.{0,40}\b(?:must|shall|should|is|are|will|appl)|hesitate|shall mean|means\b|is defined as|are defined as|refers? to|for (?:more|further) information|see (?:section|appendix)|if you have (?:any )?questions|should you (?:have|need)|must-have|need[- ]to[- ]know|terms? (?:of|and)|last (?:updated|reviewed))\b/i;

/** `No action is needed`. */
const noDuty = /^no [\p{L}\d' -]{1,60} (?:is|are) (?:needed|required|necessary|expected)\b/iu;

const isNoRule = (text: string) => notRules.test(text) || noDuty.test(text);

/** The obligation in a passage; undefined if it is not binding. */
export function normOf({ text, lead }: Passage): Norm | undefined {
  if (!readable(text, lead) || isNoRule(lead ?? '') || isNoRule(text)) return undefined;
  const own = strengthOf(text);
  if (lead === undefined) return own && { statement: text, strength: own, source: text };
  if (lead === 'Do' || lead === 'Do not') return underHeading(lead, text, own);
  const strength = own ?? strengthOf(lead);
  const statement = own === undefined ? withLead(lead, text) : text;
  return strength && { statement, strength, source: `${lead} ${text}` };
}

/** An item below a heading that says of all items what they are. */
const underHeading = (lead: 'Do' | 'Do not', text: string, own: Strength | undefined): Norm =>
  lead === 'Do'
    ? { statement: text, strength: own ?? 'demanded', source: text }
    : { statement: withLead(lead, text), strength: 'absolute', source: text };

/** The permission in a passage, as a sentence; undefined if there is none. */
export function permissionOf({ text, lead, isItem }: Passage): string | undefined {
  if (!readable(text, lead) || notRules.test(text)) return undefined;
  if (isItem && lead !== undefined && allowed.test(lead) && strengthOf(lead) === undefined)
    return strengthOf(text) === undefined ? withLead(lead, text) : undefined;
  const passives = passiveClauses(withoutStop(text)).flatMap(({ passive }) => passive ?? []);
  const isAllowed =
    passives.length > 0 ? passives.some(({ kind }) => kind === 'allowed') : allowed.test(text);
  return isAllowed && strengthOf(text) === undefined ? text : undefined;
}

/** Enough words to be a rule, and no question. */
const readable = (text: string, lead: string | undefined): boolean =>
  !text.endsWith('?') && /\p{L}/u.test(text) && text.split(/\s+/).length >= (lead === undefined ? 3 : 2);

function strengthOf(text: string): Strength | undefined {
  const clauses = passiveClauses(withoutStop(text));
  const says = (kind: PassiveClause['kind']) => clauses.some(({ passive }) => passive?.kind === kind);
  if (says('forbidden')) return 'absolute';
  if (says('restricted')) return 'demanded';
  // What is allowed binds as much as the rest of its sentence: "and must be kept on a lead". What is no rule does not.
  const rest = clauses.reduce(
    (left, { clause, passive }) =>
      passive === undefined ? left : left.replace(passive.kind === 'none' ? clause : passive.verb, ' '),
    text,
  );
  return strengthOfWords(rest.replaceAll('’', "'"));
}

const withoutStop = (text: string) => text.replace(/[.!;]+$/, '');

function strengthOfWords(text: string): Strength | undefined {
  if (absolute.test(text) || nowhere.test(text)) return 'absolute';
  // "Should" with a "must" elsewhere in the sentence is as strong as the must.
  if (demanded.test(text) && !onlyDescribes(text)) return 'demanded';
  if (advised.test(text)) return 'advised';
  return (order.test(text) || bindsOtherwise(text)) && !allowed.test(text) ? 'demanded' : undefined;
}

/** "Is not" and "requires" state facts more often than duties, unless an actor stands before them. */
const onlyDescribes = (text: string): boolean =>
  !/\b(?:must|shall|required|mandatory|ha(?:ve|s) to|needs? to|do not|don't|cannot|can ?not|can't|always|only|expected|responsible|oblig|ensure|make sure|no more than|at most|without|are not to|(?:is|are) to be|(?:is|are) (?:limited|restricted) to)\b/i.test(
    text,
  ) && !/\b(?:requires?)\b.{0,80}\b(?:approv|consent|confirm|permission|authori|review|sign)/i.test(text);

/** Joins a list's introduction with an item. */
function withLead(lead: string, item: string): string {
  const opening = lead.replace(/[:\s]+$/, '');
  const rest = `${item.charAt(0).toLowerCase()}${item.slice(1)}`;
  if (/\b(?:must|shall|should|may|never|not|to|only|cannot|always)$/i.test(opening))
    return `${opening} ${rest}`;
  if (/\b(?:prohibited|forbidden|not (?:permitted|allowed)|disallowed)\b/i.test(opening))
    return `Prohibited: ${rest}`;
  const modal =
    /^(.*\b(?:must(?: not)?|shall(?: not)?|may not|should(?: not)?|never)\b).*\bfollowing\b.*$/i.exec(
      opening,
    );
  return modal?.[1] === undefined ? `${opening}: ${rest}` : `${modal[1]} ${rest}`;
}
