import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { z } from 'zod';
import { AppError, badRequest } from '../errors.ts';
import { checkInput } from '../contract/check.ts';
import { badRequestError, detailBody, sendError, type ErrorBodyOf } from './errors.ts';
import { formFields } from './forms.ts';
import { linesOf } from './lines.ts';
import { rowsOf, unpacked } from './rows.ts';
import { withRequestId } from './request-id.ts';
import type { Answer, Checked, Operation, Operations } from '../contract/operation.ts';

/** Input of a handler: validated input, caller, and request metadata. */
export type HandlerInput<O extends Operation, Caller> = Checked<O> & {
  readonly caller: O['access'] extends 'public' ? Caller | undefined : Caller;
  readonly request: RequestFacts;
};

export interface RequestFacts {
  readonly id: string;
  /** The client's address. */
  readonly ip: string;
  readonly userAgent: string | undefined;
  readonly cookie: string | undefined;
  /** `Last-Event-ID` of a reconnecting reader of server-sent events. */
  readonly lastEventId: string | undefined;
}

/** A response with additional headers. */
export class AnswerWithHeaders<T> {
  readonly answer: T;
  readonly headers: Readonly<Record<string, string>>;

  constructor(answer: T, headers: Readonly<Record<string, string>>) {
    this.answer = answer;
    this.headers = headers;
  }
}

/** One handler for each operation: a missing one does not compile. */
export type Handlers<Ops extends Operations, Caller> = {
  [K in keyof Ops]: (
    input: HandlerInput<Ops[K], Caller>,
  ) =>
    | Promise<Answer<Ops[K]> | AnswerWithHeaders<Answer<Ops[K]>> | Readable>
    | Answer<Ops[K]>
    | AnswerWithHeaders<Answer<Ops[K]>>;
};

export interface MountOptions<Caller> {
  /**
   * Authenticates before the body is read, so that unauthenticated callers cost no memory.
   * @throws AppError 401 or 403; undefined only for a public operation.
   */
  authenticate: (operation: Operation, headers: FastifyRequest['headers']) => Promise<Caller | undefined>;
  /** Fail on undeclared response fields instead of dropping them; for tests. */
  strictAnswers?: boolean;
  /** Another error body for one operation, by its name. */
  errorBodies?: Readonly<Record<string, ErrorBodyOf | undefined>>;
}

const check = (schema: z.ZodType | undefined, input: unknown, part: string): unknown =>
  schema === undefined ? undefined : checkInput(schema, input, part);

/** An empty query parameter counts as absent. */
const withoutEmpty = (query: unknown) =>
  Object.fromEntries(Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== ''));

/** Paths of fields that `raw` has and `checked` lost. */
function undeclared(raw: unknown, checked: unknown, path = ''): string[] {
  if (typeof raw !== 'object' || raw === null || typeof checked !== 'object' || checked === null) return [];
  return Object.entries(raw).flatMap(([key, value]) =>
    value !== undefined && !(key in checked)
      ? [`${path}${key}`]
      : undeclared(value, (checked as Record<string, unknown>)[key], `${path}${key}.`),
  );
}

function checkAnswer(name: string, operation: Operation, answer: unknown, strict: boolean): unknown {
  const result = operation.response.safeParse(answer);
  if (!result.success)
    throw new Error(`${name} returned a response that violates its contract: ${result.error.message}`);
  const extra = strict ? undeclared(answer, result.data) : [];
  if (extra.length > 0) throw new Error(`${name} returned undeclared fields: ${extra.join(', ')}`);
  return result.data;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once authenticated; its type is set by the mounting service. */
    caller?: unknown;
  }
}

const emptyQuery = {};

function input(operation: Operation, request: FastifyRequest): Checked<Operation> {
  if (request.body === undefined && !operation.rows && operation.body?.safeParse(undefined).success === false)
    throw badRequest(
      operation.form
        ? 'The request needs a form as its body, with the header Content-Type: multipart/form-data.'
        : 'The request needs a JSON body, with the header Content-Type: application/json.',
    );
  return {
    params: check(operation.params, paramsOf(operation, request), 'path'),
    query: check(
      operation.query,
      operation.query === undefined ? emptyQuery : withoutEmpty(request.query),
      'query',
    ),
    headers: check(operation.headers, headersOf(operation, request), 'header'),
    body: bodyOf(operation, request.body),
  } as Checked<Operation>;
}

function paramsOf({ path, takesRestOfPath }: Operation, { params }: FastifyRequest): unknown {
  if (!takesRestOfPath) return params;
  const { '*': rest, ...others } = params as Record<string, string>;
  return { ...others, [lastParameter.exec(path)?.[1] ?? '']: rest };
}

/** Those that the operation names, under the names that it gives them. */
const headersOf = ({ headers: schema }: Operation, { headers }: FastifyRequest) =>
  Object.fromEntries(
    Object.keys(schema?.shape ?? {}).flatMap((name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );

function factsOf({ id, ip, headers }: FastifyRequest): RequestFacts {
  const lastEventId = headers['last-event-id'];
  return {
    id,
    ip,
    userAgent: headers['user-agent'],
    cookie: headers.cookie,
    lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
  };
}

/** Of a body of rows, unpacked: a small packed body can hold a lot of work. */
const rowsLimits = { bytes: 256 * 1024 * 1024, rows: 1_000_000 } as const;

function bodyOf(operation: Operation, body: unknown): unknown {
  if (operation.body === undefined) return undefined;
  if (operation.rows) return rowsOf(body, rowsLimits);
  if (operation.lines) return linesOf(body, operation.body);
  return check(operation.body, formFields(operation, body), 'body');
}

/** Time the client has to stop sending after the response. */
const unreadMs = 10_000;

function endUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    // Process data already received first, in case the event loop was blocked.
    const close = () => setImmediate(() => raw.destroy());
    if (!raw.complete) setTimeout(close, unreadMs).unref();
  });
}

interface Allowed {
  readonly methods: string[];
  readonly errorBody: ErrorBodyOf | undefined;
}

/**
 * Adds a 405 for each other method of the operations' paths.
 * @param errorBodies of operations, by their names; a path answers as its first operation does
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  operations: Operations,
  errorBodies: NonNullable<MountOptions<unknown>['errorBodies']> = {},
): void {
  const paths = new Map<string, Allowed>();
  for (const [name, operation] of Object.entries(operations)) {
    const { method } = operation;
    const url = toFastifyPath(operation);
    const known = paths.get(url);
    if (known === undefined) paths.set(url, { methods: [method], errorBody: errorBodies[name] });
    else known.methods.push(method);
  }
  for (const [url, { methods, errorBody }] of paths) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method));
    const allow = methods.join(', ');
    app.route({
      method: others,
      url,
      // Before the body is read: the method alone is wrong.
      onRequest: (request) => {
        throw new AppError(
          405,
          'method_not_allowed',
          `${request.method} is not allowed on this path; use ${allow}.`,
          {
            headers: { allow },
          },
        );
      },
      ...(errorBody !== undefined && {
        errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
          sendError(error, request, reply, errorBody);
        },
      }),
      handler: () => undefined,
    });
  }
}

const lastParameter = /\{(\w+)\}$/;

const toFastifyPath = ({ path, takesRestOfPath }: Operation) =>
  (takesRestOfPath ? path.replace(lastParameter, '*') : path).replace(/\{(\w+)\}/g, ':$1');

/** Adds a route for each operation, and a 405 for each other method of their paths. */
export function mount<Ops extends Operations, Caller>(
  app: FastifyInstance,
  operations: Ops,
  handlers: Handlers<Ops, Caller>,
  options: MountOptions<Caller>,
): void {
  const { authenticate, strictAnswers = false, errorBodies = {} } = options;
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller');
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const handler = handlers[name] as unknown as (input: HandlerInput<Operation, Caller>) => unknown;
    const errorBody = errorBodies[name];
    const status = operation.status ?? 200;
    app.route({
      method: operation.method,
      url: toFastifyPath(operation),
      config: {
        operation: name,
        streamsIn: operation.lines === true || operation.rows === true,
        takesForm: operation.form === true,
      },
      onRequest: async (request) => {
        request.caller = await authenticate(operation, request.headers);
      },
      ...(operation.rows && {
        preParsing: async (request: FastifyRequest, _reply: FastifyReply, payload: RequestPayload) =>
          unpacked(request, payload),
      }),
      ...((errorBody ?? operation.badRequestsAre400) && {
        errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
          const told = operation.badRequestsAre400 ? badRequestError(error, request) : error;
          sendError(told, request, reply, errorBody ?? detailBody);
        },
      }),
      handler: async (request, reply) => {
        const facts = factsOf(request);
        const checked = input(operation, request);
        const caller = request.caller as Caller;
        if (operation.lines || operation.rows) endUnread(request, reply);
        const given = { ...checked, caller, request: facts } as HandlerInput<Operation, Caller>;
        const { trace } = request;
        const handled = await withRequestId(request.id, () =>
          trace === undefined ? handler(given) : trace.run(() => handler(given)),
        );
        const answer = handled instanceof AnswerWithHeaders ? (handled.answer as unknown) : handled;
        if (handled instanceof AnswerWithHeaders) void reply.headers(handled.headers);
        // A streamed response, too long for memory or endless: its handler ensures that it matches the contract.
        if (answer instanceof Readable)
          return (
            reply
              .code(status)
              .header('content-type', operation.contentType ?? 'application/json; charset=utf-8')
              // Keep proxies from buffering events.
              .header('x-accel-buffering', 'no')
              .send(answer)
          );
        const body = checkAnswer(name, operation, answer, strictAnswers);
        if (operation.contentType !== undefined)
          return reply.code(status).header('content-type', operation.contentType).send(body);
        return reply
          .code(status)
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(body));
      },
    });
  }
  refuseOtherMethods(app, operations, errorBodies);
}
