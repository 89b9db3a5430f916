/** JSON-RPC 2.0 as the Model Context Protocol uses it. */
import { deepestJson, nestsTooDeep } from '#base/json-depth.ts';

export type RequestId = string | number;
export type Fields = Record<string, unknown>;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Fields;
}

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Fields;
}

export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface RpcSuccess {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: Fields;
}

export interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: RpcErrorBody;
}

export type RpcResponse = RpcSuccess | RpcFailure;
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Used by older protocol revisions; newer ones use invalidParams. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

/** A JSON-RPC error that may be forwarded to the other side unchanged. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }

  get body(): RpcErrorBody {
    return { code: this.code, message: this.message, ...(this.data !== undefined && { data: this.data }) };
  }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The field if it is an object, else an empty object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const isId = (value: unknown): value is RequestId =>
  typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));

const isErrorBody = (value: unknown): value is RpcErrorBody =>
  isFields(value) && typeof value['code'] === 'number' && typeof value['message'] === 'string';

/** Parses untrusted JSON. Throws SyntaxError if invalid, RangeError if nested too deeply. */
export function parseJson(text: string): unknown {
  if (nestsTooDeep(text)) throw new RangeError(`JSON that nests deeper than ${deepestJson} levels`);
  return JSON.parse(text);
}

/** Parses the value as a message; undefined if it is not one. */
export function asMessage(value: unknown): RpcMessage | undefined {
  if (!isFields(value) || value['jsonrpc'] !== '2.0') return undefined;
  return typeof value['method'] === 'string' ? asCall(value) : asResponse(value);
}

function asCall(value: Fields): RpcRequest | RpcNotification | undefined {
  const { id, params } = value;
  if (params !== undefined && !isFields(params)) return undefined;
  if (id === undefined) return value as unknown as RpcNotification;
  return isId(id) ? (value as unknown as RpcRequest) : undefined;
}

function asResponse({ id, result, error }: Fields): RpcResponse | undefined {
  if (isFields(result) && isId(id)) return { jsonrpc: '2.0', id, result };
  if (isErrorBody(error) && (id === null || id === undefined || isId(id)))
    return { jsonrpc: '2.0', id: id ?? null, error };
  return undefined;
}

export const isRequest = (message: RpcMessage): message is RpcRequest =>
  'method' in message && 'id' in message;
export const isNotification = (message: RpcMessage): message is RpcNotification =>
  'method' in message && !('id' in message);
export const isResponse = (message: RpcMessage): message is RpcResponse => !('method' in message);

export const success = (id: RequestId, result: Fields): RpcSuccess => ({ jsonrpc: '2.0', id, result });
export const failure = (id: RequestId | null, error: RpcErrorBody): RpcFailure => ({
  jsonrpc: '2.0',
  id,
  error,
});
export const notification = (method: string, params?: Fields): RpcNotification => ({
  jsonrpc: '2.0',
  method,
  ...(params !== undefined && { params }),
});
