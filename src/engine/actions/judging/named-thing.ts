/** Whether what a call is done to is what the user named: "that very backup", "exactly this file". */
import type { Call } from '../calls/call.ts';
import type { Leaf } from '../calls/leaves.ts';
import { usedFilesOf } from '../calls/used-files.ts';
import { root, nameWords, textWords } from '../words.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { answerAbout } from './records.ts';

const words = (text: string) => new Set(text.split(' '));
/** Names of arguments that say which thing is meant, whatever it is. */
const naming = words(
  'id ids name names path paths file files filename filenames filepath key keys ref reference number no nr slug uri url title identifier uuid target resource object item items identifiers',
);
const [longest, mostThings, mostAnswers] = [200, 50, 12];
const titles =
  /^(?:(?:full|display|file)?_?name|title|label|subject|number|no|nr|ref|reference|path|slug|key)$/i;

interface Thing {
  readonly value: string;
  /** The argument is named for what the tool is, or says no more than that it names something. */
  readonly isOwn: boolean;
}

/** `backup_id` of `delete_backup`, and not its `account_id`. */
function thingOf({ key, text }: Leaf, ofTool: ReadonlySet<string>): Thing[] {
  const parts = nameWords(key);
  const shared = parts.some((word) => ofTool.has(root(word)));
  if (text.trim() === '' || text.length > longest || !(shared || naming.has(parts.at(-1) ?? ''))) return [];
  return [{ value: text.trim(), isOwn: shared || parts.every((word) => naming.has(word)) }];
}

function thingsOf(call: Call): readonly string[] {
  const { changed, read } = usedFilesOf(call);
  const files = changed.length > 0 ? changed : read;
  if (call.commands.words.length > 0 && files.length > 0) return files.map(({ path }) => path);
  const ofTool = new Set(call.words.map(root));
  const things = call.leaves.flatMap((leaf) => thingOf(leaf, ofTool)).slice(0, mostThings);
  const own = things.filter(({ isOwn }) => isOwn);
  return (own.length > 0 ? own : things).map(({ value }) => value);
}

const isLetter = (char: string) => /[\p{L}\d_]/u.test(char);

/** The text as a word, or as words, of what the user wrote; "b1" is not said by "b12". */
function says(said: string, text: string): boolean {
  const wanted = text.toLowerCase();
  for (let at = said.indexOf(wanted); at >= 0 && wanted !== ''; at = said.indexOf(wanted, at + 1)) {
    const [before, after] = [said.charAt(at - 1), said.charAt(at + wanted.length)];
    // Nor is "b1" by "b1-old" or "b1.txt".
    const goesOn = /[-.:/]/.test(after) && isLetter(said.charAt(at + wanted.length + 1));
    if (!isLetter(before) && !/[-./]/.test(before) && !isLetter(after) && !goesOn) return true;
  }
  return false;
}

/** "The nightly backup of orders" for `orders-nightly-backup`. */
function speltOut({ request }: EvaluationContext, text: string): boolean {
  const parts = textWords(text.replaceAll(/[_\-./]+/g, ' '));
  return parts.length > 1 && parts.length <= 8 && parts.every((word) => request.roots.has(root(word)));
}

/** `/home/ann/notes/a.txt`, `notes/a.txt` and `a.txt`: as far as the user said where it lies. */
function endsOf(text: string): string[] {
  const parts = text.split(/[/\\]/);
  return parts.map((_, at) => parts.slice(at).join('/')).filter((end, at) => at === 0 || end.length > 2);
}

const isSaid = (context: EvaluationContext, text: string): boolean =>
  endsOf(text).some((end) => says(context.request.lower, end)) || speltOut(context, text);

/** Of a thing that is called by an id: the user said how it is called in an answer that was read. */
const isSaidOfRecord = (context: EvaluationContext, id: string): boolean =>
  context.earlier.slice(-mostAnswers).some((call) => {
    if (!call.effects.has('read')) return false;
    const leaves = answerAbout(call, [id.toLowerCase()]);
    return (
      leaves.some(({ text }) => text.toLowerCase() === id.toLowerCase()) &&
      leaves.some(({ key, text }) => titles.test(key) && text.length > 2 && isSaid(context, text))
    );
  });

/**
 * Whether the user named each thing that the judged call is done to, by what the call or an answer calls it. A call that
 * names nothing is done to more than that. Without any word of the user's nobody can say that they did not name it.
 */
export function namesThing(context: EvaluationContext): boolean {
  const { request, call } = context;
  if (request.text.trim() === '') return true;
  const things = thingsOf(call);
  return things.length > 0 && things.every((each) => isSaid(context, each) || isSaidOfRecord(context, each));
}
