import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ErrorBody, type Operation, type Operations } from './operation.ts';

const errorNames: Record<number, string> = {
  400: 'Malformed JSON, or a required field is missing',
  401: 'No valid credential',
  403: 'The caller may not do this',
  404: 'Not found, or of another tenant',
  405: 'The path has no such method',
  409: 'A duplicate, or the present state refuses the change',
  413: 'The body is too large',
  415: 'The content type is not accepted',
  422: 'A field has an invalid value',
  429: 'Too many requests; see Retry-After',
  500: 'An error of the service; the log has more under request_id',
  502: 'An upstream failed',
  503: 'Shutting down or overloaded',
  504: 'An upstream did not answer in time',
};

function errorStatuses(operation: Operation): number[] {
  const statuses = new Set<number>([...(operation.errors ?? []), 429, 500, 503]);
  if (operation.access !== 'public') statuses.add(401);
  if (operation.body !== undefined) for (const status of [400, 413, 415, 422]) statuses.add(status);
  if (operation.query !== undefined) statuses.add(422);
  return [...statuses].sort((a, b) => a - b);
}

const security: Record<Operation['access'], Record<string, string[]>[]> = {
  public: [],
  jwt: [{ bearer: [] }],
  jwt_or_key: [{ bearer: [] }, { apiKey: [] }],
};

const bodyType = ({ form, lines }: Operation) => {
  if (form) return 'multipart/form-data';
  return lines ? 'application/x-ndjson' : 'application/json';
};

function toOpenApi(name: string, operation: Operation): ZodOpenApiOperationObject {
  const error = operation.errorBody ?? ErrorBody;
  const requestParams = {
    ...(operation.params && { path: operation.params }),
    ...(operation.query && { query: operation.query }),
  };
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    security: security[operation.access],
    ...(Object.keys(requestParams).length > 0 && { requestParams }),
    ...(operation.body && {
      requestBody: {
        required: !operation.body.safeParse(undefined).success,
        content: operation.rows
          ? {
              'application/x-ndjson': { schema: operation.body },
              'application/json': { schema: z.array(operation.body) },
            }
          : { [bodyType(operation)]: { schema: operation.body } },
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

/** The OpenAPI 3.1 document of the operations, made from the very schemas that check requests and answers. */
export function toOpenApiDocument(operations: Operations, info: DocumentInfo) {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, operation] of Object.entries(operations)) {
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
