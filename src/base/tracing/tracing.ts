/** Spans of requests and of what happens in them, sent to an OpenTelemetry collector where one is configured. */
import type { IncomingHttpHeaders } from 'node:http';

/** The span of one request. */
export interface RequestTrace {
  readonly traceId: string;
  /** Runs work inside the span: spans that it opens are below it. */
  run<T>(work: () => T): T;
  end(answer: { operation: string; status: number }): void;
}

export interface Tracing extends AsyncDisposable {
  /** Begins the span of a request; it continues the trace that its `traceparent` names. */
  request(facts: { service: string; method: string; headers: IncomingHttpHeaders }): RequestTrace;
  /** Runs work in a span below the one at hand. What it throws is noted and thrown on. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The trace at hand: 32 hexadecimal digits. */
  traceId(): string | undefined;
}
