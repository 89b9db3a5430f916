/** Results and errors of one era, as the other expects them. */
import { AppError } from '#base/errors.ts';
import { isFields, RpcError, rpcCodes, type Fields, type RpcErrorBody } from '#mcp/json-rpc.ts';
import { isCacheable, type Era } from '#mcp/protocol.ts';

/** What a client may keep: lists depend on who asks, and rules change. */
const cacheMs = 1000;

const modernOnly = ['resultType', 'ttlMs', 'cacheScope'];

/** The result as a client of the era expects it. */
export function resultFor(era: Era, method: string, result: Fields): Fields {
  if (era === 'modern')
    return {
      ...result,
      resultType: result['resultType'] ?? 'complete',
      ...(isCacheable(method) && { ttlMs: cacheMs, cacheScope: 'private' }),
    };
  const entries = Object.entries(result).filter(([key]) => !modernOnly.includes(key));
  const plain = Object.fromEntries(entries);
  // Older clients know objects alone there; the text of the result says the same.
  if ('structuredContent' in plain && !isFields(plain['structuredContent']))
    delete plain['structuredContent'];
  return plain;
}

const isBlock = (value: unknown) => isFields(value) && typeof value['type'] === 'string';

/**
 * The answer to a call of a tool, should it be one: what clients cannot read, the guards cannot either.
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

/** An error of whatever kind, for a client of the era. */
export function errorFor(era: Era, error: unknown): RpcErrorBody {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    const notFound = era === 'modern' && code === rpcCodes.resourceNotFound;
    return { code: notFound ? rpcCodes.invalidParams : code, message, ...(data !== undefined && { data }) };
  }
  if (error instanceof AppError) return { code: rpcCodes.internalError, message: error.detail };
  return { code: rpcCodes.internalError, message: 'The gateway failed. Its log has more.' };
}

const modernStatus: Readonly<Record<number, number>> = {
  [rpcCodes.methodNotFound]: 404,
  [rpcCodes.headerMismatch]: 400,
  [rpcCodes.missingClientCapability]: 400,
  [rpcCodes.unsupportedProtocolVersion]: 400,
};

/** The HTTP status of an error; what a server answered is an answer (200) unless the protocol says otherwise. */
export function statusOf(era: Era, error: unknown): number {
  if (error instanceof AppError) return [429, 503].includes(error.status) ? error.status : 200;
  if (error instanceof RpcError) return era === 'modern' ? (modernStatus[error.code] ?? 200) : 200;
  return 500;
}

/** Headers of an error, such as `Retry-After`. */
export const headersOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof AppError ? error.headers : {};
