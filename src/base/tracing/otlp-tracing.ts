import {
  createTraceState,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Secret } from '../config/secret.ts';
import type { Logger } from '../log/log.ts';
import { readTraceparent } from './traceparent.ts';
import type { CallFacts, NoteAttributes, RequestTrace, Tracing } from './tracing.ts';

interface OtlpSettings {
  readonly endpoint: string;
  readonly headers: Secret | undefined;
  readonly samplePercent: number;
  readonly version: string;
  readonly log: Logger;
}

/** Timeout of the final export at shutdown. */
const exportTimeoutMs = 5000;

/** `name=value,name=value`, with percent-encoded values, the format of OTEL_EXPORTER_OTLP_HEADERS. */
function headersFrom(secret: Secret | undefined): Record<string, string> {
  const pairs = (secret?.reveal() ?? '').split(',').map((pair) => pair.split(/=(.*)/s));
  const named = pairs.filter(([name, value]) => name !== undefined && value !== undefined);
  return Object.fromEntries(
    named.map(([name = '', value = '']) => [name.trim(), decodeURIComponent(value.trim())]),
  );
}

/** The caller's trace context, if valid. */
function callersContext(
  { traceparent, tracestate }: { readonly traceparent?: unknown; readonly tracestate?: unknown },
  otherwise: Context = ROOT_CONTEXT,
): Context {
  const parent = typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined;
  if (parent === undefined) return otherwise;
  const state = typeof tracestate === 'string' ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, ...state, isRemote: true });
}

function fail(span: Span, error: unknown): void {
  // The message may quote judged content, so it is omitted.
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' });
}

/** Exports spans in batches over OTLP/HTTP; if the collector is down only spans are lost. */
export function createOtlpTracing(settings: OtlpSettings): Tracing {
  const { log } = settings;
  diag.setLogger(
    {
      error: (message) => log.warn(`spans could not be sent: ${message}`),
      warn: (message) => log.warn(`tracing: ${message}`),
      info: () => {},
      debug: () => {},
      verbose: () => {},
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return new OtlpTracing(settings);
}

class OtlpTracing implements Tracing {
  readonly #log: Logger;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #contexts = new AsyncLocalStorageContextManager();

  constructor({ endpoint, headers, samplePercent, version, log }: OtlpSettings) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: headersFrom(headers),
      timeoutMillis: exportTimeoutMs,
    });
    this.#log = log;
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'bulwark', 'service.version': version }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplePercent / 100) }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          scheduledDelayMillis: 1000,
          exportTimeoutMillis: exportTimeoutMs,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('bulwark', version);
    this.#contexts.enable();
  }

  request({ service, method, headers: sent }: Parameters<Tracing['request']>[0]): RequestTrace {
    const { traceparent, tracestate } = sent;
    const parent = callersContext({ traceparent, tracestate });
    const span = this.#tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'bulwark.service': service } },
      parent,
    );
    const context = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      run: (work) => this.#contexts.with(context, work),
      end({ operation, status }) {
        span.updateName(`${service}.${operation}`);
        span.setAttributes({ 'bulwark.operation': operation, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  async span<T>(name: string, work: () => Promise<T>): Promise<T> {
    const parent = this.#contexts.active();
    return this.#within(this.#tracer.startSpan(name, {}, parent), parent, work);
  }

  async call<T>(
    { name, parent: named, attributes }: CallFacts,
    work: (note: NoteAttributes) => Promise<T>,
  ): Promise<T> {
    const parent = callersContext(named, this.#contexts.active());
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    return this.#within(span, parent, () => work((more) => void span.setAttributes(more)));
  }

  traceparent(): string | undefined {
    const span = trace.getSpanContext(this.#contexts.active());
    return span && `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 1).toString().padStart(2, '0')}`;
  }

  traceId(): string | undefined {
    return trace.getSpanContext(this.#contexts.active())?.traceId;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#provider.shutdown().catch((err: unknown) => {
      this.#log.warn({ err }, 'the last spans could not be sent');
    });
    this.#contexts.disable();
  }

  async #within<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#contexts.with(trace.setSpan(parent, span), work);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }
}
