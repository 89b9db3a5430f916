import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError, badRequest, invalid } from '../errors.ts';
import { describeIssues, isMissing } from '../contract/issues.ts';
import { sendError, type ErrorBodyOf } from './errors.ts';
import { formFields } from './forms.ts';
import type { Answer, Checked, Operation, Operations } from '../contract/operation.ts';

/** What a handler is given: the checked input, who calls, and a little of the request. */
export type HandlerInput<O extends Operation, Caller> = Checked<O> & {
  readonly caller: O['access'] extends 'public' ? Caller | undefined : Caller;
  readonly request: RequestFacts;
};

export interface RequestFacts {
  readonly id: string;
  /** The address of the peer. */
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** One handler for each operation: a missing one does not compile. */
export type Handlers<Ops extends Operations, Caller> = {
  [K in keyof Ops]: (
    input: HandlerInput<Ops[K], Caller>,
  ) => Promise<Answer<Ops[K]> | Readable> | Answer<Ops[K]>;
};

export interface MountOptions<Caller> {
  /**
   * Who calls: runs before the body is read, so that strangers cost no memory.
   * @throws AppError 401 or 403; undefined only for a public operation.
   */
  authenticate: (operation: Operation, headers: FastifyRequest['headers']) => Promise<Caller | undefined>;
  /** Refuse answers that carry a field their schema does not declare, instead of dropping it; for tests. */
  strictAnswers?: boolean;
  /** Another error body for one operation, by its name. */
  errorBodies?: Record<string, ErrorBodyOf>;
}

function check(schema: z.ZodType | undefined, input: unknown, part: string): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  const sentence = describeIssues(issues, input, part);
  throw issues.some((issue) => isMissing(issue, input)) ? badRequest(sentence) : invalid(sentence);
}

/** An empty value in a query string is as good as none. */
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
  if (!result.success) throw new Error(`${name} answered against its contract: ${result.error.message}`);
  const extra = strict ? undeclared(answer, result.data) : [];
  if (extra.length > 0) throw new Error(`${name} answered undeclared fields: ${extra.join(', ')}`);
  return result.data;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once they are known; of the type that the mounting room uses. */
    caller?: unknown;
  }
}

const emptyQuery = {};

function input(operation: Operation, request: FastifyRequest): Checked<Operation> {
  if (request.body === undefined && operation.body?.safeParse(undefined).success === false)
    throw badRequest(
      operation.form
        ? 'The request needs a form as its body, with the header Content-Type: multipart/form-data.'
        : 'The request needs a JSON body, with the header Content-Type: application/json.',
    );
  return {
    params: check(operation.params, request.params, 'path'),
    query: check(
      operation.query,
      operation.query === undefined ? emptyQuery : withoutEmpty(request.query),
      'query',
    ),
    body: check(
      operation.body,
      operation.body === undefined ? undefined : formFields(operation, request.body),
      'body',
    ),
  } as Checked<Operation>;
}

function addMethodNotAllowed(app: FastifyInstance, operations: Operations): void {
  const methods = new Map<string, string[]>();
  for (const { path, method } of Object.values(operations)) {
    const url = toFastifyPath(path);
    methods.set(url, [...(methods.get(url) ?? []), method]);
  }
  for (const [url, allowed] of methods) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method));
    const allow = allowed.join(', ');
    app.route({
      method: others,
      url,
      // Before the body is read: a wrong method is wrong whatever it carries.
      onRequest: (request) => {
        throw new AppError(
          405,
          'method_not_allowed',
          `${request.method} is not possible here; use ${allow}.`,
          {
            headers: { allow },
          },
        );
      },
      handler: () => undefined,
    });
  }
}

const toFastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

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
      url: toFastifyPath(operation.path),
      config: { operation: name },
      onRequest: async (request) => {
        request.caller = await authenticate(operation, request.headers);
      },
      ...(errorBody && {
        errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
          sendError(error, request, reply, errorBody);
        },
      }),
      handler: async (request, reply) => {
        const facts = { id: request.id, ip: request.ip, userAgent: request.headers['user-agent'] };
        const checked = input(operation, request);
        const caller = request.caller as Caller;
        const answer = await handler({ ...checked, caller, request: facts } as HandlerInput<
          Operation,
          Caller
        >);
        // An answer too long for memory: its maker writes the JSON piece by piece, in the form of the contract.
        if (answer instanceof Readable)
          return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(answer);
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
  addMethodNotAllowed(app, operations);
}
