/** What a rule is, and what becomes of it when it is saved and when the product is upgraded. No database, no wire. */
import { newId } from '#base/ids.ts';
import { invalid } from '#base/errors.ts';
import { judgeableRule } from '#engine/rules/matching/judge-by-form.ts';
import type { ActionRule, CompiledRule, Severity } from '#engine/actions/types.ts';
import type { RunExample } from './model-examples.ts';
import { readingBeside } from './left-out.ts';
import { byGrammar, type ReadDraft } from './read-sentence.ts';
import { canonicalText } from '#engine/rules/canonical.ts';
import { checkForm } from '#engine/rules/check-form.ts';
import { needsOf } from '#engine/rules/form-needs.ts';
import {
  certainDraft,
  type Draft,
  draftRule,
  readerVersion,
  type Understood,
} from '#engine/rules/reading/draft.ts';
import type { RuleForm } from '#engine/rules/rule-form.ts';

/** Where the form of a rule comes from. */
export type Origin = 'sentence' | 'model' | 'form';

export interface Rule {
  readonly key: string;
  readonly ruleId: string;
  readonly description: string;
  readonly severity: Severity;
  /** The sentence that it was taken from. */
  readonly source?: string | undefined;
  readonly compiled: CompiledRule;
  /** What is enforced; undefined where nothing of the sentence was understood. */
  readonly form?: RuleForm | undefined;
  readonly origin: Origin;
  readonly understood: Understood;
  /** Words of the sentence that the form does not look for; also of a form that somebody gave. */
  readonly unread: readonly string[];
  /** Why the form may be something else than was meant. */
  readonly doubts: readonly string[];
  /** Why the language model did not read the sentence, where it should have. */
  readonly note?: string | undefined;
  /** Examples of the language model that filled in the form, as they came out. */
  readonly examples?: readonly RunExample[] | undefined;
  /** Version of the reader that made the form. */
  readonly reader: string;
  /** Who said that the form is what the sentence means. */
  readonly confirmedBy?: string | undefined;
  /** ISO 8601. */
  readonly confirmedAt?: string | undefined;
  /** What this version reads in the sentence, where that is something else than is enforced. */
  readonly readsNow?: { readonly canonical: string; readonly reader: string } | undefined;
}

/** A rule as it is in the database: those of older versions have no form yet. */
export type StoredRule = Rule | Omit<Rule, 'form' | 'origin' | 'understood' | 'unread' | 'doubts' | 'reader'>;

/** What is sent of a rule. */
export interface RuleFields {
  /** Undefined where the form says all. */
  readonly description?: string | undefined;
  readonly severity: Severity;
  readonly source?: string | undefined;
  /** A form, not checked yet. */
  readonly rule?: unknown;
}

/** Who saves rules, and when. */
export interface Saved {
  readonly by: string;
  readonly at: Date;
  /** Of sentences that were read beforehand; the grammar reads the others. */
  readonly drafts?: ReadonlyMap<string, ReadDraft> | undefined;
}

/** Longer canonical sentences are cut where they stand for a description. */
const longestDescription = 2000;

type Read = Pick<Rule, 'compiled' | 'form' | 'understood' | 'unread' | 'doubts' | 'reader'>;

const readOf = ({ compiled, rule, understood, unread, doubts }: Draft): Read => ({
  compiled,
  form: rule,
  understood,
  unread,
  doubts,
  reader: readerVersion,
});

const isForm = (rule: StoredRule): rule is Rule => 'origin' in rule;

/** Whether nobody needs to be told what a reader of a later version makes of the sentence. */
const isFixed = (rule: Rule): boolean => rule.origin !== 'sentence' || rule.confirmedBy !== undefined;

/**
 * The rule as it is enforced: an upgrade changes none that has a form. Of a sentence that nobody has confirmed the rule
 * says what the new version reads in it, where that is something else.
 */
export function upToDate(rule: StoredRule): Rule {
  if (!isForm(rule)) return { ...rule, origin: 'sentence', ...readOf(draftRule(rule.description)) };
  if (isFixed(rule) || rule.reader === readerVersion) return rule;
  const canonical = draftRule(rule.description).canonical ?? '';
  const isSame = canonical === canonicalOf(rule);
  return { ...rule, readsNow: isSame ? undefined : { canonical, reader: readerVersion } };
}

/** What is enforced, as a sentence; empty where nothing was understood. */
export const canonicalOf = ({ form }: Pick<Rule, 'form'>): string =>
  form === undefined ? '' : canonicalText(form);

/** Understood in part and confirmed by nobody: what it finds is the setting's to decide. */
export const isDoubtful = ({ understood, confirmedBy }: Rule): boolean =>
  understood === 'partly' && confirmedBy === undefined;

/** What is enforced, where the sentence says more, or something else; undefined where it may be quoted instead. */
export function enforcedInstead(
  rule: Pick<Rule, 'form' | 'unread' | 'note' | 'origin' | 'confirmedBy'>,
): string | undefined {
  if (rule.form === undefined || rule.confirmedBy === 'bulwark') return undefined;
  const differs = rule.unread.length > 0 || (rule.origin === 'form' && rule.note !== undefined);
  return differs ? canonicalOf(rule) : undefined;
}

/** The rule as the engine takes it. */
export const forEngine = (rule: Rule): ActionRule => judgeableRule({ ...rule, isDoubtful: isDoubtful(rule) });

/** A form from outside. @throws AppError 422 that names what is wrong with it. */
export function checkedForm(value: unknown, at: string): RuleForm {
  const checked = checkForm(value, at);
  if ('problem' in checked) throw invalid(checked.problem);
  const refusal = refusalOf(checked.form, at);
  if (refusal !== undefined) throw invalid(refusal);
  return checked.form;
}

/** Why the form cannot be enforced here; undefined where it can. */
export function refusalOf(form: RuleForm, at: string): string | undefined {
  const unknown = [...needsOf(form)].find((need) => !known.has(need));
  return unknown === undefined ? undefined : `'${at}' ${refusals[unknown]} It would never be enforced.`;
}

type Need = ReturnType<typeof needsOf> extends ReadonlySet<infer N> ? N : never;

/** What is known here of a call besides its trace. */
const known: ReadonlySet<Need> = new Set<Need>(['user', 'counts', 'approvals']);

const refusals: Readonly<Record<Need, string>> = {
  user: 'asks for the role or an attribute of the user, which is not known here.',
  approvals: 'asks for a checked approval, which is not known here.',
  counts: 'counts beyond the session, which is not done here.',
};

const same = (a: RuleForm | undefined, b: RuleForm) => JSON.stringify(a) === JSON.stringify(b);

/** A rule as it is saved; one that says the same as before keeps its form, its reading and its confirmation. */
function savedRule(
  fields: RuleFields,
  at: string,
  old: Rule | undefined,
  { by, at: moment, drafts }: Saved,
): Omit<Rule, 'key' | 'ruleId'> {
  const { severity, source } = fields;
  const sent =
    fields.rule === undefined || fields.rule === null ? undefined : checkedForm(fields.rule, `${at}.rule`);
  const description =
    fields.description ??
    (sent === undefined ? '' : canonicalText(sent).slice(0, longestDescription).toWellFormed());
  if (old?.description === description && (sent === undefined || same(old.form, sent)))
    return { ...old, severity, source };
  if (sent !== undefined)
    return {
      description,
      severity,
      source,
      ...readOf(certainDraft(sent)),
      unread: readingBeside(description, sent).unread,
      ...noteOn(fields.description, sent),
      origin: 'form',
      confirmedBy: by,
      confirmedAt: moment.toISOString(),
    };
  return { description, severity, source, ...ofSentence(drafts?.get(description) ?? byGrammar(description)) };
}

/** What the sentence beside a form would be read as, where that is something else. */
function noteOn(description: string | undefined, form: RuleForm): Pick<Rule, 'note'> {
  const { rule, canonical } = description === undefined ? { rule: undefined } : draftRule(description);
  return rule === undefined || canonical === canonicalText(form)
    ? {}
    : { note: `The form is enforced; the sentence by itself would be read as: ${canonical}` };
}

const ofSentence = ({ draft, origin, note, examples }: ReadDraft) => ({
  ...readOf(draft),
  origin,
  ...(note !== undefined && { note }),
  ...(examples.length > 0 && { examples }),
});

/** Sentences that have to be read before the rules can be saved. */
export const sentencesToRead = (
  sent: ReadonlyMap<string, RuleFields>,
  before: readonly Pick<Rule, 'key' | 'description'>[],
): string[] => {
  const known = new Map(before.map(({ key, description }) => [key, description]));
  return [...sent].flatMap(([key, { rule, description = '' }]) =>
    (rule === undefined || rule === null) && known.get(key) !== description ? [description] : [],
  );
};

/**
 * Rules as they are sent, read; one whose key the policy has already keeps its id.
 * @throws AppError 422 for a form that is not one, naming the field.
 */
export function savedRules(
  sent: ReadonlyMap<string, RuleFields>,
  before: readonly Rule[],
  saved: Saved,
): Rule[] {
  const known = new Map(before.map((rule) => [rule.key, rule]));
  return [...sent].map(([key, fields]) => {
    const old = known.get(key);
    return {
      ...savedRule(fields, `rules.${key}`, old, saved),
      key,
      ruleId: old?.ruleId ?? newId('rul'),
    };
  });
}

/** A rule that ships with the product: its form was looked at by those who shipped it. */
export const presetRule = ({
  canonical,
  ...fields
}: Pick<Rule, 'key' | 'ruleId' | 'description' | 'severity'> & {
  /** What is enforced, where reading the description would give something else. */
  readonly canonical?: string | undefined;
}): Rule => ({
  ...fields,
  ...readOf(draftRule(canonical ?? fields.description)),
  origin: 'sentence',
  confirmedBy: 'bulwark',
});

/** The same rule, with its form confirmed. */
export const confirmed = (rule: Rule, { by, at }: Saved): Rule => ({
  ...rule,
  confirmedBy: by,
  confirmedAt: at.toISOString(),
  readsNow: undefined,
});
