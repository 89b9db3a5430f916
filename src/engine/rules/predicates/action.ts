import type { Call } from '../../actions/calls/call.ts';
import { keptOn } from '../../actions/calls/kept-on.ts';
import { once } from '../../actions/calls/once.ts';
import { doesVerb } from '../../actions/judging/match-action.ts';
import { standsForAct } from '../../actions/judging/like-acts.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import { met } from '../../actions/judging/met.ts';
import { root, textWords } from '../../actions/words.ts';
import { choices, flag, maybe, oneWay, phrase, say, texts } from '../wording/wording.ts';
import { actNames, actWords } from './act-words.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The call does one of these things. */
export interface ActionPredicate {
  readonly is: 'action';
  /** Kinds of acts that we tell apart. */
  readonly acts?: readonly string[] | undefined;
  /** Verbs of the rule's own, for what no kind stands for. */
  readonly verbs?: readonly string[] | undefined;
  /** An act of another name with the same effect on the world counts too. */
  readonly alike?: true | undefined;
}

const verbs = phrase(say('does what is called'), texts('verbs'));

export const action: PredicateKind<ActionPredicate> = {
  is: 'action',
  fields: {
    acts: { type: 'choices', of: actNames, optional: true },
    verbs: { type: 'texts', optional: true },
    alike: { type: 'flag', optional: true },
  },
  refuse: ({ acts, verbs: own }) =>
    acts === undefined && own === undefined ? "'acts' or 'verbs' must name what is done" : undefined,
  wording: phrase(
    oneWay(
      [
        ({ acts }) => acts !== undefined,
        phrase(choices('acts', actWords), maybe('verbs', phrase(say(', or'), verbs))),
      ],
      [() => true, verbs],
    ),
    flag('alike', ', or does something to the same effect'),
  ),
  match({ context }, predicate) {
    const verb = verbOf(predicate);
    if (does(context, verb) || isCalledSo(context.call, verb)) return met(true);
    return predicate.alike === true ? standsForAct(context, verb.senses) : undefined;
  },
};

const rooted = (words: readonly string[]) => ` ${words.map(root).join(' ')} `;

/** A verb of two words, as in "take down": a tool that is called `take_down_site`. */
const isCalledSo = ({ words }: Pick<Call, 'words'>, { idioms }: Verb): boolean =>
  idioms.some((idiom) => rooted(words).includes(idiom));

type Verb = Parameters<typeof doesVerb>[1] & {
  /** Roots of the verbs that are several words. */
  readonly idioms: readonly string[];
};

const readVerbs = keptOn<ActionPredicate, Verb>();
/** One for all rules that name the same acts: what a call does of them is worked out once. */
const sameVerbs = new Map<string, Verb>();
const mostVerbs = 2000;

/** Read once for each rule. */
function verbOf(predicate: ActionPredicate): Verb {
  const known = readVerbs.get(predicate);
  if (known !== undefined) return known;
  const { acts = [], verbs: own = [] } = predicate;
  const key = JSON.stringify([acts, own]);
  const verb = sameVerbs.get(key) ?? {
    test: 'verb',
    senses: [...acts],
    words: own.map(root),
    idioms: own.filter((each) => each.includes(' ')).map((each) => rooted(textWords(each))),
  };
  if (sameVerbs.size >= mostVerbs) sameVerbs.clear();
  sameVerbs.set(key, verb);
  readVerbs.set(predicate, verb);
  return verb;
}

const done = once((_context: EvaluationContext) => new Map<Verb, boolean>());

function does(context: EvaluationContext, verb: Verb): boolean {
  const known = done(context);
  const before = known.get(verb);
  if (before !== undefined) return before;
  const found = doesVerb(context.call, verb);
  known.set(verb, found);
  return found;
}
