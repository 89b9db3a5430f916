/** Whether the user has forbidden the judged call, and not asked for it since. */
import type { Call } from '../calls/call.ts';
import { wordsIn } from '../calls/call-words.ts';
import { once } from '../calls/once.ts';
import { isContainer, sameThings } from '../things.ts';
import { effectsOf } from '../verbs.ts';
import type { Directive } from './asked/directive.ts';
import type { EvaluationContext } from './evaluation-context.ts';

/** Roots of all that the call names, and its values in lower case. */
interface Named {
  readonly call: Call;
  readonly roots: readonly ReadonlySet<string>[];
  readonly values: readonly string[];
}

const longestValue = 2000;

const namedBy = once((call: Call): Named => {
  const { named, said, ids = new Set<string>() } = wordsIn(call);
  const values = call.leaves.map(({ text }) => text.slice(0, longestValue).toLowerCase());
  return { call, roots: [named, said, ids], values };
});

const isNamedThing = ({ roots }: Named, word: string): boolean =>
  [...sameThings(word)].some((same) => roots.some((set) => set.has(same)));

const bears = ({ roots }: Named, word: string): boolean => roots.some((set) => set.has(word));

const idSign = /[\p{L}\p{N}]/u;

/** The value stands there, and not as a part of a longer one: `b1` is not in `b12`. */
function standsIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (!idSign.test(text.charAt(at - 1)) && !idSign.test(text.charAt(at + value.length))) return true;
  return false;
}

const namesOneOf = ({ values }: Named, wanted: readonly string[]): boolean =>
  wanted.some((value) => values.some((text) => standsIn(text, value)));

const doesMore = (sense: string) => effectsOf(sense).some((effect) => effect !== 'read');

const isOfActs = ({ senses }: Directive, { call }: Named): boolean =>
  senses === 'any'
    ? call.senses.size === 0 || [...call.senses].some(doesMore)
    : [...senses].some((sense) => call.senses.has(sense));

/** What the user wants done by the same act. */
const wishesFor = (parts: readonly Directive[], named: Named): readonly Directive[] =>
  parts.filter((part) => !part.isForbidden && part.senses !== 'any' && isOfActs(part, named));

/** What only the prohibition names: of "delete the staging backups, not the production backups" the latter word. */
function ownThings({ things }: Directive, wishes: readonly Directive[]): readonly string[] {
  const wanted = new Set(wishes.flatMap((one) => [...one.things]).flatMap((word) => [...sameThings(word)]));
  const own = [...things].filter((word) => !wanted.has(word));
  return own.length > 0 ? own : [...things];
}

const isSaidOf = (part: Directive, named: Named): boolean =>
  namesOneOf(named, part.values) || [...part.things].some((word) => isNamedThing(named, word));

const isWanted = (wish: Directive, named: Named): boolean =>
  wish.values.length > 0 ? namesOneOf(named, wish.values) : isSaidOf(wish, named);

/** Whether the call is one of those that the part forbids. */
function isMeant(part: Directive, named: Named, wishes: readonly Directive[]): boolean {
  if (!isOfActs(part, named)) return false;
  if (part.values.length > 0) return namesOneOf(named, part.values);
  if (part.isOthers) return !wishes.some((one) => isWanted(one, named));
  if (part.isKept === true) return [...part.things].some((word) => !isContainer(word) && bears(named, word));
  if (part.things.size > 0) return ownThings(part, wishes).some((word) => isNamedThing(named, word));
  return true;
}

const isLater = (one: Directive, than: Directive) =>
  one.turn > than.turn || (one.turn === than.turn && one.at > than.at);

/** Whether a wish of the same act, said later, takes the prohibition back for this call. */
function takesBack(wish: Directive, ban: Directive, named: Named): boolean {
  if (!isLater(wish, ban)) return false;
  if (wish.values.length > 0 && namesOneOf(named, wish.values)) return true;
  if (wish.values.length > 0 && ban.things.size + ban.values.length === 0) return false;
  // "Now send it"; what was forbidden altogether is asked for now.
  if (wish.things.size === 0 || ban.things.size + ban.values.length === 0) return wish.values.length === 0;
  const shared = [...wish.things].some((word) => [...sameThings(word)].some((same) => ban.things.has(same)));
  return shared || isSaidOf(wish, named);
}

/** Whether the user has forbidden this call, and not asked for it afterwards. */
export const isForbidden = once(({ call, request }: EvaluationContext): boolean => {
  if (request.parts.length === 0 || call.toolName === '') return false;
  const named = namedBy(call);
  const wishes = wishesFor(request.parts, named);
  return request.parts.some(
    (part) =>
      part.isForbidden &&
      isMeant(part, named, wishes) &&
      !wishes.some((wish) => takesBack(wish, part, named)),
  );
});
