/** Wordings that are known from attacks. They support the learned judge, and decide nothing alone. */
import { most, visible, type DescriptionIssue } from './issue.ts';
import { phrases } from './phrases.ts';
import { signs, type Category, type Sign } from './signs.ts';
import type { ToolText } from './tool.ts';
import { spelledOut } from './units.ts';
import { viewsOf, type View } from './views.ts';

export interface Hit {
  sign: Sign;
  quote: string;
  field: string;
  view: View;
}

/** A name is no documentation that could quote an attack. */
export const isNameField = (field: string): boolean => field === 'name' || field.endsWith('(name)');

/** Signs that a prohibition turns into their opposite: "never skip the user's approval". */
const turned: ReadonlySet<string> = new Set([
  'override',
  'unnoticed',
  'persistence',
  'secret-file',
  'phrase-8',
]);

/** What only attacks say; all others stand in harmless descriptions too, such as those that order a way of working. */
const ofAttacks: ReadonlySet<string> = new Set([
  'override',
  'concealment',
  'unnoticed',
  'secret-file',
  'secret-to-argument',
  'conversation-to-argument',
  'send-out',
  'redirected-recipient',
  'replaced-result',
  'persistence',
  'harmful-command',
  'markup-leak',
  'system-words',
  'phrase-1',
  'phrase-2',
  'phrase-4',
  'phrase-5',
  'phrase-8',
  'phrase-14',
  'phrase-15',
  'phrase-16',
]);

export const isOfAttack = ({ sign }: Hit): boolean => ofAttacks.has(sign.id);

/** A prohibition that reaches to the end of what stands before; what it forbids is not to hold back. */
const prohibited =
  /\b(?:do not|don['’]?t|never|must not|mustn['’]?t|may not|cannot|can['’]?t|should not|shouldn['’]?t|(?:is|are) not allowed to|not permitted to|forbidden to)\b(?![^.]{0,120}\b(?:hesitat|forget|fail|worry|wait|stop|bother|need|ask|tell|mention|inform|say|show|let|think|be afraid)\w*\b)[^.!?;:\n]{0,120}$/i;

const isForbidden = ({ id }: Sign, before: string): boolean => turned.has(id) && prohibited.test(before);

/** An argument that is called so is handed to another model: `instruction: Instruction for AI`. */
const isForModel = ({ id }: Sign, field: string, before: string): boolean =>
  id === 'phrase-13' &&
  before.trim() === '' &&
  /\.[^.]*(?:instruction|prompt)s?\.(?:description|title)$/i.test(field);

export function hitsIn({ field, text }: ToolText): Hit[] {
  const isName = isNameField(field);
  const views = viewsOf(isName ? spelledOut(text) : text);
  const asWritten = views[0]?.text ?? '';
  return views.flatMap((view) =>
    [...signs, ...phrases].flatMap((sign) => {
      const found = sign.pattern.exec(view.text);
      // What a reading leaves as it is was not hidden.
      if (found === null || (view.kind === 'decoded' && asWritten.includes(found[0]))) return [];
      const before = view.text.slice(Math.max(0, found.index - 160), found.index);
      if (isForbidden(sign, before) || isForModel(sign, field, before)) return [];
      const around = view.text.slice(Math.max(0, found.index - 60), found.index + found[0].length + 40);
      return sign.unless?.test(around) === true ? [] : [{ sign, quote: found[0], field, view }];
    }),
  );
}

/** 0 to 1. Both lists of wordings speak of the same things: they are added up apart. */
export const scoreOf = (hits: readonly Hit[]): number =>
  Math.max(
    joined(hits.filter(({ sign }) => signs.includes(sign))),
    joined(hits.filter(({ sign }) => !signs.includes(sign))),
  );

/** Independent signs of the same text add up; what is hidden or encoded counts more. */
function joined(hits: readonly Hit[]): number {
  const bySign = new Map<string, number>();
  for (const { sign, view } of hits) {
    const score = view.kind === 'plain' ? sign.score : Math.min(0.98, sign.score + 0.35);
    bySign.set(sign.id, Math.max(bySign.get(sign.id) ?? 0, score));
  }
  let innocent = 1;
  for (const score of bySign.values()) innocent *= 1 - score;
  return 1 - innocent;
}

const categories = [
  'Prompt Injection',
  'Tool Shadowing',
  'Data Exfiltration',
  'Sensitive Data Access',
  'Malicious Purpose',
] as const satisfies readonly Category[];

/** The best sign of each category; `score` is that of all together. */
export function signIssues(hits: readonly Hit[], score: number, isVerdict: boolean): DescriptionIssue[] {
  return categories.flatMap((category): DescriptionIssue[] => {
    const own = hits.filter(({ sign }) => sign.category === category);
    const best = own.toSorted((a, b) => b.sign.score - a.sign.score)[0];
    if (best === undefined) return [];
    const where = best.view.how === '' ? '' : `, read through ${best.view.how},`;
    return [
      {
        code: isVerdict ? (category === 'Tool Shadowing' ? 'E002' : 'E001') : 'W001',
        category,
        score,
        field: best.field,
        quote: most(visible(best.quote), 200),
        says: `The ${best.field}${where} ${best.sign.says}: “${most(visible(best.quote), 160)}”.`,
      },
    ];
  });
}
