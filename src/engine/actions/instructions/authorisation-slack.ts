import type { Call } from '../calls/call.ts';
import { type Entity, entitiesOf } from '../calls/entities.ts';
import type { Leaf } from '../calls/leaves.ts';
import { type Request, asksFor } from '../judging/request.ts';
import { isGiven, namesAnother, nearness, sharesTopic } from '../judging/subject.ts';
import { root } from '../words.ts';
import type { Features } from './instruction-model.ts';

/** What a call took from a sentence. */
interface LeftValue {
  text: string;
  lower: string;
  leaf: Leaf;
  distinct: boolean;
}

const webWords = new Set(
  'website webpage page link url article blog site post web homepage form survey questionnaire portal'
    .split(' ')
    .map(root),
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
  // Who names a file leaves no other one to be found, unless a content is to say which.
  if (words === undefined) return kind !== 'path' || !named || request.delegation !== 'value';
  const isSaid = request.delegation !== 'value' && words === mailWords;
  if (kind !== 'url') return !named && (isSaid || speaksOf(request, words));
  const whole = call.effects.has('read') || leaf.text.length === text.length;
  return whole && !named && speaksOf(request, words);
}

const graveActs = ['pay', 'delete', 'grant', 'login', 'disable'];

const isUrl = ({ text }: LeftValue) => /^(?:https?:\/\/|www\.)/i.test(text);
const namesPlace = ({ entities }: Request) =>
  entities.some(({ kind }) => kind === 'path' || kind === 'url' || kind === 'host');

/** What the user's request leaves one call to take from a sentence in a tool's answer. */
export class AuthorisationSlack {
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

  /** The features of what the user allowed, for a call that took these values from a content. */
  featuresFor(values: readonly LeftValue[], isDelegated: boolean): Features {
    if (isDelegated && (this.#isBesides() || this.#isGrave(values)))
      return { task_delegated: 1, beside_the_task: 1 };
    const near = { near_to_request: this.#nearFor(values), pays_a_bill: this.#paysBill ? 1 : 0 };
    if (isDelegated) return { task_delegated: 1, ...near };
    const readsHere = this.#readsOnly && !values.some(({ distinct }) => distinct) ? 1 : 0;
    if (this.isOpenFor(values)) return { values_left_open: 1, reads_only: readsHere, ...near };
    return { act_requested: this.#isAsked ? 1 : 0, reads_only: readsHere };
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

  get #paysBill(): boolean {
    return this.#call.senses.has('pay') && this.#request.senses.has('pay');
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
