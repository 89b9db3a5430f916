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

function fromJson(line: string, policy: string): LabExample | undefined {
  const row = JSON.parse(line) as { text?: unknown; policy?: unknown; label?: unknown };
  const label = words.get(String(row.label).toLowerCase());
  if (typeof row.text !== 'string' || label === undefined) return undefined;
  return { text: row.text, label, policy: typeof row.policy === 'string' ? row.policy : policy };
}

function fromWords(line: string, policy: string): LabExample | undefined {
  const [, word = '', text = ''] = /^\s*(\w+)\s*[,;:\t]\s*(.+)$/.exec(line) ?? [];
  const label = words.get(word.toLowerCase());
  return label === undefined || text.trim() === '' ? undefined : { text: text.trim(), label, policy };
}

/**
 * Reads one example per line: a JSON object (`text`, `label`, and `policy` if it is another one), or a label word
 * followed by the text, such as `violates, a text` or `safe, a text`.
 */
export function readExamples(lines: string, policy: string): Read {
  const examples: LabExample[] = [];
  const problems: string[] = [];
  for (const [i, line] of lines.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const example = line.trim().startsWith('{') ? fromJson(line, policy) : fromWords(line, policy);
      if (example === undefined) problems.push(`Line ${i + 1} begins with neither “violates,” nor “safe,”.`);
      else examples.push(example);
    } catch {
      problems.push(`Line ${i + 1} is not a JSON object.`);
    }
  }
  return { examples, problems };
}
