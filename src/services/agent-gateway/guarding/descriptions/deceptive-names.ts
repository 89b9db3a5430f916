/**
 * Names that look like others: with characters that nobody sees, or letters of one script in the place of another's.
 * Clients send names back, so they cannot be cleaned; a person has to look at them. Pure.
 */
import { most, visible, type DescriptionIssue } from '#engine/descriptions/issue.ts';
import { lookAlikeIssue } from '#engine/descriptions/plain-issues.ts';
import { hiddenCharacters } from '#engine/descriptions/views.ts';
import { isFields, type Fields } from '#mcp/json-rpc.ts';

interface Name {
  readonly field: string;
  readonly name: string;
}

const deepest = 12;
const mostNames = 2000;
const mostIssues = 5;

/** The names of a schema's properties, at any depth. */
function* propertyNames(schema: unknown, field: string, depth = 0): Generator<Name> {
  if (depth > deepest || typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isFields(value))
      for (const name of Object.keys(value)) yield { field: `${field}.${name}`, name };
    yield* propertyNames(value, field, depth + 1);
  }
}

function* namesOf(definition: Fields): Generator<Name> {
  for (const field of ['name', 'uri', 'uriTemplate']) {
    const name = definition[field];
    if (typeof name === 'string') yield { field, name };
  }
  const { arguments: args, inputSchema, outputSchema } = definition;
  if (Array.isArray(args))
    for (const each of args) {
      const name = isFields(each) ? each['name'] : undefined;
      if (typeof name === 'string') yield { field: `arguments.${name}`, name };
    }
  yield* propertyNames(inputSchema, 'input_schema');
  yield* propertyNames(outputSchema, 'output_schema');
}

/** They join letters of some scripts; among plain letters they only make two names look alike. */
const joiners = /[\u00AD\u200C-\u200F]/;
// oxlint-disable-next-line no-misleading-character-class, no-control-regex -- all of ASCII, and those characters.
const plainBut = /^[\x20-\x7E\u00AD\u200C-\u200F]*$/;

const hasUnseen = (name: string): boolean =>
  hiddenCharacters(name).count > 0 || (joiners.test(name) && plainBut.test(name));

/** Names that are judged as names of the whole definition are looked at for look-alikes there. */
const isOwnName = (field: string) => ['name', 'uri', 'uriTemplate'].includes(field);

function issueOf({ field, name }: Name): DescriptionIssue | undefined {
  const where = most(visible(field), 150);
  if (!hasUnseen(name)) return isOwnName(field) ? undefined : lookAlikeIssue(name, where);
  const quote = most(visible(name), 120);
  return {
    code: 'W021',
    category: 'Hidden Text',
    score: 0.9,
    field: where,
    quote,
    says: `The name “${quote}” has characters that nobody sees.`,
  };
}

/** An issue for each such name, the first few. */
export function nameIssues(definition: Fields): DescriptionIssue[] {
  const issues: DescriptionIssue[] = [];
  let read = 0;
  for (const name of namesOf(definition)) {
    if (issues.length === mostIssues || read++ === mostNames) break;
    const issue = issueOf(name);
    if (issue !== undefined) issues.push(issue);
  }
  return issues;
}
