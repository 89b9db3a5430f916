import type { ClassForm, FunctionForm, Statement } from '../form/form.ts';
import { isTest, type SourceModule } from '../modules.ts';
import type { Handler } from '../surface/entrances.ts';
import { liveCode } from './live-code.ts';

export interface Webhook {
  module: SourceModule;
  at: number;
  end: number;
  name: string;
  /** Whether what it does depends on who sent it. */
  isChecked: boolean;
}

const path =
  /(?:^|[\s/_.-])(?:web)?hooks?(?:[/_\s-]|$)|\/(?:slack|stripe|paypal|github|gitlab|shopify|twilio|square|mollie|adyen)\/(?:events?|actions|commands|interactions|notify|notifications?|ipn|callback)(?:\/|$)/i;
const pathInQuotes = /["'`](?:(?:POST|PUT) )?(\/[^"'`\n]{0,80}|(?:web)?hooks?\/[^"'`\n]{0,60})["'`]/g;
const named =
  /(?:^|_)(?:web)?hooks?(?:_|$)|[a-z](?:Web)?[hH]ook(?:Handler|Event|Received)?$|^(?:on|handle|receive)_?(?:web)?[hH]ook/;
const isForOwn =
  /^(?:use|create|register|list|delete|add|update|get|install|remove|test|send|trigger|fire|emit|make|new|with|queue|enqueue|dispatch|deliver|schedule|before|after|pre|post|run|invoke|call|on_?commit|git)(?=_|[A-Z])/;

/** How a body is read: from a request that is given, or by what parameters and annotations say. */
const readsBody =
  /\breq(?:uest)?\.(?:body|json|rawBody|raw|text|form|data|get_json|get_data|stream|read|post|POST)\b|\.req\.(?:json|text|raw|parseBody)|ctx\.request\.(?:body|rawBody)|\bbodyAs|ctx\.body\(|@?\bBody\(|@RequestBody|\bJson\b|web::(?:Json|Bytes|Payload)|body:\s*(?:\w+::)*(?:Bytes|String)|\br(?:eq)?\.Body\b|ShouldBind|\.Bind(?:JSON)?\(|BodyParser|\.Body\(\)|getRequestBody|\bgetReader\(|getInputStream|readBody|\brfile\b/;
const postMark = /\bpost\b|\bPOST\b|PostMapping|\bPost\(/;

const asksWho =
  /hmac|signature|signing|signed|verif(?!y["']?\s*[=:]\s*(?:false|true)|ied|ication)|construct_?event|timing_?safe|compare_digest|constant_?time|svix|valid_?hook|is_?valid|is_?authentic|shared_?secret|webhook_?secret|x-hub|x-gitlab-token|authori[sz]ation|bearer|api_?key|authenticat|require_?auth|auth\w{0,40}\(|depends\(|secret|token|guard|allowed_?ips|digest|isEqual|unwrap_?webhook/i;
/** The same of what a handler calls: what that sends on has tokens and keys of its own. */
const asksWhoWithin =
  /hmac|timing_?safe|compare_digest|constant_?time|verify_?\w{0,40}\(|construct_?event|signature|x-hub|isEqual|ct_eq|secret\b[^\n]{0,120}[!=]==?|[!=]==?[^\n]{0,120}secret\b/i;
/** A check that holds for all routes of a file. */
const gates =
  /\.use\(\s{0,20}\w{0,60}auth|(?:FastAPI|APIRouter|Blueprint)\([^)]{0,400}(?:dependencies|before)|before_request|preHandler|onRequest|require_?auth|middleware.{0,40}auth|auth\w{0,40}middleware|http\.middleware|(?:\.use|\.Use|add_?middleware|\.wrap|\.layer|\.route_layer)\([^)]{0,400}(?:verif(?!y\s*:)|sign|hmac|auth)|\bverify:\s{0,20}\w{0,40}(?:verif|sign|hmac|check)\w*|useGlobalGuards|UseGuards/i;
const filters = /OncePerRequestFilter|HandlerInterceptor|ContainerRequestFilter|implements Filter\b/;

interface Own {
  module: SourceModule;
  fn: FunctionForm;
  owner?: ClassForm;
}

/** What is said of a function apart from its body. */
interface Said {
  route: string;
  marks: string;
  before: string;
  isRoute: boolean;
}

const classOfHooks = /hooks?(?:Controller|Resource|Handler|Servlet|Endpoint|Api)$/i;
const routerOf = /^@?(\w+)\./;
/** Names of routers that say nothing of what they are for. */
const anyRouter = /^(?:app|application|server|mcp|api|fastify|web|http|r|e|mux)$/;

const hasPath = (text: string): boolean =>
  [...text.matchAll(/["'`]([^"'`\n]*)["'`]/g)].some(([, inner = '']) => path.test(inner));

const isClassOfHooks = ({ name, marks }: ClassForm, { text }: SourceModule): boolean =>
  classOfHooks.test(name) || marks.some(({ at, end }) => hasPath(text.slice(at, end)));

const calledLimit = 30;
const callDepth = 2;
const longestCode = 20_000;

const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function functionsIn(module: SourceModule): Own[] {
  const of = (statement: Statement): Own[] => {
    if (statement.is === 'function') return [{ module, fn: statement.fn }];
    if (statement.is === 'class')
      return statement.form.methods.map((fn) => ({ module, fn, owner: statement.form }));
    if (statement.is !== 'do' || statement.value.is !== 'assign') return [];
    const { target, value } = statement.value;
    if (value.is !== 'function') return [];
    const name = target.is === 'name' ? target.name : target.is === 'member' ? target.property : '';
    return [{ module, fn: { ...value.fn, name } }];
  };
  return module.form.body.flatMap(of);
}

/** Functions that receive events of other services, and whether they ask who sent them. */
export class WebhookFinder {
  readonly #byName = new Map<string, Own[]>();
  /** Lines with the path of a webhook, by the names on them. */
  readonly #lines = new Map<string, string[]>();
  readonly #routers = new Map<SourceModule, Set<string>>();
  readonly #isFiltered: boolean;

  constructor(modules: readonly SourceModule[]) {
    for (const module of modules)
      for (const own of functionsIn(module)) {
        const name = lastOf(own.fn.name);
        const known = this.#byName.get(name) ?? [];
        if (known.length < 4) this.#byName.set(name, [...known, own]);
      }
    for (const module of modules) this.#noteLines(module);
    this.#isFiltered = modules.some(({ text }) => filters.test(text) && asksWhoWithin.test(text));
  }

  #noteLines(module: SourceModule): void {
    const routers = new Set<string>();
    this.#routers.set(module, routers);
    if (isTest(module) || !/hooks?\b/i.test(module.text)) return;
    for (const found of module.text.matchAll(pathInQuotes)) {
      if (!path.test(found[1] ?? '')) continue;
      const from = module.text.lastIndexOf('\n', found.index) + 1;
      const end = module.text.indexOf('\n', found.index);
      const line = module.text.slice(
        Math.max(from, found.index - 200),
        end < 0 ? undefined : Math.min(end, found.index + 300),
      );
      for (const [name] of line.replace(found[0], '').matchAll(/\b[A-Za-z_]\w*/g)) {
        routers.add(name);
        const lines = this.#lines.get(name) ?? [];
        if (lines.length < 4) this.#lines.set(name, [...lines, line.replace(found[0], '')]);
      }
    }
  }

  find(handlers: readonly Handler[]): Webhook[] {
    const seen = new Set<FunctionForm>();
    const found: Webhook[] = [];
    const look = (own: Own, route: string, isRoute: boolean): void => {
      if (seen.has(own.fn) || isTest(own.module)) return;
      seen.add(own.fn);
      const webhook = this.#webhookOf(own, route, isRoute);
      if (webhook !== undefined) found.push(webhook);
    };
    for (const { kind, name, fn } of handlers) {
      const owner = this.#byName.get(lastOf(fn.fn.name))?.find((own) => own.fn === fn.fn)?.owner;
      if (kind === 'http')
        look({ module: fn.module, fn: fn.fn, ...(owner !== undefined && { owner }) }, name, true);
    }
    for (const all of this.#byName.values()) for (const own of all) look(own, '', false);
    return found;
  }

  #webhookOf(own: Own, route: string, isRoute: boolean): Webhook | undefined {
    const { module, fn } = own;
    if (!isRoute && !this.#isCalledSo(own, { route, marks: '', before: '', isRoute })) return undefined;
    const text = (span: { at: number; end: number }) =>
      module.text.slice(span.at, Math.min(span.end, span.at + longestCode));
    const marks = fn.marks.map(text).join('\n');
    const whole = text(fn);
    if (!readsBody.test(whole) && !(postMark.test(marks) && fn.parameters.length > 0)) return undefined;
    const before = this.#registering(own);
    const body = this.#bodyOf(own, { route, marks, before, isRoute });
    if (body === undefined) return undefined;
    const first = Math.min(fn.at, ...fn.marks.map(({ at }) => at));
    return {
      module,
      at: first,
      end: fn.end,
      name: lastOf(fn.name) || route,
      isChecked: this.#isChecked(own, { body, marks, before }),
    };
  }

  /** What stands before a function that is written where it is registered. */
  #registering({ module, fn }: Own): string {
    if (fn.marks.length > 0 || fn.name !== '') return '';
    const before = module.text.slice(Math.max(0, fn.at - 300), fn.at);
    const found =
      /(?:\b\w+\.(?:post|all|put|use|route|POST|Post|HandleFunc|Handle|custom_route)\((?!.*\.(?:post|all|put|POST|Post)\())[^;{}]*$/.exec(
        before,
      );
    return found?.[0] ?? '';
  }

  #bodyOf(own: Own, said: Said): readonly Statement[] | undefined {
    const { module, fn } = own;
    const isWebhook = this.#isCalledSo(own, said) || (said.isRoute && this.#isWithinOne(own, said));
    if (isWebhook) return fn.body;
    return said.isRoute ? branchOf(fn.body, module.text) : undefined;
  }

  /** Its path, its name, or the line where it is registered says it. */
  #isCalledSo({ fn }: Own, { route, marks, isRoute }: Said): boolean {
    const name = lastOf(fn.name);
    if ((route.includes('/') && path.test(route)) || hasPath(marks)) return true;
    if (named.test(name) && !isForOwn.test(name)) return true;
    return name.length > 2 && this.#lines.has(name) && (isRoute || !isForOwn.test(name));
  }

  /** Its class or its router is for webhooks. */
  #isWithinOne({ module, owner }: Own, { marks, before }: Said): boolean {
    if (owner !== undefined && isClassOfHooks(owner, module)) return true;
    const router = (routerOf.exec(before) ?? routerOf.exec(marks))?.[1] ?? 'app';
    if (anyRouter.test(router)) return false;
    return /hooks?$/i.test(router) || this.#routers.get(module)?.has(router) === true;
  }

  #isChecked(
    own: Own,
    { body, marks, before }: { body: readonly Statement[]; marks: string; before: string },
  ): boolean {
    const { module, fn } = own;
    const lines = (this.#lines.get(lastOf(fn.name)) ?? []).map((line) =>
      line.replaceAll(lastOf(fn.name), ''),
    );
    const types = fn.parameters.map(
      ({ type = '', preset }) =>
        `${type.replaceAll(/\bHeaderMap\b/g, '')} ${preset === undefined ? '' : module.text.slice(preset.at, preset.end)}`,
    );
    const withoutPath = (text: string): string => text.replaceAll(/["'`][^"'`\n]*["'`]/g, '');
    const around = [withoutPath(marks), withoutPath(before), ...lines.map(withoutPath), ...types].join('\n');
    if (this.#isFiltered || asksWho.test(around) || gates.test(module.text)) return true;
    const live = liveCode(body, ({ at, end }) => module.text.slice(at, Math.min(end, at + longestCode)));
    return asksWho.test(live) || this.#isCheckedWithin(live);
  }

  #isCheckedWithin(live: string): boolean {
    let fresh = live;
    const seen = new Set<Own>();
    for (let depth = 0; depth < callDepth; depth++) {
      const called = [...new Set([...fresh.matchAll(/\b(\w+)\s*\(/g)].map(([, name = '']) => name))]
        .flatMap((name) => this.#byName.get(name) ?? [])
        .filter((own) => !seen.has(own))
        .slice(0, calledLimit);
      for (const own of called) seen.add(own);
      fresh = called
        .map(({ module, fn }) => module.text.slice(fn.at, Math.min(fn.end, fn.at + longestCode)))
        .join('\n');
      if (asksWhoWithin.test(fresh)) return true;
    }
    return false;
  }
}

/** The branch for a webhook of a function that answers every request. */
function branchOf(body: readonly Statement[], text: string): readonly Statement[] | undefined {
  for (const each of body) {
    if (each.is !== 'if') continue;
    const test = text.slice(each.test.at, each.test.end);
    if ([...test.matchAll(pathInQuotes)].some(([, inner = '']) => path.test(inner))) return each.yes;
    const within = branchOf(each.yes, text) ?? branchOf(each.no, text);
    if (within !== undefined) return within;
  }
  return undefined;
}
