import { readDataSets } from '#engine/model-scan/data-sets.ts';
import type { Fault } from '#services/model-scan/scripted-target/faults.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';
import { stopSignal } from '../stop-signal.ts';

export interface TargetOptions {
  persona: string;
  fault?: Fault;
  port: number;
  latency: number;
  givesInAt: number;
  givesInAfter: number;
}

/** Serves a scripted model until it is told to stop. */
export async function serveTarget({ latency, ...options }: TargetOptions): Promise<void> {
  const cases = [...readDataSets().values()].flatMap((set) => set.cases);
  await using target = await startScriptedTarget({ ...options, cases, latencyMs: latency });
  console.log(`${target.url}\nAny key and model name are taken. Ctrl+C ends it.`);
  await stopSignal();
}
