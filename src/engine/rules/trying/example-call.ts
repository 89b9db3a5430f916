/** A call that a form may be about, for a rule that no logged call is near to. */
import { partsOf, predicatesOf, type RuleForm } from '../rule-form.ts';
import type { Predicate } from '../predicates/catalog.ts';

export interface TriedCall {
  readonly toolName: string;
  readonly toolParams: Readonly<Record<string, unknown>>;
}

type Params = Record<string, unknown>;

const wordOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');

/** A little beyond a bound, so that the example breaks the rule where the bound is what breaks it. */
const beyond = ({
  over,
  atleast,
  under,
  atmost,
}: Extract<Predicate, { is: 'amount' | 'quantity' }>): number =>
  over !== undefined ? over + 1 : (atleast ?? (under === undefined ? (atmost ?? 1) : under - 1));

interface Draft {
  act: string;
  thing: string;
  readonly params: Params;
}

type Adds = {
  readonly [Is in Predicate['is']]?: (draft: Draft, one: Extract<Predicate, { is: Is }>) => void;
};

/** What each kind of predicate gives to the example; those about more than the call give nothing. */
const adds: Adds = {
  action(draft, { verbs = [], acts = [] }) {
    draft.act ||= verbs[0] ?? acts[0] ?? '';
  },
  tool(draft, { names = [] }) {
    draft.act ||= (names[0] ?? '').replaceAll('*', 'x');
  },
  resource(draft, { things: [thing] }) {
    if (thing === undefined) return;
    draft.thing ||= wordOf(thing.words.length > 0 ? thing.words.join('_') : (thing.exact?.[0] ?? ''));
    if (thing.exact !== undefined) draft.params.target = [thing.exact[0], ...thing.words].join(' ');
  },
  argument({ params }, { path, operator, value }) {
    params[path.replaceAll('*', 'x')] =
      typeof value === 'number' && operator === 'over' ? value + 1 : (value ?? '');
  },
  total({ params }, { of: [first = 'amount'], operator, value }) {
    params[first.replaceAll('*', 'x')] = typeof value === 'number' && operator === 'over' ? value + 1 : value;
  },
  sum({ params }, { of: [first = 'amount'] = [], operator, value }) {
    params[first.replaceAll('*', 'x')] = typeof value === 'number' && operator === 'over' ? value + 1 : value;
  },
  within_text({ params }, { path, after = '', value }) {
    params[path.replaceAll('*', 'x')] =
      `${after} ${typeof value === 'object' ? '' : String(value ?? '')}`.trim();
  },
  amount({ params }, one) {
    params.amount = beyond(one);
  },
  quantity({ params }, one) {
    params[one.of?.[0] ?? 'quantity'] = beyond(one);
  },
  destination({ params }, { where, places = [] }) {
    params.to = where === 'in' ? `somebody@${places[0] ?? 'example.com'}` : 'somebody@elsewhere.example';
  },
  path({ params }, { prefixes: [prefix = ''] }) {
    params.path = `${prefix.replace(/\/$/, '')}/file.txt`;
  },
  text({ params }, { texts: [first = ''] }) {
    params.text = first;
  },
  records({ params }, { of: [first = 'records'] }) {
    params.query = `select * from ${first.split('.')[0] ?? ''}`;
  },
};

/** Made of the acts, things and bounds that the form names. */
export function exampleCall(form: RuleForm): TriedCall {
  const draft: Draft = { act: '', thing: '', params: {} };
  for (const one of partsOf({ when: form.when, on_missing: form.on_missing }).flatMap(predicatesOf))
    (adds[one.is] as ((to: Draft, from: Predicate) => void) | undefined)?.(draft, one);
  const toolName = [wordOf(draft.act), draft.thing].filter((part) => part !== '').join('_');
  return { toolName: toolName === '' ? 'update_record' : toolName, toolParams: draft.params };
}
