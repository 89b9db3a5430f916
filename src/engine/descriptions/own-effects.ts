/**
 * What a tool says of its own effect: what a switch or a number of it does. `force: Skip confirmation prompts` tells what the
 * program does when it is set, in the mood of an order, and orders the agent nothing.
 */
import type { Hit } from './fixed-signs.ts';
import { isNameField } from './fixed-signs.ts';
import type { JudgedSentence } from './judge-sentences.ts';
import type { DescribedTool } from './tool.ts';

/** Types whose values carry no text, so that nothing can be asked to be put into them. */
const withoutText: ReadonlySet<unknown> = new Set(['boolean', 'integer', 'number', 'null']);

/** The schema that a field of a definition is part of. */
function schemaAt(schema: unknown, field: string): unknown {
  const path = field
    .replace(/ \(name\)$/, '')
    .split('.')
    .slice(1);
  const keys = field.endsWith(' (name)') ? path : path.slice(0, -1);
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    schema,
  );
}

/** Whether a value is a switch, a number, one of the author's words, or a list of such. */
function carriesNoText(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (Array.isArray(Reflect.get(schema, 'enum'))) return true;
  const type: unknown = Reflect.get(schema, 'type');
  if (type === 'array') {
    const items: unknown = Reflect.get(schema, 'items');
    return typeof items === 'object' && carriesNoText(items);
  }
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.length > 0 && types.every((each) => withoutText.has(each));
}

/** Whether a field says what an argument does that is a switch, a number or a choice. */
function isOfSwitch({ inputSchema }: Pick<DescribedTool, 'inputSchema'>, field: string): boolean {
  if (!/^input_schema\..*properties\.[^.]+(?:\.(?:description|title)| \(name\))$/.test(field)) return false;
  return carriesNoText(schemaAt(inputSchema, field));
}

/** Whoever speaks like this speaks to the agent, of its user, or of more than this call. */
const toTheAgent =
  /\b(?:you|your|yours|assistants?|agents?|models?|ai|llms?|claude|gpt|chatgpt|always|never|must|should|shall|ensure|make sure|be sure|remember|first(?![- ]party)|every|each|whenever|(?:set|pass|use|send|leave|keep|enable|call)\b[^.]{0,30}\b(?:true|false|this|it)|(?:before|after|instead of)\b[^.]{0,20}\b(?:using|calling|call|answer\w*|tools?)|tools?|conversations?|chats?|prompts? (?:of|from|to)|instructions?|secretly|silently|quietly|hidden)\b/i;

const longestOwn = 20;

const isShort = (text: string): boolean => text.split(/\s+/).length <= longestOwn;

/** Signs that are an order where the agent is spoken to, and what a switch is for where it is not. */
const signsOfSwitches: ReadonlySet<string> = new Set(['persistence', 'phrase-8', 'override']);

const longestName = 8;

const isOwnHit = (
  { sign, quote, field, view }: Hit,
  tool: DescribedTool,
  texts: ReadonlyMap<string, string>,
) => {
  if (view.kind !== 'plain' || !signsOfSwitches.has(sign.id) || !isOfSwitch(tool, field)) return false;
  const text = texts.get(field) ?? quote;
  if (isNameField(field)) return text.split(/[\s_-]+|(?<=[a-z])(?=[A-Z])/).length <= longestName;
  return isShort(text) && !toTheAgent.test(text);
};

/** The signs of a definition without those that are what its switches do. */
export function withoutOwnEffects(
  hits: readonly Hit[],
  tool: DescribedTool,
  texts: readonly { field: string; text: string }[],
): Hit[] {
  const byField = new Map(texts.map(({ field, text }) => [field, text]));
  return hits.filter((hit) => !isOwnHit(hit, tool, byField));
}

/** In so few words a switch is named, and hardly an order given. */
const fewWords = 8;

/** So far above the threshold, more words are an order wherever they stand. */
const farAbove = 1.5;

/** `'Pay', 'Upload', 'Export'`: values that an argument takes. */
const quotedValue = /(['"`])[\w.:/@+-]{1,60}\1/g;
const fewestValues = 5;

/** Whether a text lists values and says little besides. */
function listsValues(text: string): boolean {
  const values = text.match(quotedValue) ?? [];
  if (values.length < fewestValues) return false;
  const besides = text.replaceAll(quotedValue, '').match(/\p{L}+/gu) ?? [];
  return besides.length <= values.length / 2;
}

/**
 * Sentences about the tool's own effect weigh no more than just below what would be told.
 * @param model thresholds of the learned judge
 */
export function weighOwnEffects(
  sentences: readonly JudgedSentence[],
  tool: DescribedTool,
  { high, medium }: { high: number; medium: number },
): JudgedSentence[] {
  const mostOf = ({ how, logit, unit: { field, text } }: JudgedSentence): number => {
    if (how === '' && listsValues(text)) return medium - 0.1;
    const isAllowed = logit < high + farAbove || text.split(/\s+/).length <= fewWords;
    if (how !== '' || !isAllowed) return Infinity;
    return isOfSwitch(tool, field) && isShort(text) && !toTheAgent.test(text) ? medium - 0.1 : Infinity;
  };
  return sentences
    .map((each) => ({ ...each, logit: Math.min(each.logit, mostOf(each)) }))
    .toSorted((a, b) => b.logit - a.logit);
}
