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

function addTo(params: Params, names: { act: string; thing: string }, one: Predicate): void {
  switch (one.is) {
    case 'action':
      names.act ||= one.verbs?.[0] ?? one.acts?.[0] ?? '';
      break;
    case 'tool':
      names.thing ||= '';
      names.act ||= (one.names?.[0] ?? '').replaceAll('*', 'x');
      break;
    case 'resource': {
      const [thing] = one.things;
      const words = thing?.words.join('_') ?? '';
      names.thing ||= wordOf(words === '' ? (thing?.exact?.[0] ?? '') : words);
      if (thing?.exact !== undefined) params.target = [thing.exact[0], ...thing.words].join(' ');
      break;
    }
    case 'argument':
      params[one.path.replaceAll('*', 'x')] =
        typeof one.value === 'number' && one.operator === 'over' ? one.value + 1 : (one.value ?? '');
      break;
    case 'amount':
      params.amount = beyond(one);
      break;
    case 'quantity':
      params[one.of?.[0] ?? 'quantity'] = beyond(one);
      break;
    case 'destination':
      params.to =
        one.where === 'in' ? `somebody@${one.places?.[0] ?? 'example.com'}` : 'somebody@elsewhere.example';
      break;
    case 'path':
      params.path = `${(one.prefixes[0] ?? '').replace(/\/$/, '')}/file.txt`;
      break;
    case 'text':
      params.text = one.texts[0] ?? '';
      break;
    case 'records':
      params.query = `select * from ${(one.of[0] ?? 'records').split('.')[0]}`;
      break;
    default:
  }
}

/** Made of the acts, things and bounds that the form names. */
export function exampleCall(form: RuleForm): TriedCall {
  const params: Params = {};
  const names = { act: '', thing: '' };
  for (const one of partsOf({ when: form.when, on_missing: form.on_missing }).flatMap(predicatesOf))
    addTo(params, names, one);
  const toolName = [wordOf(names.act), names.thing].filter((part) => part !== '').join('_');
  return { toolName: toolName === '' ? 'update_record' : toolName, toolParams: params };
}
