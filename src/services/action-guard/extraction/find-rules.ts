/** Obligations and prohibitions of a document, by the words that make them. Pure. */
import type { Severity } from '#engine/actions/types.ts';
import { maxRuleCharacters } from '../contract/policies.ts';
import { passagesOf, type Passage } from './passages.ts';

export interface FoundRule {
  readonly description: string;
  readonly severity: Severity;
  /** As the document says it. */
  readonly source: string;
}

/** What is forbidden outright. */
const absolute =
  /\b(?:must(?: not|n't| never)|shall (?:not|never)|may (?:not|never|only)|never|prohibited|forbidden|strictly|under no circumstances|(?:not|n't) (?:be )?(?:permitted|allowed|authori[sz]ed)|(?:no|nobody|no one|none|neither)\b.{1,60}\b(?:may|shall|must|can|is (?:allowed|permitted))|illegal|zero tolerance|disallowed)\b/i;
/** What is demanded. */
const demanded =
  /\b(?:must|shall|(?:is|are|be) (?:required|obliged|obligated|mandatory|expected|responsible)|required to|requires?|ha(?:ve|s) to|needs? to(?![- ]know)|do not|don't|does not|cannot|can ?not|can't|always|mandatory|only (?:be|by|if|when|after|with|for|to|from|through|on|in|the|those|via|[a-z]+ed)\b.*|only\b.{1,60}\b(?:may|can|is|are)|is not|are not to|ensure that|make sure|no more than|at most|without (?:prior|explicit|written))\b/i;
/** What is advised. */
const advised =
  /\b(?:should(?:n't)?|ought to|avoid|refrain from|recommended|preferably|where possible|consider|try to|encouraged|discouraged)\b/i;

/** Orders begin with their verb. */
const order =
  /^(?:please )?(?:always |only |never )?(?:ask|authenticate|avoid|block|check|confirm|contact|deny|disclose|document|encrypt|ensure|escalate|flag|get|inform|keep|limit|log|mask|notify|obtain|record|redact|refuse|reject|remove|report|request|require|restrict|review|rotate|seek|store|transfer|treat|use|validate|verify|wait)\b/i;

/** Sentences about the document, courtesy and definitions bind nobody's actions. */
const notRules =
  /\b(?:this (?:policy|document|standard|guide(?:line)?|procedure|section|manual|version|handbook)\b.{0,40}\b(?:must|shall|should|is|are|will|appl)|hesitate|shall mean|means\b|is defined as|are defined as|refers? to|for (?:more|further) information|see (?:section|appendix)|if you have (?:any )?questions|should you (?:have|need)|must-have|need[- ]to[- ]know|terms? (?:of|and)|last (?:updated|reviewed))\b/i;

/** Rules in the order of the document, each once. */
export function findRules(document: string): FoundRule[] {
  const found = new Map<string, FoundRule>();
  for (const passage of passagesOf(document)) {
    const rule = ruleOf(passage);
    if (rule === undefined) continue;
    const key = rule.description.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
    if (!found.has(key)) found.set(key, rule);
  }
  return [...found.values()];
}

function ruleOf({ text, lead, isItem }: Passage): FoundRule | undefined {
  const whole = lead === undefined ? text : `${lead} ${text}`;
  if (!readable(text, lead) || notRules.test(lead ?? '') || notRules.test(text)) return undefined;
  const own = severityOf(text, isItem);
  const severity = own ?? (lead === undefined ? undefined : severityOf(lead, false));
  if (severity === undefined) return undefined;
  const description = own !== undefined || lead === undefined ? text : withLead(lead, text);
  return { description: sentence(description), severity, source: whole.slice(0, 10_000) };
}

/** Enough words to be a rule, and no question. */
const readable = (text: string, lead: string | undefined): boolean =>
  !text.endsWith('?') && /\p{L}/u.test(text) && text.split(/\s+/).length >= (lead === undefined ? 3 : 2);

function severityOf(text: string, isItem: boolean): Severity | undefined {
  if (absolute.test(text)) return 'High';
  // "Should" with a "must" elsewhere in the sentence is as strong as the must.
  if (demanded.test(text) && !onlyDescribes(text)) return 'Medium';
  if (advised.test(text)) return 'Low';
  return isItem || order.test(text) ? (order.test(text) ? 'Medium' : undefined) : undefined;
}

/** "Is not" and "requires" state facts more often than duties, unless an actor stands before them. */
const onlyDescribes = (text: string): boolean =>
  !/\b(?:must|shall|required|mandatory|ha(?:ve|s) to|needs? to|do not|don't|cannot|can ?not|can't|always|only|expected|responsible|oblig|ensure|make sure|no more than|at most|without|are not to)\b/i.test(
    text,
  ) && !/\b(?:requires?)\b.{0,80}\b(?:approv|consent|confirm|permission|authori|review|sign)/i.test(text);

/** An item is what its list's first words do not say yet. */
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

const sentence = (text: string): string => {
  const trimmed = text
    .trim()
    .replace(/[;,]$/, '')
    .slice(0, maxRuleCharacters - 1)
    .toWellFormed();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!]$/.test(trimmed) ? '' : '.'}`;
};
