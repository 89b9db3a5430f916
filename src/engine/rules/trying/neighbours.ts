/** Calls that differ from one in a single value: what an author looks at to see where a rule ends. */
import type { Predicate } from '../predicates/catalog.ts';
import { partsOf, predicatesOf, type RuleForm } from '../rule-form.ts';
import type { TriedCall } from './example-call.ts';

export interface Neighbour extends TriedCall {
  /** What is different, as a sentence. */
  readonly change: string;
}

const most = 40;

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : [];

/** Numbers of the form with those next to them: bounds are crossed there. */
function edges(form: RuleForm): number[] {
  const measured: readonly Predicate['is'][] = ['amount', 'quantity', 'argument', 'count', 'total', 'sum'];
  const bounds = partsOf(form)
    .flatMap(predicatesOf)
    .filter(({ is }) => measured.includes(is))
    .flatMap(numbersIn);
  return [...new Set(bounds)].slice(0, 4).flatMap((bound) => [bound - 1, bound, bound + 1]);
}

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? 'nothing';

function otherValues(value: unknown, atEdges: readonly number[]): unknown[] {
  if (typeof value === 'number') return [...atEdges, 0, value * 10].filter((other) => other !== value);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') {
    const outside = value.includes('@') ? ['somebody@elsewhere.example'] : [];
    return value === '' ? ['something'] : [...outside, 'something else'];
  }
  return Array.isArray(value) ? [value.slice(0, 1), [...(value as unknown[]), ...(value as unknown[])]] : [];
}

const readingName = (toolName: string) => {
  const [, ...rest] = toolName.split(/[_.-]/);
  return `get_${rest.length === 0 ? 'details' : rest.join('_')}`;
};

export function neighboursOf(form: RuleForm, { toolName, toolParams }: TriedCall): Neighbour[] {
  const atEdges = edges(form);
  const found: Neighbour[] = [];
  for (const [key, value] of Object.entries(toolParams)) {
    const { [key]: _, ...without } = toolParams;
    found.push({ toolName, toolParams: without, change: `Without \`${key}\`.` });
    for (const other of otherValues(value, atEdges))
      found.push({
        toolName,
        toolParams: { ...toolParams, [key]: other },
        change: `\`${key}\` is ${show(other)} in place of ${show(value)}.`,
      });
  }
  const reading = readingName(toolName);
  if (reading !== toolName)
    found.push({ toolName: reading, toolParams, change: `The tool is \`${reading}\`, which only reads.` });
  return found.slice(0, most);
}

/** Predicates that look at more than the call itself. */
const beyondCall = new Set<Predicate['is']>([
  'answer',
  'answer_text',
  'approval',
  'done_again',
  'earlier_call',
  'earlier_step',
  'looked_up',
  'mentioned',
  'more_than_named',
  'nothing_of',
  'own_work',
  'repeat',
  'role',
  'signal',
  'sum',
  'told',
  'user',
  'user_asked',
  'user_said',
]);

/** Which predicates of the form cannot be tried on a call alone. */
export const needsMoreThanCall = (form: RuleForm): string[] => [
  ...new Set(
    partsOf(form)
      .flatMap(predicatesOf)
      .map(({ is }) => is)
      .filter((is) => beyondCall.has(is)),
  ),
];
