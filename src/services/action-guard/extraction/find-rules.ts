/** Extracts obligations and prohibitions of a document as rules. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Severity } from '#engine/actions/types.ts';
import { normOf, type Strength } from '#engine/documents/norms.ts';
import { passagesOf } from '#engine/documents/passages.ts';
import { maxRuleCharacters } from '../contract/policies.ts';

export interface FoundRule {
  readonly description: string;
  readonly severity: Severity;
  /** The wording of the document. */
  readonly source: string;
}

const severityOf: Record<Strength, Severity> = { absolute: 'High', demanded: 'Medium', advised: 'Low' };

const turnMs = 20;

/** Rules in document order, without duplicates. Yields to the event loop between steps. */
export async function findRules(document: string): Promise<FoundRule[]> {
  const found = new Map<string, FoundRule>();
  let turnSince = performance.now();
  for (const passage of passagesOf(document)) {
    if (performance.now() - turnSince > turnMs) {
      await yieldToEventLoop();
      turnSince = performance.now();
    }
    const norm = normOf(passage);
    if (norm === undefined) continue;
    const description = sentence(norm.statement);
    const key = description.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
    const rule = { description, severity: severityOf[norm.strength], source: norm.source.slice(0, 10_000) };
    if (!found.has(key)) found.set(key, rule);
  }
  return [...found.values()];
}

const sentence = (text: string): string => {
  const trimmed = text
    .trim()
    .replace(/[;,]$/, '')
    .slice(0, maxRuleCharacters - 1)
    .toWellFormed();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!]$/.test(trimmed) ? '' : '.'}`;
};
