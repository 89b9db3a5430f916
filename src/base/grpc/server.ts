/** A gRPC server for operations of a contract, with reflection and the standard health service. */
import {
  loadPackageDefinition,
  logVerbosity,
  Server,
  setLogVerbosity,
  type handleUnaryCall,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { protoPath as healthProto } from 'grpc-health-check';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformConfig } from '../config/platform.ts';
import { checkInput } from '../contract/check.ts';
import type { Answer, Checked, Operation } from '../contract/operation.ts';
import type { ListenSettings } from '../http/listen.ts';
import type { Logger } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Readiness } from '../readiness/readiness.ts';
import { Admission } from './admission.ts';
import { bind } from './bind.ts';
import { addHealth } from './health.ts';
import { serverCredentials } from './credentials.ts';
import { reflectable } from './reflection.ts';
import { toAppError, toStatus } from './status.ts';
import { streaming, type GrpcStreamMethod } from './stream-method.ts';

/** An operation of the contract as a unary method: with the same access rules and validation. */
export interface GrpcMethod<O extends Operation, Caller> {
  readonly operation: O;
  readonly handle: (call: {
    readonly body: Checked<O>['body'];
    readonly caller: Caller;
    readonly requestId: string;
    /** Aborted at the caller's deadline or when it disconnects. */
    readonly signal: AbortSignal;
  }) => Promise<Answer<O>>;
}

/** Keeps the types of a method's operation. */
export const grpcMethod = <O extends Operation, Caller>(
  method: GrpcMethod<O, Caller>,
): GrpcMethod<Operation, Caller> => method as unknown as GrpcMethod<Operation, Caller>;

export interface GrpcSettings<Caller> {
  readonly protoFile: string;
  /** With its package: `bulwark.topicguard.v1.TopicGuardService`. */
  readonly serviceName: string;
  /** By their names in the proto file. */
  readonly methods: Readonly<Record<string, GrpcMethod<Operation, Caller> | GrpcStreamMethod<Caller>>>;
  readonly config: PlatformConfig['grpc'];
  readonly maxMessageBytes: number;
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  readonly authenticate: (operation: Operation, headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
}

export interface GrpcServer extends AsyncDisposable {
  /**
   * Starts to listen.
   * @param readiness state for the health service; default: always serving
   * @returns `host:port` with the real port.
   * @throws StartupError if the port or address is unavailable, or the certificate unusable.
   */
  listen(settings: ListenSettings, readiness?: Readiness): Promise<string>;
  /** How many calls have come, but for those that ask how the server is. */
  readonly asked: number;
}

/** Keep field names as in the proto file, which are those of the wire. */
const loading = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };

/** Time for calls in flight at shutdown. */
const graceMs = 10_000;

const maxStreamsOfConnection = 256;
/** Total size of names and values; ours are a credential and an id. */
const maxMetadataBytes = 16 * 1024;

/** A gRPC server, created by `listen`. Disposing it first finishes calls in flight. */
export function createGrpcServer<Caller>(settings: GrpcSettings<Caller>): GrpcServer {
  let running: (AsyncDisposable & { admission: Admission<Caller> }) | undefined;
  return {
    get asked() {
      return running?.admission.asked ?? 0;
    },
    async listen(where, readiness) {
      const credentials = serverCredentials(settings.config);
      const { server, stop, admission } = build(settings, readiness);
      let port: number;
      try {
        port = await bind(server, credentials, where);
      } catch (error) {
        await stop();
        throw error;
      }
      running = { admission, [Symbol.asyncDispose]: stop };
      const host = where.host.includes(':') ? `[${where.host}]` : where.host;
      return `${host}:${port}`;
    },
    [Symbol.asyncDispose]: async () => running?.[Symbol.asyncDispose](),
  };
}

function build<Caller>(
  settings: GrpcSettings<Caller>,
  readiness: Readiness | undefined,
): { server: Server; stop: () => Promise<void>; admission: Admission<Caller> } {
  const { serviceName, methods, log } = settings;
  // Silence the library's console output; relevant problems are returned as errors.
  setLogVerbosity(logVerbosity.NONE);
  const operations = new Map(
    Object.entries(methods).map(([name, { operation }]) => [`/${serviceName}/${name}`, operation]),
  );
  const admission = new Admission<Caller>({
    log,
    metrics: settings.metrics,
    authenticate: (path, headers) => {
      const operation = operations.get(path);
      return operation && settings.authenticate(operation, headers).then((caller) => ({ caller }));
    },
  });
  const server = new Server({
    interceptors: [admission.interceptor],
    'grpc.max_receive_message_length': settings.maxMessageBytes,
    'grpc.max_concurrent_streams': maxStreamsOfConnection,
    'grpc.max_metadata_size': maxMetadataBytes,
    // Drops clients that disappeared.
    'grpc.keepalive_time_ms': 60_000,
  });
  const definition = loadSync(settings.protoFile, loading);
  server.addService(
    serviceOf(definition, serviceName),
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        'serve' in method ? streaming(method, admission, log) : unary(method, admission, log),
      ]),
    ),
  );
  const health = addHealth(server, ['', serviceName], readiness);
  new ReflectionService(reflectable({ ...definition, ...loadSync(healthProto, loading) })).addToServer(
    server,
  );

  return {
    server,
    admission,
    async stop() {
      health.stop();
      admission.endStreams();
      const ended = new Promise<void>((resolve) => {
        server.tryShutdown(() => resolve());
      });
      const late = new AbortController();
      await Promise.race([ended, sleep(graceMs, undefined, { signal: late.signal })]);
      late.abort();
      server.forceShutdown();
    },
  };
}

function unary<Caller>(
  { operation, handle }: GrpcMethod<Operation, Caller>,
  admission: Admission<Caller>,
  log: Logger,
): handleUnaryCall<unknown, unknown> {
  async function respond(call: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) {
    const { caller, requestId } = admission.admitted(call.metadata);
    const gone = new AbortController();
    call.once('cancelled', () => gone.abort());
    let answer: unknown;
    try {
      const body = operation.body && checkInput(operation.body, call.request, 'request');
      answer = await handle({ body, caller: caller as Caller, requestId, signal: gone.signal });
    } catch (thrown) {
      // The caller is gone; the error only ended the work.
      if (gone.signal.aborted) return;
      const error = toAppError(thrown);
      if (error.status >= 500)
        log.error({ request_id: requestId, err: error.cause ?? error, code: error.code }, error.detail);
      done(toStatus(error, requestId));
      return;
    }
    done(null, answer);
  }
  return (call, done) => {
    void respond(call, done);
  };
}

function serviceOf(definition: ReturnType<typeof loadSync>, serviceName: string): ServiceDefinition {
  let found: unknown = loadPackageDefinition(definition);
  for (const part of serviceName.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
  const { service } = found as { service: ServiceDefinition };
  return service;
}
