import type { Alerts } from '#alerts/alerts.ts';
import type { PlatformContext } from '#base/context.ts';
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import type { Operation, Operations } from '#base/contract/operation.ts';
import { addDocs } from '#base/http/docs.ts';
import type { ErrorBodyOf } from '#base/http/errors.ts';
import { addMetrics } from '#base/http/metrics-route.ts';
import { mount, type Handlers, type MountOptions } from '#base/http/mount.ts';
import { createHttpServer, type HttpApp, serverSettings } from '#base/http/server.ts';
import { createRateLimits, type RateLimits } from '#base/limits/rate-limits.ts';
import type { Logger } from '#base/log/log.ts';
import { createMetrics, type Metrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';
import { countRequests, type Counted } from '#identity/count-requests.ts';
import type { Identity } from '#identity/identity.ts';

export interface ServiceContext extends PlatformContext {
  readonly identity: Identity;
  /** Absent in contexts of tests that need none. */
  readonly alerts?: Alerts | undefined;
}

export interface ServiceInfo {
  /** As in logs and metrics, such as `policy_guard`. */
  readonly name: string;
  /** Of its OpenAPI document. */
  readonly title: string;
  readonly description: string;
  /** Whether API keys are made and revoked here too. */
  readonly apiKeys: boolean;
  /** Whether it takes forms with files. */
  readonly takesFiles: boolean;
  /** Largest request body, where it is not that of the configuration. */
  readonly bodyLimitBytes?: number;
}

/** What {@link OpenService.open} answers: disposing closes the server, then what the service owns. */
export interface RunningService extends AsyncDisposable {
  readonly app: HttpApp;
}

/**
 * A service that is being wired. Open it with `await using`: where the wiring throws, what the service owns by then is
 * disposed; once it is open, whoever has the {@link RunningService} disposes it.
 */
export class OpenService implements AsyncDisposable {
  readonly app: HttpApp;
  /** Each line names the service. */
  readonly log: Logger;
  /** Undefined where metrics are off. */
  readonly metrics: Metrics | undefined;
  readonly #ctx: ServiceContext;
  readonly #info: ServiceInfo;
  /** Shared with other processes, where there are any. */
  readonly rateLimits: RateLimits;
  /** Counts a request of the caller, however they were found out. */
  readonly counted: Counted;
  readonly #described: Record<string, Operation> = {};
  readonly #owned = new AsyncDisposableStack();

  constructor(ctx: ServiceContext, info: ServiceInfo) {
    const { config, identity, clock } = ctx;
    const { name, apiKeys, takesFiles, bodyLimitBytes } = info;
    this.#ctx = ctx;
    this.#info = info;
    this.log = ctx.log.child({ service: name });
    this.metrics = config.metrics.enabled ? createMetrics(name, ctx.processMetrics) : undefined;
    this.rateLimits = ctx.rateLimits ?? createRateLimits({ clock, log: this.log });
    this.counted = countRequests(this.rateLimits, config, name);
    this.app = createHttpServer({
      service: name,
      log: this.log,
      metrics: this.metrics,
      tracing: ctx.tracing,
      ...serverSettings(config),
      ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
      ...(takesFiles && { uploadLimitBytes: config.limits.uploadBytes }),
    });
    identity.mount(this.app, { apiKeys, counted: this.counted });
    this.describe(identity.operations({ apiKeys }));
    if (ctx.alerts !== undefined) this.#addAlerts(ctx.alerts);
  }

  /** Who calls an operation; their request is counted. For doors other than HTTP, which {@link add} opens. */
  readonly authenticate: MountOptions<Caller>['authenticate'] = async (operation, headers) =>
    this.counted(await this.#ctx.identity.authenticate(operation, headers));

  /**
   * Mounts operations and describes them.
   * @param errorBodies other error bodies, by the operation's name
   */
  add<Ops extends Operations>(
    operations: Ops,
    handlers: Handlers<Ops, Caller>,
    errorBodies: { readonly [Name in keyof Ops & string]?: ErrorBodyOf } = {},
  ): void {
    const { strictAnswers } = this.#ctx;
    mount(this.app, operations, handlers, { strictAnswers, errorBodies, authenticate: this.authenticate });
    this.describe(operations);
  }

  /** Operations of the OpenAPI document that are answered by other means than {@link add}. */
  describe(operations: Operations): void {
    Object.assign(this.#described, operations);
  }

  /** Every service answers for the alerts of the tenant, and counts its own errors for them. */
  #addAlerts(alerts: Alerts): void {
    const { name } = this.#info;
    this.add(alerts.operations, alerts.handlers);
    this.app.addHook('onResponse', async (request, reply) => {
      if (reply.statusCode < 500 || request.caller === undefined) return;
      const { tenantId } = request.caller as Caller;
      alerts.count({
        tenantId,
        source: 'requests',
        subject: name,
        subjectName: this.#info.title,
        failed: true,
      });
    });
  }

  /** Disposed after the server has closed, what came last first. */
  own<Part extends AsyncDisposable | Disposable>(part: Part): Part {
    return this.#owned.use(part);
  }

  /**
   * Ends the wiring: adds what operators and readers of documents ask every service for.
   * @param doors other servers of this service, closed together with HTTP
   */
  open(doors: readonly AsyncDisposable[] = []): RunningService {
    const { app, metrics } = this;
    const { config, version } = this.#ctx;
    const { title, description } = this.#info;
    addMetrics(app, config.metrics.path, metrics);
    addDocs(app, toOpenApiDocument(this.#described, { title, description, version }));
    const owned = this.#owned.move();
    return {
      app,
      async [Symbol.asyncDispose]() {
        await Promise.all([app.close(), ...doors.map((door) => door[Symbol.asyncDispose]())]);
        await owned.disposeAsync();
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync();
  }
}

/** Begins the wiring of a service: its log, metrics and HTTP server, with signing in already mounted. */
export const openService = (ctx: ServiceContext, info: ServiceInfo): OpenService =>
  new OpenService(ctx, info);
