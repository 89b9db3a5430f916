/** What the arguments of a call and the answers before it say of a matter: that it is so, that it is not, or nothing. */
import type { Call } from '../../actions/calls/call.ts';
import type { Leaf } from '../../actions/calls/leaves.ts';
import { isMet } from '../../actions/judging/met.ts';
import { answerLeaves, knownOfThing } from '../../actions/judging/records.ts';
import type { Scene } from '../../actions/judging/scene.ts';
import { nameWords, root, textWords } from '../../actions/words.ts';
import { familyOf } from './word-families.ts';

/** Words of a value that deny: "pending", "not received", "no answer". */
const denying =
  /^(?:false|no|none|null|nil|0|off|n\/?a|-|unknown)$|^(?:not|no|non|never|wrong|wants)[\s_-]|^(?:un(?:paid|signed|verified|approved|confirmed|answered|checked|known|available|listed|authori[sz]ed|resolved)|inactive|incomplete|invalid|ineligible)\b|\b(?:pending|draft|open|requested|declin\w*|reject\w*|den(?:y|ied)|refus\w*|missing|expired?|fail\w*|wrong|waiting|missed|outstanding|overdue|revoked|withdrawn|cancell?ed|absent|disagree\w*|unsigned|unpaid|lapsed|void|error|timeout|scheduled|planned|in[ _]progress|partial(?:ly)?)\b/i;
/** Values that say that something was found, where the matter is that nothing is: "clean", "clear". */
const findings = /\b(?:conflicts?|hits?|match(?:es)?|found|positive|listed|blocked|infected|dirty|issues?)\b/i;
const clean = new Set(['clean', 'clear', 'cleared', 'negative', 'free'].map(root));
/** Keys by which an answer says how it came out. */
const outcome =
  /^(?:status|state|result|outcome|ok|success|verified|confirmed|valid|approved|decision|verdict|passed|answer|response|complete[d]?|done)$/i;

interface Testimony {
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

const rootsOf = (words: readonly string[]) => words.map(root);

const testimonyOf = ({ path, text }: Leaf, more: readonly string[]): Testimony => ({
  words: new Set([
    ...rootsOf(nameWords(path)),
    ...rootsOf(textWords(text.slice(0, 300))),
    ...rootsOf(nameWords(text.slice(0, 80))),
    ...more,
  ]),
  text,
});

const isDenied = (text: string, wantsClean: boolean): boolean => {
  const short = text.trim().slice(0, 80);
  return short === '' || denying.test(short) || (wantsClean && findings.test(short) && !/^(?:no|0)\b/i.test(short));
};

const most = 12;

/** Earlier answers, those about the thing of the call first, each with the words of the tool that gave it. */
function* answersOf(scene: Scene): Generator<{ call: Call; leaves: readonly Leaf[] }> {
  for (const call of scene.earlier.slice(-most).toReversed())
    yield { call, leaves: call.step.toolOutput === undefined ? [] : answerLeaves(call) };
}

/** Words that say the same of what is on record. */
const groups = [
  'approve approved approval agree agreed agreement ok okay accept accepted consent consented confirm confirmed confirmation authorise authorised authorize authorized sign signed signature signoff release released clear cleared permit permission granted yes',
  'arrive arrived receive received return returned back deliver delivered',
  'check checked verify verified validate validated inspect inspected inspection screen screened test tested review reviewed examine examined audit audited assess assessed',
  'call called phone phoned ring rang telephone callback spoke',
  'inform informed notify notified tell told notice',
  'pay paid payment settle settled receive received',
  'backup snapshot backed',
  'forbid block ban banned',
  'finish finished complete completed done close closed over end ended',
].map((group) => new Set(group.split(' ').map(root)));

const alike = new Map<string, Set<string>>();
for (const group of groups)
  for (const word of group) alike.set(word, new Set([...(alike.get(word) ?? []), ...group]));

/** Words of consent and of checks stand for one another, other words for what the lexicon has them stand for. */
function isSaid(word: string, roots: ReadonlySet<string>): boolean {
  const own = alike.get(root(word));
  if (own !== undefined) return [...own].some((same) => roots.has(same));
  if (isMet(word, roots)) return true;
  const family = familyOf(root(word));
  for (const one of roots) if (familyOf(one) === family) return true;
  return false;
}

/** How many of the words are met. */
const countMet = (words: readonly string[], roots: ReadonlySet<string>) =>
  words.filter((word) => isSaid(word, roots)).length;

export type Verdict = 'yes' | 'no' | undefined;

/** Of several values that speak of the matter equally well, one that denies it is enough. */
function judge(found: readonly Testimony[], words: readonly string[], wantsClean: boolean): Verdict {
  let best = 0;
  let verdict: Verdict;
  for (const { words: roots, text } of found) {
    const count = countMet(words, roots);
    if (count === 0 || count < best) continue;
    const says = isDenied(text, wantsClean) ? 'no' : 'yes';
    verdict = count > best ? says : verdict === 'no' ? 'no' : says;
    best = count;
  }
  return verdict;
}

/** An earlier step that was taken for the matter itself: it holds where its answer does not say that it failed. */
function judgeSteps(scene: Scene, words: readonly string[], wantsClean: boolean): Verdict {
  for (const { call, leaves } of answersOf(scene)) {
    const roots = new Set([
      ...rootsOf(call.words),
      ...call.leaves.flatMap(({ key, text }) => [...rootsOf(nameWords(key)), ...rootsOf(textWords(text.slice(0, 80)))]),
    ]);
    if (countMet(words, roots) === 0) continue;
    const said = leaves.filter(({ key }) => outcome.test(key));
    return said.some(({ text }) => isDenied(text, wantsClean)) ? 'no' : 'yes';
  }
  return undefined;
}

/**
 * Whether it is on record that something is so.
 * @param words what has to be so; one word that a value or a step speaks of is enough, more of them count more
 */
export function evidenceOf(scene: Scene, words: readonly string[]): Verdict {
  const wantsClean = words.some((word) => clean.has(root(word)));
  const own = judge(scene.call.leaves.map((leaf) => testimonyOf(leaf, [])), words, wantsClean);
  if (own !== undefined) return own;
  const about = knownOfThing(scene).flatMap((leaves) => leaves.map((leaf) => testimonyOf(leaf, [])));
  const told = judge(about, words, wantsClean);
  if (told !== undefined) return told;
  const all = [...answersOf(scene)].flatMap(({ leaves }) => leaves.map((leaf) => testimonyOf(leaf, [])));
  return judge(all, words, wantsClean) ?? judgeSteps(scene, words, wantsClean);
}
