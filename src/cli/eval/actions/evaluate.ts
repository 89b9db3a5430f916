import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { filesOf, openInput } from '../inputs.ts';
import { Progress } from '../progress.ts';
import type { TraceJudge } from './judge-traces.ts';
import type { ActionEvaluation, ActionReport } from './report.ts';
import { Tally } from './tally.ts';
import { newTraceCounts, readTraces, type LabelledTrace } from './traces.ts';

interface Asked {
  path: string;
  settings: ActionReport['settings'];
  /** How many traces that were judged wrongly are kept to be shown. */
  mostMisses: number;
}

const turnMs = 25;

/** A trace that has no tool output at all is judged once, as it is. */
function sightsOf({ steps }: LabelledTrace, asked: ActionReport['settings']['outputs']): boolean[] {
  const sees = steps.some(({ toolOutput }) => toolOutput !== undefined);
  if (!sees) return asked === 'with' ? [] : [false];
  return asked === 'both' ? [true, false] : [asked === 'with'];
}

/** Reads and judges the traces of a path, until the end or the first Ctrl-C; a second one ends the process. */
export async function evaluateActions(judge: TraceJudge, asked: Asked): Promise<ActionEvaluation> {
  const inputs = filesOf(asked.path).map(openInput);
  const counts = newTraceCounts();
  const tally = new Tally(asked.mostMisses);
  const progress = new Progress(() => inputs);
  let [judged, stopped] = [0, false];
  const stop = () => (stopped = true);
  process.once('SIGINT', stop);
  try {
    let turnSince = performance.now();
    for await (const trace of readTraces(inputs, counts)) {
      if (stopped) break;
      const sights = sightsOf(trace, asked.settings.outputs);
      for (const withOutputs of sights) tally.add(trace, withOutputs, judge.judge(trace, withOutputs));
      judged += sights.length > 0 ? 1 : 0;
      progress.tick();
      if (performance.now() - turnSince < turnMs) continue;
      // Signals and the progress line have their turn.
      await yieldToEventLoop();
      turnSince = performance.now();
    }
  } finally {
    process.off('SIGINT', stop);
    progress.end();
  }
  return { settings: asked.settings, judge, tally, counts, inputs, judged, complete: !stopped };
}
