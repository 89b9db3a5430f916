import type { PlatformConfig } from '../config/platform.ts';
import type { Logger } from '../log/log.ts';
import type { Tracing } from './tracing.ts';

/** Undefined unless `otlp.endpoint` is set; OpenTelemetry is then not even loaded. */
export async function openTracing(
  otlp: PlatformConfig['otlp'],
  { version, log }: { version: string; log: Logger },
): Promise<Tracing | undefined> {
  if (otlp.endpoint === undefined) return undefined;
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({ ...otlp, endpoint: otlp.endpoint, version, log });
}
