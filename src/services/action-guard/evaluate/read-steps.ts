/** The steps of a trace as the engine reads them. */
import { LRUCache } from 'lru-cache';
import { keptOn } from '#engine/actions/calls/kept-on.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import { readStep, type WireStep } from './trace-step.ts';

/** Reads the steps of a question of the session. */
export type ReadSteps = (sessionId: string, sent: readonly WireStep[]) => readonly TraceStep[];

const readings = keptOn<WireStep, TraceStep>();

/**
 * A step as the engine reads it. Callers of this process send the same steps again with each action: they keep it, also
 * where older steps of their session have been dropped.
 */
function readOnce(sent: WireStep): TraceStep {
  const known = readings.get(sent);
  if (known !== undefined) return known;
  const read = readStep(sent);
  readings.set(sent, read);
  return read;
}

export const readSteps: ReadSteps = (_, sent) => sent.map(readOnce);

/** Sessions whose last trace is held: they live on in their gateways for an hour in any case. */
const mostSessions = 32;

/**
 * For callers that send steps of a session again as the same objects. What a trace has in common with the one before it is
 * not looked at again: two hundred steps are two hundred places in memory.
 */
export function createReadSteps(): ReadSteps {
  const last = new LRUCache<
    string,
    { readonly sent: readonly WireStep[]; readonly read: readonly TraceStep[] }
  >({ max: mostSessions });
  return (sessionId, sent) => {
    const before = last.get(sessionId);
    let same = 0;
    if (before !== undefined) while (same < sent.length && sent[same] === before.sent[same]) same++;
    const read = before?.read.slice(0, same) ?? [];
    for (let at = same; at < sent.length; at++) read.push(readOnce(sent[at] as WireStep));
    last.set(sessionId, { sent, read });
    return read;
  };
}
