/** Spans of requests and of what happens in them, sent to an OpenTelemetry collector where one is configured. */
import type { IncomingHttpHeaders } from 'node:http';

/** The span of one request. */
export interface RequestTrace {
  readonly traceId: string;
  /** Runs work inside the span: spans that it opens are below it. */
  run<T>(work: () => T): T;
  end(answer: { operation: string; status: number }): void;
}

/** Adds to what the span tells. */
export type NoteAttributes = (attributes: Readonly<Record<string, string>>) => void;

export interface CallFacts {
  readonly name: string;
  readonly parent: { readonly traceparent?: unknown; readonly tracestate?: unknown };
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Tracing extends AsyncDisposable {
  /** Begins the span of a request; it continues the trace that its `traceparent` names. */
  request(facts: { service: string; method: string; headers: IncomingHttpHeaders }): RequestTrace;
  /** Runs work in a span below the one at hand. What it throws is noted and thrown on. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs a call that another party asked for in a span of its own: below the span that the party names, where it names one
   * in the form of W3C Trace Context, else below the one at hand. What it throws is noted and thrown on.
   */
  call<T>(facts: CallFacts, work: (note: NoteAttributes) => Promise<T>): Promise<T>;
  /** The span at hand, for whoever is called from here: a `traceparent` (W3C Trace Context §3.2). */
  traceparent(): string | undefined;
  /** The trace at hand: 32 hexadecimal digits. */
  traceId(): string | undefined;
}
