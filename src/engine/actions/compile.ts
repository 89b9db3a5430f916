import { isStopWord } from '#engine/text/stems.ts';
import type { Condition, FactName, RuleClause } from './clauses.ts';
import { readSentence } from './rule-sentence.ts';
import { clauseSummary } from './rule-summary.ts';
import type { CompiledRule, RuleSource, ThreatCategory } from './types.ts';
import { root, textWords } from './words.ts';

const maxLength = 4000;
const maxSentences = 12;

const sentencesOf = (text: string) =>
  text
    .slice(0, maxLength)
    .replaceAll('’', "'")
    .split(/(?<=[.!?])\s+(?=[A-Z"'(])|;\s+|\n+/)
    .map((sentence) => sentence.replace(/[.!?;\s]+$/, '').trim())
    .filter((sentence) => sentence.length > 3)
    .slice(0, maxSentences);

const factThreats: readonly (readonly [fact: FactName, threat: ThreatCategory])[] = [
  ['follows_embedded_instruction', 'prompt_injection'],
  ['hidden_text', 'prompt_injection'],
  ['off_task', 'off_task_action'],
  ['downloads_and_runs', 'malicious_code'],
  ['obfuscated_command', 'malicious_code'],
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

function threatOf(clauses: readonly RuleClause[]): ThreatCategory {
  const conditions: Condition[] = clauses.flatMap(({ when }) => when);
  const facts = conditions.flatMap((condition) => (condition.test === 'fact' ? condition.facts : []));
  const senses = conditions.flatMap((condition) => (condition.test === 'verb' ? condition.senses : []));
  const classes = conditions.flatMap((condition) => (condition.test === 'data' ? condition.classes : []));
  const byFact = factThreats.find(([fact]) => facts.includes(fact))?.[1];
  const pays = ['pay', 'buy', 'refund', 'charge'].some((sense) => senses.includes(sense));
  if (byFact !== undefined)
    return byFact === 'data_exfiltration' && pays && !senses.includes('send')
      ? 'unauthorized_transaction'
      : byFact;
  if (classes.includes('secret')) return 'credential_exposure';
  if (classes.some((name) => ['personal', 'contact', 'health', 'card', 'bank', 'customer'].includes(name)))
    return 'privacy_violation';
  const byVerb = verbThreats.find(([group]) => group.some((sense) => senses.includes(sense)))?.[1];
  const leaves = conditions.some(({ test }) => test === 'destination' || test === 'data');
  return byVerb === 'data_exfiltration' && !leaves ? 'policy_violation' : (byVerb ?? 'policy_violation');
}

/** Stems of the sentence, rarer-looking (longer) words weighing more. */
function stemsOf(text: string): [string, number][] {
  const words = textWords(text.slice(0, maxLength)).filter((word) => !isStopWord(word) && word.length > 2);
  return [...new Set(words.map(root))].slice(0, 60).map((stem) => [stem, stem.length > 5 ? 1.5 : 1]);
}

/** Reads the sentence of a rule. */
export function compileRule({ description }: RuleSource, engineVersion: string): CompiledRule {
  const clauses = sentencesOf(description).flatMap((sentence) => readSentence(sentence) ?? []);
  const similar = clauses.length === 0;
  return {
    engineVersion,
    kind: similar ? 'similarity' : 'matcher',
    summary: similar
      ? [
          'The sentence was not understood as a test of a call.',
          'It is compared with the action word by word, and may warn but never block.',
        ]
      : clauses.flatMap(clauseSummary),
    threatCategory: threatOf(clauses),
    clauses,
    stems: stemsOf(description),
  };
}
