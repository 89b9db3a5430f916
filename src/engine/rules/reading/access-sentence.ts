/**
 * Sentences that say which role may touch which tables, columns or paths: "Nurses may only read the tables patients
 * (name, age) and vitals." They are read as a whole or not at all.
 */
import type { Expression, RuleForm } from '../rule-form.ts';

const may = '(?:may|can|must|is allowed to|are allowed to|is permitted to|are permitted to|shall|should)';
/** The verb says whether only reading, only changing or both is meant. */
const verbs = {
  both: 'read and write|read or write|read and change|access|use|touch|work with',
  read: 'read from|read|query|see|view|look at|look up|select from|select|retrieve|open',
  write: 'change|write to|write in|write|update|modify|edit|alter|overwrite',
} as const;
const touch = `(?<verb>${verbs.both}|${verbs.read}|${verbs.write})`;
const passive = {
  both: 'accessed|used|touched',
  read: 'read|queried|seen|viewed|opened',
  write: 'changed|written to|written|updated|modified|edited|altered|overwritten',
} as const;
const done = `(?<verb>${passive.both}|${passive.read}|${passive.write})`;
const subject =
  '(?:(?:users?|people|staff|anyone|agents?) (?:with|in|of|having) )?(?:the )?(?:roles? )?(?<role>[\\p{L}"\'`][\\p{L}\\d _"\'`,-]{1,80}?)(?: users?| role)?';

/** What marks a list as one of records; without it a sentence is left to the grammar. */
const marker =
  /\b(?:tables?|columns?|fields?|collections?|datasets?|paths?|folders?|director(?:y|ies))\b|[a-z0-9]_[a-z]|\w\.\w|\/\w|\w \((?:only )?\w+(?:, ?\w+)+\)/i;

type Kind = 'only' | 'never' | 'reserved';

const shapes: readonly (readonly [shape: RegExp, kind: Kind])[] = [
  [
    new RegExp(
      `^${subject} ${may} ${touch} (?:only )?(?:these|the following) (?:tables?|columns?|fields?|tables and columns|tables and fields|collections?|paths?|folders?)(?: only| and no others?)?:\\s*(?<list>.+)$`,
      'iu',
    ),
    'only',
  ],
  [new RegExp(`^only ${subject} ${may} ${touch} (?<list>.+)$`, 'iu'), 'reserved'],
  [
    new RegExp(
      `^(?<list>.+?) ${may} (?:only )?(?:be )?(?:only )?${done}(?: only)? by ${subject}(?: only)?$`,
      'iu',
    ),
    'reserved',
  ],
  [
    new RegExp(
      `^${subject} (?:${may} )?(?:only ${touch}|${touch} only|have access only to|has access only to|only have access to|only has access to|only get|only gets) (?<list>.+)$`,
      'iu',
    ),
    'only',
  ],
  [
    new RegExp(
      `^${subject} (?:${may} ${touch}|has access to|have access to) (?<list>.+?),? (?:and nothing else|and no others?|only|alone|but nothing else|nothing else|exclusively)$`,
      'iu',
    ),
    'only',
  ],
  [
    new RegExp(
      `^${subject} (?:${may} ${touch}|has access to|have access to) (?:only|exclusively|nothing but|no (?:tables?|columns?|records?) (?:other than|but|except)) (?<list>.+)$`,
      'iu',
    ),
    'only',
  ],
  [
    new RegExp(
      `^(?:access|the access) (?:of|for) ${subject} is (?:limited|restricted|confined) to (?<list>.+)$`,
      'iu',
    ),
    'only',
  ],
  [new RegExp(`^${subject} (?:is|are) (?:limited|restricted|confined) to (?<list>.+)$`, 'iu'), 'only'],
  [
    new RegExp(
      `^(?:for|as) ${subject},? (?:only )?(?<list>.+?) (?:is|are) (?<verb>accessible|readable|allowed|open|visible)$`,
      'iu',
    ),
    'only',
  ],
  [
    new RegExp(
      `^${subject} (?:may not|must not|must never|cannot|can't|may never|never|should not|shall not|do not|is not allowed to|are not allowed to) ${touch} (?<list>.+)$`,
      'iu',
    ),
    'never',
  ],
  [
    new RegExp(
      `^(?<list>.+?) (?:must not|may not|must never|may never|cannot|can't|should not|shall not) be ${done} by ${subject}$`,
      'iu',
    ),
    'never',
  ],
  [new RegExp(`^${subject} (?:has|have) no access to (?<list>.+)$`, 'iu'), 'never'],
  [new RegExp(`^(?:never|do not|don't) let ${subject} ${touch} (?<list>.+)$`, 'iu'), 'never'],
];

const noise =
  /^(?:(?:data|records|rows|information|entries|everything|anything) (?:of|from|in|below|under) )?(?:the |these |this |following |its )*(?:(?:data )?(?:tables?|collections?|datasets?|views?|paths?|folders?|director(?:y|ies))(?: named| called)?:?\s+)?(?:the )?(?:tables? )?/i;
const bare = (text: string) =>
  text
    .trim()
    .replace(noise, '')
    .replace(/\s+(?:tables?|collections?|datasets?|views?|folders?|records?)$/i, '')
    .replaceAll(/["'`]/g, '')
    .trim();

const isEntry = (text: string) =>
  /^[\p{L}_/~.*][\p{L}\d_ ./*~-]{0,80}$/u.test(text) && text.split(/\s+/).length <= 3;

const parts = (list: string): string[] => {
  const found: string[] = [];
  let depth = 0;
  let piece = '';
  for (const token of list.split(/(\(|\)|,|;|\s+(?:and|or)\s+)/i)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0 && /^(?:,|;|\s+(?:and|or)\s+)$/i.test(token)) {
      found.push(piece);
      piece = '';
    } else piece += token;
  }
  return [...found, piece]
    .map((one) => one.trim().replace(/^(?:and|or)\s+/i, ''))
    .filter((one) => one !== '');
};

const columnsIn = (text: string) =>
  text
    .replace(/^(?:the )?(?:columns?|fields?):?\s+/i, '')
    .split(/\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/i)
    .map(bare)
    .filter((one) => one !== '');

/** "patients (name, age)", "columns name and age of patients", "patients.name", "vitals". */
function entriesOf(text: string): string[] | undefined {
  const inBrackets = /^(.+?)\s*\((?:only )?([^()]+)\)$/i.exec(text);
  if (inBrackets !== null) {
    const table = bare(inBrackets[1] ?? '');
    return isEntry(table) ? columnsIn(inBrackets[2] ?? '').map((column) => `${table}.${column}`) : undefined;
  }
  const entry = bare(text);
  return isEntry(entry) ? [entry] : undefined;
}

/** "the columns name and age of the table patients": one table for all of them. */
const ofTable =
  /^(?:the )?(?:columns?|fields?):?\s+(?<columns>.+?)\s+(?:of|in|from)\s+(?:the )?(?:tables?\s+)?(?<table>[\w."`-]+)(?:\s+table)?$/i;
const withColumns =
  /^(?:the )?(?:tables?\s+)?(?<table>[\w."`-]+)(?:\s+table)?(?:,? (?:and there|and of it)?(?: only)?| with)(?: only)?(?: the)? (?:columns?|fields?):?\s+(?<columns>.+)$/i;
const colons = /^(?:(?:these|the following) (?:tables|columns|tables and columns)(?: only)?:\s*)/i;

function listOf(list: string): string[] | undefined {
  const text = list.trim().replace(colons, '');
  const one = (ofTable.exec(text) ?? withColumns.exec(text))?.groups;
  if (one?.columns !== undefined && one.table !== undefined && !/[()]/.test(text))
    return columnsIn(one.columns).map((column) => `${bare(one.table ?? '')}.${column}`);
  const groups = text.split(/\s*;\s*/);
  if (groups.every((group) => /^[\w." `]+:\s*\S/.test(group)))
    return groups.flatMap((group) => {
      const [table = '', columns = ''] = group.split(/:\s*/, 2);
      return columnsIn(columns).map((column) => `${bare(table)}.${column}`);
    });
  const entries = parts(text).map(entriesOf);
  return entries.includes(undefined) ? undefined : entries.flatMap((entry) => entry ?? []);
}

const rolesOf = (text: string): string[] =>
  text
    .replaceAll(/["'`]/g, '')
    .split(/\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/)
    .map((name) =>
      name
        .trim()
        .replace(/^(?:the|an?|every|all|any|each)\s+/i, '')
        .replace(/^role\s+/i, ''),
    )
    .filter((name) => name !== '');

/** Who asks, or whom the rule is for anyway, and words that are no part of a role's name. */
const notRoles =
  /^(?:agents?|assistants?|bots?|models?|users?)$|\b(?:you|it|we|i|this|that|they|nobody|one|anyone|everybody|everyone|may|must|can|should|shall|will|never|not|no|only|files?|data|if|when|unless|before|after|without)\b/i;

const areRoles = (roles: readonly string[]): boolean =>
  roles.length > 0 && roles.every((name) => !notRoles.test(name) && name.split(' ').length <= 4);

const mostEntries = 200;

type Meant = 'both' | 'read' | 'write';

const isVerb = (alternatives: string, verb: string) => new RegExp(`^(?:${alternatives})$`, 'i').test(verb);

function meantBy(verb: string): Meant {
  if (isVerb(`${verbs.write}|${passive.write}`, verb)) return 'write';
  return isVerb(`${verbs.read}|${passive.read}|readable|visible`, verb) ? 'read' : 'both';
}

function formOf(kind: Kind, meant: Meant, who: string, list: string): RuleForm | undefined {
  const roles = rolesOf(who);
  const of = listOf(list) ?? [];
  if (of.length === 0 || of.length > mostEntries || !areRoles(roles)) return undefined;
  const role: Expression = { is: 'role', roles, said: true };
  // Whoever may not even read records may not change them either: only changing is told apart.
  const effect = meant === 'write' ? ({ effect: 'write' } as const) : {};
  const records = (reach: 'among' | 'beyond'): Expression => ({ is: 'records', reach, of, ...effect });
  if (kind === 'reserved') return { when: records('among'), requires: role, on_missing: 'deny' };
  const reached = records(kind === 'only' ? 'beyond' : 'among');
  // "May only read": others are not read, and those are not changed.
  const broken: Expression =
    kind === 'only' && meant === 'read'
      ? { any: [reached, { is: 'records', reach: 'among', of, effect: 'write' }] }
      : reached;
  return { when: { all: [role, broken] }, on_missing: 'deny' };
}

/** The form of such a sentence; undefined for any other. */
export function readAccess(sentence: string): RuleForm | undefined {
  const text = sentence
    .trim()
    .replace(/[.!]+$/, '')
    .replaceAll('’', "'");
  if (text.length > 2000 || !marker.test(text)) return undefined;
  for (const [shape, kind] of shapes) {
    const found = shape.exec(text)?.groups;
    const meant = meantBy(found?.verb ?? '');
    const form = found?.role && found.list ? formOf(kind, meant, found.role, found.list) : undefined;
    if (form !== undefined) return form;
  }
  return undefined;
}
