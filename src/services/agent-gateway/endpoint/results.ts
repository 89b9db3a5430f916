/** Converts results and errors between the eras. */
import { AppError } from '#base/errors.ts';
import { isFields, RpcError, rpcCodes, type Fields, type RpcErrorBody } from '#mcp/json-rpc.ts';
import { isCacheable, type Era } from '#mcp/protocol.ts';

/** Cache directives of results: lists depend on the caller, and access rules can change. */
const cacheMs = 1000;

const modernOnly = ['resultType', 'ttlMs', 'cacheScope'];

/** The result in the format of the client's era. */
export function resultFor(era: Era, method: string, result: Fields): Fields {
  if (era === 'modern')
    return {
      ...result,
      resultType: result['resultType'] ?? 'complete',
      ...(isCacheable(method) && { ttlMs: cacheMs, cacheScope: 'private' }),
    };
  const entries = Object.entries(result).filter(([key]) => !modernOnly.includes(key));
  const plain = Object.fromEntries(entries);
  // Legacy clients accept only objects there; the text content contains the same.
  if ('structuredContent' in plain && !isFields(plain['structuredContent']))
    delete plain['structuredContent'];
  return plain;
}

const isBlock = (value: unknown) => isFields(value) && typeof value['type'] === 'string';

/**
 * Checks that a response is a valid tool result: what clients cannot read, the guards cannot check.
 * @throws RpcError
 */
export function soundToolResult(result: Fields): Fields {
  const { resultType = 'complete', content, task } = result;
  if (resultType !== 'complete' || isFields(task)) return result;
  if (Array.isArray(content) && content.every(isBlock)) return result;
  throw new RpcError(
    rpcCodes.internalError,
    'The MCP server answered something that is no result of a tool.',
  );
}

/** Any error as a JSON-RPC error for a client of the era. */
export function errorFor(era: Era, error: unknown): RpcErrorBody {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    const notFound = era === 'modern' && code === rpcCodes.resourceNotFound;
    return { code: notFound ? rpcCodes.invalidParams : code, message, ...(data !== undefined && { data }) };
  }
  if (error instanceof AppError) return { code: rpcCodes.internalError, message: error.detail };
  return { code: rpcCodes.internalError, message: 'Internal error of the gateway. See its log.' };
}

const modernStatus: Readonly<Record<number, number>> = {
  [rpcCodes.methodNotFound]: 404,
  [rpcCodes.headerMismatch]: 400,
  [rpcCodes.missingClientCapability]: 400,
  [rpcCodes.unsupportedProtocolVersion]: 400,
};

/** The HTTP status of an error. Errors reported by servers are responses (200) unless the protocol says otherwise. */
export function statusOf(era: Era, error: unknown): number {
  if (error instanceof AppError) return [429, 503].includes(error.status) ? error.status : 200;
  if (error instanceof RpcError) return era === 'modern' ? (modernStatus[error.code] ?? 200) : 200;
  return 500;
}

/** Headers of an error, such as `Retry-After`. */
export const headersOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof AppError ? error.headers : {};
