import type { Machine } from '../taint/frame.ts';
import type { FunctionValue, Value } from '../taint/value.ts';
import { registeredDefinition } from './definition.ts';
import { capitalised, textAt, wordsAt } from './written.ts';
import type { Offer } from './offer.ts';

/** What the handler is called within a definition. */
export const handlerNames = [
  'handler',
  'execute',
  'run',
  'callback',
  'call',
  'invoke',
  'func',
  'load',
  'cb',
  'handle',
  'fn',
];

/** What the function itself is, or the handler within an object. */
export const functionIn = (value: Value): FunctionValue | undefined =>
  value.fn ??
  handlerNames
    .map((each) => (value.fields?.get(each) ?? value.fields?.get(capitalised(each)))?.fn)
    .find((fn) => fn !== undefined);

/** The same, and where it is one of a table (`for each in (search, fetch): mcp.tool(each)`) all functions of it. */
export const functionsIn = (value: Value): FunctionValue[] => {
  const fn = functionIn(value);
  return fn === undefined ? [] : [fn, ...(value.fn === undefined ? [] : (value.others ?? []))];
};

/** Several tools at once: `AddTools(a, b)`, `addTools([a, b])`. */
export const isSeveral = /[tT]ools$/;

/** The definitions that are given, each with its handler. */
function definitionsIn(values: readonly Value[]): Value[] {
  return values.flatMap((value) => {
    if (functionIn(value) !== undefined) return [value];
    return [...(value.fields?.values() ?? [])].filter((each) => functionIn(each) !== undefined);
  });
}

/** Tools that are registered together: `{Tool: NewTool('name'), Handler: f}` or `{name, description, handler}`. */
export function ofSeveral(values: readonly Value[], note: (offer: Offer) => void, machine: Machine): void {
  for (const value of definitionsIn(values)) {
    const fn = functionIn(value);
    if (fn === undefined) continue;
    const about = value.fields?.get('Tool') ?? value.fields?.get('tool') ?? value;
    const { description, ...unread } = wordsAt(
      about.fields?.get('description') ?? about.fields?.get('Description'),
    );
    note({
      kind: 'tool',
      name: textAt(about.fields?.get('name')) || fn.fn.name,
      description,
      fn,
      definition: { ...registeredDefinition(about, undefined, []), ...unread },
      firstOnly: fn.module.grammar !== 'python',
      machine,
    });
  }
}

/** What a handler calls what the caller gave, behind what the server has. */
export const ofBehind = /^_?(?:params?|args?|arguments|inputs?|request|req)$/i;

/** `handle: async (context, params) => …`: what the caller gave comes behind what the server has. */
export function followsContext({ fn: { parameters } }: FunctionValue): boolean {
  const [first, second] = parameters.map(({ target }) => (target.is === 'name' ? target.name : ''));
  const isContext = /^_?(?:ctx|context|tab|page|server|session|deps|services|state|client|_)$/.test(
    first ?? '',
  );
  return isContext && second !== undefined && (second === '' || ofBehind.test(second));
}
