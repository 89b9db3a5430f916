import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { frames } from './agent-traffic/asks.ts';
import { calls, systemPrompts } from './agent-traffic/calls.ts';
import { configuration, reviews, snippets, statements, traces } from './agent-traffic/code.ts';

export const style: Style = {
  name: 'agent-traffic',
  about:
    'What agents and developers send all day: tool calls, arguments and results, tool descriptions, approvals, system prompts of ' +
    'ordinary assistants, stack traces, queries, shell commands, configuration, reviews and code. All 0, though processes ' +
    'are killed and errors ignored. Written one by one; most come a second time inside a question.',
  rows(random: Random): Row[] {
    const pieces = [
      ...calls,
      ...systemPrompts,
      ...traces,
      ...statements,
      ...configuration,
      ...reviews,
      ...snippets,
    ];
    const asked = pieces.flatMap((code) =>
      random.sample(frames, 2).map((frame) => frame.replace('{code}', () => code)),
    );
    return [...pieces, ...asked].map((text) => ({ text, labels: harmless() }));
  },
};
