import { isStopWord } from '#engine/text/stems.ts';
import type { Condition, DataClass, FactName, RuleClause } from '../clauses.ts';
import { alternativesOf } from './rule-alternatives.ts';
import { plainlySaid } from './rule-phrases.ts';
import { readStatement } from './grammar/statement-clauses.ts';
import { statementsOf } from './grammar/statements.ts';
import { takeKnown } from './rule-facts.ts';
import { readSentence } from './rule-sentence.ts';
import { clauseSummary } from './rule-summary.ts';
import { unreadWords } from './unread.ts';
import type { CompiledRule, RuleSource, ThreatCategory } from '../types.ts';
import { root, textWords } from '../words.ts';

const maxLength = 4000;
const maxSentences = 12;

const sentencesOf = (text: string) =>
  text
    .slice(0, maxLength)
    .replaceAll('’', "'")
    .split(/(?<=[.!?])\s+(?=[A-Z"'(])|;\s+|\n+/)
    .flatMap(commandsOf)
    .map((sentence) => sentence.replace(/[.!?;\s]+$/, '').trim())
    .filter((sentence) => sentence.length > 3)
    .slice(0, maxSentences);

/** "Only search the web, do not log in anywhere": two commands in one sentence; a leading condition stays with its own. */
function commandsOf(sentence: string): string[] {
  const at = /,\s+(?:and |but )?(?=(?:never|do not|don't|must not|may not|no more than)\b)/i.exec(sentence);
  if (at === null) return [sentence];
  const [first, second] = [sentence.slice(0, at.index), sentence.slice(at.index + at[0].length)];
  if (/\b(?:it|them|those)\b/.test(second)) return [sentence];
  return commanding.test(first) && !conditional.test(first) ? [first, second] : [sentence];
}

const commanding = /\b(?:never|only|not|always|must|require[sd]?|forbidden|prohibited)\b|n't\b|^no\b/i;
const conditional = /^(?:if|when|whenever|while|during|for|on|after|before|unless|files? |in case)\b/i;

const factThreats: readonly (readonly [fact: FactName, threat: ThreatCategory])[] = [
  ['follows_embedded_instruction', 'prompt_injection'],
  ['hidden_text', 'prompt_injection'],
  ['plants_orders', 'prompt_injection'],
  ['off_task', 'off_task_action'],
  ['downloads_and_runs', 'malicious_code'],
  ['obfuscated_command', 'malicious_code'],
  ['reverse_shell', 'malicious_code'],
  ['scans_or_mines', 'malicious_code'],
  ['erases_traces', 'destructive_action'],
  ['encoded_payload', 'data_exfiltration'],
  ['privileged_command', 'privilege_escalation'],
  ['disables_protection', 'privilege_escalation'],
  ['destructive_command', 'destructive_action'],
  ['sql_without_condition', 'destructive_action'],
  ['sql_schema_change', 'destructive_action'],
  ['tool_output_leaves', 'data_exfiltration'],
  ['unnamed_destination', 'data_exfiltration'],
  ['tainted_destination', 'data_exfiltration'],
  ['internal_host', 'data_exfiltration'],
  ['tunnel_host', 'data_exfiltration'],
];

const verbThreats: readonly (readonly [senses: readonly string[], threat: ThreatCategory])[] = [
  [['pay', 'buy', 'refund', 'charge'], 'unauthorized_transaction'],
  [['delete'], 'destructive_action'],
  [['grant', 'invite'], 'privilege_escalation'],
  [['execute', 'install', 'deploy', 'download'], 'malicious_code'],
  [['send', 'share'], 'data_exfiltration'],
];

/** What a rule names, as far as it tells which threat it is about. */
export interface NamedInRule {
  readonly facts: readonly FactName[];
  readonly senses: readonly string[];
  readonly classes: readonly DataClass[];
  /** It speaks of data or of where something goes. */
  readonly leaves: boolean;
}

const personalClasses = new Set<DataClass>(['personal', 'contact', 'health', 'card', 'bank', 'customer']);

/** The threat that a rule is about, by what it names. */
export function threatBy({ facts, senses, classes, leaves }: NamedInRule): ThreatCategory {
  const byFact = factThreats.find(([fact]) => facts.includes(fact))?.[1];
  const pays = ['pay', 'buy', 'refund', 'charge'].some((sense) => senses.includes(sense));
  if (byFact !== undefined)
    return byFact === 'data_exfiltration' && pays && !senses.includes('send')
      ? 'unauthorized_transaction'
      : byFact;
  if (classes.includes('secret')) return 'credential_exposure';
  if (classes.some((name) => personalClasses.has(name))) return 'privacy_violation';
  const byVerb = verbThreats.find(([group]) => group.some((sense) => senses.includes(sense)))?.[1];
  return byVerb === 'data_exfiltration' && !leaves ? 'policy_violation' : (byVerb ?? 'policy_violation');
}

function threatOf(clauses: readonly RuleClause[]): ThreatCategory {
  const conditions: Condition[] = clauses.flatMap(({ when }) => when);
  return threatBy({
    facts: conditions.flatMap((condition) => (condition.test === 'fact' ? condition.facts : [])),
    senses: conditions.flatMap((condition) => (condition.test === 'verb' ? condition.senses : [])),
    classes: conditions.flatMap((condition) => (condition.test === 'data' ? condition.classes : [])),
    leaves: conditions.some(({ test }) => test === 'destination' || test === 'data'),
  });
}

/** Stems of the sentence, rarer-looking (longer) words weighing more. */
function stemsOf(text: string): [string, number][] {
  const words = textWords(text.slice(0, maxLength)).filter((word) => !isStopWord(word) && word.length > 2);
  return [...new Set(words.map(root))].slice(0, 60).map((stem) => [stem, stem.length > 5 ? 1.5 : 1]);
}

const surelyRead = 0.6;

/** One clause for each act that is forbidden, where every one of them is understood by itself. */
function clausesOf(sentence: string): RuleClause[] {
  const each = (alternativesOf(sentence) ?? []).map(readSentence);
  const isSure = (read: RuleClause | undefined): read is RuleClause =>
    read !== undefined && read.confidence >= surelyRead;
  if (each.length > 1 && each.every(isSure)) return each;
  const whole = readSentence(sentence);
  return whole === undefined ? [] : [whole];
}

/** Rules about what a trace itself shows (instructions in outputs, hosts, disguised commands) have phrases of their own. */
const speaksOfFacts = (description: string): boolean =>
  takeKnown(description.slice(0, maxLength).toLowerCase()).facts.length > 0 || ownPhrases.test(description);

/** What the user asked for, and examples given by their characters, are read with the words around them. */
const ownPhrases =
  /\b(?:user|customer|requester|they|he|she)(?: has| have| had)? (?:explicitly |specifically )?(?:asked|requested|did not ask|has not asked|didn't ask|named|haven't asked)\b|\b(?:such as|including|like) (?:\W?\.?\w+[_.]\w+|\.\w+)|`[^`]+`|\b(?<!\bto )(?:another|other|someone else's) (?:user|person|employee|member)|\bonly in a tool\b|\bsend them anywhere\b/i;

function grammarClauses(description: string): RuleClause[] | undefined {
  if (speaksOfFacts(description)) return undefined;
  const clauses = readWithoutSigns(description);
  return clauses.length > 0 ? clauses : undefined;
}

/** What the grammar reads of a rule by its acts and things alone, whatever signals of a trace it speaks of too. */
export const readWithoutSigns = (description: string): RuleClause[] =>
  statementsOf(description.slice(0, maxLength)).flatMap((statement) => readStatement(statement).clauses);

/** Lowering such a rule to a warning was measured: it loses many violations for each innocent call that it spares. */
function unreadLine(description: string, clauses: readonly RuleClause[]): string[] {
  const words = unreadWords(description.slice(0, maxLength), clauses).slice(0, 8);
  return words.length === 0 ? [] : [`Not understood, as no test looks for it: ${words.join(', ')}.`];
}

/** Reads the sentence of a rule. */
export function compileRule({ description }: RuleSource, engineVersion: string): CompiledRule {
  const clauses =
    grammarClauses(description) ??
    sentencesOf(description).flatMap((sentence) => clausesOf(plainlySaid(sentence)));
  const similar = clauses.length === 0;
  return {
    engineVersion,
    kind: similar ? 'similarity' : 'matcher',
    summary: similar
      ? [
          'The sentence was not understood as a test of a call.',
          'It is compared with the action word by word, and may warn but never block.',
        ]
      : [...clauses.flatMap(clauseSummary), ...unreadLine(description, clauses)],
    threatCategory: threatOf(clauses),
    clauses,
    stems: stemsOf(description),
  };
}
