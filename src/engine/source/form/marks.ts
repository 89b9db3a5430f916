import type { Expression } from './form.ts';

/** The bare name of a decorator, annotation or attribute: `tool` of `@mcp.tool("x")`. */
export function markName(mark: Expression): string {
  if (mark.is === 'call') return markName(mark.callee);
  if (mark.is === 'member') return mark.property;
  return mark.is === 'name' ? mark.name : '';
}

/** What a part of a path is read as where it is taken out of `Component::Normal(name)`: no `..`, and no root. */
export const normalPart = '#normal';

/** The name of the argument that says into which type a value is converted: `let name: Name = text.parse()?`. */
export const convertedTo = '#into';

export const ofVariants = '#of ';
/** The name under which a part of a variant of an enum is known: `Read(args)` of Rust. */
export const partOfVariant = (variant: string, at: number): string => `${ofVariants}${variant}.${at}`;
