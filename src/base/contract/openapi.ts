import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { badRequests, ErrorBody, type Operation, type Operations } from './operation.ts';

const errorNames: Record<number, string> = {
  400: 'Malformed JSON, or a required field is missing',
  401: 'No valid credential',
  403: 'The caller lacks the permission',
  404: 'Not found, or of another tenant',
  405: 'The path does not support this method',
  409: 'A duplicate, or a change that the current state does not allow',
  413: 'The body is too large',
  415: 'The content type is not accepted',
  422: 'A field has an invalid value',
  429: 'Too many requests; see Retry-After',
  500: 'Internal error; the service’s log has details under request_id',
  502: 'An upstream service failed',
  503: 'Shutting down or overloaded',
  504: 'An upstream service did not answer in time',
};

function errorStatuses(operation: Operation): number[] {
  const statuses = new Set<number>([...(operation.errors ?? []), 429, 500, 503]);
  if (operation.access !== 'public') statuses.add(401);
  if (operation.body !== undefined) for (const status of [400, 413, 415, 422]) statuses.add(status);
  const parts = [operation.params, operation.query, operation.headers].filter((part) => part !== undefined);
  if (parts.length > 0) statuses.add(422);
  // Parameters of the path are always there.
  if ([operation.query, operation.headers].some((part) => part?.safeParse({}).success === false))
    statuses.add(400);
  if (operation.badRequestsAre400)
    for (const status of badRequests) if (statuses.delete(status)) statuses.add(400);
  return [...statuses].sort((a, b) => a - b);
}

const security: Record<Operation['access'], Record<string, string[]>[]> = {
  public: [],
  jwt: [{ bearer: [] }],
  jwt_or_key: [{ bearer: [] }, { apiKey: [] }],
};

const describe = ({ description, keyScope }: Operation): string | undefined => {
  if (keyScope === undefined) return description;
  // The operation stays one for people: their tokens are its security, and a key is sent in their place.
  const needed = `API keys are taken with the scope \`${keyScope}\` alone.`;
  return description === undefined ? needed : `${description} ${needed}`;
};

const bodyType = ({ form, lines }: Operation) => {
  if (form) return 'multipart/form-data';
  return lines ? 'application/x-ndjson' : 'application/json';
};

const bodyContent = (operation: Operation, body: z.ZodType) =>
  operation.rows
    ? { 'application/x-ndjson': { schema: body }, 'application/json': { schema: z.array(body) } }
    : Object.fromEntries(
        [bodyType(operation), ...(operation.alsoTakes ?? [])].map((type) => [type, { schema: body }]),
      );

function toOpenApi(name: string, operation: Operation): ZodOpenApiOperationObject {
  const error = operation.errorBody ?? ErrorBody;
  const description = describe(operation);
  const { body } = operation;
  const requestParams = {
    ...(operation.params && { path: operation.params }),
    ...(operation.query && { query: operation.query }),
    ...(operation.headers && { header: operation.headers }),
  };
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description && { description }),
    security: security[operation.access],
    ...(Object.keys(requestParams).length > 0 && { requestParams }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: bodyContent(operation, body),
      },
    }),
    responses: {
      [String(operation.status ?? 200) as '200']: {
        description: 'Success',
        ...(!(operation.response instanceof z.ZodUndefined) && {
          content: { [operation.contentType ?? 'application/json']: { schema: operation.response } },
        }),
      },
      ...Object.fromEntries(
        errorStatuses(operation).map((status) => [
          String(status),
          {
            description: errorNames[status] ?? 'Error',
            content: { 'application/json': { schema: error } },
          },
        ]),
      ),
    },
  };
}

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
}

/** The OpenAPI 3.1 document of the operations, generated from the same schemas that validate requests and responses. */
export function toOpenApiDocument(operations: Operations, info: DocumentInfo) {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, operation] of Object.entries(operations)) {
    if (operation.isHidden) continue;
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase() as Lowercase<Operation['method']>] = toOpenApi(name, operation);
  }
  return createDocument({
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(operations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A JWT from /auth/login; an API key is accepted here too where keys are accepted.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  });
}
