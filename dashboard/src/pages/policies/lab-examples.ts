import { labelId } from '#services/policy-guard/contract/labels.ts';

/** A labelled text, as the optimisation lab takes it. */
export interface LabExample {
  readonly text: string;
  readonly policy: string;
  readonly label: boolean;
}

interface Read {
  readonly examples: readonly LabExample[];
  /** Lines that cannot be used, each with the reason. */
  readonly problems: readonly string[];
}

const words = new Map([
  ['1', true],
  ['true', true],
  ['violates', true],
  ['block', true],
  ['0', false],
  ['false', false],
  ['safe', false],
  ['allow', false],
]);

interface Row {
  readonly text?: unknown;
  readonly policy?: unknown;
  readonly label?: unknown;
  readonly labels?: Readonly<Record<string, unknown>> | null;
}

const labelOf = (value: unknown): boolean | undefined => words.get(String(value).toLowerCase());

/** `{"text", "labels": {"rival_clubs": 1}}`, as `bulwark eval` and `bulwark lab` read it: one for each policy. */
const fromLabels = (
  text: string,
  labels: NonNullable<Row['labels']>,
  policies: readonly string[],
): LabExample[] =>
  policies.flatMap((policy) => {
    const label = labelOf(labels[labelId(policy)]);
    return label === undefined ? [] : [{ text, label, policy }];
  });

/** @throws SyntaxError for a line that is not JSON */
function fromJson(line: string, policy: string, policies: readonly string[]): LabExample[] | string {
  const row = JSON.parse(line) as Row;
  if (typeof row.text !== 'string') return 'has no “text”';
  if (typeof row.labels === 'object' && row.labels !== null) {
    const found = fromLabels(row.text, row.labels, policies);
    return found.length > 0
      ? found
      : `has none of the labels ${policies.map((name) => `“${labelId(name)}”`).join(', ')}, with 1 or 0`;
  }
  const label = labelOf(row.label);
  if (label === undefined) return 'has no “label” with true or false';
  return [{ text: row.text, label, policy: typeof row.policy === 'string' ? row.policy : policy }];
}

function fromWords(line: string, policy: string): LabExample[] | string {
  const [, word = '', text = ''] = /^\s*(\w+)\s*[,;:\t]\s*(.+)$/.exec(line) ?? [];
  const label = words.get(word.toLowerCase());
  if (label === undefined || text.trim() === '') return 'begins with neither “violates,” nor “safe,”';
  return [{ text: text.trim(), label, policy }];
}

/**
 * Reads one example per line: a JSON object (`text` and `labels`, or `label` and `policy` if it is another one), or a
 * label word followed by the text, such as `violates, a text` or `safe, a text`.
 * @param policies those that `labels` may name
 */
export function readExamples(lines: string, policy: string, policies: readonly string[] = [policy]): Read {
  const examples: LabExample[] = [];
  const problems: string[] = [];
  for (const [i, line] of lines.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const found = line.trim().startsWith('{') ? fromJson(line, policy, policies) : fromWords(line, policy);
      if (typeof found === 'string') problems.push(`Line ${i + 1} ${found}.`);
      else examples.push(...found);
    } catch {
      problems.push(`Line ${i + 1} is not a JSON object.`);
    }
  }
  return { examples, problems };
}
