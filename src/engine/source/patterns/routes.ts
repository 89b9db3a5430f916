/** Calls that register a handler for requests, which look like calls that send one: `app.post("/mcp", handle)`. */
import type { Argument, Expression } from '../form/form.ts';

/** What makes a server or a router of one: nothing is sent by a method of it. */
const makesRouter =
  /(?:^|[.?])(?:express(?:\.(?:default|Router))?|fastify(?:\.(?:default|fastify))?|hono\.Hono|Hono|OpenAPIHono|polka|restify\.createServer|createServer|Router|KoaRouter|koa-router|@koa\/router|createMcpExpressApp)\(\)/i;

/** What a variable with a server or a router is called. */
const router = /^\w*(?:app|router|routes?|server|fastify|express|hono)$/i;

const registers = /\.(?:get|post|put|patch|delete|all|use|head|options|route|on)$/i;

const isPath = (value: Expression | undefined): boolean => {
  if (value === undefined) return false;
  if (value.is === 'pattern') return true;
  if (value.is === 'list') return value.items.length > 0 && value.items.every(isPath);
  const first = value.is === 'text' ? value.parts[0] : value;
  return first?.is === 'literal' && /^(?:\/(?!\/)|\*$)/.test(String(first.value));
};

/** A function, or what may be one; data that is sent is no function. */
const mayHandle = ({ value }: Argument): boolean =>
  value.is === 'function' || value.is === 'name' || value.is === 'member' || value.is === 'call';

/**
 * Whether a call registers a handler.
 * @param name of what is called, as far as it was resolved
 */
export function registersHandler(name: string, args: readonly Argument[]): boolean {
  if (!registers.test(name) || args.length === 0) return false;
  if (makesRouter.test(name)) return true;
  const [first, ...others] = args;
  const last = others.at(-1);
  if (last === undefined || !isPath(first?.value)) return false;
  const receiver = name.slice(0, name.lastIndexOf('.')).split(/[.?]/).at(-1) ?? '';
  return last.value.is === 'function' || (router.test(receiver) && mayHandle(last));
}
