/** Detects instructions to the agent in tool outputs. */
import type { TextEngine } from '#engine/text/engine.ts';
import { fieldsOf, type Fields } from '#mcp/json-rpc.ts';

export interface OutputFinding {
  readonly probability: number;
  readonly reason: string;
}

/** Undefined if nothing was found. */
export type OutputCheck = (text: string) => Promise<OutputFinding | undefined>;

const threshold = 0.5;
/** Longer outputs are truncated to their beginning and end; judging more would take seconds. */
const maxCharacters = 1_000_000;

/** All text of a tool result, in any part of it. */
export function textOfResult(result: Fields): string {
  const parts: string[] = [];
  for (const block of Array.isArray(result['content']) ? result['content'] : []) {
    const { text, resource, description } = fieldsOf(block);
    for (const each of [text, fieldsOf(resource)['text'], description])
      if (typeof each === 'string') parts.push(each);
  }
  // Any JSON value since revision 2026-07-28.
  const { structuredContent } = result;
  if (typeof structuredContent === 'string') parts.push(structuredContent);
  else if (structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return parts.join('\n');
}

/** Uses the built-in detector of prompt injection. */
export function createOutputCheck(engine: TextEngine): OutputCheck {
  const detector = engine.compile({
    name: 'Prompt injection and instruction override',
    description: '',
    blockActivities: [],
    safeActivities: [],
    detector: 'prompt-injection',
  });
  return async (text) => {
    if (text.trim() === '') return undefined;
    const judged =
      text.length <= maxCharacters
        ? text
        : `${text.slice(0, maxCharacters / 2)}\n${text.slice(-maxCharacters / 2)}`;
    const analysis = await engine.analyseInTurns(judged);
    const score = engine.score(analysis, detector);
    if (score.probability < threshold) return undefined;
    const reason = engine.explain(analysis, [{ name: 'prompt injection', score }]);
    return { probability: score.probability, reason: reason ?? 'It reads like instructions to the agent.' };
  };
}
