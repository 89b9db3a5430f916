/** A rule's form as the editor changes it: plain JSON, checked by the service. */

export type Predicate = { readonly is: string } & Readonly<Record<string, unknown>>;
export type Expression =
  | Predicate
  | { readonly all: readonly Expression[] }
  | { readonly any: readonly Expression[] }
  | { readonly not: Expression };

export interface Form {
  readonly when: Expression;
  readonly unless?: Expression | undefined;
  readonly requires?: Expression | undefined;
  readonly on_missing: 'deny' | 'ask';
}

export const sections = ['when', 'requires', 'unless'] as const;
export type Section = (typeof sections)[number];

export const isPredicate = (expression: Expression): expression is Predicate => 'is' in expression;

type Joined = { readonly all: readonly Expression[] } | { readonly any: readonly Expression[] };

const isJoined = (expression: Expression): expression is Joined =>
  !isPredicate(expression) && !('not' in expression);

const isNot = (expression: Expression): expression is { readonly not: Expression } =>
  !isPredicate(expression) && 'not' in expression;

/** What is joined, if anything is. */
const itemsOf = (expression: Expression): readonly Expression[] =>
  !isJoined(expression) ? [] : 'all' in expression ? expression.all : expression.any;

const joined = (kind: 'all' | 'any', items: readonly Expression[]): Expression | undefined => {
  const [first] = items;
  if (first === undefined) return undefined;
  if (items.length === 1) return first;
  return kind === 'all' ? { all: items } : { any: items };
};

/** The expression with another one at a place such as `all[1].not`; without it where undefined is given. */
function replaced(
  expression: Expression,
  path: readonly string[],
  next: Expression | undefined,
): Expression | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (step === 'not') {
    const inner = isNot(expression) ? replaced(expression.not, rest, next) : undefined;
    return inner === undefined ? undefined : { not: inner };
  }
  const kind = step.startsWith('all') ? 'all' : 'any';
  const at = Number(/\d+/.exec(step)?.[0]);
  return joined(
    kind,
    itemsOf(expression).flatMap((one, index) => (index === at ? (replaced(one, rest, next) ?? []) : [one])),
  );
}

const placeOf = (at: string): { section: Section; path: readonly string[] } => {
  const [section, ...path] = at.split('.');
  return { section: section as Section, path };
};

/** The expression at a place such as `when.all[0]`. */
export function expressionAt(form: Form, at: string): Expression | undefined {
  const { section, path } = placeOf(at);
  let found: Expression | undefined = form[section];
  for (const step of path) {
    if (found === undefined) return undefined;
    found = isNot(found) ? found.not : itemsOf(found)[Number(/\d+/.exec(step)?.[0])];
  }
  return found;
}

/** The form with another expression at the place; a section that loses its last one goes, but for `when`. */
export function withExpression(form: Form, at: string, next: Expression | undefined): Form {
  const { section, path } = placeOf(at);
  const before = form[section];
  const after = before === undefined ? next : replaced(before, path, next);
  if (after !== undefined) return { ...form, [section]: after };
  if (section === 'when') return form;
  const { [section]: _, ...rest } = form;
  return rest as Form;
}

/** How the parts of a section are joined where it has several. */
export const jointOf = (expression: Expression | undefined): 'all' | 'any' =>
  expression !== undefined && isJoined(expression) && 'any' in expression ? 'any' : 'all';

/** A rule that begins with this test; one that says nothing else of the call is about all that change something. */
const begun = (section: Section, first: Predicate): Form =>
  section === 'when'
    ? { when: first, on_missing: 'deny' }
    : { when: { is: 'changes' }, [section]: first, on_missing: section === 'requires' ? 'ask' : 'deny' };

/** The section with one more test; undefined where there is no rule yet. */
export function withAdded(form: Form | undefined, section: Section, added: Predicate): Form {
  if (form === undefined) return begun(section, added);
  const before = form[section];
  if (before === undefined) return { ...form, [section]: added };
  const items = [...(isJoined(before) ? itemsOf(before) : [before]), added];
  return { ...form, [section]: jointOf(before) === 'all' ? { all: items } : { any: items } };
}

/** The section joined the other way. */
export function withJoint(form: Form, section: Section, kind: 'all' | 'any'): Form {
  const before = form[section];
  if (before === undefined || !isJoined(before)) return form;
  const items = itemsOf(before);
  return { ...form, [section]: kind === 'all' ? { all: items } : { any: items } };
}

/** Turns a test into its opposite, or back. */
export function withNegation(form: Form, at: string): Form {
  const expression = expressionAt(form, at);
  if (at.endsWith('.not') && expression !== undefined)
    return withExpression(form, at.slice(0, -'.not'.length), expression);
  return expression === undefined ? form : withExpression(form, at, { not: expression });
}
