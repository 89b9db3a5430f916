/** Spans of requests and their steps, exported to an OpenTelemetry collector if configured. */
import type { IncomingHttpHeaders } from 'node:http';

/** The span of one request. */
export interface RequestTrace {
  readonly traceId: string;
  /** Runs work inside the span, as parent of the spans it opens. */
  run<T>(work: () => T): T;
  end(answer: { operation: string; status: number }): void;
}

/** Adds attributes to the span. */
export type NoteAttributes = (attributes: Readonly<Record<string, string>>) => void;

export interface CallFacts {
  readonly name: string;
  readonly parent: { readonly traceparent?: unknown; readonly tracestate?: unknown };
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Tracing extends AsyncDisposable {
  /** Begins the span of a request; it continues the trace of its `traceparent`. */
  request(facts: { service: string; method: string; headers: IncomingHttpHeaders }): RequestTrace;
  /** Runs work in a child span. Errors are recorded and rethrown. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs a call on behalf of another party in its own span: a child of the span that the party names
   * (W3C Trace Context), else of the current one. Errors are recorded and rethrown.
   */
  call<T>(facts: CallFacts, work: (note: NoteAttributes) => Promise<T>): Promise<T>;
  /** The current span as `traceparent` (W3C Trace Context §3.2), for outgoing calls. */
  traceparent(): string | undefined;
  /** The current trace id: 32 hexadecimal digits. */
  traceId(): string | undefined;
}
