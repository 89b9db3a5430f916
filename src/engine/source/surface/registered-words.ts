/** What a registration says of what it offers, wherever among its arguments. */
import type { Value } from '../taint/value.ts';
import { writtenOf } from '../taint/written.ts';
import type { Named } from './definition.ts';
import { wordsAt } from './written.ts';

type Words = ReturnType<typeof wordsAt>;

const isBare = ({ fields, fn, cls, instance }: Value): boolean =>
  (fields ?? fn ?? cls ?? instance) === undefined;

const ofBuilt = ({ description, isUnread }: Named): Words =>
  isUnread ? { description, isUnread } : { description };

/** The words of its configuration, of its second argument, or of a definition that was built. */
export function describedBy(
  configured: Value | undefined,
  options: readonly Value[],
  built: Named | undefined,
): Words {
  const own = configured?.fields?.get('description') ?? configured?.fields?.get('Description');
  if (own !== undefined) return wordsAt(own);
  const second = options.slice(1, 2).find(isBare);
  if (second !== undefined && writtenOf(second).text !== '') return wordsAt(second);
  if (built !== undefined) return ofBuilt(built);
  // `server.tool(name, describe(), schema, handler)`
  return second !== undefined && options.length > 3 ? wordsAt(second) : { description: '' };
}
