/** Parameters of handlers that somebody else fills than the caller. */
import type { Parameter } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { Grammar } from '../parse/grammars.ts';
import { isFreeType } from '../taint/types-of-input.ts';
import { isBesideRequest } from './java.ts';
import type { EntranceKind } from './offer.ts';

/** Parameters that the protocol's library fills itself, or that nobody reads; compilers name them `_a` and `_0`. */
const ours = /^(?:ctx|context|extra|_?self|cls|exchange|next|server|_(?![a-z\d]$).*)$/;
/** Those of them that Python's libraries do not fill: there they are what the caller gives. */
const notOfPython = /^(?:extra|exchange|next|server)$/;
/** A parameter of such a type holds a text, whatever its name: `context: str` of a cluster. */
const ofText =
  /^(?:Annotated\[\s*)?(?:Optional\[\s*)?(?:str|string|String|&str)\b(?!\s*[[<])(?:[\],|\s].*)?$/s;
const ourTypes =
  /\b(?:Context|RequestHandlerExtra|NextFunction|ToolContext|McpSyncServerExchange|Response|ResponseWriter|ServerResponse|ServerSession|State|Extension)\b/;

/** Contexts of Go's frameworks, through which a handler reads its request. */
const requestContexts = /\b(?:gin|echo|iris|fiber|fasthttp)\.(?:Context|Ctx|RequestCtx)\b/;

/** What a container of services puts in, rather than the caller. */
const injects = /^(?:Depends|Security|Provide|Inject|CurrentContext|injected)$/;
/** Decorators and annotations of parameters that say so. */
const injecting =
  /^(?:Inject\w*|Res|Response|Next|Session|Ctx|Context|Root|Parent|CurrentUser|AuthenticationPrincipal)$/;

/** Whether a container of services fills a parameter. */
function isInjected({ preset, type = '', marks = [] }: Parameter): boolean {
  const isPreset = preset?.is === 'call' && injects.test(markName(preset));
  return (
    isPreset || /\b(?:Depends|Security|Inject)\(/.test(type) || marks.some((mark) => injecting.test(mark))
  );
}

const scripts: ReadonlySet<Grammar> = new Set<Grammar>(['typescript', 'tsx']);

const isContextOfRoute = ({ target }: Parameter, grammar: Grammar): boolean =>
  scripts.has(grammar) && target.is === 'name' && /^(?:ctx|context)$/.test(target.name);

const ofServer = /^(?:server|mcp|mcpServer|app|router|fastify|container)$/;
const serverTypes =
  /^(?:McpServer|Server|FastMCP|LowLevelServer|Express|Application|FastifyInstance|Hono|Router)\b/;

/** `register({ server, git }: Context)`: what registers tools is given what the server has, and nothing of a caller. */
function isOfServer({ target, type = '' }: Parameter, kind: EntranceKind, grammar: Grammar): boolean {
  if (kind !== 'exported' || !scripts.has(grammar)) return false;
  const keys = target.is === 'fields' ? target.fields.map(({ key = '' }) => key) : [];
  return serverTypes.test(type) || keys.some((key) => ofServer.test(key));
}

/** Whether a parameter is no place for what the caller chose. */
function isFilledByLibrary(parameter: Parameter, kind: EntranceKind, grammar: Grammar): boolean {
  const { type = '' } = parameter;
  if (isOfServer(parameter, kind, grammar)) return true;
  if (kind === 'http' && requestContexts.test(type)) return false;
  if (kind === 'http' && grammar === 'java') return isBesideRequest(parameter) || !isFreeType(type);
  // Koa and its like give a route one object, through which the request is read.
  if (kind === 'http' && isContextOfRoute(parameter, grammar)) return false;
  return isOurs(parameter, grammar) || ourTypes.test(type) || !isFreeType(type);
}

/** Whether its name is one that libraries have for what they fill themselves. */
function isOurs({ target, type = '' }: Parameter, grammar: Grammar): boolean {
  if (target.is !== 'name' || !ours.test(target.name) || ofText.test(type)) return false;
  return grammar !== 'python' || !notOfPython.test(target.name);
}

/** Whether a parameter is filled by somebody else than the caller. */
export const isOthers = (parameter: Parameter, kind: EntranceKind, grammar: Grammar): boolean =>
  isInjected(parameter) ||
  isOurs(parameter, grammar) ||
  ourTypes.test(parameter.type ?? '') ||
  kind === 'http';

/** Names of what a program is put together of: its settings, and what speaks to others for it. */
const surroundings =
  /^_?(?:[a-z]*_?(?:config(?:uration)?|cfg|conf|settings|env|environment|dep(?:endencie)?s|client|conn(?:ection)?|pool|logger|credentials|registry|driver|sdk)|ctx|axios|http|webapi|(?:api_?)?base_?(?:url|uri)|(?:root|base|home|work|workspace)(?:_?(?:dir|folder|path|root))?|cwd)$/i;

/** Types that say the same of a parameter. */
const surroundingType =
  /(?:Config(?:uration)?|Settings|Env(?:ironment)?|Client|Connection|Pool|Logger|WebApi)\b[^<]*$/;

/** Whether a parameter of an exported function is what its program is put together of, and no input. */
const isOfProgram = ({ target, type = '' }: Parameter): boolean =>
  surroundingType.test(type) || (target.is === 'name' && surroundings.test(target.name));

/** Whether a container, a library or the program itself fills a parameter, rather than whoever calls from outside. */
export const isFilledByOthers = (parameter: Parameter, kind: EntranceKind, grammar: Grammar): boolean =>
  isInjected(parameter) ||
  (kind === 'exported' && isOfProgram(parameter)) ||
  isFilledByLibrary(parameter, kind, grammar);
