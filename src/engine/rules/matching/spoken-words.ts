/** Which words a call, the answers about its things and the user's last turn speak of. */
import { wordsIn } from '../../actions/calls/call-words.ts';
import { isMet } from '../../actions/judging/met.ts';
import { recordWords } from '../../actions/judging/records.ts';
import type { Scene } from '../../actions/judging/scene.ts';
import { root, textWords } from '../../actions/words.ts';
import { familyOf } from './word-families.ts';

const turns = new WeakMap<Scene, ReadonlySet<string>>();

function turnRoots(scene: Scene): ReadonlySet<string> {
  const known = turns.get(scene);
  if (known !== undefined) return known;
  const found = new Set(textWords((scene.lastTurn ?? '').slice(0, 2000)).map(root));
  turns.set(scene, found);
  return found;
}

/** What a word counts by where it is met: the name and the values of a call say most, the words of the user least. */
const [named, recorded, said, asked] = [1, 0.8, 0.7, 0.5];

const families = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

function familiesOf(roots: ReadonlySet<string>): ReadonlySet<string> {
  const known = families.get(roots);
  if (known !== undefined) return known;
  const found = new Set([...roots].map(familyOf));
  families.set(roots, found);
  return found;
}

/** The word, another name of the thing, or another word of its family is there. */
const isThere = (word: string, roots: ReadonlySet<string>): boolean =>
  isMet(word, roots) || familiesOf(roots).has(familyOf(root(word)));

/** How well the scene speaks of a word, 0 to 1. */
export function weightOf(word: string, scene: Scene): number {
  const call = wordsIn(scene.call);
  if (isThere(word, call.named) || (call.ids !== undefined && isMet(word, call.ids))) return named;
  const record = recordWords(scene);
  if (record !== undefined && isThere(word, record.named)) return recorded;
  if (isThere(word, call.said)) return said;
  return isThere(word, turnRoots(scene)) ? asked : 0;
}

/** Those for whom something is done: a call seldom names them otherwise than by an id. */
const parties = new Set(
  `user customer client person people employee staff member patient player kid child resident citizen tenant guest donor
  supporter pupil student visitor buyer supplier vendor driver passenger applicant candidate participant author parent colleague
  farmer borrower owner worker nobody anyone`
    .split(/\s+/)
    .map(root),
);

/** What a word weighs in a name: the head most, whom it is for least. */
const weighs = (word: string, isHead: boolean): number =>
  parties.has(root(word)) || kinds.has(root(word)) ? 0.5 : isHead ? 2 : 1;

/** "Business class", "price list": the word before says which. */
const kinds = new Set(
  'class tier level category type status mode plan kind group list number name detail information data note date rate setting report case system account limit file record'
    .split(' ')
    .map(root),
);

/**
 * How well a scene speaks of a thing, 0 to 1: the last word of a name counts double ("card limit" is a limit), those for
 * whom it is half, and the best of several names counts.
 */
export function coverage(things: readonly string[], scene: Scene): number {
  let best = 0;
  for (const thing of things) {
    const words = thing.split(' ');
    let [sum, most] = [0, 0];
    for (const [at, word] of words.entries()) {
      const weight = weighs(word, at === words.length - 1);
      most += weight;
      sum += weight * weightOf(word, scene);
    }
    best = Math.max(best, sum / most);
  }
  return best;
}
