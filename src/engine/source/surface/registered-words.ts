/** What a registration says of what it offers, wherever among its arguments. */
import type { Expression } from '../form/form.ts';
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

const mostLinks = 20;

/** What the calls before say in `tool().name('…').description('…').handler(run)`, as far as it is written there. */
export function saidInChain(expression: Expression): { name: string; description: string } {
  const said = { name: '', description: '' };
  let link = expression;
  for (let left = mostLinks; left > 0 && link.is === 'call' && link.callee.is === 'member'; left--) {
    const { property, object } = link.callee;
    const word = link.args[0]?.value;
    const text = word?.is === 'literal' && typeof word.value === 'string' ? word.value : '';
    if (property === 'name' || property === 'description') said[property] ||= text;
    link = object;
  }
  return said;
}
