import type { ToolRule } from './catalogue.ts';
import type { Matcher, Signal } from './matcher.ts';
import type { Dimension } from './telemetry.ts';

/** Silence of so long ends a session. */
export const silenceMs = 30 * 60_000;
/** A connection so soon after packing or encoding counts as one action. */
const egressMs = 30_000;

/** What a session needs to know of an event. */
export interface SessionEvent {
  readonly key: string;
  readonly atMs: number;
  readonly dimension: Dimension;
  readonly processUid: string;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly inbound?: boolean | undefined;
  readonly filePath?: string | undefined;
  readonly providerId?: string | undefined;
  readonly tags: readonly string[];
}

export type DetectionMode = 'process' | 'cli' | 'network' | 'dns' | 'composite';

export interface Session {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly processCount: number;
  readonly networkCount: number;
  readonly fileCount: number;
  readonly mode: DetectionMode;
  readonly tags: readonly string[];
}

interface Ground {
  /** How the root was recognised; undefined where its connections alone say it. */
  readonly signal: Signal | undefined;
  readonly rootUid: string;
  /** Known by a name alone that other programs have: a second signal must be there. */
  readonly weak: boolean;
  readonly rule: ToolRule | undefined;
}

/**
 * The sessions of one root process and rule, oldest first: a function of the set of events alone, so that batches, their
 * order and what comes twice make no difference.
 */
export function sessionsOf(events: readonly SessionEvent[], ground: Ground, matcher: Matcher): Session[] {
  const unique = [...new Map(events.map((event) => [event.key, event])).values()];
  const sorted = unique.sort((a, b) => a.atMs - b.atMs || (a.key < b.key ? -1 : 1));
  if (ground.weak && !sorted.some((event) => isSecondSignal(event, ground.rule, matcher))) return [];
  const sessions: Session[] = [];
  let from = 0;
  for (const [i, event] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next !== undefined && next.atMs - event.atMs <= silenceMs) continue;
    sessions.push(sessionOf(sorted.slice(from, i + 1), ground, matcher));
    from = i + 1;
  }
  return sessions;
}

function isSecondSignal(event: SessionEvent, rule: ToolRule | undefined, matcher: Matcher): boolean {
  if (rule === undefined) return false;
  const { host, filePath, inbound, port, providerId } = event;
  if (host !== undefined && (providerId !== undefined || matcher.isHostOf(rule, host))) return true;
  if (inbound === true && port !== undefined) return rule.match.listen_ports?.includes(port) === true;
  if (filePath === undefined) return false;
  const path = filePath.replaceAll('\\', '/').toLowerCase();
  return (rule.match.files ?? []).some(
    (file) => file.startsWith('~/') && path.includes(file.slice(1).toLowerCase()),
  );
}

function sessionOf(events: readonly SessionEvent[], ground: Ground, matcher: Matcher): Session {
  const count = (dimension: Dimension) => events.filter((event) => event.dimension === dimension).length;
  const tags = new Set(events.flatMap((event) => tagsIn(event, ground)));
  if (sendsWhatItPacked(events)) tags.add('exfil.encode_then_egress');
  return {
    startedMs: events[0]?.atMs ?? 0,
    endedMs: events.at(-1)?.atMs ?? 0,
    processCount: count('process'),
    networkCount: count('network'),
    fileCount: count('file'),
    mode: modeOf(events, ground, matcher),
    tags: [...tags].sort(),
  };
}

/** The agent itself is no shell that it started, and writes its own configuration as it likes. */
const tagsIn = ({ tags, processUid }: SessionEvent, { rootUid, rule }: Ground): string[] =>
  tags.filter((tag) => {
    if (tag === 'archive' || tag === 'egress') return false;
    if (processUid !== rootUid) return true;
    if (tag === 'agent_config.modified') return rule === undefined;
    return tag !== 'execution.shell' && tag !== 'ingress.tool_transfer' && tag !== 'mcp.server_started';
  });

function sendsWhatItPacked(events: readonly SessionEvent[]): boolean {
  let packedMs = -Infinity;
  return events.some(({ tags, atMs }) => {
    if (tags.includes('archive')) packedMs = atMs;
    return tags.includes('egress') && atMs - packedMs <= egressMs;
  });
}

function modeOf(events: readonly SessionEvent[], { signal, rule }: Ground, matcher: Matcher): DetectionMode {
  const signals = new Set<DetectionMode>(signal === undefined ? [] : [signal]);
  for (const { dimension, host, providerId } of events) {
    if ((dimension !== 'network' && dimension !== 'dns') || host === undefined) continue;
    if (providerId !== undefined || (rule !== undefined && matcher.isHostOf(rule, host)))
      signals.add(dimension);
  }
  const [only] = signals;
  return signals.size === 1 && only !== undefined ? only : 'composite';
}
