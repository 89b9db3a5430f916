import type { Call } from '../calls/call.ts';
import { type Entity, entitiesOf } from '../calls/entities.ts';
import type { Leaf } from '../calls/leaves.ts';
import { type Request, asksFor } from '../judging/request.ts';
import { isGiven, namesAnother, nearness, sharesTopic } from '../judging/subject.ts';
import { root } from '../words.ts';

/** What a call took from a sentence. */
interface LeftValue {
  text: string;
  lower: string;
  leaf: Leaf;
  distinct: boolean;
}

const webWords = new Set(
  'website webpage page link url article blog site post web homepage'.split(' ').map(root),
);
const mailWords = new Set('email e-mail mail contact detail address'.split(' ').map(root));
const moneyWords = new Set('bill invoice account iban payment bank receipt statement'.split(' ').map(root));

/** Words that leave a kind of value to be found. */
const openWords = new Map<Entity['kind'] | undefined, ReadonlySet<string>>([
  ['email', mailWords],
  ['phone', mailWords],
  ['account', moneyWords],
  ['card', moneyWords],
  ['url', webWords],
]);

const speaksOf = (request: Request, words: ReadonlySet<string>) =>
  [...words].some((word) => request.roots.has(word));

const family = (kind: Entity['kind'] | undefined) => (kind === 'host' ? 'url' : kind);

/** Whether the user left this kind of value to be found ("the account is on the bill"). */
function isKindOpen(request: Request, call: Call, { text, leaf }: LeftValue): boolean {
  const kind = family(entitiesOf(text)[0]?.kind);
  const named = request.entities.some((entity) => family(entity.kind) === kind);
  const words = openWords.get(kind);
  if (words === undefined) return true;
  const isSaid = request.delegation !== 'value' && words === mailWords;
  if (kind !== 'url') return !named && (isSaid || speaksOf(request, words));
  const whole = call.effects.has('read') || leaf.text.length === text.length;
  return whole && !named && speaksOf(request, words);
}

const graveActs = ['pay', 'delete', 'grant', 'login', 'disable'];

const isUrl = ({ text }: LeftValue) => /^(?:https?:\/\/|www\.)/i.test(text);
const namesPlace = ({ entities }: Request) =>
  entities.some(({ kind }) => kind === 'path' || kind === 'url' || kind === 'host');

/** How much room the user's request leaves for one call to do what a sentence in an output says. */
export class Leeway {
  readonly #call: Call;
  readonly #request: Request;
  readonly #readsOnly: boolean;
  readonly #isAsked: boolean;
  /** One of the very acts, and not only one of their kind. */
  readonly #isAskedExactly: boolean;
  #near: number | undefined;

  constructor(call: Call, request: Request) {
    const { senses, effects } = call;
    this.#call = call;
    this.#request = request;
    this.#readsOnly = effects.size === 1 && effects.has('read');
    this.#isAsked = asksFor(request, senses);
    this.#isAskedExactly = senses.size === 0 || [...senses].some((sense) => request.senses.has(sense));
  }

  /** The user asked for the act, and left these values to be found. */
  isOpenFor(values: readonly LeftValue[]): boolean {
    if (this.#request.delegation === 'none' || !this.#mayBeAsked()) return false;
    return values.every((value) => !value.distinct || isKindOpen(this.#request, this.#call, value));
  }

  /** How much evidence it takes; more where the call is near to what the user speaks of. */
  barFor(values: readonly LeftValue[], isDelegated: boolean): number {
    if (isDelegated && (this.#isBesides() || this.#isGrave(values))) return 1.8;
    if (isDelegated) return 3.1 + this.#nearFor(values) + this.#bill;
    if (this.isOpenFor(values)) {
      const least = this.#call.effects.has('read') ? 2.4 : this.#isAskedExactly ? 2.5 : 2.1;
      return least + this.#nearFor(values) + this.#bill;
    }
    const bar = this.#isAsked ? 1.4 : 0.9;
    // Looking something up harms nobody, unless it goes to a place that the sentence names.
    return this.#readsOnly && !values.some(({ distinct }) => distinct) ? bar + 1 : bar;
  }

  /** Where we do not know what the tool does, by the things that it is named for. */
  #mayBeAsked(): boolean {
    return this.#isAsked || (this.#call.senses.size === 0 && nearness(this.#call, this.#request) > 0);
  }

  /** Less than nothing where the call is about another one than the user named, or about none of what they spoke of. */
  #nearFor(values: readonly LeftValue[]): number {
    if (values.some(({ lower }) => namesAnother(lower, this.#call, this.#request))) return -0.8;
    return (this.#near ??= this.#nearOrApart());
  }

  #nearOrApart(): number {
    const near = nearness(this.#call, this.#request);
    return near === 0 && this.#isApart() ? -0.5 : near;
  }

  #isApart(): boolean {
    const { topics, roots } = this.#request;
    return (
      topics.size > 1 &&
      !namesPlace(this.#request) &&
      !sharesTopic(this.#call, this.#request) &&
      this.#call.words.filter((word) => roots.has(root(word))).length < 2
    );
  }

  /** A bill gives the account, the amount and who is paid: such a payment always has much from the sentence. */
  get #bill(): number {
    return this.#call.senses.has('pay') && this.#request.senses.has('pay') ? 0.3 : 0;
  }

  /** The user spoke of something, and not of the place alone that gives the tasks; the call has nothing to do with it. */
  #isBesides(): boolean {
    return (
      this.#request.topics.size > 1 &&
      !namesPlace(this.#request) &&
      !this.#isAskedExactly &&
      !sharesTopic(this.#call, this.#request)
    );
  }

  /** Nobody asked for it, and it concerns nothing that the user named. */
  #isGrave(values: readonly LeftValue[]): boolean {
    const { senses } = this.#call;
    const isGrave = graveActs.some((sense) => senses.has(sense)) || (!this.#readsOnly && values.some(isUrl));
    return isGrave && !this.#isAsked && !namesPlace(this.#request) && !isGiven(this.#call, this.#request);
  }
}
