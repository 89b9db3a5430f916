/** Arguments that stand where a rule needs a number, and are none that can be read: "fifteen hundred". */
import type { Call } from '../../actions/calls/call.ts';
import type { Leaf } from '../../actions/calls/leaves.ts';
import { once, ofRule } from '../../actions/calls/once.ts';
import { quantitiesIn, readQuantity } from '../../actions/calls/quantity.ts';
import type { Unread } from '../../actions/calls/reach.ts';
import { nameWords } from '../../actions/words.ts';
import { leavesAt } from '../comparing/field-path.ts';
import { parseMeasure } from '../comparing/measure.ts';
import type { Predicate } from '../predicates/catalog.ts';
import { partsOf, predicatesOf, type RuleForm } from '../rule-form.ts';

const moneyWords = new Set(
  'amount amounts total subtotal sum price cost fee charge payout refund bonus salary wage deposit donation usd eur gbp chf'.split(
    ' ',
  ),
);

/** `amount`, `refund_amount`, and `value` of an object that is called so. */
function isMoney({ path }: Leaf): boolean {
  const [parent = '', last = ''] = ['', ...path.split('.')].slice(-2);
  const end = nameWords(last).at(-1) ?? '';
  return moneyWords.has(end) || (end === 'value' && moneyWords.has(nameWords(parent).at(-1) ?? ''));
}

const saysNothing = /^(?:null|none|n\/?a|true|false|-)?$/i;

/** `ch_88`, `RF-1002`: a charge or a refund may be named by its id. */
const isId = (text: string): boolean => /^[a-z]{1,12}[-_#:]?[\w-]*$/i.test(text) && /\d/.test(text);

const isNoNumber = ({ text, number }: Leaf): boolean =>
  number === undefined &&
  !saysNothing.test(text.trim()) &&
  !isId(text) &&
  readQuantity(text) === undefined &&
  parseMeasure(text) === undefined &&
  quantitiesIn(text).length === 0;

const unreadMoney = once((call: Call): readonly Leaf[] =>
  call.leaves.filter((leaf) => isMoney(leaf) && isNoNumber(leaf)),
);

const ordered: ReadonlySet<string> = new Set(['over', 'at_least', 'under', 'at_most']);

/** Where the predicate looks for numbers; `money`: wherever a call says an amount. */
function placesOf(one: Predicate): readonly string[] | 'money' {
  if (one.is === 'amount') return 'money';
  if (one.is === 'sum') return one.of ?? 'money';
  if (one.is === 'total') return one.of;
  if (one.is === 'argument' && ordered.has(one.operator)) return [one.path];
  return one.is === 'field' && ordered.has(one.operator) ? one.names : [];
}

/** What of the rule asks for numbers: of most nothing. */
const askingForNumbers = ofRule((form: RuleForm): readonly Predicate[] =>
  partsOf(form)
    .flatMap(predicatesOf)
    .filter((one) => placesOf(one).length > 0),
);

/** Whether the call has something that is no number where the rule needs one. */
export const lacksNumbers = (call: Call, form: RuleForm): boolean =>
  askingForNumbers(form).some((one) => unreadNumbers(call, one).length > 0);

/** What stands where the predicate needs a number, and cannot be read as one. */
export function unreadNumbers(call: Call, one: Predicate): readonly Unread[] {
  const places = placesOf(one);
  const found =
    places === 'money'
      ? unreadMoney(call)
      : places.flatMap((path) => leavesAt(call.leaves, path)).filter(isNoNumber);
  return found.map(({ path, text }) => ({ what: 'number', path, size: text.length, read: 0 }));
}
