/** What a table of a Rust struct holds, by the type that its field is declared with. */
import type { Expression } from '../form/form.ts';
import type { Call } from './model.ts';
import type { Value } from './value.ts';

/** `HashMap<String, Arc<dyn Tool>>`, also within a lock: the type of what lies in it. */
const table =
  /\b(?:HashMap|BTreeMap|IndexMap|DashMap|FxHashMap|AHashMap)\s*<\s*(?:&\s*'\w+\s+)?[\w:&' ]+,\s*(.+)>|\b(?:Vec|VecDeque|SmallVec)\s*<(.+)>/s;

/** `self.tools` of `self.tools.read().await.iter()` */
function fieldBelow(expression: Expression | undefined): string | undefined {
  let at = expression;
  for (let depth = 0; depth < 8 && at !== undefined; depth++) {
    if (at.is === 'call') at = at.callee;
    else if (at.is !== 'member') return undefined;
    else if (at.object.is === 'name') return at.object.name === 'self' ? at.property : undefined;
    else at = at.object;
  }
  return undefined;
}

/** What the type of a table says of what it holds, where only a trait is known of that. */
function heldBy(type: string | undefined): string | undefined {
  const [, value, element] = (type === undefined ? null : table.exec(type)) ?? [];
  const held = value ?? element;
  return held !== undefined && /\bdyn\b/.test(held) ? firstType(held) : undefined;
}

/** `self.tools.get(name)` of tools that have nothing but a trait in common: any that implements it. */
export function ofDeclaredTable({ called: { objectExpression }, machine, frame }: Call): Value | undefined {
  const owner = frame.module.grammar === 'rust' ? frame.self?.instance : undefined;
  if (owner === undefined) return undefined;
  const name = fieldBelow(objectExpression);
  const held = heldBy(owner.form.fields.find((each) => each.name === name)?.type);
  const scope = owner.around ?? machine.topOf(owner.module);
  const made = machine.instanceByType(held, { module: owner.module, scope });
  return made?.instance === undefined ? undefined : made;
}

/** `Arc<dyn Tool>` of what follows the first type of a list of them, with the brackets that belong to it. */
function firstType(text: string): string {
  let depth = 0;
  const bare = text.replaceAll(/\s*\+\s*(?:Send|Sync|'static)\b/g, '');
  for (let at = 0; at < bare.length; at++) {
    if (bare[at] === '<') depth++;
    if (bare[at] === '>' && --depth < 0) return bare.slice(0, at);
  }
  return bare;
}
