import { canonicalText } from '../canonical.ts';
import type { Predicate } from '../predicates/catalog.ts';
import { countWindows } from '../predicates/repeat.ts';
import { changedForm, type RuleForm } from '../rule-form.ts';

/** Another rule that the sentence may mean. */
export interface Alternative {
  readonly rule: RuleForm;
  readonly canonical: string;
  /** What is different about it, as a sentence. */
  readonly why: string;
}

type Change = (predicate: Predicate) => Predicate;

const checkedApproval: Change = (one) => {
  if (one.is !== 'approval' || one.from === 'checked') return one;
  return { is: 'approval', ...(one.by !== undefined && { by: one.by }), from: 'checked' };
};

const windowNames: Readonly<Record<string, (typeof countWindows)[number]>> = {
  ...Object.fromEntries(
    countWindows.flatMap((window) => [
      [window, window],
      [`${window}s`, window],
    ]),
  ),
  daily: 'day',
  today: 'day',
  hourly: 'hour',
  weekly: 'week',
  monthly: 'month',
  yearly: 'year',
};

/** "Three per month": counted by the month, which the grammar does not know, where the sentence names one. */
export function withWindow(form: RuleForm, unread: readonly string[]): RuleForm {
  const window = unread.map((word) => windowNames[word.toLowerCase()]).find((one) => one !== undefined);
  return window === undefined
    ? form
    : changedForm(form, (one) =>
        one.is === 'repeat' && one.window === 'session' ? { ...one, window } : one,
      );
}

/** Rules near to the one that was read, each better in one respect that its sentence may mean. */
export function alternativesTo(form: RuleForm): Alternative[] {
  const offers: readonly (readonly [change: Change, why: string])[] = [
    [checkedApproval, 'Only an approval by an operation of ours counts, under an identity that was checked.'],
    [
      (one) => (one.is === 'repeat' && one.window !== 'session' ? { ...one, window: 'session' } : one),
      'Counted within each session alone.',
    ],
  ];
  return offers.flatMap(([change, why]) => {
    const rule = changedForm(form, change);
    const canonical = canonicalText(rule);
    return canonical === canonicalText(form) ? [] : [{ rule, canonical, why }];
  });
}
