import type { Expression } from './form.ts';

/** The bare name of a decorator, annotation or attribute: `tool` of `@mcp.tool("x")`. */
export function markName(mark: Expression): string {
  if (mark.is === 'call') return markName(mark.callee);
  if (mark.is === 'member') return mark.property;
  return mark.is === 'name' ? mark.name : '';
}
