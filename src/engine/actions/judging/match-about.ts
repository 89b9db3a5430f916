import type { Call } from '../calls/call.ts';
import { type CallWords, wordsIn } from '../calls/call-words.ts';
import type { Leaf } from '../calls/leaves.ts';
import { once } from '../calls/once.ts';
import type { Condition } from '../clauses.ts';
import { type Met, isMet, met, phrasesMet } from './met.ts';
import { type CallInTrace, recordWords } from './records.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import type { ThingPhrase } from '../things.ts';
import { nameWords, root, textWords } from '../words.ts';

const holderKeys = /^(?:table|collection|entity|entity_type|resource|resource_type|object|kind|type|model)$/i;

/** `table: products` where the rule says "customer table": the container is met, the thing inside is another. */
function speaksOfOther(phrases: readonly ThingPhrase[], call: Call): boolean {
  const holder = call.leaves.find(
    ({ key, text }) => holderKeys.test(key) && text.length > 1 && text.length < 60,
  );
  if (holder === undefined || phrases.some(({ words }) => words.length < 2)) return false;
  const held = new Set(nameWords(holder.text).map(root));
  return !phrases.some(({ words }) => words.some((word) => isMet(word, held)));
}

/** What a call to or from something may be named by: an id, and, of what has a path, the folder that it lies in. */
const ofParties = once((call: Call): CallWords => {
  const words = wordsIn(call);
  const more = [...(words.ids ?? []), ...(words.named.has(path) ? [folder] : [])];
  return more.length === 0 ? words : { ...words, named: new Set([...words.named, ...more]) };
});
const [path, folder] = [root('path'), root('folder')];

/** Arguments that say where it goes. */
export const targetKeys = /^(?:to|cc|bcc|recipients?|receiver|target|destination|dest)$/i;

/** Named as where it goes, and nowhere else. */
function onlyAsTarget(call: Call, phrases: readonly ThingPhrase[]): boolean {
  const wordsOf = (leaves: readonly Leaf[]) => {
    const named = new Set(
      leaves
        .flatMap(({ key, text }) => [
          ...nameWords(key),
          ...textWords(text.slice(0, 200)),
          ...nameWords(text.slice(0, 120)),
        ])
        .map(root),
    );
    return { named, said: named };
  };
  const isTarget = ({ key }: Leaf) => targetKeys.test(key);
  if (!call.leaves.some(isTarget)) return false;
  const other = call.leaves.slice(0, 60).filter((leaf) => !isTarget(leaf));
  return !phrasesMet(
    phrases,
    wordsOf([...other, { path: '', key: call.toolName, text: '', number: undefined }]),
  );
}

/** The call as if it went to nobody. */
const withoutTarget = once(({ call, earlier }: EvaluationContext): CallInTrace => ({
  call: { leaves: call.leaves.filter(({ key }) => !targetKeys.test(key)) },
  earlier,
}));

/** The call names the thing, or an earlier answer says it of what the call names. */
export function aboutMet(context: EvaluationContext, condition: Extract<Condition, { test: 'about' }>): Met {
  const { phrases, party, source } = condition;
  const { call } = context;
  const words = party === true ? ofParties(call) : wordsIn(call);
  if (source === true && onlyAsTarget(call, phrases)) return undefined;
  if (phrasesMet(phrases, words)) return met(!speaksOfOther(phrases, call));
  // What is known of whoever it goes to is not what is sent.
  const record = source === true ? recordWords(withoutTarget(context)) : recordWords(context);
  return met(record !== undefined && phrasesMet(phrases, record));
}
