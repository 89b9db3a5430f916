import type { FunctionForm } from '../form/form.ts';
import { isTest, type SourceModule } from '../modules.ts';
import { withoutComments } from './code.ts';
import { FormWalk } from './walk.ts';

/** The Host or the Origin of a request is asked for; a reflected origin is no check. */
const hostAsked =
  /(?:\bheaders?\??\.(?:origin|host)\b|\bheaders?\(?\)?\??\.?(?:get|Get|getFirst|getlist|header)?[[(]\s*&?["'`](?:origin|host)["'`]\s*[,)\]]|\.(?:header|get|Get|getHeader|GetHeader|getFirst|getRequestHeader)\(\s*["'`](?:origin|host)["'`]|\b(?:getHeaders?|getFirst|header|get)\(\s*&?(?:\w+(?:::|\.))*(?:HOST|ORIGIN)\s*\))|\breq(?:uest)?\.(?:hostname|host)\b|\br(?:eq|equest)?\.Host\b|\b(?:Host|Origin)\((?:\w+)\)\s*:|TypedHeader<(?:\w+::)*(?:Host|Origin)>|TrustedHost|allowed_?origins(?![^\n]{0,60}["'`]\*)|hostHeaderValidation|localhostHostValidation|createMcpExpressApp|HostValidation|HostFilter|hostGuard|verifyClient|checkOrigin|ServerTransportSecurityValidator/gi;

/** What stands before an origin that is only given back. */
const givesBack = /allow[-_]?origin[^\n]*$/i;

/** What one transport is told to check holds for that one alone. */
const ofOneTransport =
  /\bnew\s{1,4}\w{0,40}Transport\(\s{0,40}\{[^}]{0,800}\}|\bTransportSecuritySettings\([^)]{0,800}\)/g;

const asksHost = (code: string): boolean =>
  [...code.matchAll(hostAsked)].some(
    ({ index }) => !givesBack.test(code.slice(Math.max(0, index - 80), index)),
  );

/** What libraries have for all routes. */
const library =
  /requireBearerAuth|AuthenticationMiddleware|RequireAuthMiddleware|BearerAuthBackend|OAuthProvider|TokenVerifier|SecurityFilterChain|oauth2ResourceServer|passport\.(?:authenticate|initialize)|bearerAuth\(|basicAuth\(|BasicAuth\(|HTTPBearer\(|RequireAuthorizationLayer|ValidateRequestHeaderLayer|HttpAuthentication::|RequireBearerToken|keyauth\.|jwtware|dependencies\s*=\s*\[\s*(?:fastapi\.)?(?:Depends|Security)\(|useGlobalGuards|@UseGuards|clientAuth|requestCert\s*:\s*true/;

/** It hands a request on to what answers it. */
const handsOn =
  /\bnext\s*\(|\bcall_next\s*\(|\bnext\.run\s*\(|\.ServeHTTP\s*\(|\bdoFilter\s*\(|\bhandler\(request\)|\bc\.Next\s*\(|\.call\(req\)|\bchain\.\w+\(/;
/** It answers each request of the protocol. */
const answers = /["'`]tools\/call["'`]|\bjsonrpc\b|handleRequest\(|handle_request\(/;

const asksCredentials =
  /authori[sz]ation|x-[\w-]*(?:key|token|secret)|bearer|api_?key|session_?token|\btoken\b|\bsecret\b/i;
const refuses = /\b40[13]\b|unauthori[sz]ed|forbidden|\babort\b|denied|Unauthenticated/i;

const hooks =
  /before_request|onRequest|preHandler|beforeHandle|app\.before\(|addHook\(|\.before\(|@(?:Provider|WebFilter|Before)|ContainerRequestFilter|OncePerRequestFilter|HandlerInterceptor|\.middleware\(["'`]http/;

const longest = 20_000;

function functionsOf(module: SourceModule): FunctionForm[] {
  const found: FunctionForm[] = [];
  const nothing = (): void => undefined;
  const fn = (form: FunctionForm): void => void found.push(form);
  new FormWalk({ call: nothing, entry: nothing, binary: nothing, loop: nothing, fn }).run(module.form.body);
  return found;
}

function isGuardedIn(module: SourceModule): boolean {
  const code = withoutComments(module.text).replaceAll(ofOneTransport, '');
  if (asksHost(code) || library.test(code)) return true;
  if (!asksCredentials.test(code) || !refuses.test(code)) return false;
  const isHooked = hooks.test(code);
  return functionsOf(module).some(({ at, end, marks }) => {
    const first = Math.min(at, ...marks.map((mark) => mark.at));
    const text = withoutComments(module.text.slice(first, Math.min(end, first + longest)));
    if (!asksCredentials.test(text) || !refuses.test(text)) return false;
    return handsOn.test(text) || answers.test(text) || (isHooked && hooks.test(text));
  });
}

/** Whether a project asks every request from where it comes or who sent it. */
export const isGuarded = (modules: readonly SourceModule[]): boolean =>
  modules.some((module) => !isTest(module) && isGuardedIn(module));
