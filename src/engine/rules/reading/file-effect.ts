/** "Write outside of /srv/app", "read below /etc": of a copy one file is read and another one written. */
import type { Predicate } from '../predicates/catalog.ts';
import { type Expression, flat, type RuleForm } from '../rule-form.ts';

type Action = Extract<Predicate, { is: 'action' }>;
type Effect = 'read' | 'write';

/** Acts that say no more of a file than that it is read, or that it is changed. */
export const readingActs = ['read', 'lookup', 'download'];
export const changingActs = ['write', 'update', 'create', 'rename', 'schedule'];

const isPath = (one: Expression) => 'is' in one && one.is === 'path';

function effectOf({ acts = [] }: Action): Effect | undefined {
  if (acts.length === 0) return undefined;
  if (acts.every((act) => readingActs.includes(act))) return 'read';
  return acts.every((act) => changingActs.includes(act)) ? 'write' : undefined;
}

/** "Copy to /etc" and "move out of /srv" are about what is written there, "copy from /etc" about what is read. */
function endOf(sentence: string, { acts = [] }: Action): Effect | undefined {
  if (acts.length !== 1 || acts[0] !== 'move') return undefined;
  const [, word] = /\b(to|into|outside|from|out of)\b/i.exec(sentence) ?? [];
  return word === undefined ? undefined : /^from$/i.test(word) ? 'read' : 'write';
}

/** Things that every path is one of. */
const anyFile = new Set(['file', 'files', 'document', 'documents', 'folder', 'folders', 'data', 'anything']);

/** "May only write files below /srv/app" forbids to write elsewhere: each of several files counts. */
function withoutDetour({ when, unless, requires, ...rest }: RuleForm): RuleForm | undefined {
  if (unless !== undefined || requires === undefined || !('is' in requires) || requires.is !== 'path')
    return undefined;
  const all = 'all' in when ? when.all : [when];
  const act = all.find((each): each is Action => 'is' in each && each.is === 'action');
  const effect = act && effectOf(act);
  const isOfFiles = all.every(
    (each) =>
      each === act ||
      ('is' in each &&
        each.is === 'resource' &&
        each.things.every(
          ({ words, exact = [] }) => exact.length === 0 && words.every((word) => anyFile.has(word)),
        )),
  );
  if (effect === undefined || !isOfFiles) return undefined;
  return { ...rest, when: { ...requires, where: requires.where === 'under' ? 'outside' : 'under', effect } };
}

/** The form with paths of which it matters whether they are read or written. */
export function withFileEffect(sentence: string, form: RuleForm): RuleForm {
  const direct = withoutDetour(form);
  if (direct !== undefined) return direct;
  const change = (one: Expression): Expression => {
    if ('any' in one) return { any: one.any.map(change) };
    if (!('all' in one)) return one;
    const all = one.all.map(change);
    const act = all.find((each): each is Action => 'is' in each && each.is === 'action');
    if (act === undefined || !all.some(isPath)) return { all };
    const whole = effectOf(act);
    const effect = whole ?? endOf(sentence, act);
    if (effect === undefined) return { all };
    const kept = whole === undefined ? all : all.filter((each) => each !== act);
    return { all: kept.map((each) => (isPath(each) ? ({ ...each, effect } as Expression) : each)) };
  };
  return { ...form, when: flat(change(form.when)) };
}
