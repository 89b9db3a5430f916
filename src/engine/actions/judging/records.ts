import type { Call } from '../calls/call.ts';
import type { CallWords } from '../calls/call-words.ts';
import { keptOn } from '../calls/kept-on.ts';
import { type Leaf, leavesOf } from '../calls/leaves.ts';
import { aboutNamed, namedValue } from './named-records.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { sameThings } from '../things.ts';
import { nameWords, root, textWords } from '../words.ts';

const mostAnswers = 12;
const longestAnswer = 20_000;
/** Arguments that say something about a thing, not which one it is. */
const noReference = new Set(
  'amount price currency reason note notes message body text status state type count quantity date'.split(
    ' ',
  ),
);

/** Values by which a call names a thing: ids, names, addresses. */
function referencesOf({ leaves }: Pick<Call, 'leaves'>): Set<string> {
  const found = new Set<string>();
  for (const { key, text } of leaves) {
    if (text.length === 0 || text.length > 80) continue;
    if (nameWords(key).some((word) => noReference.has(word))) continue;
    if (/^(?:true|false)$/.test(text)) continue;
    // Short ones ("4") stand anywhere: they name the thing only where they have the same name.
    found.add(text.length < 2 ? namedValue(key, text) : text.toLowerCase());
  }
  return found;
}

const refers = (leaves: readonly Leaf[], references: ReadonlySet<string>) =>
  leaves.some(({ key, text }) => references.has(text.toLowerCase()) || references.has(namedValue(key, text)));

function parsed(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  if (output.length > longestAnswer || !/^\s*[[{]/.test(output)) return output;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return output;
  }
}

/** The answer of a call as values: of text that is no JSON the text. */
export function answerLeaves({ step: { toolOutput } }: Call): Leaf[] {
  return leavesOfAnswer(parsed(toolOutput));
}

const leavesOfAnswer = (output: unknown): Leaf[] =>
  typeof output === 'string'
    ? [{ path: '', key: '', text: output.slice(0, 4000), number: undefined }]
    : leavesOf(output).slice(0, 200);

const mostRecords = 200;

/** As `answerLeaves`, without records of a list that name none of the values, where one of them does. */
export function answerAbout({ step: { toolOutput } }: Call, values: readonly string[]): Leaf[] {
  return leavesOfAnswer(aboutNamed(parsed(toolOutput), new Set(values)));
}

/** A longer answer that is no record is running text, which may speak of anything. */
const longestSaid = 60;

/** Of a list of records those that name the thing; else all, where the call that was answered named it. */
function saidOf(call: Call, references: ReadonlySet<string>): Leaf[] {
  const output = parsed(call.step.toolOutput);
  if (typeof output === 'string' && output.length > longestSaid) return [];
  if (Array.isArray(output))
    return output
      .slice(0, mostRecords)
      .filter((one) => refers(leavesOf(one), references))
      .flatMap((one) => leavesOf(aboutNamed(one, references)));
  const named = refers(call.leaves, references);
  if (typeof output !== 'object' || output === null)
    return named && typeof output === 'string'
      ? [{ path: '', key: '', text: output, number: undefined }]
      : [];
  const leaves = leavesOf(aboutNamed(output, references));
  return named || refers(leaves, references) ? leaves : [];
}

/** A call with those before it: all that records are looked for by. */
export interface CallInTrace {
  readonly call: Pick<Call, 'leaves'>;
  readonly earlier: readonly Call[];
}

const noLeaves: readonly Leaf[] = [];
const seen = keptOn<CallInTrace, readonly Leaf[]>();

/** What earlier answers say of the things that the judged call names, the latest first. */
export function recordLeaves(context: CallInTrace): readonly Leaf[] {
  const known = seen.get(context);
  if (known !== undefined) return known;
  const found = context.earlier.length === 0 ? noLeaves : findRecords(context);
  seen.set(context, found);
  return found;
}

function findRecords({ call, earlier }: CallInTrace): readonly Leaf[] {
  const references = referencesOf(call);
  if (references.size === 0) return noLeaves;
  return (
    earlier
      .slice(-mostAnswers)
      .toReversed()
      .filter(({ step }) => step.toolOutput !== undefined)
      .flatMap((one) => {
        const said = saidOf(one, references);
        // What a call did is worked out only of those whose answers say something of the thing.
        return said.length > 0 && one.effects.has('read') ? said : noLeaves;
      })
      // Running text may speak of anything, and may be written by anybody.
      .filter(({ text }) => text.length <= 60 && !/^(?:|false|null|none|no|0)$/i.test(text))
      .slice(0, 200)
  );
}

const known = keptOn<CallInTrace, readonly (readonly Leaf[])[]>();

/**
 * Each earlier answer about a thing that the judged call names, whatever was done and with what is false or nought too;
 * the latest first.
 */
export function knownOfThing(context: CallInTrace): readonly (readonly Leaf[])[] {
  const before = known.get(context);
  if (before !== undefined) return before;
  const references = referencesOf(context.call);
  const found =
    references.size === 0
      ? []
      : context.earlier
          .slice(-mostAnswers)
          .toReversed()
          .filter(({ step }) => step.toolOutput !== undefined)
          .map((one) => saidOf(one, references))
          .filter((leaves) => leaves.length > 0);
  known.set(context, found);
  return found;
}

const words = keptOn<CallInTrace, CallWords>();

const isAddress = (text: string) => /^\S+@\S+$/.test(text);
const mailWord = /^e?mails?$/;

/** Roots of what those answers say, an address not for a mail; undefined where they say nothing. */
export function recordWords(context: CallInTrace): CallWords | undefined {
  const leaves = recordLeaves(context);
  if (leaves.length === 0) return undefined;
  const known = words.get(context);
  if (known !== undefined) return known;
  const named = new Set<string>();
  for (const { key, text } of leaves)
    for (const word of [...nameWords(key), ...textWords(text.slice(0, 80)), ...nameWords(text.slice(0, 80))])
      if (!(mailWord.test(word) && isAddress(text))) named.add(root(word));
  const found = { named, said: named };
  words.set(context, found);
  return found;
}

/** `author: self`. */
const ownWords = /^(?:me|myself|self|my [\w -]{1,40}|(?:the |ai )?(?:agent|assistant|bot))$/;
const nameKeys = /(?:^|_)(?:id|iid|number|nr|no|pr|ref|name|branch|slug|url|key)$/i;

/** An earlier step of the agent made what the call names. */
export function isOwnWork({ call, earlier }: EvaluationContext): boolean {
  const values = new Set(call.leaves.map(({ text }) => text.toLowerCase()));
  values.delete('');
  if ([...values].some((value) => ownWords.test(value))) return true;
  return earlier.some(
    (one) =>
      makes.some((sense) => one.senses.has(sense)) &&
      leavesOf(parsed(one.step.toolOutput)).some(
        ({ key, text }) => values.has(text.toLowerCase()) && (text.length > 3 || nameKeys.test(key)),
      ),
  );
}

const makes = ['create', 'share', 'commit', 'write', 'enable', 'schedule', 'book', 'buy'];
const refused = /^(?:approved|allowed|active|valid|known|listed|verified|trusted)$/i;

/** Whether a value of the call stands in the answer of a step that looked these things up. */
export function isListed({ call, earlier }: EvaluationContext, words: readonly string[]): boolean {
  const wanted = words.flatMap((word) => [...sameThings(word)]);
  const values = [...referencesOf(call)].filter((value) => value.length > 2);
  return earlier.some((one) => {
    if (
      !one.effects.has('read') ||
      !(wanted.length === 0 || wanted.some((word) => one.words.some((own) => root(own) === word)))
    )
      return false;
    const leaves = leavesOf(parsed(one.step.toolOutput));
    const isRefused = leaves.some(({ key, text }) => refused.test(key) && /^(?:false|no)$/i.test(text));
    return !isRefused && leaves.some(({ text }) => values.includes(text.toLowerCase()));
  });
}
