/** How Rust's servers register what they offer. */
import type { Expression, FunctionForm } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { Given } from '../taint/frame.ts';
import type { FunctionValue } from '../taint/value.ts';
import type { Note } from './offer.ts';

/** `warp::path!("show" / String).and_then(show)` */
const ofWarp = /^\??warp\.(?!reply|reject|serve|test).*\.(?:and_then|then|map)$/;
/** `get(show)` of axum, `web::get().to(show)` of actix, and what answers all other requests. */
const ofRoute =
  /^\??(?:axum\.routing\.)?(?:get|post|put|delete|patch|any)$|^\??axum\.Router\.new\(\).*\.(?:fallback|get|post|put|delete|patch)$|^\??axum\.routing\.\w+\(\).*\.(?:get|post|put|delete|patch)$|\bweb\.\w+\(\).*\.to$/;

/** Whether a call gives a function the parts of a request. */
const takesRequests = (name: string): boolean => ofWarp.test(name) || ofRoute.test(name);

/** Notes the functions that a call registers for requests. */
export function ofRequests(name: string, args: readonly Given[], note: Note): void {
  if (!takesRequests(name)) return;
  for (const { value } of args)
    if (value.fn !== undefined && value.fn.module.grammar === 'rust' && value.fn.fn.parameters.length > 0)
      note({ kind: 'http', name: value.fn.fn.name, description: '', fn: value.fn });
}

const runs = /^(?:call|run|execute|invoke|handle)(?:_?tool)?$/;

const textOf = (mark: Expression, wanted: string): string => {
  const value = mark.is === 'call' ? mark.args.find(({ name }) => name === wanted)?.value : undefined;
  return value?.is === 'literal' && typeof value.value === 'string' ? value.value : '';
};

const runsTool = ({ name, isStatic }: FunctionForm): boolean => isStatic !== true && runs.test(name);

/** `#[mcp_tool(name = "…")] struct Read { path: String }`: its fields are what the caller gives. */
export function ofToolStruct(fn: FunctionValue, note: Note): boolean {
  const form = fn.module.grammar === 'rust' ? fn.self?.instance?.form : undefined;
  const mark = form?.marks.find((each) => markName(each) === 'mcp_tool');
  if (form === undefined || mark === undefined || !runsTool(fn.fn)) return false;
  note({
    kind: 'tool',
    name: textOf(mark, 'name') || form.name,
    description: textOf(mark, 'description'),
    fn,
    isOfFields: true,
  });
  return true;
}
