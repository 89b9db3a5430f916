/** Around every call: authentication, the log line, the metric, and shutdown. */
import type { IncomingHttpHeaders } from 'node:http';
import { ServerInterceptingCall, status, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';
import { unavailable } from '../errors.ts';
import { requestId } from '../http/request-id.ts';
import type { Logger } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { toAppError, toStatus } from './status.ts';

export interface AdmissionSettings<Caller> {
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  /**
   * Authenticates the caller of a method; undefined for a public method.
   * @throws AppError 401, 403 or 429.
   */
  readonly authenticate: (
    path: string,
    headers: IncomingHttpHeaders,
  ) => Promise<{ caller: Caller | undefined }> | undefined;
}

const credentialNames = ['authorization', 'x-api-key'] as const;

function headersOf(metadata: Metadata): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const name of credentialNames) {
    const values = metadata.get(name);
    if (values.length > 0) headers[name] = values.join(',');
  }
  return headers;
}

/** The corresponding HTTP status, so that metrics of both protocols can be compared. */
const httpStatus: Partial<Record<status, number>> = {
  [status.OK]: 200,
  [status.CANCELLED]: 499,
  [status.INVALID_ARGUMENT]: 422,
  [status.DEADLINE_EXCEEDED]: 504,
  [status.NOT_FOUND]: 404,
  [status.PERMISSION_DENIED]: 403,
  [status.RESOURCE_EXHAUSTED]: 429,
  [status.FAILED_PRECONDITION]: 409,
  [status.UNIMPLEMENTED]: 501,
  [status.UNAVAILABLE]: 503,
  [status.UNAUTHENTICATED]: 401,
};

/** Authenticates before reading the message, so that unauthenticated callers cost no memory. */
export class Admission<Caller> {
  readonly #settings: AdmissionSettings<Caller>;
  readonly #admitted = new WeakMap<Metadata, { caller: Caller | undefined; requestId: string }>();
  /** Ends each open stream. */
  readonly #streams = new Set<() => void>();
  #asked = 0;

  constructor(settings: AdmissionSettings<Caller>) {
    this.#settings = settings;
  }

  /** Calls received so far, health checks excluded. */
  get asked(): number {
    return this.#asked;
  }

  /** Caller and request id determined before the method ran. */
  admitted(metadata: Metadata): { caller: Caller | undefined; requestId: string } {
    return this.#admitted.get(metadata) ?? { caller: undefined, requestId: '' };
  }

  /** Ends long-lived streams: health and reflection. */
  endStreams(): void {
    for (const end of this.#streams) end();
  }

  readonly interceptor: ServerInterceptor = ({ path, responseStream }, call) => {
    const startMs = performance.now();
    if (!path.startsWith('/grpc.health.')) this.#asked += 1;
    let id = '';
    let hasEnded = false;
    const over = (code: status) => {
      if (hasEnded) return;
      hasEnded = true;
      this.#streams.delete(end);
      this.#observe(path, id, code, startMs);
    };
    const refuse = (error: unknown) => {
      const refusal = toStatus(toAppError(error), id);
      over(refusal.code);
      call.sendStatus(refusal);
    };
    const end = () => refuse(unavailable('The service is shutting down.'));
    if (responseStream) this.#streams.add(end);
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, forward) => {
            id = requestId(metadata.get('x-request-id')[0]?.toString());
            const asking = this.#settings.authenticate(path, headersOf(metadata));
            if (asking === undefined) {
              forward(metadata);
              return;
            }
            asking.then(({ caller }) => {
              this.#admitted.set(metadata, { caller, requestId: id });
              forward(metadata);
            }, refuse);
          },
          onCancel() {
            const isLate = Number(call.getDeadline()) <= Date.now();
            over(isLate ? status.DEADLINE_EXCEEDED : status.CANCELLED);
          },
        });
      },
      sendStatus(answer, next) {
        over(answer.code ?? status.UNKNOWN);
        next(answer);
      },
    });
  };

  #observe(path: string, id: string, code: status, startMs: number): void {
    const { log, metrics } = this.#settings;
    const ms = performance.now() - startMs;
    const operation = path.slice(path.lastIndexOf('/') + 1);
    metrics?.observeRequest({
      operation,
      method: 'gRPC',
      status: httpStatus[code] ?? 500,
      seconds: ms / 1000,
    });
    log.info(
      { request_id: id, method: 'gRPC', path, status: status[code], ms: Math.round(ms * 100) / 100 },
      'request',
    );
  }
}
