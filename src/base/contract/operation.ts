import { z } from 'zod';

/** Who may call an operation: anyone, a signed-in user, or a signed-in user or an API key. */
export type Access = 'public' | 'jwt' | 'jwt_or_key';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One operation of a service as a value: its route, OpenAPI entry and typed client derive from it. */
export interface Operation {
  readonly method: Method;
  /** In OpenAPI style: `/api/guards/{guard_uuid}`. */
  readonly path: `/${string}`;
  /** The last parameter of the path takes all that follows, with its slashes: names such as `owner/name`. */
  readonly takesRestOfPath?: true;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** With access `jwt`: API keys of this scope are accepted as well. */
  readonly keyScope?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers of its own, by their names as documents write them. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is a form (`multipart/form-data`) and `body` an object: a field for each part, a list for repeated ones. */
  readonly form?: true;
  /** The body is lines of JSON (`application/x-ndjson`), each of the shape `body`; handlers get them as they arrive. */
  readonly lines?: true;
  /**
   * The body consists of independent rows: lines of JSON or a JSON array, optionally gzipped. The handler gets each row
   * with its number as it arrives, not yet validated; `body` describes one row.
   */
  readonly rows?: true;
  /** The success status; default: 200. */
  readonly status?: number;
  readonly response: z.ZodType;
  /** Set for text answers; the response is then a string. */
  readonly contentType?: string;
  /** Statuses of errors beyond those that follow from access and input (400, 401, 413, 415, 422, 429, 500). */
  readonly errors?: readonly number[];
  /** Every bad request is answered 400, of whatever kind: see {@link badRequests}. */
  readonly badRequestsAre400?: true;
  /** Other content types of the body that the service reads, beside JSON. */
  readonly alsoTakes?: readonly string[];
  /** The shape of this operation's errors where it is not {@link ErrorBody}. */
  readonly errorBody?: z.ZodType;
  /** Left out of the OpenAPI document. */
  readonly isHidden?: true;
}

/** Statuses that {@link Operation.badRequestsAre400} turns into 400. */
export const badRequests = [409, 413, 415, 422] as const;

export type Operations = Readonly<Record<string, Operation>>;

/** Returns the operation with its exact type; its key in the contract object is its `operationId`. */
export const defineOperation = <const O extends Operation>(operation: O): O => operation;

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;

/** One row of a body of rows, counted from 1: its value, or why it cannot be read. */
export type BodyRow = { readonly number: number } & (
  | { readonly value: unknown }
  | { readonly problem: string }
);

/** Input of a handler, validated and with defaults filled in. */
export interface Checked<O extends Operation> {
  readonly params: OutputOf<O['params']>;
  readonly query: OutputOf<O['query']>;
  readonly headers: OutputOf<O['headers']>;
  readonly body: O['rows'] extends true
    ? AsyncIterable<readonly BodyRow[]>
    : O['lines'] extends true
      ? AsyncIterable<OutputOf<O['body']>>
      : OutputOf<O['body']>;
}

/** Return type of a handler; validated before it is sent, undeclared fields are dropped. */
export type Answer<O extends Operation> = z.input<O['response']>;

/** Response as a client receives it. */
export type Received<O extends Operation> = z.output<O['response']>;

type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };
type OptionalQuery<Q> = Q extends undefined ? undefined : object extends Q ? Q | undefined : Q;

/** Request as a client sends it: only the parts that the operation has. */
export type Sent<O extends Operation> = Present<{
  params: InputOf<O['params']>;
  headers: InputOf<O['headers']>;
  body: O extends { lines: true } | { rows: true } ? readonly InputOf<O['body']>[] : InputOf<O['body']>;
}> &
  (OptionalQuery<InputOf<O['query']>> extends undefined
    ? object
    : undefined extends OptionalQuery<InputOf<O['query']>>
      ? { query?: InputOf<O['query']> }
      : { query: InputOf<O['query']> });

/** The body of every error, unless an operation defines its own. */
export const ErrorBody = z
  .object({
    detail: z.string().meta({ description: 'Names the field and says what to do.' }),
    request_id: z
      .string()
      .optional()
      .meta({ description: 'Set on 500: find the details in the log by this id.' }),
  })
  .meta({ id: 'Error' });
